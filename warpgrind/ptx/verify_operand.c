/* verify_operand.c - one operand against one letter of the row's pattern: its kind, and the size of its
 * register.
 *
 * Sizes follow PTX ISA 6.2 and 9.4.1 (relaxed rules for ld, st and cvt).
 */
#include "ptx/verify.h"

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
        if (wider) return fits_wider(have, want);
        return fits_exactly(have, want);
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
    if (wider) return fits_wider(have, want);
    return fits_exactly(have, want);
}

bool verify_operand_predicate(const Verification *check, const PtxOperand *operand) {
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
        bool fits;
        if (destination)
            fits = part->kind == PTX_OPERAND_SINK || check_destination(check, part, type, wider);
        else
            fits = check_source(check, part, type, wider);
        if (!fits) return false;
    }
    return true;
}

/* ---- mov ---- */

/* {a, b}: parts of equal size that make up the type together. */
static bool check_packed(const Verification *check, PtxOperand *vector, PtxType type, bool destination) {
    static const PtxType by_bytes[] = {[1] = PTX_B8, [2] = PTX_B16, [4] = PTX_B32, [8] = PTX_B64};
    unsigned bytes = 0;
    if (vector->parts) bytes = ptx_type_bytes(type) / vector->parts;
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
            return verify_wrong(check, check->at, "in the instruction's state space");
        if (check->speak) *space = operand->variable->space;
    }
    if (ptx_has_trait(check->instruction->opcode, PTX_TRAIT_STORES) && *space == PTX_SPACE_CONST)
        return verify_wrong(check, check->at, "in memory that can be written, which .const is not");
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
    PtxType type = PTX_B32;
    if (instruction->source_type) type = instruction->source_type;
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
        bool fits;
        if (destination)
            fits = part->kind == PTX_OPERAND_REGISTER && check_destination(check, part, type, false);
        else
            fits = check_source(check, part, type, false);
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
    if (destination) return check_destination(check, operand, fragment.register_type, false);
    return check_source(check, operand, fragment.register_type, false);
}

static bool check_parts_of_matrices(const Verification *check, PtxOperand *operand, bool destination) {
    unsigned count = check->instruction->modifiers.number;
    if (operand->kind == PTX_OPERAND_VECTOR)
        return check_registers(check, operand, count, PTX_B32, destination);
    if (count > 1) return false;
    if (destination) return check_destination(check, operand, PTX_B32, false);
    return check_source(check, operand, PTX_B32, false);
}

static bool check_pointer(const Verification *check, PtxOperand *operand) {
    if (operand->kind == PTX_OPERAND_REGISTER) return is_address_type(register_type(check, operand->index));
    return check_source(check, operand, PTX_B64, false);
}

/* ---- any operand ---- */

/* The test that the letter names; each letter of instructions.def has one. */
bool verify_operand_fits(const Verification *check, const Letter *letter, PtxOperand *operand, PtxType want) {
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
        return verify_operand_predicate(check, operand);
    case TEST_TRUTH:
        return operand->kind == PTX_OPERAND_REGISTER && verify_operand_predicate(check, operand);
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
