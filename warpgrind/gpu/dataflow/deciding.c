/* deciding.c - which instructions of a kernel decide where its threads go and what they touch?
 *
 * A loop may count its rounds or add up a sum for ever and still hang: what matters is whether anything
 * changes that a branch, an address or a wait depends on. So values are followed backwards from those,
 * through registers and variables on the stack, in all functions of the kernel. Other memory is not followed:
 * whoever asks must look at what is stored where deciding values are loaded from.
 */
#include "gpu/dataflow/dataflow.h"

#include <stdlib.h>

enum { MOST_SLOTS = 256 };

/** A variable on the stack that holds a deciding value. */
typedef struct Slot {
    int64_t start, end;
} Slot;

typedef struct Search {
    const GpuFunction *function;
    bool *registers; /**< by number: it decides */
    Slot slots[MOST_SLOTS];
    unsigned slot_count;
    bool all_slots; /**< a pointer into the stack leads somewhere, or there are too many slots */
    bool grew;
} Search;

static bool is_register(const PtxOperand *operand) {
    return (operand->kind == PTX_OPERAND_REGISTER || operand->kind == PTX_OPERAND_ADDRESS) &&
           operand->index >= 0;
}

static void mark(Search *search, int32_t number) {
    if (number < 0 || search->registers[number]) return;
    search->registers[number] = search->grew = true;
}

static void mark_operand(Search *search, const PtxOperand *operand) {
    if (is_register(operand)) mark(search, operand->index);
    for (unsigned i = 0; operand->kind == PTX_OPERAND_VECTOR && i < operand->parts; i++)
        mark_operand(search, &search->function->ptx->parts[operand->first_part + i]);
}

static void mark_sources(Search *search, const PtxInstruction *instruction) {
    mark(search, instruction->guard);
    for (unsigned k = 0; k < instruction->operand_count; k++)
        if (!ptx_is_destination(instruction, k)) mark_operand(search, &instruction->operands[k]);
}

static void mark_addresses(Search *search, const PtxInstruction *instruction) {
    mark(search, instruction->guard);
    for (unsigned k = 0; k < instruction->operand_count; k++)
        if (instruction->operands[k].kind == PTX_OPERAND_ADDRESS)
            mark_operand(search, &instruction->operands[k]);
}

static bool decides(const Search *search, const PtxInstruction *instruction) {
    for (unsigned k = 0; k < instruction->destination_count; k++) {
        const PtxOperand *operand = &instruction->operands[k];
        if (operand->kind == PTX_OPERAND_REGISTER && search->registers[operand->index]) return true;
        for (unsigned i = 0; operand->kind == PTX_OPERAND_VECTOR && i < operand->parts; i++) {
            const PtxOperand *part = &search->function->ptx->parts[operand->first_part + i];
            if (part->kind == PTX_OPERAND_REGISTER && search->registers[part->index]) return true;
        }
    }
    return false;
}

/* ---- the stack ---- */

/** The offset in the frame that the operand always names, or -1. */
static int64_t frame_offset(const Search *search, const PtxOperand *operand) {
    if (is_register(operand)) return search->function->frame_constant[operand->index];
    return -1;
}

/** Whether the instruction accesses variables at a fixed place of the frame, and which bytes of it: those
 * are followed like registers. */
static bool is_slot(const Search *search, const PtxInstruction *instruction, Slot *slot) {
    for (unsigned k = 0; k < instruction->operand_count; k++) {
        const PtxOperand *operand = &instruction->operands[k];
        int64_t base = -1;
        if (operand->kind == PTX_OPERAND_ADDRESS) base = frame_offset(search, operand);
        if (base < 0) continue;
        unsigned count = 1;
        if (instruction->modifiers.vector) count = instruction->modifiers.vector;
        slot->start = base + operand->offset;
        slot->end = slot->start + (int64_t)ptx_type_bytes(instruction->type) * count;
        return true;
    }
    return false;
}

/** When there are too many to tell apart, all count as deciding; that is the last that can grow. */
static void add_slot(Search *search, const Slot *slot) {
    if (search->all_slots) return;
    for (unsigned i = 0; i < search->slot_count; i++)
        if (search->slots[i].start <= slot->start && slot->end <= search->slots[i].end) return;
    search->grew = true;
    if (search->slot_count == MOST_SLOTS)
        search->all_slots = true;
    else
        search->slots[search->slot_count++] = *slot;
}

static bool slot_decides(const Search *search, const Slot *slot) {
    for (unsigned i = 0; i < search->slot_count; i++)
        if (slot->start < search->slots[i].end && search->slots[i].start < slot->end) return true;
    return search->all_slots;
}

/** A pointer into the stack goes where it is not followed. */
static bool lets_stack_go(const Search *search, const PtxInstruction *instruction) {
    bool memory = instruction->opcode == PTX_OP_ld || instruction->opcode == PTX_OP_st;
    bool followed = instruction->operand_count && ptx_is_destination(instruction, 0) &&
                    frame_offset(search, &instruction->operands[0]) >= 0;
    for (unsigned k = 0; k < instruction->operand_count && !followed; k++) {
        const PtxOperand *operand = &instruction->operands[k];
        if (operand->variable && operand->variable->space == PTX_SPACE_LOCAL) return true;
        if (ptx_is_destination(instruction, k) || (memory && operand->kind == PTX_OPERAND_ADDRESS)) continue;
        if (frame_offset(search, operand) >= 0) return true;
    }
    return false;
}

/* ---- one instruction ---- */

static void look_at_load(Search *search, const PtxInstruction *load) {
    Slot slot;
    if (!decides(search, load)) return;
    mark_addresses(search, load);
    if (is_slot(search, load, &slot)) add_slot(search, &slot);
}

static void look_at_store(Search *search, const PtxInstruction *store) {
    Slot slot;
    bool own = is_slot(search, store, &slot);
    mark_addresses(search, store);
    if ((own && slot_decides(search, &slot)) || store->modifiers.space == PTX_SPACE_PARAM)
        mark_sources(search, store);
}

static void look_at_call(Search *search, const PtxInstruction *call) {
    mark_sources(search, call);
    for (unsigned i = 0; i < call->argument_count; i++)
        mark_operand(search, &search->function->ptx->parts[call->first_argument + i]);
}

static void look_at(Search *search, const PtxInstruction *instruction) {
    if (lets_stack_go(search, instruction) && !search->all_slots) search->all_slots = search->grew = true;
    switch (ptx_data(instruction->opcode)) {
    case PTX_DATA_MOVE:
        if (instruction->opcode == PTX_OP_st)
            look_at_store(search, instruction);
        else
            look_at_load(search, instruction);
        return;
    case PTX_DATA_ATOMIC:
        mark_addresses(search, instruction);
        if (decides(search, instruction)) mark_sources(search, instruction);
        return;
    case PTX_DATA_CALL:
        look_at_call(search, instruction);
        return;
    case PTX_DATA_UNKNOWN: /* what gives nothing waits or goes somewhere */
    case PTX_DATA_ARITHMETIC:
    case PTX_DATA_CONTROL:
    case PTX_DATA_WARP:
    case PTX_DATA_ADVICE:
        if (!instruction->destination_count || decides(search, instruction))
            mark_sources(search, instruction);
    }
}

static void search_function(Search *search) {
    const PtxFunction *ptx = search->function->ptx;
    do {
        search->grew = false;
        for (uint32_t i = ptx->instruction_count; i-- > 0;)
            look_at(search, &ptx->instructions[i]);
    } while (search->grew);
}

static bool operand_decides(const Search *search, const PtxOperand *operand) {
    bool all = !is_register(operand) || search->registers[operand->index];
    for (unsigned i = 0; operand->kind == PTX_OPERAND_VECTOR && i < operand->parts; i++)
        all = all && operand_decides(search, &search->function->ptx->parts[operand->first_part + i]);
    return all;
}

/** What is stored is made of deciding values. */
static bool sources_decide(const Search *search, const PtxInstruction *instruction) {
    bool all = true;
    for (unsigned k = 0; k < instruction->operand_count; k++)
        all =
            all && (ptx_is_destination(instruction, k) || operand_decides(search, &instruction->operands[k]));
    return all;
}

/** False without memory. */
static bool keep(GpuFunction *function, const Search *search) {
    const PtxFunction *ptx = function->ptx;
    free(function->decides);
    function->decides = calloc(ptx->instruction_count + 1, sizeof *function->decides);
    for (uint32_t i = 0; function->decides && i < ptx->instruction_count; i++) {
        const PtxInstruction *instruction = &ptx->instructions[i];
        bool stores = instruction->opcode == PTX_OP_st || instruction->opcode == PTX_OP_red;
        if (stores)
            function->decides[i] = sources_decide(search, instruction);
        else
            function->decides[i] = decides(search, instruction);
    }
    return function->decides != NULL;
}

/** Each function is searched by itself: so whatever is handed to a call, or given back by one, counts as
 * deciding. */
bool deciding_find(GpuKernel *kernel) {
    const PtxModule *module = kernel->module->ptx;
    for (uint32_t f = 0; f < module->function_count && !kernel->deciding_known; f++) {
        GpuFunction *function = kernel->functions[f];
        if (!function) continue;
        Search search = {.function = function};
        search.registers = calloc((size_t)function->ptx->register_count + 1, sizeof *search.registers);
        if (!search.registers) return false;
        search_function(&search);
        bool kept = keep(function, &search);
        free(search.registers);
        if (!kept) return false;
    }
    kernel->deciding_known = true;
    return true;
}
