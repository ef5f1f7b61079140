/* verify.c - one instruction against its row: how many operands, of what kinds, in registers of what sizes.
 *
 * The row's pattern has one letter an operand (instructions.def). Alternatives are tried without a word; only
 * when none fits, the one with the right number of operands is gone through again to say what is wrong. Sizes
 * follow PTX ISA 6.2 and 9.4.1 (relaxed rules for ld, st and cvt).
 */
#include "ptx/internal.h"

#include <stdio.h>
#include <string.h>

typedef struct Verification {
    Parser *parser;
    PtxInstruction *instruction;
    bool speak;  /* report what is wrong, and turn immediates into values */
    unsigned at; /* operand */
} Verification;

static bool wrong(const Verification *check, unsigned operand, const char *what) {
    if (!check->speak) return false;
    return parse_fail(check->parser, &check->parser->operand_tokens[operand], "operand %u of %s must be %s",
                      operand + 1, ptx_opcode_info(check->instruction->opcode)->name, what);
}

/* ---- do register and type go together? ---- */

static PtxType register_type(const Verification *check, int32_t index) {
    return GROWABLE_AT(&check->parser->registers, PtxRegister, index)->type;
}

/* Half precision values and packed pairs live in registers of their size, whatever those are called. */
static bool is_loose(PtxType type) {
    return !words_is_float(type) && type != PTX_PRED;
}

static bool fits_exactly(PtxType have, PtxType want) {
    if (have == want) return true;
    if (have == PTX_PRED || want == PTX_PRED || ptx_type_bytes(have) != ptx_type_bytes(want)) return false;
    if (words_is_bits(have) || words_is_bits(want)) return true;
    return is_loose(have) && is_loose(want);
}

/* Relaxed rules: the register may be wider. A wider float takes and gives bits only, wider bits anything. */
static bool fits_wider(PtxType have, PtxType want) {
    if (fits_exactly(have, want)) return true;
    if (have == PTX_B128 || have == PTX_PRED || want == PTX_PRED) return false;
    bool alike = (is_loose(have) && is_loose(want)) || words_is_bits(have) || words_is_bits(want);
    return alike && ptx_type_bytes(have) > ptx_type_bytes(want);
}

/* The type of twice the width, for .wide. */
static PtxType widen(PtxType type) {
    static const PtxType wider[PTX_TYPE_COUNT] = {
        [PTX_U16] = PTX_U32, [PTX_S16] = PTX_S32, [PTX_U32] = PTX_U64, [PTX_S32] = PTX_S64};
    return wider[type] ? wider[type] : type;
}

static bool is_address_type(PtxType type) {
    return is_loose(type) && (ptx_type_bytes(type) == 4 || ptx_type_bytes(type) == 8);
}

/* ---- operands that hold values ---- */

static bool check_immediate(const Verification *check, PtxOperand *operand, PtxType want) {
    Constant constant = {.form = (ConstantForm)operand->index, .bits = operand->bits};
    uint64_t bits;
    if (want == PTX_B128) return false; /* constants have 64 bits at most */
    if (!parse_convert(&constant, want, &bits)) return false;
    if (check->speak) {
        operand->bits = bits;
        operand->index = 0;
    }
    return true;
}

/* A register, a constant, an address, as far as the type allows; the other kinds of operands have tests of
 * their own. */
static bool check_source(const Verification *check, PtxOperand *operand, PtxType want, bool wider) {
    switch (operand->kind) {
    case PTX_OPERAND_REGISTER: {
        PtxType have = register_type(check, operand->index);
        return wider ? fits_wider(have, want) : fits_exactly(have, want);
    }
    case PTX_OPERAND_IMMEDIATE:
        return check_immediate(check, operand, want);
    case PTX_OPERAND_VARIABLE:
    case PTX_OPERAND_FUNCTION:
        return is_address_type(want);
    case PTX_OPERAND_SPECIAL:
    case PTX_OPERAND_NONE:
    case PTX_OPERAND_ADDRESS:
    case PTX_OPERAND_LABEL:
    case PTX_OPERAND_VECTOR:
    case PTX_OPERAND_SINK:
        break;
    }
    return false;
}

static bool check_destination(const Verification *check, const PtxOperand *operand, PtxType want,
                              bool wider) {
    if (operand->kind == PTX_OPERAND_SINK) return ptx_has_trait(check->instruction->opcode, PTX_TRAIT_SINKS);
    if (operand->kind != PTX_OPERAND_REGISTER) return false;
    PtxType have = register_type(check, operand->index);
    return wider ? fits_wider(have, want) : fits_exactly(have, want);
}

static bool check_predicate(const Verification *check, const PtxOperand *operand) {
    if (operand->kind == PTX_OPERAND_SINK) return true;
    return operand->kind == PTX_OPERAND_REGISTER && register_type(check, operand->index) == PTX_PRED;
}

static PtxOperand *part_of(const Verification *check, const PtxOperand *vector, unsigned i) {
    return GROWABLE_AT(&check->parser->parts, PtxOperand, vector->first_part + i);
}

/* The registers of ld and st: one, or as many as .v2 and so on says. */
static bool check_vector(const Verification *check, PtxOperand *operand, bool destination) {
    PtxType type = check->instruction->type;
    bool wider = !ptx_has_trait(check->instruction->opcode, PTX_TRAIT_FITS);
    unsigned count = check->instruction->modifiers.vector;
    if (!count && operand->kind == PTX_OPERAND_VECTOR && check->instruction->modifiers.geometry)
        count = 1; /* suld.b.2d.b32.trap {%r1}, ... */
    if (!count)
        return destination ? check_destination(check, operand, type, wider)
                           : check_source(check, operand, type, wider);
    if (operand->kind != PTX_OPERAND_VECTOR || operand->parts != count) return false;
    for (unsigned i = 0; i < count; i++) {
        PtxOperand *part = part_of(check, operand, i);
        bool fits = destination
                        ? part->kind == PTX_OPERAND_SINK || check_destination(check, part, type, wider)
                        : check_source(check, part, type, wider);
        if (!fits) return false;
    }
    return true;
}

/* ---- mov ---- */

/* {a, b}: parts of equal size that make up the type together. */
static bool check_packed(const Verification *check, PtxOperand *vector, PtxType type, bool destination) {
    static const PtxType by_bytes[] = {[1] = PTX_B8, [2] = PTX_B16, [4] = PTX_B32, [8] = PTX_B64};
    unsigned bytes = vector->parts ? ptx_type_bytes(type) / vector->parts : 0;
    if (bytes == 0 || bytes > 8 || (bytes & (bytes - 1)) || bytes * vector->parts != ptx_type_bytes(type))
        return false;
    for (unsigned i = 0; i < vector->parts; i++) {
        PtxOperand *part = part_of(check, vector, i);
        if (part->kind == PTX_OPERAND_SINK && destination) continue;
        if (!(destination ? check_destination(check, part, by_bytes[bytes], false)
                          : check_source(check, part, by_bytes[bytes], false)))
            return false;
    }
    return true;
}

/* %tid, %ntid, %ctaid and %nctaid once had 16 bits, and may still be read so (PTX ISA 10.1). */
static bool is_position(int32_t special) {
    return special >= PTX_TID_X && special <= PTX_NCTAID_Z;
}

/* mov also packs vectors and reads special registers (PTX ISA 9.7.9.3 and 9.7.9.4); positions may be read
 * as 16 bits, as old code does. */
static bool check_mov_source(const Verification *check, PtxOperand *operand) {
    PtxType type = check->instruction->type;
    if (operand->kind == PTX_OPERAND_VECTOR)
        return check->instruction->operands[0].kind == PTX_OPERAND_REGISTER &&
               check_packed(check, operand, type, false);
    if (operand->kind == PTX_OPERAND_SPECIAL) {
        PtxType have = words_special_type((PtxSpecial)operand->index);
        if (operand->index == PTX_GRIDID) return is_address_type(type);
        return fits_exactly(have, type) || (is_position(operand->index) && fits_exactly(PTX_B16, type));
    }
    return check_source(check, operand, type, false);
}

static bool check_mov_destination(const Verification *check, PtxOperand *operand) {
    if (operand->kind == PTX_OPERAND_VECTOR)
        return check_packed(check, operand, check->instruction->type, true);
    return check_destination(check, operand, check->instruction->type, false);
}

/* ---- addresses ---- */

/* A named variable says the space by itself. The result is kept in the modifiers. */
static bool check_space(const Verification *check, const PtxOperand *operand, PtxSpace *space) {
    if (operand->variable) {
        if (*space != PTX_SPACE_GENERIC && *space != operand->variable->space)
            return wrong(check, check->at, "in the instruction's state space");
        if (check->speak) *space = operand->variable->space;
    }
    if (ptx_has_trait(check->instruction->opcode, PTX_TRAIT_STORES) && *space == PTX_SPACE_CONST)
        return wrong(check, check->at, "in memory that can be written, which .const is not");
    return true;
}

static bool check_address(const Verification *check, const PtxOperand *operand) {
    PtxModifiers *modifiers = &check->instruction->modifiers;
    if (operand->kind != PTX_OPERAND_ADDRESS) return false;
    if (operand->index >= 0 && !is_address_type(register_type(check, operand->index))) return false;
    bool source_of_copy = check->instruction->opcode == PTX_OP_cp_async && check->at == 1;
    return check_space(check, operand, source_of_copy ? &modifiers->space2 : &modifiers->space);
}

/* ---- textures and surfaces (PTX ISA 9.7.10, 9.7.11) ---- */

/* Objects are handles in registers of 64 bits, or texture references by their names. */
static bool check_object(const Verification *check, const PtxOperand *operand) {
    if (operand->kind != PTX_OPERAND_ADDRESS || operand->offset) return false;
    if (operand->variable) return operand->variable->reference;
    return operand->index >= 0 && fits_exactly(register_type(check, operand->index), PTX_B64);
}

/* Three coordinates are written as four, the last of which counts for nothing. Layers are whole numbers. */
static bool check_coordinates(const Verification *check, PtxOperand *operand) {
    const PtxInstruction *instruction = check->instruction;
    PtxGeometry geometry = instruction->modifiers.geometry;
    PtxType type = instruction->source_type ? instruction->source_type : PTX_B32;
    bool layered = ptx_geometry_layered(geometry);
    unsigned count = ptx_geometry_coordinates(geometry), most = count == 3 ? 4 : count;
    if (operand->kind != PTX_OPERAND_VECTOR) return count == 1 && check_source(check, operand, type, false);
    if (operand->parts < count || operand->parts > most) return false;
    for (unsigned i = 0; i < operand->parts; i++)
        if (!check_source(check, part_of(check, operand, i), layered && i == 0 ? PTX_B32 : type, false))
            return false;
    return true;
}

static bool check_derivatives(const Verification *check, PtxOperand *operand) {
    PtxGeometry geometry = check->instruction->modifiers.geometry;
    unsigned count = ptx_geometry_coordinates(geometry) - ptx_geometry_layered(geometry);
    if (operand->kind != PTX_OPERAND_VECTOR)
        return count == 1 && check_source(check, operand, PTX_F32, false);
    if (operand->parts < count) return false;
    for (unsigned i = 0; i < operand->parts; i++)
        if (!check_source(check, part_of(check, operand, i), PTX_F32, false)) return false;
    return true;
}

/* ---- matrices (PTX ISA 9.7.14) ---- */

/* A list in braces of just that many registers, or of sources. */
static bool check_registers(const Verification *check, const PtxOperand *operand, unsigned count,
                            PtxType type, bool destination) {
    if (operand->kind != PTX_OPERAND_VECTOR) return false;
    if (operand->parts != count) return false;
    for (unsigned i = 0; i < count; i++) {
        PtxOperand *part = part_of(check, operand, i);
        bool fits = destination
                        ? part->kind == PTX_OPERAND_REGISTER && check_destination(check, part, type, false)
                        : check_source(check, part, type, false);
        if (!fits) return false;
    }
    return true;
}

/* A single register may stand without {}. */
static bool check_fragment(const Verification *check, PtxOperand *operand, char role, bool destination) {
    PtxMatrices matrices;
    const PtxModifiers *modifiers = &check->instruction->modifiers;
    if (!ptx_matrices(check->instruction, &matrices)) return false;
    PtxFragment fragment = ptx_fragment(
        &matrices, role, role == 'b' && modifiers->layout2 ? modifiers->layout2 : modifiers->layout);
    if (operand->kind == PTX_OPERAND_VECTOR)
        return check_registers(check, operand, fragment.registers, fragment.register_type, destination);
    if (fragment.registers > 1) return false;
    return destination ? check_destination(check, operand, fragment.register_type, false)
                       : check_source(check, operand, fragment.register_type, false);
}

static bool check_parts_of_matrices(const Verification *check, PtxOperand *operand, bool destination) {
    unsigned count = check->instruction->modifiers.number;
    if (operand->kind == PTX_OPERAND_VECTOR)
        return check_registers(check, operand, count, PTX_B32, destination);
    if (count > 1) return false;
    return destination ? check_destination(check, operand, PTX_B32, false)
                       : check_source(check, operand, PTX_B32, false);
}

static bool check_pointer(const Verification *check, PtxOperand *operand) {
    if (operand->kind == PTX_OPERAND_REGISTER) return is_address_type(register_type(check, operand->index));
    return check_source(check, operand, PTX_B64, false);
}

/* ---- a whole pattern ---- */

/* d|p: the second one is the next operand. */
static bool check_pair(Verification *check) {
    if (!(check->parser->pairs >> (check->at + 1) & 1)) return true;
    check->at++;
    if (check_predicate(check, &check->instruction->operands[check->at])) return true;
    return wrong(check, check->at, "a predicate");
}

/* What each letter stands for: its test, and the words for a message. */
typedef enum LetterTest {
    TEST_DESTINATION, /* a register of exactly the size */
    TEST_WIDER_DESTINATION,
    TEST_SOURCE,
    TEST_WIDER_SOURCE,
    TEST_PREDICATE,
    TEST_TRUTH, /* a predicate to be read */
    TEST_LOADED,
    TEST_STORED,
    TEST_MOV_DESTINATION,
    TEST_MOV_SOURCE,
    TEST_POINTER,
    TEST_ADDRESS,
    TEST_NUMBER,
    TEST_LABEL,
    TEST_OBJECT,
    TEST_COORDINATES,
    TEST_DERIVATIVES,
    TEST_MATRIX_A,
    TEST_MATRIX_B,
    TEST_MATRIX_C,
    TEST_MATRIX_D,
    TEST_MATRIX_ROWS
} LetterTest;

typedef enum LetterType { OF_TYPE, OF_SECOND, OF_WIDE, OF_B32, OF_B64, OF_F32, OF_NONE } LetterType;

typedef struct Letter {
    char letter;
    LetterTest test;
    LetterType type;
    bool pair, destination;
    const char *what;
} Letter;

#define MATRIX_WORDS "as many registers in {} as a lane has of the matrix, of its type or of 32 bits"

static const Letter letters[] = {
    {'d', TEST_DESTINATION, OF_WIDE, false, true, "a register"},
    {'t', TEST_WIDER_DESTINATION, OF_TYPE, false, true, "a register"},
    {'U', TEST_DESTINATION, OF_B32, false, true, "a register"},
    {'V', TEST_DESTINATION, OF_B32, true, true, "a register"},
    {'p', TEST_PREDICATE, OF_NONE, false, true, "a predicate register"},
    {'P', TEST_PREDICATE, OF_NONE, true, true, "a predicate register"},
    {'v', TEST_LOADED, OF_TYPE, false, true, "a register"},
    {'X', TEST_MOV_DESTINATION, OF_TYPE, false, true, "a register"},
    {'a', TEST_SOURCE, OF_TYPE, false, false, "a value"},
    {'b', TEST_SOURCE, OF_SECOND, false, false, "a value"},
    {'c', TEST_SOURCE, OF_WIDE, false, false, "a value"},
    {'r', TEST_WIDER_SOURCE, OF_SECOND, false, false, "a value"},
    {'u', TEST_SOURCE, OF_B32, false, false, "a value"},
    {'L', TEST_SOURCE, OF_B64, false, false, "a value"},
    {'f', TEST_SOURCE, OF_F32, false, false, "a value"},
    {'w', TEST_STORED, OF_TYPE, false, false, "a value"},
    {'x', TEST_MOV_SOURCE, OF_TYPE, false, false, "a value"},
    {'q', TEST_TRUTH, OF_NONE, false, false, "a predicate register"},
    {'i', TEST_POINTER, OF_NONE, false, false, "an address in a register of 32 or 64 bits"},
    {'m', TEST_ADDRESS, OF_NONE, false, false, "an address in []"},
    {'n', TEST_NUMBER, OF_NONE, false, false, "a whole number"},
    {'l', TEST_LABEL, OF_NONE, false, false, "a label"},
    {'o', TEST_OBJECT, OF_NONE, false, false,
     "an object (its handle in a register of 64 bits, or a texture reference) in []"},
    {'k', TEST_COORDINATES, OF_NONE, false, false, "as many coordinates in {} as the geometry has"},
    {'h', TEST_DERIVATIVES, OF_NONE, false, false, "derivatives of type .f32 in {}"},
    {'D', TEST_MATRIX_D, OF_NONE, false, true, MATRIX_WORDS},
    {'A', TEST_MATRIX_A, OF_NONE, false, false, MATRIX_WORDS},
    {'B', TEST_MATRIX_B, OF_NONE, false, false, MATRIX_WORDS},
    {'C', TEST_MATRIX_C, OF_NONE, false, false, MATRIX_WORDS},
    {'E', TEST_MATRIX_A, OF_NONE, false, true, MATRIX_WORDS},
    {'F', TEST_MATRIX_B, OF_NONE, false, true, MATRIX_WORDS},
    {'G', TEST_MATRIX_C, OF_NONE, false, true, MATRIX_WORDS},
    {'S', TEST_MATRIX_D, OF_NONE, false, false, MATRIX_WORDS},
    {'N', TEST_MATRIX_ROWS, OF_NONE, false, true, "as many registers of 32 bits in {} as there are matrices"},
    {'O', TEST_MATRIX_ROWS, OF_NONE, false, false,
     "as many registers of 32 bits in {} as there are matrices"},
};

static const Letter *find_letter(const Verification *check, char letter) {
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i].letter == letter) return &letters[i];
    BUG("unknown letter '%c' in the operands of %s", letter,
        ptx_opcode_info(check->instruction->opcode)->name);
}

/* The type that a letter of the row's pattern stands for, in this instruction. */
static PtxType wanted_type(const PtxInstruction *instruction, LetterType type) {
    switch (type) {
    case OF_TYPE:
        return instruction->type;
    case OF_SECOND:
        return instruction->source_type ? instruction->source_type : instruction->type;
    case OF_WIDE:
        return instruction->modifiers.mode == PTX_MODE_WIDE ? widen(instruction->type) : instruction->type;
    case OF_B32:
        return PTX_B32;
    case OF_B64:
        return PTX_B64;
    case OF_F32:
        return PTX_F32;
    case OF_NONE:
        break;
    }
    return PTX_NONE;
}

/* The test that the letter names; each letter of instructions.def has one. */
static bool run_test(const Verification *check, const Letter *letter, PtxOperand *operand, PtxType want) {
    bool destination = letter->destination;
    switch (letter->test) {
    case TEST_MATRIX_A:
        return check_fragment(check, operand, 'a', destination);
    case TEST_MATRIX_B:
        return check_fragment(check, operand, 'b', destination);
    case TEST_MATRIX_C:
        return check_fragment(check, operand, 'c', destination);
    case TEST_MATRIX_D:
        return check_fragment(check, operand, 'd', destination);
    case TEST_MATRIX_ROWS:
        return check_parts_of_matrices(check, operand, destination);
    case TEST_DESTINATION:
        return check_destination(check, operand, want, false);
    case TEST_WIDER_DESTINATION:
        return check_destination(check, operand, want, true);
    case TEST_SOURCE:
        return check_source(check, operand, want, false);
    case TEST_WIDER_SOURCE:
        return check_source(check, operand, want, true);
    case TEST_PREDICATE:
        return check_predicate(check, operand);
    case TEST_TRUTH:
        return operand->kind == PTX_OPERAND_REGISTER && check_predicate(check, operand);
    case TEST_LOADED:
        return check_vector(check, operand, true);
    case TEST_STORED:
        return check_vector(check, operand, false);
    case TEST_MOV_DESTINATION:
        return check_mov_destination(check, operand);
    case TEST_MOV_SOURCE:
        return check_mov_source(check, operand);
    case TEST_POINTER:
        return check_pointer(check, operand);
    case TEST_ADDRESS:
        return check_address(check, operand);
    case TEST_OBJECT:
        return check_object(check, operand);
    case TEST_COORDINATES:
        return check_coordinates(check, operand);
    case TEST_DERIVATIVES:
        return check_derivatives(check, operand);
    case TEST_LABEL:
        return operand->kind == PTX_OPERAND_LABEL;
    case TEST_NUMBER:
        return operand->kind == PTX_OPERAND_IMMEDIATE && check_immediate(check, operand, PTX_U64);
    }
    return false;
}

/* One operand against one letter. The message says what would have fitted, and is only made when
 * check->speak is set (wrong()). */
static bool check_letter(Verification *check, const Letter *letter) {
    PtxOperand *operand = &check->instruction->operands[check->at];
    PtxType want = wanted_type(check->instruction, letter->type);
    if (operand->negated && letter->test != TEST_TRUTH) return wrong(check, check->at, "without '!'");
    if (run_test(check, letter, operand, want)) return !letter->pair || check_pair(check);
    char text[96];
    unsigned vector = check->instruction->modifiers.vector;
    bool list = vector && (letter->test == TEST_LOADED || letter->test == TEST_STORED);
    if (list)
        snprintf(text, sizeof text, "%u in {}, each %s of type .%s", vector, letter->what,
                 ptx_type_name(want));
    else
        snprintf(text, sizeof text, want ? "%s of type .%s" : "%s", letter->what, ptx_type_name(want));
    return wrong(check, check->at, text);
}

/* Goes through the alternative that begins at `pattern`; the operands must end where it does. */
static bool check_pattern(Verification *check, const char *pattern) {
    PtxInstruction *instruction = check->instruction;
    unsigned destinations = 0;
    for (check->at = 0; *pattern && *pattern != '/'; pattern++, check->at++) {
        if (check->at >= instruction->operand_count) return false;
        const Letter *letter = find_letter(check, *pattern);
        if (!check_letter(check, letter)) return false;
        if (letter->destination) destinations = check->at + 1;
    }
    if (check->at != instruction->operand_count) return false;
    instruction->destination_count = (uint8_t)destinations;
    return true;
}

static const char *next_alternative(const char *pattern) {
    pattern = strchr(pattern, '/');
    return pattern ? pattern + 1 : NULL;
}

/* A token has 64 bits, a parity 32. */
static bool waits_for_parity(const char *pattern) {
    return pattern[2] == 'u';
}

/* Only compare-and-swap takes two values; a cache policy behind one value is none. */
static bool applies(const PtxInstruction *instruction, const char *pattern) {
    bool waits = ptx_has_trait(instruction->opcode, PTX_TRAIT_TESTS);
    if (waits) return waits_for_parity(pattern) == (instruction->modifiers.mode == PTX_MODE_PARITY);
    bool reduces = instruction->opcode == PTX_OP_atom || instruction->opcode == PTX_OP_red;
    if (reduces && (strchr("vw", pattern[0]) || pattern[1] == 'w')) return instruction->modifiers.vector;
    if (reduces && instruction->modifiers.vector) return false;
    if (instruction->opcode != PTX_OP_atom) return true;
    size_t length = strcspn(pattern, "/");
    bool two = length >= 4 && memcmp(pattern, "dmaa", 4) == 0;
    return two == (instruction->modifiers.atomic == PTX_ATOM_CAS);
}

/* How many operands the alternative has in the text: pairs count once. */
static bool has_count(const Verification *check, const char *pattern) {
    unsigned written = check->instruction->operand_count;
    for (unsigned pairs = check->parser->pairs; pairs; pairs &= pairs - 1)
        written--;
    return strcspn(pattern, "/") == written;
}

/* None of the alternatives fits. The first one with as many operands as there are is tried again, aloud, so
 * that the message names the operand; otherwise the forms are shown. */
static bool explain(Verification *check, const char *pattern) {
    const PtxOpcodeInfo *info = ptx_opcode_info(check->instruction->opcode);
    check->speak = true;
    for (const char *at = pattern; at; at = next_alternative(at))
        if (has_count(check, at) && applies(check->instruction, at) && !check_pattern(check, at)) break;
    if (!check->parser->failed) {
        parse_fail(check->parser, &check->parser->mnemonic, "these are not the operands that %s takes",
                   info->name);
        parse_remedy(check->parser, info->forms);
    }
    return false;
}

/* Arriving releases, waiting acquires, unless something else is said (PTX ISA 9.7.13.15.13, .16). */
static void order_mbarrier(PtxInstruction *instruction) {
    PtxModifiers *modifiers = &instruction->modifiers;
    bool arrives = ptx_has_trait(instruction->opcode, PTX_TRAIT_ARRIVES);
    bool tests = ptx_has_trait(instruction->opcode, PTX_TRAIT_TESTS);
    bool relaxed = modifiers->semantics == PTX_SEM_RELAXED;
    if (!arrives && !tests) return;
    if (arrives && !relaxed) modifiers->semantics = PTX_SEM_ACQ_REL;
    if (tests) {
        modifiers->sync = !relaxed;
        modifiers->semantics = PTX_SEM_RELAXED; /* the reading itself: it acquires only when it succeeds */
    }
    if (!modifiers->scope) modifiers->scope = PTX_SCOPE_CTA;
}

/* The first alternative whose operands fit is the one. Patterns are tried without touching the instruction;
 * the chosen one is gone through again with `speak`, which turns its constants into values of the operands'
 * types. */
bool verify_instruction(Parser *parser, PtxInstruction *instruction) {
    if (parser->failed) return false;
    const OpcodeRow *row = opcodes_row(instruction->opcode);
    const char *matrix = opcodes_matrix(row) ? verify_rules_matrix(instruction) : NULL;
    if (matrix) return parse_fail(parser, &parser->mnemonic, "%s %s", row->info.name, matrix);
    Verification check = {.parser = parser, .instruction = instruction};
    const char *pattern = row->info.operands;
    while (pattern && !(applies(instruction, pattern) && check_pattern(&check, pattern)))
        pattern = next_alternative(pattern);
    if (!pattern) return explain(&check, row->info.operands);
    const char *broken = verify_rules_broken(instruction);
    if (broken) return parse_fail(parser, &parser->mnemonic, "%s %s", row->info.name, broken);
    order_mbarrier(instruction);
    check.speak = true;
    return check_pattern(&check, pattern) ||
           parse_fail(parser, &parser->mnemonic, "these operands do not fit together");
}
