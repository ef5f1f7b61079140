/* verify_rules.c - what an instruction must be besides its operands: combinations of types and modifiers that
 * the rows of instructions.def cannot say.
 *
 * A rule that is broken is words which complete a sentence that begins with the instruction's name: "mul.f32
 * of floats has neither .lo nor .hi nor .wide".
 */
#include "ptx/internal.h"

static bool copies_badly(const PtxInstruction *instruction) {
    if (instruction->opcode != PTX_OP_cp_async || instruction->operand_count < 3) return false;
    uint64_t bytes = instruction->operands[2].bits;
    return bytes != 4 && bytes != 8 && bytes != 16;
}

/* Each mode of cp.async has a number of operands of its own. */
static bool has_stray_operands(const PtxInstruction *instruction) {
    if (instruction->opcode != PTX_OP_cp_async) return false;
    PtxMode mode = instruction->modifiers.mode;
    unsigned count = instruction->operand_count;
    if (mode == PTX_MODE_NONE) return count < 3;
    return count != (mode == PTX_MODE_WAIT_GROUP);
}

static bool aligns_badly(const PtxInstruction *instruction) {
    enum { MOST_ALIGNMENT = 4096 };
    if (instruction->opcode != PTX_OP_alloca || instruction->operand_count < 3) return false;
    uint64_t alignment = instruction->operands[2].bits;
    return alignment > MOST_ALIGNMENT || (alignment & (alignment - 1));
}

/* PTX ISA 9.7.11.3 */
static bool reduces_badly(const PtxInstruction *instruction) {
    if (instruction->opcode != PTX_OP_sured) return false;
    PtxAtomic atomic = instruction->modifiers.atomic;
    if (atomic == PTX_ATOM_AND || atomic == PTX_ATOM_OR) return instruction->type != PTX_B32;
    bool number = atomic == PTX_ATOM_ADD || atomic == PTX_ATOM_MIN || atomic == PTX_ATOM_MAX;
    return !number || words_is_bits(instruction->type);
}

/* What the patterns cannot say about textures and surfaces (PTX ISA 9.7.10 and 9.7.11); the words complete
 * a sentence that begins with the instruction's name. */
static const char *broken_texture_rule(const PtxInstruction *instruction) {
    const PtxModifiers *modifiers = &instruction->modifiers;
    PtxType coordinates = instruction->source_type;
    if (ptx_type_bytes(instruction->type) * modifiers->vector > 16) return "moves more than 16 bytes at once";
    bool texture = instruction->opcode == PTX_OP_tex || instruction->opcode == PTX_OP_tld4;
    if (texture && modifiers->vector != 4) return "has four destinations (.v4)";
    if (texture && coordinates != PTX_F32 && coordinates != PTX_S32)
        return "has coordinates of type .f32 or .s32";
    if (reduces_badly(instruction)) return "can be .add, .min and .max of integers, .and and .or of .b32";
    bool cube = ptx_geometry_cube(modifiers->geometry);
    if (instruction->opcode == PTX_OP_tld4 && modifiers->geometry != PTX_GEOMETRY_2D &&
        modifiers->geometry != PTX_GEOMETRY_A2D)
        return "is supported for .2d and .a2d only";
    if (cube && !texture) return "has no cubes: their faces are layers (.a2d)";
    if (cube && coordinates != PTX_F32) return "has coordinates of type .f32 for cubes";
    if (cube && modifiers->select == PTX_SELECT_GRAD) return "is supported for cubes without .grad only";
    if (modifiers->select == PTX_SELECT_GRAD && coordinates != PTX_F32)
        return "has coordinates of type .f32 with .grad";
    return NULL;
}

static bool is_half(PtxType type) {
    return type == PTX_F16 || type == PTX_F16X2 || type == PTX_BF16 || type == PTX_BF16X2;
}

/* What cvt cannot do: the formats of 8 and 19 bits are made of floats only, and saturate. */
static const char *broken_conversion(const PtxInstruction *instruction) {
    PtxType to = instruction->type, from = instruction->source_type;
    bool small = to == PTX_E4M3X2 || to == PTX_E5M2X2, from_small = from == PTX_E4M3X2 || from == PTX_E5M2X2;
    if (words_is_bits(from) || from == PTX_PRED || from == PTX_TF32) return "cannot convert from this type";
    if (from_small && to != PTX_F16X2) return "makes .f16x2 only from this type";
    if (to == PTX_TF32 && from != PTX_F32) return "makes .tf32 from .f32 only";
    if (!small) return NULL;
    if (!instruction->modifiers.satfinite) return "to this type needs .satfinite";
    bool pair = from == PTX_F32 && instruction->operand_count == 3;
    bool packed = (from == PTX_F16X2 || from == PTX_BF16X2) && instruction->operand_count == 2;
    if (pair || packed) return NULL;
    return "makes this type from two .f32, or from .f16x2 or .bf16x2";
}

/* What values of a type cannot be compared by (PTX ISA 9.3.1): bits have no order, only numbers without a
 * sign have .lo to .hs, and only floats are unordered. The video instructions know the six plain ones
 * (9.7.18). */
static const char *broken_comparison(const PtxInstruction *instruction) {
    PtxCompare compare = instruction->modifiers.compare;
    PtxOpcode opcode = instruction->opcode;
    PtxType type = instruction->type;
    if (opcode == PTX_OP_set) type = instruction->source_type;
    bool video = opcode != PTX_OP_set && opcode != PTX_OP_setp;
    bool floats = words_is_float(type) || is_half(type);
    bool naturals = words_is_integer(type) && !words_is_signed(type);
    if (video && compare > PTX_GE) return "compares by .eq, .ne, .lt, .le, .gt and .ge only";
    if (words_is_bits(type) && compare > PTX_NE) return "compares bits by .eq and .ne only";
    if (!floats && compare > PTX_HS) return "can compare so floats only";
    if (!naturals && compare > PTX_GE && compare <= PTX_HS)
        return "can compare so types without a sign only (.u32, ...)";
    return NULL;
}

/* Combinations of types and modifiers that each are fine and together are not, by the instructions' own
 * sections (PTX ISA 9.7.1 to 9.7.13). */
static const char *broken_arithmetic(const PtxInstruction *instruction) {
    const PtxModifiers *modifiers = &instruction->modifiers;
    PtxType type = instruction->type;
    bool choice = instruction->opcode == PTX_OP_min || instruction->opcode == PTX_OP_max;
    if (choice && instruction->operand_count == 4 && type != PTX_F32)
        return "takes three values of type .f32 only";
    bool merges = instruction->operands[0].part != PTX_PART_WHOLE;
    if (merges && instruction->operand_count < 4) return "puts a part into a third source";
    if (merges && modifiers->atomic) return "cannot put the result of .add, .min or .max into a part";
    if (choice && modifiers->relu && type != PTX_S32 && type != PTX_S16X2)
        return "can be .relu for .s32 and .s16x2 only";
    if (instruction->opcode == PTX_OP_fma && modifiers->relu && !is_half(type))
        return "can be .relu for halves only";
    bool least_or_most = modifiers->atomic == PTX_ATOM_MIN || modifiers->atomic == PTX_ATOM_MAX;
    if (instruction->opcode == PTX_OP_redux && type == PTX_F32 && !least_or_most)
        return "of .f32 can be .min and .max only";
    bool swaps = modifiers->atomic == PTX_ATOM_CAS || modifiers->atomic == PTX_ATOM_EXCH;
    if (instruction->opcode == PTX_OP_atom && type == PTX_B128 && !swaps)
        return "of .b128 can be .exch and .cas only";
    bool adds = modifiers->atomic == PTX_ATOM_ADD || modifiers->atomic == PTX_ATOM_MIN ||
                modifiers->atomic == PTX_ATOM_MAX;
    if (modifiers->vector && modifiers->atomic && !adds)
        return "of several values can be .add, .min and .max only";
    if (instruction->opcode == PTX_OP_lop3 && (instruction->operand_count > 5) != (modifiers->boolean != 0))
        return "has .and or .or where it has two predicates";
    return NULL;
}

/* Rules that concern more than one operand or modifier; NULL when none is broken. */
const char *verify_rules_broken(const PtxInstruction *instruction) {
    const PtxModifiers *modifiers = &instruction->modifiers;
    if (modifiers->geometry) return broken_texture_rule(instruction);
    unsigned bytes = ptx_type_bytes(instruction->type);
    if (bytes > 8 && modifiers->vector) return "moves one value of .b128 at a time";
    if (bytes * modifiers->vector > 32) return "moves more than 32 bytes at once";
    if (has_stray_operands(instruction)) return "takes other operands";
    if (aligns_badly(instruction)) return "aligns to a power of two";
    if (copies_badly(instruction)) return "copies 4, 8 or 16 bytes";
    if (modifiers->mode == PTX_MODE_WIDE && bytes > 4) return "can be .wide for 16 and 32 bits only";
    if (modifiers->mode && instruction->opcode == PTX_OP_mul && !words_is_integer(instruction->type))
        return "of floats has neither .lo nor .hi nor .wide";
    if (modifiers->nc && modifiers->space != PTX_SPACE_GLOBAL) return "can be .nc for .global only";
    if (instruction->opcode == PTX_OP_cvt) return broken_conversion(instruction);
    const char *broken = broken_comparison(instruction);
    if (broken) return broken;
    return broken_arithmetic(instruction);
}

/* What stands in the way of a matrix instruction before its operands are looked at; NULL: nothing. */
const char *verify_rules_matrix(const PtxInstruction *instruction) {
    const PtxModifiers *modifiers = &instruction->modifiers;
    PtxMatrices matrices;
    bool in_memory = modifiers->space == PTX_SPACE_GENERIC || modifiers->space == PTX_SPACE_SHARED;
    if (instruction->opcode == PTX_OP_ldmatrix || instruction->opcode == PTX_OP_stmatrix) {
        if (modifiers->shape != PTX_SHAPE_M8N8) return "is supported for .m8n8 only";
        if (in_memory) return NULL;
        return "moves matrices from and to shared memory only";
    }
    if (instruction->opcode == PTX_OP_movmatrix)
        return modifiers->shape == PTX_SHAPE_M8N8 && modifiers->trans && !modifiers->number
                   ? NULL
                   : "has the form .m8n8.trans";
    if (!in_memory && modifiers->space != PTX_SPACE_GLOBAL) return "can have .global and .shared only";
    if (!ptx_matrices(instruction, &matrices)) return "has no matrices of this shape and these types";
    bool whole = matrices.d == PTX_S32;
    if (modifiers->satfinite && !whole) return "can be .satfinite for .s32 only";
    if (matrices.a == PTX_B1 && modifiers->layout2 && !modifiers->boolean)
        return "of .b1 needs .and or .xor, with .popc";
    if (modifiers->boolean == PTX_BOOL_OR || (modifiers->boolean && matrices.a != PTX_B1))
        return "can have .and and .xor only, of .b1";
    return NULL;
}
