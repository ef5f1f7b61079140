/* liveness.c - is a value that an instruction gives ever looked at?
 *
 * atomicAdd returns the old value, and most programs drop it: after optimisation nothing reads the register,
 * before it the register is put into a variable on the stack that nothing loads. The order of instructions is
 * not looked at, only whether there is a reader anywhere in the function; calls count as readers.
 */
#include "gpu/dataflow/dataflow.h"

static bool operand_names(const PtxFunction *function, const PtxOperand *operand, int32_t number) {
    bool direct = operand->kind == PTX_OPERAND_REGISTER || operand->kind == PTX_OPERAND_ADDRESS;
    if (direct && operand->index == number) return true;
    for (unsigned i = 0; operand->kind == PTX_OPERAND_VECTOR && i < operand->parts; i++)
        if (function->parts[operand->first_part + i].index == number) return true;
    return false;
}

static bool instruction_reads(const PtxFunction *function, const PtxInstruction *instruction,
                              int32_t number) {
    if (instruction->guard == number || instruction->opcode == PTX_OP_call) return true;
    for (unsigned k = 0; k < instruction->operand_count; k++)
        if (!ptx_is_destination(instruction, k) && operand_names(function, &instruction->operands[k], number))
            return true;
    return false;
}

/* ---- places on the stack ---- */

typedef struct Slot {
    int64_t start, end;
} Slot;

/** The offset in the frame that the register always holds, or -1. */
static int64_t frame_offset(const GpuFunction *function, const PtxOperand *operand) {
    bool direct = operand->kind == PTX_OPERAND_REGISTER || operand->kind == PTX_OPERAND_ADDRESS;
    if (direct && operand->index >= 0) return function->frame_constant[operand->index];
    return -1;
}

/** A plain store of the register to a known place on the stack. */
static bool find_slot(const GpuFunction *function, const PtxInstruction *store, int32_t number, Slot *slot) {
    if (store->opcode != PTX_OP_st || store->operand_count != 2 || store->guard == number) return false;
    const PtxOperand *to = &store->operands[0], *value = &store->operands[1];
    int64_t base = -1;
    if (to->kind == PTX_OPERAND_ADDRESS) base = frame_offset(function, to);
    if (value->kind != PTX_OPERAND_REGISTER || value->index != number || to->index == number || base < 0)
        return false;
    slot->start = base + to->offset;
    slot->end = slot->start + ptx_type_bytes(store->type);
    return true;
}

static bool loads(const GpuFunction *function, const PtxInstruction *load, const Slot *slot) {
    const PtxOperand *from = &load->operands[1];
    int64_t base = -1;
    if (load->operand_count > 1) base = frame_offset(function, from);
    if (base < 0) return false;
    unsigned count = 1;
    if (load->modifiers.vector) count = load->modifiers.vector;
    int64_t start = base + from->offset, end = start + (int64_t)ptx_type_bytes(load->type) * count;
    return start < slot->end && slot->start < end;
}

/** Makes another register of which the place is known. */
static bool keeps_track(const GpuFunction *function, const PtxInstruction *instruction) {
    bool copies = instruction->opcode == PTX_OP_mov || instruction->opcode == PTX_OP_cvta ||
                  instruction->opcode == PTX_OP_add;
    return copies && instruction->operands[0].kind == PTX_OPERAND_REGISTER &&
           frame_offset(function, &instruction->operands[0]) >= 0;
}

static bool names_local(const PtxInstruction *instruction) {
    for (unsigned k = 0; k < instruction->operand_count; k++) {
        const PtxVariable *variable = instruction->operands[k].variable;
        if (variable && variable->space == PTX_SPACE_LOCAL) return true;
    }
    return false;
}

/** A pointer into the stack that leaves what can be followed may lead anywhere in it. */
static bool may_read(const GpuFunction *function, const PtxInstruction *instruction, const Slot *slot) {
    if (keeps_track(function, instruction)) return false;
    if (instruction->opcode == PTX_OP_ld && loads(function, instruction, slot)) return true;
    if (names_local(instruction)) return true;
    for (unsigned k = 0; k < instruction->operand_count; k++) {
        const PtxOperand *operand = &instruction->operands[k];
        bool memory = instruction->opcode == PTX_OP_ld || instruction->opcode == PTX_OP_st;
        if (ptx_is_destination(instruction, k) || (memory && operand->kind == PTX_OPERAND_ADDRESS)) continue;
        if (frame_offset(function, operand) >= 0) return true;
        for (unsigned i = 0; operand->kind == PTX_OPERAND_VECTOR && i < operand->parts; i++)
            if (frame_offset(function, &function->ptx->parts[operand->first_part + i]) >= 0) return true;
    }
    return false;
}

static bool slot_is_read(const GpuFunction *function, const Slot *slot) {
    for (uint32_t i = 0; i < function->ptx->instruction_count; i++)
        if (may_read(function, &function->ptx->instructions[i], slot)) return true;
    return false;
}

bool liveness_register_is_read(const GpuFunction *function, int32_t number) {
    const PtxFunction *ptx = function->ptx;
    for (uint32_t i = 0; i < ptx->instruction_count; i++) {
        const PtxInstruction *instruction = &ptx->instructions[i];
        Slot slot;
        if (!instruction_reads(ptx, instruction, number)) continue;
        if (!find_slot(function, instruction, number, &slot) || slot_is_read(function, &slot)) return true;
    }
    return false;
}
