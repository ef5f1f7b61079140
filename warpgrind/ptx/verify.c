/* verify.c - one instruction against its row: how many operands, of what kinds, in registers of what sizes.
 *
 * The row's pattern has one letter an operand (instructions.def); verify_operand.c has the test of each.
 * Alternatives are tried without a word; only when none fits, the one with the right number of operands is
 * gone through again to say what is wrong.
 */
#include "ptx/verify.h"

#include <stdio.h>
#include <string.h>

bool verify_wrong(const Verification *check, unsigned operand, const char *what) {
    if (!check->speak) return false;
    return parse_fail(check->parser, &check->parser->operand_tokens[operand], "operand %u of %s must be %s",
                      operand + 1, ptx_opcode_info(check->instruction->opcode)->name, what);
}

/* d|p: the second one is the next operand. */
static bool check_pair(Verification *check) {
    if (!(check->parser->pairs >> (check->at + 1) & 1)) return true;
    check->at++;
    if (verify_operand_predicate(check, &check->instruction->operands[check->at])) return true;
    return verify_wrong(check, check->at, "a predicate");
}

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

/* The type of twice the width, for .wide. */
static PtxType widen(PtxType type) {
    static const PtxType wider[PTX_TYPE_COUNT] = {
        [PTX_U16] = PTX_U32, [PTX_S16] = PTX_S32, [PTX_U32] = PTX_U64, [PTX_S32] = PTX_S64};
    if (wider[type]) return wider[type];
    return type;
}

/* The type that a letter of the row's pattern stands for, in this instruction. */
static PtxType wanted_type(const PtxInstruction *instruction, LetterType type) {
    switch (type) {
    case OF_TYPE:
        return instruction->type;
    case OF_SECOND:
        if (instruction->source_type) return instruction->source_type;
        return instruction->type;
    case OF_WIDE:
        if (instruction->modifiers.mode == PTX_MODE_WIDE) return widen(instruction->type);
        return instruction->type;
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

/* One operand against one letter. The message says what would have fitted, and is only made when
 * check->speak is set (verify_wrong()). */
static bool check_letter(Verification *check, const Letter *letter) {
    PtxOperand *operand = &check->instruction->operands[check->at];
    PtxType want = wanted_type(check->instruction, letter->type);
    if (operand->negated && letter->test != TEST_TRUTH) return verify_wrong(check, check->at, "without '!'");
    if (verify_operand_fits(check, letter, operand, want)) return !letter->pair || check_pair(check);
    char text[96];
    unsigned vector = check->instruction->modifiers.vector;
    bool list = vector && (letter->test == TEST_LOADED || letter->test == TEST_STORED);
    if (list)
        snprintf(text, sizeof text, "%u in {}, each %s of type .%s", vector, letter->what,
                 ptx_type_name(want));
    else
        snprintf(text, sizeof text, want ? "%s of type .%s" : "%s", letter->what, ptx_type_name(want));
    return verify_wrong(check, check->at, text);
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
    if (pattern) return pattern + 1;
    return NULL;
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
    const char *matrix = NULL;
    if (opcodes_matrix(row)) matrix = verify_rules_matrix(instruction);
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
