/* decode_frame.c - registers that always hold the same place in the frame, and loads and stores of such
 * places.
 *
 * Clang at -O0 keeps every variable in a local array and works on it through a register that always holds the
 * same place in the frame. Such registers are recognised (frame constants), and a load or store through one
 * at a fixed offset becomes a move between rows: a word of local memory is a row like a register.
 */
#include "gpu/decode/decode.h"

#include <stdlib.h>

/* ---- frame constants ---- */

static void count_definition(const Decode *decode, const PtxOperand *operand, uint8_t *definitions) {
    const PtxFunction *ptx = decode->function->ptx;
    if (operand->kind == PTX_OPERAND_REGISTER && definitions[operand->index] < 2)
        definitions[operand->index]++;
    if (operand->kind == PTX_OPERAND_VECTOR)
        for (unsigned i = 0; i < operand->parts; i++)
            count_definition(decode, &ptx->parts[operand->first_part + i], definitions);
}

/** Where in the frame the operand always points, or -1. */
static int64_t frame_offset(const Decode *decode, const PtxOperand *operand) {
    const GpuFunction *function = decode->function;
    if (operand->kind == PTX_OPERAND_REGISTER) return function->frame_constant[operand->index];
    if (operand->kind != PTX_OPERAND_VARIABLE || !operand->variable) return -1;
    if (operand->variable->space != PTX_SPACE_LOCAL) return -1;
    return (int64_t)operand->variable->offset + operand->offset;
}

static int64_t frame_constant_of(const Decode *decode, const PtxInstruction *instruction) {
    if (instruction->guard >= 0 || instruction->operand_count < 2) return -1;
    int64_t base = frame_offset(decode, &instruction->operands[1]);
    if (base < 0) return -1;
    if (instruction->opcode == PTX_OP_mov && instruction->type != PTX_PRED) return base;
    if (instruction->opcode == PTX_OP_cvta && instruction->modifiers.space == PTX_SPACE_LOCAL) return base;
    const PtxOperand *second = &instruction->operands[2];
    bool sum = instruction->opcode == PTX_OP_add && instruction->operand_count == 3;
    if (sum && second->kind == PTX_OPERAND_IMMEDIATE) return base + (int64_t)second->bits;
    bool joins = instruction->opcode == PTX_OP_or && second->kind == PTX_OPERAND_IMMEDIATE;
    if (joins && !((uint64_t)base & second->bits))
        return base + (int64_t)second->bits; /* clang's sum of aligned places */
    return -1;
}

/** Which local array the instruction's result points into, whatever is added to its address: known when the
 * address was made in one expression from the array's start, as unoptimised code does it. LIMIT: pointers
 * that were kept in a variable or handed to a function are not followed, nor are members of structures; their
 * accesses are only held to the frame. */
static const PtxLocal *frame_array_of(const Decode *decode, const PtxInstruction *instruction) {
    const GpuFunction *function = decode->function;
    const PtxFunction *ptx = function->ptx;
    bool moves = instruction->opcode == PTX_OP_mov || instruction->opcode == PTX_OP_cvta;
    bool sum = instruction->opcode == PTX_OP_add, difference = instruction->opcode == PTX_OP_sub;
    if (instruction->guard >= 0 || !(moves || sum || difference)) return NULL;
    for (unsigned i = 1; i < instruction->operand_count && i <= 1u + sum; i++) {
        const PtxOperand *operand = &instruction->operands[i];
        if (operand->kind != PTX_OPERAND_REGISTER) continue;
        if (function->frame_array[operand->index]) return function->frame_array[operand->index];
    }
    if (sum) return ptx_local_array(ptx, function->frame_constant[instruction->operands[0].index]);
    return NULL;
}

/** Only registers that a single instruction defines are known, since whether that has been executed
 * before is not asked: unoptimised code makes such addresses right before it uses them. */
void decode_frame_constants(Decode *decode) {
    GpuFunction *function = decode->function;
    const PtxFunction *ptx = function->ptx;
    uint8_t *definitions = calloc(ptx->register_count + 1, 1);
    for (uint32_t i = 0; i < ptx->register_count; i++)
        function->frame_constant[i] = -1;
    if (!definitions) {
        decode->failed = true;
        return;
    }
    for (uint32_t i = 0; i < ptx->instruction_count; i++)
        for (unsigned k = 0; k < ptx->instructions[i].destination_count; k++)
            count_definition(decode, &ptx->instructions[i].operands[k], definitions);
    for (uint32_t i = 0; i < ptx->instruction_count; i++) {
        const PtxInstruction *instruction = &ptx->instructions[i];
        const PtxOperand *d = &instruction->operands[0];
        if (instruction->destination_count != 1 || d->kind != PTX_OPERAND_REGISTER ||
            definitions[d->index] != 1)
            continue;
        function->frame_constant[d->index] = frame_constant_of(decode, instruction);
        function->frame_array[d->index] = frame_array_of(decode, instruction);
    }
    free(definitions);
}

/* ---- the local frame ---- */

/** A load of a word at a fixed place of the frame: a move or conversion of rows where there is one, else
 * lane by lane. */
GpuInstruction *decode_frame_load(Decode *decode, const PtxOperand *to, uint32_t offset, unsigned bytes,
                                  bool sign) {
    unsigned width = decode_register_width(decode, to);
    GpuInstruction *ins;
    if (bytes == 4 && width == 4)
        ins = decode_row_operation(decode, PTX_OP_mov, PTX_B32, PTX_NONE, 0);
    else if (bytes == 4 && sign)
        ins = decode_row_operation(decode, PTX_OP_cvt, PTX_S64, PTX_S32, 0);
    else if (bytes == 4)
        ins = decode_row_operation(decode, PTX_OP_cvt, PTX_U64, PTX_U32, 0);
    else if (bytes == 8 && width == 8)
        ins = decode_row_operation(decode, PTX_OP_ld, PTX_B64, PTX_NONE, 0);
    else
        ins = decode_emit_one(decode, STEP_local_load_fixed);
    ins->a = GPU_ROW(GPU_BASE_LOCAL, offset / 4 * GPU_ROW_BYTES);
    ins->memory.offset = offset;
    ins->bytes = (uint8_t)bytes;
    ins->memory.sign = sign;
    ins->d = decode_destination(decode, ins, to, width);
    ins->frame_word = GPU_FRAME_LOAD;
    return ins;
}

/** The same for a store. An immediate is as wide as what is stored, a register as its type. */
GpuInstruction *decode_frame_store(Decode *decode, const PtxOperand *from, uint32_t offset, unsigned bytes) {
    unsigned width = 4;
    if (bytes == 8) width = 8;
    if (from->kind == PTX_OPERAND_REGISTER) width = decode_register_width(decode, from);
    GpuInstruction *ins;
    if (bytes == 4 && width == 4)
        ins = decode_row_operation(decode, PTX_OP_mov, PTX_B32, PTX_NONE, 0);
    else if (bytes == 4)
        ins = decode_row_operation(decode, PTX_OP_cvt, PTX_U32, PTX_U64, 0);
    else if (bytes == 8)
        ins = decode_row_operation(decode, PTX_OP_st, PTX_B64, PTX_NONE, 0);
    else
        ins = decode_emit_one(decode, STEP_local_store_fixed);
    ins->d = GPU_ROW(GPU_BASE_LOCAL, offset / 4 * GPU_ROW_BYTES);
    ins->memory.offset = offset;
    ins->bytes = (uint8_t)bytes;
    ins->a = decode_source(decode, ins, from, width);
    ins->width = (uint8_t)width;
    ins->frame_word = GPU_FRAME_STORE;
    return ins;
}
