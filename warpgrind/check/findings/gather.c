/* gather.c - does what a thread has read choose the address that it uses next, as in x[columns[i]]?
 *
 * The trail goes back from the address, through what scales an index and adds it to a pointer that all
 * threads share, and ends at loads. A register that is written several times belongs to a loop, and where
 * one of two sources is the thread's own (row_starts[row] + lane) the threads have a say in it: neither
 * counts. Asked when a finding is told.
 */
#include "check/findings/parts.h"

enum { MOST_STEPS = 16, POINTER_BYTES = 8 };

static bool names(const PtxOperand *operand, int32_t reg) {
    return operand->kind == PTX_OPERAND_REGISTER && operand->index == reg;
}

/* Registers of a vector are written by one load. */
static bool writes(const PtxFunction *function, const PtxInstruction *instruction, int32_t reg) {
    for (unsigned k = 0; k < instruction->destination_count; k++) {
        const PtxOperand *to = &instruction->operands[k];
        if (names(to, reg)) return true;
        for (unsigned part = 0; to->kind == PTX_OPERAND_VECTOR && part < to->parts; part++)
            if (names(&function->parts[to->first_part + part], reg)) return true;
    }
    return false;
}

static const PtxInstruction *only_writer(const PtxFunction *function, int32_t reg) {
    const PtxInstruction *writer = NULL;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        if (!writes(function, &function->instructions[i], reg)) continue;
        if (writer) return NULL;
        writer = &function->instructions[i];
    }
    if (writer && writer->guard < 0) return writer;
    return NULL;
}

/* What the only store to a place of the thread's frame leaves there: code that is not optimised keeps
 * variables there. */
static const PtxOperand *only_stored(const PtxFunction *function, const PtxInstruction *load) {
    const PtxOperand *from = &load->operands[1], *stored = NULL;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const PtxInstruction *store = &function->instructions[i];
        const PtxOperand *to = &store->operands[0];
        if (store->opcode != PTX_OP_st || to->kind != PTX_OPERAND_ADDRESS || to->index != from->index ||
            to->variable != from->variable || to->offset != from->offset)
            continue;
        if (stored) return NULL;
        stored = &store->operands[1];
    }
    return stored;
}

/* What makes an address of an index. */
static bool is_arithmetic(PtxOpcode opcode) {
    static const PtxOpcode arithmetic[] = {PTX_OP_mov, PTX_OP_cvt, PTX_OP_cvta, PTX_OP_add, PTX_OP_sub,
                                           PTX_OP_mul, PTX_OP_mad, PTX_OP_shl,  PTX_OP_and, PTX_OP_or};
    for (size_t i = 0; i < sizeof arithmetic / sizeof arithmetic[0]; i++)
        if (arithmetic[i] == opcode) return true;
    return false;
}

static bool same_for_all(const PtxFunction *function, const PtxOperand *operand, unsigned steps) {
    if (operand->kind == PTX_OPERAND_IMMEDIATE || operand->kind == PTX_OPERAND_VARIABLE) return true;
    if (operand->kind != PTX_OPERAND_REGISTER || steps == MOST_STEPS) return false;
    const PtxInstruction *writer = only_writer(function, operand->index);
    if (!writer) return false;
    if (writer->opcode == PTX_OP_ld && ptx_is_frame_access(function, writer)) {
        const PtxOperand *stored = only_stored(function, writer);
        return stored && same_for_all(function, stored, steps + 1);
    }
    if (writer->opcode == PTX_OP_ld) return writer->modifiers.space == PTX_SPACE_PARAM;
    bool same = is_arithmetic(writer->opcode);
    for (unsigned k = writer->destination_count; same && k < writer->operand_count; k++)
        same = same_for_all(function, &writer->operands[k], steps + 1);
    return same;
}

/* A pointer that was read is no index: then the data is a structure with pointers, and another advice fits.
 */
static bool reads_index(const PtxInstruction *load) {
    PtxSpace space = load->modifiers.space;
    return space != PTX_SPACE_PARAM && space != PTX_SPACE_LOCAL && ptx_type_bytes(load->type) < POINTER_BYTES;
}

static bool is_chosen(const PtxFunction *function, int32_t reg, unsigned steps) {
    const PtxInstruction *writer = NULL;
    if (steps < MOST_STEPS) writer = only_writer(function, reg);
    if (!writer) return false;
    if (writer->opcode == PTX_OP_ld && ptx_is_frame_access(function, writer)) {
        const PtxOperand *stored = only_stored(function, writer);
        return stored && stored->kind == PTX_OPERAND_REGISTER &&
               is_chosen(function, stored->index, steps + 1);
    }
    if (writer->opcode == PTX_OP_ld) return reads_index(writer);
    if (!is_arithmetic(writer->opcode)) return false;
    bool chosen = false;
    for (unsigned k = writer->destination_count; k < writer->operand_count; k++) {
        const PtxOperand *source = &writer->operands[k];
        if (same_for_all(function, source, 0)) continue;
        if (source->kind != PTX_OPERAND_REGISTER || !is_chosen(function, source->index, steps + 1))
            return false;
        chosen = true;
    }
    return chosen;
}

/* The register, or the only value of a variable in the thread's frame, is what that load has read. */
static bool comes_from(const PtxFunction *function, int32_t reg, const PtxInstruction *load, unsigned steps) {
    const PtxInstruction *writer = NULL;
    if (steps < MOST_STEPS) writer = only_writer(function, reg);
    if (!writer || writer == load) return writer == load;
    if (writer->opcode == PTX_OP_ld && ptx_is_frame_access(function, writer)) {
        const PtxOperand *stored = only_stored(function, writer);
        return stored && stored->kind == PTX_OPERAND_REGISTER &&
               comes_from(function, stored->index, load, steps + 1);
    }
    const PtxOperand *source = &writer->operands[1];
    const bool masked = writer->opcode == PTX_OP_and && same_for_all(function, source + 1, 0);
    const bool plain = writer->opcode == PTX_OP_mov || writer->opcode == PTX_OP_cvt;
    return (plain || masked) && source->kind == PTX_OPERAND_REGISTER &&
           comes_from(function, source->index, load, steps + 1);
}

/* A comparison of what the load has read with what is the same in all threads. */
static bool compares(const PtxFunction *function, const PtxInstruction *instruction,
                     const PtxInstruction *load) {
    if (instruction->opcode != PTX_OP_setp) return false;
    const PtxOperand *a = &instruction->operands[instruction->destination_count], *b = a + 1;
    if (!same_for_all(function, b, 0)) {
        const PtxOperand *first = a;
        a = b;
        b = first;
    }
    return same_for_all(function, b, 0) && a->kind == PTX_OPERAND_REGISTER &&
           comes_from(function, a->index, load, 0);
}

static bool asks_for(const PtxInstruction *branch, const PtxInstruction *test) {
    if (branch->opcode != PTX_OP_bra || branch->guard < 0) return false;
    for (unsigned k = 0; k < test->destination_count; k++)
        if (names(&test->operands[k], branch->guard)) return true;
    return false;
}

static bool leads_past(const PtxInstruction *branch, uint32_t place) {
    return branch->opcode == PTX_OP_bra && (uint32_t)branch->operands[0].index > place;
}

/* To the next round of the loop round both. */
static bool leads_back(const PtxInstruction *branch, uint32_t place) {
    return branch->opcode == PTX_OP_bra && (uint32_t)branch->operands[0].index <= place;
}

/* A branch on the comparison, before the instruction, goes around it: by itself, or by the one behind it, as
 * in code that is not optimised. A loop that waits for a value to change goes back as well, by volatile
 * reads. */
static bool is_skipped_by(const PtxFunction *function, uint32_t load, uint32_t instruction,
                          const PtxInstruction *test) {
    const uint32_t from = (uint32_t)(test - function->instructions) + 1;
    const bool waits = function->instructions[load].modifiers.semantics != PTX_SEM_WEAK;
    for (uint32_t i = from; i < instruction; i++) {
        const PtxInstruction *branch = &function->instructions[i];
        if (!asks_for(branch, test)) continue;
        const bool behind = branch[1].guard < 0 && leads_past(branch + 1, instruction);
        if (leads_past(branch, instruction) || behind) return true;
        if (!waits && leads_back(branch, load)) return true;
    }
    return false;
}

bool gather_decides(const GpuPlace *load, const GpuPlace *later) {
    const PtxFunction *function = load->function;
    if (!function || function != later->function || !load->instruction || !later->instruction) return false;
    const uint32_t first = (uint32_t)(load->instruction - function->instructions);
    const uint32_t last = (uint32_t)(later->instruction - function->instructions);
    for (uint32_t i = first + 1; i < last; i++)
        if (compares(function, &function->instructions[i], load->instruction) &&
            is_skipped_by(function, first, last, &function->instructions[i]))
            return true;
    return false;
}

/* The atomic whose result, scaled and added to what all threads share, is in the register; NULL: none. */
static const PtxInstruction *counter_of(const PtxFunction *function, int32_t reg, unsigned steps) {
    const PtxInstruction *writer = NULL;
    if (steps < MOST_STEPS) writer = only_writer(function, reg);
    if (!writer || writer->opcode == PTX_OP_atom) return writer;
    if (writer->opcode == PTX_OP_ld && ptx_is_frame_access(function, writer)) {
        const PtxOperand *stored = only_stored(function, writer);
        if (!stored || stored->kind != PTX_OPERAND_REGISTER) return NULL;
        return counter_of(function, stored->index, steps + 1);
    }
    if (!is_arithmetic(writer->opcode)) return NULL;
    const PtxOperand *differs = NULL;
    for (unsigned k = writer->destination_count; k < writer->operand_count; k++) {
        if (same_for_all(function, &writer->operands[k], 0)) continue;
        if (differs) return NULL;
        differs = &writer->operands[k];
    }
    if (!differs || differs->kind != PTX_OPERAND_REGISTER) return NULL;
    return counter_of(function, differs->index, steps + 1);
}

bool gather_same_for_all(const PtxFunction *function, const PtxOperand *operand) {
    return same_for_all(function, operand, 0);
}

bool gather_chosen_by_data(const Check *check, uint32_t pc) {
    const GpuPlace place = gpu_place(check->gpu, pc);
    if (!place.function || !place.instruction) return false;
    for (unsigned k = 0; k < place.instruction->operand_count; k++) {
        const PtxOperand *operand = &place.instruction->operands[k];
        if (operand->kind == PTX_OPERAND_ADDRESS && operand->index >= 0)
            return is_chosen(place.function, operand->index, 0);
    }
    return false;
}

const PtxInstruction *gather_counter(const Check *check, uint32_t pc) {
    const GpuPlace place = gpu_place(check->gpu, pc);
    if (!place.function || !place.instruction) return NULL;
    for (unsigned k = 0; k < place.instruction->operand_count; k++) {
        const PtxOperand *operand = &place.instruction->operands[k];
        if (operand->kind == PTX_OPERAND_ADDRESS && operand->index >= 0)
            return counter_of(place.function, operand->index, 0);
    }
    return NULL;
}
