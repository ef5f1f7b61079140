/* words.c - is a function's local frame reached in no other way than word by word, at fixed places?
 *
 * Unoptimised code keeps its variables there. As long as nobody takes the address of one, whatever is read
 * was written by an instruction of this function, or came with a call, and assigned.c can follow it as it
 * follows registers. An address may only become another fixed place, or be where a load or store goes; one
 * that is stored, handed over, or added to something else has left.
 */
#include "gpu/dataflow/dataflow.h"

static bool is_fixed_place(const GpuFunction *function, const PtxOperand *operand) {
    if (operand->variable) return operand->variable->space == PTX_SPACE_LOCAL;
    return operand->index >= 0 &&
           (function->frame_constant[operand->index] >= 0 || function->frame_array[operand->index]);
}

/** Whether the operand hands an address in the frame on. */
static bool operand_hands_on(const GpuFunction *function, const PtxOperand *operand) {
    const PtxFunction *ptx = function->ptx;
    for (unsigned i = 0; operand->kind == PTX_OPERAND_VECTOR && i < operand->parts; i++)
        if (operand_hands_on(function, &ptx->parts[operand->first_part + i])) return true;
    bool value = operand->kind == PTX_OPERAND_REGISTER || operand->kind == PTX_OPERAND_VARIABLE;
    return value && is_fixed_place(function, operand);
}

static bool makes_fixed_place(const GpuFunction *function, const PtxInstruction *instruction) {
    const PtxOperand *to = &instruction->operands[0];
    return instruction->destination_count == 1 && to->kind == PTX_OPERAND_REGISTER &&
           function->frame_constant[to->index] >= 0;
}

/** All steps of the instruction move words of the frame. */
static bool moves_words(const GpuFunction *function, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; i++)
        if (function->code[i].frame_word == GPU_FRAME_NOT && function->code[i].step != STEP_flow_join &&
            function->code[i].step != STEP_flow_skip)
            return false;
    return first < end;
}

/** `first` to `end` is what the instruction was decoded to. */
static bool keeps_private(const GpuFunction *function, const PtxInstruction *instruction, uint32_t first,
                          uint32_t end) {
    for (unsigned k = 0; k < instruction->operand_count; k++) {
        const PtxOperand *operand = &instruction->operands[k];
        const bool addresses = operand->kind == PTX_OPERAND_ADDRESS && is_fixed_place(function, operand);
        if (addresses && !moves_words(function, first, end)) return false;
        if (!ptx_is_destination(instruction, k) && operand_hands_on(function, operand) &&
            !makes_fixed_place(function, instruction))
            return false;
    }
    return true;
}

static bool moves_stack(const GpuInstruction *ins) {
    return ins->step == STEP_stack_allocate || ins->step == STEP_stack_save ||
           ins->step == STEP_stack_restore;
}

bool words_are_private(const GpuFunction *function, const uint32_t *code_from) {
    const PtxFunction *ptx = function->ptx;
    if (function->formals_addressed) return false;
    for (uint32_t i = 0; i < function->code_count; i++)
        if (moves_stack(&function->code[i])) return false;
    for (uint32_t i = 0; i < ptx->instruction_count; i++)
        if (!keeps_private(function, &ptx->instructions[i], code_from[i], code_from[i + 1])) return false;
    return true;
}
