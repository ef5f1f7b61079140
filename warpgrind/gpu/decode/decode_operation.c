/* decode_operation.c - arithmetic, logic, conversion and selection: finds the vector handler, or the lane by
 * lane one. */
#include "gpu/alu/scalar.h"
#include "gpu/decode/decode.h"
#include "gpu/decode/variant.h"

static bool type_is_float(PtxType type) {
    return type == PTX_F32 || type == PTX_F64 || type == PTX_F16 || type == PTX_F16X2 || type == PTX_BF16 ||
           type == PTX_BF16X2;
}

/** Whether the words behind the mnemonic ask for something that the vector handlers do not do. */
static bool operation_is_special(const PtxInstruction *source) {
    const PtxModifiers *words = &source->modifiers;
    PtxType type = source->type;
    bool rounded = words->rounding == PTX_RZ || words->rounding == PTX_RM || words->rounding == PTX_RP;
    bool converts = source->opcode == PTX_OP_cvt;
    bool three = (source->opcode == PTX_OP_min || source->opcode == PTX_OP_max) && source->operand_count > 3;
    if (words->sat || words->cc || words->xorsign || words->nan || words->abs || words->shiftamt ||
        words->relu || words->satfinite || three)
        return true;
    if (words->ftz && (type == PTX_F32 || source->source_type == PTX_F32)) return true;
    return rounded && (converts || type_is_float(type));
}

/** The third part of the key in the tables of exec_*.c. */
static int operation_mode(const PtxInstruction *source) {
    PtxOpcode opcode = source->opcode;
    bool multiplies = opcode == PTX_OP_mul || opcode == PTX_OP_mad;
    if (multiplies && !type_is_float(source->type)) return (int)source->modifiers.mode;
    if (opcode == PTX_OP_div) return (int)scalar_division(source);
    if (opcode == PTX_OP_setp) return (int)source->modifiers.compare;
    if (opcode == PTX_OP_cvt) return (int)source->modifiers.rounding;
    return 0;
}

static PtxType operation_source_type(const PtxInstruction *source) {
    if (source->opcode == PTX_OP_cvt || source->opcode == PTX_OP_slct) return source->source_type;
    return PTX_NONE;
}

/** The letter that instructions.def has for operand `i` of the text, in the first alternative that is long
 * enough. */
static char operand_letter(const PtxInstruction *source, unsigned i) {
    const char *pattern = ptx_opcode_info(source->opcode)->operands;
    size_t length = strcspn(pattern, "/");
    while (length <= i && pattern[length]) {
        pattern += length + 1;
        length = strcspn(pattern, "/");
    }
    if (i < length) return pattern[i];
    return 0;
}

/** Lane bytes of what the instruction gives, which is not always its type: counts have 32 bits, mul.wide
 * doubles, comparisons give a predicate (0). */
static unsigned destination_width(const PtxInstruction *source) {
    bool wide = source->modifiers.mode == PTX_MODE_WIDE && ptx_type_bytes(source->type) == 4;
    switch (operand_letter(source, 0)) {
    case 'p':
    case 'P':
        return 0;
    case 'U':
        return 4;
    default:
        if (wide) return 8;
        return decode_width(source->type);
    }
}

/** Lane bytes of source operand `i` (0 the first after the destinations, which have one letter); 0: a
 * predicate. */
static unsigned source_width(const PtxInstruction *source, unsigned i) {
    switch (operand_letter(source, i + 1)) {
    case 'u':
        return 4;
    case 'i':
        return 8;
    case 'q':
        return 0;
    case 'b':
    case 'r':
        return decode_width(source->source_type);
    case 'c':
        return destination_width(source);
    default:
        return decode_width(source->type);
    }
}

/** Lane bytes of the operand's row; 0 where the row is made to measure, or is no row. */
static unsigned operand_width(const Decode *decode, const PtxOperand *operand) {
    if (operand->kind == PTX_OPERAND_REGISTER) return decode_register_width(decode, operand);
    if (operand->kind == PTX_OPERAND_SPECIAL) return 4;
    return 0;
}

/* ---- rows found in the tables ---- */

GpuInstruction *decode_row_operation(Decode *decode, PtxOpcode opcode, PtxType type, PtxType source_type,
                                     int mode) {
    const GpuOperation *row = variant_find(decode->kernel->module->gpu, opcode, type, source_type, mode);
    if (!row) BUG("no handler for a move of rows (opcode %d)", (int)opcode);
    return decode_emit(decode, row->run);
}

/** cvt takes registers wider than its type (PTX ISA 9.4.1), mov special ones that are narrower: a row that
 * fits is made first, in *row. */
static bool decode_fitted(Decode *decode, const PtxOperand *operand, unsigned width, GpuRow *row) {
    unsigned have = operand_width(decode, operand);
    if (!have || !width || have == width) return false;
    PtxType to = PTX_U32;
    if (width == 8) to = PTX_U64;
    PtxType from = PTX_U32;
    if (have == 8) from = PTX_U64;
    GpuInstruction *ins = decode_row_operation(decode, PTX_OP_cvt, to, from, 0);
    ins->a = decode_part(decode, operand, have).row;
    ins->d = *row = decode_scratch_row(decode, 0);
    return true;
}

/** An operation with a vector handler: operands become the rows a, b and c. The first one may need a
 * register of another width than it has, and is then fitted through a scratch row. */
static bool decode_row(Decode *decode, const GpuOperation *row) {
    const PtxInstruction *source = decode->source;
    GpuRow fitted = 0;
    bool fits = !decode_fitted(decode, &source->operands[source->destination_count], source_width(source, 0),
                               &fitted);
    GpuInstruction *ins = decode_emit(decode, row->run);
    unsigned first = source->destination_count;
    GpuRow *rows[3] = {&ins->a, &ins->b, &ins->c};
    for (unsigned i = 0; i < 3 && first + i < source->operand_count; i++) {
        const PtxOperand *operand = &source->operands[first + i];
        unsigned width = source_width(source, i);
        *rows[i] = decode_source(decode, ins, operand, i == 0 && !fits ? 0 : width);
        if (i == 0 && !fits) ins->a = fitted;
        if (width == 0 && operand->negated) {
            if (source->opcode != PTX_OP_selp) return decode_fail(decode, "a negated predicate here");
            ins->flip_c = true;
        }
    }
    ins->d = decode_destination(decode, ins, &source->operands[0], destination_width(source));
    return !decode->failed;
}

/* ---- lane by lane ---- */

/** Sources go to `extra`, in order. */
static bool decode_scalar(Decode *decode, GpuStep step, GpuScalar *scalar) {
    const PtxInstruction *source = decode->source;
    GpuInstruction *ins = decode_emit_one(decode, step);
    unsigned first = source->destination_count, count = source->operand_count - first;
    GpuExtra filled[PTX_MAX_OPERANDS];
    for (unsigned i = 0; i < count; i++) {
        const PtxOperand *operand = &source->operands[first + i];
        unsigned width = source_width(source, i);
        if (source->opcode == PTX_OP_isspacep && operand->kind == PTX_OPERAND_REGISTER)
            width = decode_register_width(decode, operand);
        bool is_predicate =
            operand->kind == PTX_OPERAND_REGISTER && decode_register_width(decode, operand) == 0;
        filled[i] = decode_part(decode, operand, is_predicate ? 0 : width);
        if (filled[i].number != GPU_NO_REGISTER && ins->use_count < 4)
            ins->uses[ins->use_count++] = filled[i].number;
    }
    GpuExtra *parts = decode_extra(decode, ins, count);
    if (!parts) return false;
    memcpy(parts, filled, count * sizeof *filled);
    ins->d = decode_destination(decode, ins, &source->operands[0], destination_width(source));
    ins->u.scalar = scalar;
    return !decode->failed;
}

/** The p of d|p, in c. */
static bool decode_second_predicate(Decode *decode) {
    const PtxInstruction *source = decode->source;
    GpuInstruction *ins = &decode->function->code[decode->function->code_count - 1];
    if (source->destination_count < 2) return true;
    GpuExtra second = decode_part(decode, &source->operands[1], 0);
    ins->c = second.row;
    ins->address_register = second.number; /* the second predicate, for definedness */
    return !decode->failed;
}

/** setp.cmp.bool p|q, a, b, c and with .ftz, and all of set: the comparison comes from the tables or lane by
 * lane. */
static bool decode_comparison(Decode *decode) {
    const PtxInstruction *source = decode->source;
    GpuScalar *scalar = exec_scalar_find(source);
    if (!scalar) return false;
    bool set = source->opcode == PTX_OP_set;
    return decode_scalar(decode, set ? STEP_scalar_lanes : STEP_scalar_setp, scalar) &&
           decode_second_predicate(decode);
}

/* ---- {a, b} ---- */

/** mov between a register and a vector of registers. False when it is no such mov. */
static bool decode_pack(Decode *decode) {
    const PtxInstruction *source = decode->source;
    const PtxOperand *to = &source->operands[0], *from = &source->operands[1];
    bool pack = from->kind == PTX_OPERAND_VECTOR, unpack = to->kind == PTX_OPERAND_VECTOR;
    if (!pack && !unpack) return false;
    if (pack && unpack) return decode_fail(decode, "a vector moved to a vector");
    const PtxOperand *vector = to;
    if (pack) vector = from;
    unsigned bytes = 0;
    if (vector->parts) bytes = ptx_type_bytes(source->type) / vector->parts;
    if (bytes != 1 && bytes != 2 && bytes != 4) return decode_fail(decode, "parts of this size");
    GpuInstruction *ins = decode_emit_one(decode, pack ? STEP_scalar_pack : STEP_scalar_unpack);
    GpuExtra filled[8];
    if (vector->parts > 8) return decode_fail(decode, "more than eight parts");
    for (unsigned i = 0; i < vector->parts; i++)
        filled[i] = decode_part(decode, &decode->function->ptx->parts[vector->first_part + i], 4);
    GpuExtra *parts = decode_extra(decode, ins, vector->parts);
    if (!parts) return false;
    memcpy(parts, filled, vector->parts * sizeof *filled);
    ins->bytes = (uint8_t)bytes;
    unsigned width = decode_width(source->type);
    if (pack)
        ins->d = decode_destination(decode, ins, to, width);
    else
        ins->a = decode_source(decode, ins, from, width);
    if (unpack) ins->width = (uint8_t)width;
    return !decode->failed;
}

/** Registers of 128 bits are put together from two of 64, taken apart, and copied. */
static bool decode_wide_move(Decode *decode) {
    const PtxInstruction *source = decode->source;
    const PtxOperand *to = &source->operands[0], *from = &source->operands[1];
    bool pack = from->kind == PTX_OPERAND_VECTOR, unpack = to->kind == PTX_OPERAND_VECTOR;
    const PtxOperand *vector = to;
    if (pack) vector = from;
    bool whole = from->kind == PTX_OPERAND_REGISTER || pack;
    if (!whole || ((pack || unpack) && vector->parts != 2)) return decode_fail(decode, "parts of this size");
    GpuStep step = STEP_wide_move;
    if (unpack) step = STEP_wide_unpack;
    GpuInstruction *ins = decode_emit_one(decode, pack ? STEP_wide_pack : step);
    if (pack || unpack) {
        GpuExtra filled[2];
        for (unsigned i = 0; i < 2; i++)
            filled[i] = decode_part(decode, &decode->function->ptx->parts[vector->first_part + i], 8);
        GpuExtra *parts = decode_extra(decode, ins, 2);
        if (!parts) return false;
        memcpy(parts, filled, sizeof filled);
    }
    if (!pack) ins->a = decode_source(decode, ins, from, 4);
    if (!unpack) ins->d = decode_destination(decode, ins, to, 4);
    return !decode->failed;
}

static bool register_is_wider(const Decode *decode, const PtxOperand *operand, PtxType type) {
    if (operand->kind != PTX_OPERAND_REGISTER) return false;
    return ptx_type_bytes(decode->function->ptx->registers[operand->index].type) != ptx_type_bytes(type);
}

/* ---- divisors ---- */

/** Whether it may divide by zero: floats have a quotient there, and most constants are another number. */
static bool divides_whole(const PtxInstruction *source) {
    if (source->opcode != PTX_OP_div && source->opcode != PTX_OP_rem) return false;
    const PtxOperand *divisor = &source->operands[2];
    bool constant = divisor->kind == PTX_OPERAND_IMMEDIATE && divisor->bits != 0;
    return !constant && source->type != PTX_F32 && source->type != PTX_F64;
}

/** A step of its own, which looks at the divisor before the division is done. */
static void decode_divisor(Decode *decode) {
    const PtxInstruction *source = decode->source;
    GpuInstruction *ins = decode_emit_one(decode, STEP_divide_check);
    ins->b = decode_source(decode, ins, &source->operands[2], decode_width(source->type));
}

/** Whether it may shift by more bits than there are: an optimiser also shifts where the program does not, and
 * drops the result, so only code that is not optimised is looked at. */
static bool shifts_far(const Decode *decode) {
    const PtxInstruction *source = decode->source;
    if (source->opcode != PTX_OP_shl && source->opcode != PTX_OP_shr) return false;
    return decode->as_written && source->operands[2].kind == PTX_OPERAND_REGISTER &&
           ptx_type_bytes(source->type) >= 4;
}

static void decode_shifted(Decode *decode) {
    GpuInstruction *ins = decode_emit_one(decode, STEP_shift_check);
    ins->b = decode_source(decode, ins, &decode->source->operands[2], decode_width(PTX_U32));
}

/** Looks for a vector handler first. Whatever its words make special (saturation, rounding, negation, two
 * destinations, registers wider than the type) is done lane by lane instead. */
bool decode_operation(Decode *decode) {
    const PtxInstruction *source = decode->source;
    if (divides_whole(source)) decode_divisor(decode);
    if (shifts_far(decode)) decode_shifted(decode);
    bool negated = false;
    for (unsigned i = 0; i < source->operand_count; i++)
        negated |= source->operands[i].negated && source->opcode != PTX_OP_selp;
    bool plain = source->modifiers.boolean == PTX_BOOL_NONE && source->destination_count < 2 &&
                 source->opcode != PTX_OP_set;
    const GpuOperation *row = NULL;
    PtxType type = source->type;
    bool widens = source->opcode == PTX_OP_cvt && register_is_wider(decode, &source->operands[0], type);
    bool narrow = source->opcode == PTX_OP_cvt && ptx_type_bytes(type) == 1;
    if (plain && !negated && !widens && !narrow && !operation_is_special(source))
        row = variant_find(decode->kernel->module->gpu, source->opcode, type, operation_source_type(source),
                           operation_mode(source));
    if (row) return decode_row(decode, row);
    if (source->opcode == PTX_OP_setp || source->opcode == PTX_OP_set) return decode_comparison(decode);
    if (source->opcode == PTX_OP_lop3 && source->destination_count > 1)
        return decode_scalar(decode, STEP_scalar_table, exec_scalar_find(source)) &&
               decode_second_predicate(decode);
    bool carries = source->modifiers.cc || source->opcode == PTX_OP_addc || source->opcode == PTX_OP_subc ||
                   source->opcode == PTX_OP_madc;
    if (carries) return decode_scalar(decode, STEP_scalar_carry, NULL);
    GpuScalar *scalar = exec_scalar_find(source);
    if (!scalar) return decode_fail(decode, "this form is not supported");
    return decode_scalar(decode, destination_width(source) == 0 ? STEP_scalar_predicate : STEP_scalar_lanes,
                         scalar);
}

bool decode_move(Decode *decode) {
    if (decode->source->type == PTX_B128) return decode_wide_move(decode);
    if (decode_move_address(decode)) return !decode->failed;
    return decode_pack(decode) || decode_operation(decode);
}
