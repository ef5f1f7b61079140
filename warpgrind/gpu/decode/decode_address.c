/* decode_address.c - instructions whose values are addresses: of local variables, in other windows, on the
 * stack. */
#include "gpu/decode/decode.h"

/* ---- addresses as values ---- */

/** mov of what only the machine can tell: a clock, or the address of a local variable or a parameter,
 * which depends on the frame. False: it is another mov. */
bool decode_move_address(Decode *decode) {
    const PtxInstruction *source = decode->source;
    const PtxOperand *from = &source->operands[1];
    if (from->kind == PTX_OPERAND_SPECIAL && from->index >= PTX_CLOCK && from->index <= PTX_GLOBALTIMER_HI) {
        GpuInstruction *ins = decode_emit_one(decode, STEP_flow_clock);
        ins->d = decode_destination(decode, ins, &source->operands[0], 4);
        ins->u.bits = (uint64_t)from->index;
        return true;
    }
    bool variable = from->kind == PTX_OPERAND_VARIABLE && from->variable;
    bool local = variable && from->variable->space == PTX_SPACE_LOCAL;
    bool formal = variable && from->variable->space == PTX_SPACE_PARAM && !decode->function->ptx->entry;
    if (!local && !formal) return false;
    if (formal) decode->function->formals_addressed = true;
    GpuInstruction *ins = decode_emit_one(decode, STEP_flow_local_address);
    ins->d = decode_destination(decode, ins, &source->operands[0], 4);
    ins->u.bits =
        (formal ? decode->function->param_base : 0) + from->variable->offset + (uint64_t)from->offset;
    return true;
}

/* ---- the stack ---- */

bool decode_stack(Decode *decode) {
    const PtxInstruction *source = decode->source;
    unsigned width = decode_width(source->type);
    decode->kernel->calls = true; /* it needs more stack than its frame has */
    if (source->opcode == PTX_OP_stackrestore) {
        GpuInstruction *restore = decode_emit_one(decode, STEP_stack_restore);
        restore->a = decode_source(decode, restore, &source->operands[0], width);
        restore->memory.address_width = (uint8_t)width;
        return !decode->failed;
    }
    bool allocates = source->opcode == PTX_OP_alloca;
    GpuInstruction *ins = decode_emit_one(decode, allocates ? STEP_stack_allocate : STEP_stack_save);
    if (allocates) ins->a = decode_source(decode, ins, &source->operands[1], width);
    if (allocates && source->operand_count > 2) ins->u.bits = source->operands[2].bits;
    ins->d = decode_destination(decode, ins, &source->operands[0], width);
    ins->width = (uint8_t)width;
    return !decode->failed;
}

/** Where a space begins in generic addresses; 0: they are the same there. A function's parameters lie in its
 * local memory. */
static uint64_t window_of(PtxSpace space, bool entry) {
    if (space == PTX_SPACE_SHARED) return GPU_SHARED_WINDOW;
    if (space == PTX_SPACE_PARAM && entry) return GPU_PARAM_WINDOW;
    if (space == PTX_SPACE_PARAM || space == PTX_SPACE_LOCAL) return GPU_LOCAL_WINDOW;
    return 0;
}

bool decode_convert_address(Decode *decode) {
    const PtxInstruction *source = decode->source;
    PtxSpace space = source->modifiers.space;
    bool entry = decode->function->ptx->entry;
    uint64_t window = window_of(space, entry);
    const PtxOperand *from = &source->operands[1];
    if (from->kind == PTX_OPERAND_VARIABLE && space == PTX_SPACE_PARAM && !entry) {
        decode_move_address(decode);
        GpuInstruction *moved = &decode->function->code[decode->function->code_count - 1];
        moved->u.bits += window;
        return !decode->failed;
    }
    if (from->kind == PTX_OPERAND_VARIABLE && space == PTX_SPACE_LOCAL) {
        GpuInstruction *ins = decode_emit_one(decode, STEP_flow_local_address);
        ins->d = decode_destination(decode, ins, &source->operands[0], 8);
        ins->u.bits = window + from->variable->offset + (uint64_t)from->offset;
        return true;
    }
    GpuInstruction *ins =
        decode_row_operation(decode, window ? PTX_OP_add : PTX_OP_mov, PTX_U64, PTX_NONE, 0);
    ins->a = decode_source(decode, ins, from, 8);
    if (window) ins->b = decode_constant(decode, source->modifiers.to ? 0 - window : window, 8);
    ins->d = decode_destination(decode, ins, &source->operands[0], 8);
    return !decode->failed;
}

/* There is no cache to have policies: any value will do. */
bool decode_policy(Decode *decode) {
    GpuInstruction *ins = decode_row_operation(decode, PTX_OP_mov, PTX_U64, PTX_NONE, 0);
    ins->a = decode_constant(decode, 1, 8);
    ins->d = decode_destination(decode, ins, &decode->source->operands[0], 8);
    return !decode->failed;
}

/** mapa, getctarank: a cluster has one block. */
bool decode_cluster_address(Decode *decode) {
    const PtxInstruction *source = decode->source;
    bool rank = source->opcode == PTX_OP_getctarank;
    unsigned width = 4;
    if (!rank) width = decode_width(source->type);
    GpuInstruction *ins =
        decode_row_operation(decode, PTX_OP_mov, width == 8 ? PTX_U64 : PTX_B32, PTX_NONE, 0);
    if (rank)
        ins->a = decode_constant(decode, 0, 4);
    else
        ins->a = decode_source(decode, ins, &source->operands[1], width);
    ins->d = decode_destination(decode, ins, &source->operands[0], width);
    return !decode->failed;
}
