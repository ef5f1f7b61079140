/* decode_matrix.c - instructions on a warp's matrices (PTX ISA 9.7.14).
 *
 * Each begins by waiting for the whole warp. A product is one instruction of the machine; a load or store
 * becomes loads and stores like any other, one for each register or, where its elements do not lie side by
 * side, for each element, so that observers see what each lane touches. On the way values lie in the
 * function's hidden registers, which carry definedness.
 */
#include "base/minmax.h"
#include "gpu/decode/decode.h"

enum { WORD = 4, HIDDEN = 4 };

/** Lanes meet; what a register holds is put together after that. */
static void matrix_meet(Decode *decode) {
    decode_emit_one(decode, STEP_warp_meet_all);
}

static const PtxOperand *matrix_part(const Decode *decode, const PtxOperand *operand, unsigned i) {
    if (operand->kind == PTX_OPERAND_VECTOR) return &decode->function->ptx->parts[operand->first_part + i];
    return operand;
}

static PtxOperand matrix_hidden(const Decode *decode, unsigned i) {
    return (PtxOperand){.kind = PTX_OPERAND_REGISTER, .index = decode->source->hidden + (int32_t)i};
}

static unsigned matrix_width(const PtxFragment *fragment) {
    if (fragment->register_type == PTX_F64) return 8;
    return WORD;
}

/** Registers as entries of `extra`, from `filled` on. */
static unsigned matrix_fill(Decode *decode, const PtxOperand *operand, unsigned count, unsigned width,
                            GpuExtra *filled) {
    for (unsigned i = 0; i < count; i++)
        filled[i] = decode_part(decode, matrix_part(decode, operand, i), width);
    return count;
}

static bool matrix_list(Decode *decode, GpuInstruction *ins, const GpuExtra *filled, unsigned count) {
    GpuExtra *parts = decode_extra(decode, ins, count);
    if (parts) memcpy(parts, filled, count * sizeof *filled);
    return parts && !decode->failed;
}

/* ---- products ---- */

/** Registers of d, a, b and c, in this order. */
bool decode_matrix_product(Decode *decode) {
    matrix_meet(decode);
    const PtxInstruction *source = decode->source;
    const PtxModifiers *modifiers = &source->modifiers;
    PtxMatrices matrices;
    GpuExtra filled[4 * 8];
    unsigned count = 0;
    if (!ptx_matrices(source, &matrices)) return decode_fail(decode, "matrices of this shape");
    for (unsigned i = 0; i < 4; i++) {
        char role = "dabc"[i];
        PtxFragment fragment =
            ptx_fragment(&matrices, role, role == 'b' ? modifiers->layout2 : modifiers->layout);
        count += matrix_fill(decode, &source->operands[i], fragment.registers, matrix_width(&fragment),
                             filled + count);
    }
    GpuInstruction *ins = decode_emit_one(decode, STEP_matrix_product);
    return matrix_list(decode, ins, filled, count);
}

/* ---- wmma.load, wmma.store ---- */

typedef struct MatrixAccess {
    PtxFragment fragment;
    const PtxOperand *address, *registers, *stride;
    GpuRow stride_row;
    bool stores, whole; /**< whole: the elements of a register lie side by side */
} MatrixAccess;

/** Puts the addresses of the lanes' element into the scratch row. */
static bool matrix_find(Decode *decode, const MatrixAccess *access, unsigned element) {
    GpuInstruction *ins = decode_access(decode, STEP_matrix_address, access->address);
    if (!ins) return false;
    ins->d = decode_scratch_row(decode, 0);
    ins->b = access->stride_row;
    ins->u.bits = element;
    return true;
}

/** One load or store of a lane's element or register, at the address that matrix_address has put into the
 * scratch row. */
static bool matrix_move(Decode *decode, const MatrixAccess *access, const PtxOperand *operand,
                        unsigned bytes) {
    GpuInstruction *ins =
        decode_access(decode, access->stores ? STEP_memory_store : STEP_memory_load, access->address);
    if (!ins) return false;
    ins->a = decode_scratch_row(decode, 0);
    ins->memory.address_width = 8;
    ins->memory.offset = 0;
    ins->bytes = (uint8_t)bytes;
    ins->memory.sign = false;
    GpuExtra part = decode_part(decode, operand, MAX(bytes, WORD));
    return matrix_list(decode, ins, &part, 1);
}

/** A register whose elements lie apart is put together from hidden ones, or taken apart into them. */
static bool matrix_regroup(Decode *decode, const MatrixAccess *access, const PtxOperand *operand) {
    GpuExtra filled[HIDDEN];
    unsigned count = access->fragment.in_register;
    GpuInstruction *ins = decode_emit_one(decode, access->stores ? STEP_scalar_unpack : STEP_scalar_pack);
    for (unsigned i = 0; i < count; i++) {
        PtxOperand hidden = matrix_hidden(decode, i);
        filled[i] = decode_part(decode, &hidden, WORD);
    }
    if (!matrix_list(decode, ins, filled, count)) return false;
    ins->bytes = (uint8_t)(WORD / count);
    if (access->stores)
        ins->a = decode_source(decode, ins, operand, WORD);
    else
        ins->d = decode_destination(decode, ins, operand, WORD);
    ins->width = WORD;
    return !decode->failed;
}

/** A register of a fragment, from or to memory: at once where its elements lie side by side, else element
 * by element through hidden registers, which are put together after a load and taken apart before a
 * store. */
static bool matrix_register(Decode *decode, const MatrixAccess *access, unsigned number) {
    const PtxFragment *fragment = &access->fragment;
    const PtxOperand *operand = matrix_part(decode, access->registers, number);
    unsigned first = number * fragment->in_register;
    if (access->whole)
        return matrix_find(decode, access, first) &&
               matrix_move(decode, access, operand, matrix_width(fragment));
    if (access->stores && !matrix_regroup(decode, access, operand)) return false;
    for (unsigned i = 0; i < fragment->in_register; i++) {
        PtxOperand hidden = matrix_hidden(decode, i);
        if (!matrix_find(decode, access, first + i) ||
            !matrix_move(decode, access, &hidden, fragment->bits / 8))
            return false;
    }
    return access->stores || matrix_regroup(decode, access, operand);
}

static char matrix_role(PtxOpcode opcode) {
    if (opcode == PTX_OP_wmma_load_a) return 'a';
    if (opcode == PTX_OP_wmma_load_b) return 'b';
    if (opcode == PTX_OP_wmma_load_c) return 'c';
    return 'd';
}

/** Registers hold neighbours of a row; in b, and in transposed sums, neighbours of a column. */
static bool matrix_lies_whole(const PtxFragment *fragment) {
    bool sums = fragment->role == 'c' || fragment->role == 'd';
    bool columns = fragment->role == 'b' || (sums && fragment->transposed);
    return fragment->in_register == 1 || fragment->by_columns == columns;
}

/** wmma.load and wmma.store: without a stride the matrix lies tight. */
bool decode_matrix_fragment(Decode *decode) {
    matrix_meet(decode);
    const PtxInstruction *source = decode->source;
    bool stores = source->opcode == PTX_OP_wmma_store_d;
    MatrixAccess access = {
        .stores = stores, .registers = &source->operands[stores], .address = &source->operands[!stores]};
    PtxMatrices matrices;
    if (!ptx_matrices(source, &matrices)) return decode_fail(decode, "matrices of this shape");
    access.fragment = ptx_fragment(&matrices, matrix_role(source->opcode), source->modifiers.layout);
    access.whole = matrix_lies_whole(&access.fragment);
    unsigned tight;
    if (access.fragment.by_columns)
        tight = access.fragment.rows;
    else
        tight = access.fragment.columns;
    if (source->operand_count > 2)
        access.stride_row = decode_part(decode, &source->operands[2], WORD).row;
    else
        access.stride_row = decode_constant(decode, tight, WORD);
    for (unsigned i = 0; i < access.fragment.registers; i++)
        if (!matrix_register(decode, &access, i)) return false;
    return !decode->failed;
}

/* ---- ldmatrix, stmatrix, movmatrix ---- */

/** Rows of 16 bytes, which some of the lanes load or store. */
static bool matrix_rows(Decode *decode, GpuStep step, const PtxOperand *address) {
    GpuInstruction *ins = decode_access(decode, step, address);
    if (!ins) return false;
    GpuExtra filled[HIDDEN];
    for (unsigned i = 0; i < HIDDEN; i++) {
        PtxOperand hidden = matrix_hidden(decode, i);
        filled[i] = decode_part(decode, &hidden, WORD);
    }
    ins->bytes = WORD;
    return matrix_list(decode, ins, filled, HIDDEN);
}

/** Hidden registers, then those of the text. */
static bool matrix_spread_list(Decode *decode, GpuStep step, const PtxOperand *operand, unsigned count) {
    GpuExtra filled[HIDDEN + HIDDEN];
    for (unsigned i = 0; i < HIDDEN; i++) {
        PtxOperand hidden = matrix_hidden(decode, i);
        filled[i] = decode_part(decode, &hidden, WORD);
    }
    matrix_fill(decode, operand, count, WORD, filled + HIDDEN);
    return matrix_list(decode, decode_emit_one(decode, step), filled, HIDDEN + count);
}

bool decode_matrix_rows(Decode *decode) {
    matrix_meet(decode);
    const PtxInstruction *source = decode->source;
    unsigned number = source->modifiers.number;
    if (source->opcode == PTX_OP_ldmatrix)
        return matrix_rows(decode, STEP_matrix_rows_load, &source->operands[1]) &&
               matrix_spread_list(decode, STEP_matrix_spread, &source->operands[0], number);
    return matrix_spread_list(decode, STEP_matrix_collect, &source->operands[1], number) &&
           matrix_rows(decode, STEP_matrix_rows_store, &source->operands[0]);
}

bool decode_matrix_transpose(Decode *decode) {
    matrix_meet(decode);
    const PtxInstruction *source = decode->source;
    GpuExtra filled[2];
    for (unsigned i = 0; i < 2; i++)
        filled[i] = decode_part(decode, &source->operands[i], WORD);
    return matrix_list(decode, decode_emit_one(decode, STEP_matrix_transpose), filled, 2);
}
