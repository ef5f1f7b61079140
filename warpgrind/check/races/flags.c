/* flags.c - is an access one to a flag? Threads may wait for each other through `volatile`: to PTX such an
 * access is relaxed (PTX ISA 8.4, 9.7.8.8), it races with no other of its kind, and with fences it orders the
 * rest.
 *
 * But most programs with `volatile` do not wait. They hand data from thread to thread and leave the barrier
 * out, which goes wrong. What tells the two apart is what becomes of the value that was read: that of a flag
 * decides a branch, that of data goes on into sums. So the value is followed through the function, by moves,
 * comparisons, bits and shifts, and by variables on the stack; not by other arithmetic or other memory.
 *
 * LIMIT: loads and stores of the second-level cache (.cg) count as those of flags, whatever becomes of the
 * value, because CUB up to 1.17 waits by them, although PTX says that they are weak. It unpacks flag and
 * value of one word through memory, where no value is followed. LIMIT: a value that a function returns, and
 * one of a function too long to follow, counts as a flag's.
 */
#include "check/races/races.h"

#include <stdlib.h>

enum { MOST_SLOTS = 64, MOST_STEPS = 1 << 22 };

/** A variable on the stack, an argument or a result of a call that has held the value. */
typedef struct Slot {
    const PtxVariable *variable; /**< or NULL: then it is named by a register */
    int32_t base;
    int64_t offset;
} Slot;

typedef struct Trail {
    const PtxFunction *function;
    bool *holds; /**< by register: it has held the value, or what was made of it */
    bool *data;  /**< by register: a volatile load has filled it */
    Slot slots[MOST_SLOTS];
    unsigned slot_count;
    bool grew, decides;
} Trail;

static bool operand_holds(const Trail *trail, const PtxOperand *operand) {
    if (operand->kind == PTX_OPERAND_REGISTER) return trail->holds[operand->index];
    if (operand->kind != PTX_OPERAND_VECTOR) return false;
    for (unsigned i = 0; i < operand->parts; i++)
        if (operand_holds(trail, &trail->function->parts[operand->first_part + i])) return true;
    return false;
}

static void operand_take(Trail *trail, const PtxOperand *operand) {
    if (operand->kind == PTX_OPERAND_REGISTER && !trail->holds[operand->index])
        trail->holds[operand->index] = trail->grew = true;
    for (unsigned i = 0; operand->kind == PTX_OPERAND_VECTOR && i < operand->parts; i++)
        operand_take(trail, &trail->function->parts[operand->first_part + i]);
}

/* What hands a value on, or a part of it, or an answer about it. */
static bool hands_on(const PtxInstruction *instruction) {
    bool rounds = instruction->type == PTX_F32 || instruction->type == PTX_F64;
    if (instruction->opcode == PTX_OP_sub && rounds) return false;
    return ptx_has_trait(instruction->opcode, PTX_TRAIT_PASSES);
}

static bool slot_find(const Trail *trail, const Slot *slot) {
    for (unsigned i = 0; i < trail->slot_count; i++) {
        const Slot *seen = &trail->slots[i];
        if (seen->variable == slot->variable && seen->base == slot->base && seen->offset == slot->offset)
            return true;
    }
    return false;
}

static void slot_add(Trail *trail, const Slot *slot) {
    if (slot_find(trail, slot) || trail->slot_count == MOST_SLOTS) return;
    trail->slots[trail->slot_count++] = *slot;
    trail->grew = true;
}

/* The place of a plain load or store of one value, as far as it is named by the frame; arguments are taken as
 * a whole. */
static bool slot_of(const PtxInstruction *instruction, const PtxOperand *address, Slot *slot) {
    const PtxModifiers *words = &instruction->modifiers;
    if (words->semantics != PTX_SEM_WEAK || instruction->operand_count != 2) return false;
    if (words->space == PTX_SPACE_PARAM) {
        *slot = (Slot){.variable = address->variable, .base = -1};
        return address->variable != NULL;
    }
    *slot = (Slot){.base = address->index, .offset = address->offset};
    return (words->space == PTX_SPACE_LOCAL || words->space == PTX_SPACE_GENERIC) && address->index >= 0;
}

static bool is_result(const PtxFunction *function, const PtxVariable *variable) {
    for (unsigned i = 0; variable && i < function->result_count; i++)
        if (variable == &function->results[i]) return true;
    return false;
}

static void follow_store(Trail *trail, const PtxInstruction *store) {
    const PtxOperand *to = &store->operands[0];
    Slot slot;
    if (!operand_holds(trail, &store->operands[store->operand_count - 1])) return;
    trail->decides |= is_result(trail->function, to->variable);
    if (slot_of(store, to, &slot)) slot_add(trail, &slot);
}

static bool follow_load(const Trail *trail, const PtxInstruction *load) {
    Slot slot;
    return slot_of(load, &load->operands[1], &slot) && slot_find(trail, &slot);
}

/* What a function gives is made of its arguments: nvcc keeps __any_sync a function in code to be debugged. */
static void follow_call(Trail *trail, const PtxInstruction *call) {
    const PtxOperand *parts = trail->function->parts;
    bool holds = false;
    for (unsigned i = 0; i < call->argument_count; i++) {
        const PtxOperand *argument = &parts[call->first_argument + i];
        Slot slot = {.variable = argument->variable, .base = -1};
        holds |= operand_holds(trail, argument) || (argument->variable && slot_find(trail, &slot));
    }
    for (unsigned i = 0; holds && i < call->result_count; i++) {
        const PtxOperand *result = &parts[call->first_result + i];
        Slot slot = {.variable = result->variable, .base = -1};
        operand_take(trail, result);
        if (result->variable) slot_add(trail, &slot);
    }
}

static bool is_data(const Trail *trail, const PtxOperand *operand) {
    return operand->kind == PTX_OPERAND_REGISTER && trail->data[operand->index];
}

/* Which of two loaded values is the greater? That is a question of data: a flag is compared with what one
 * waits for. */
static bool compares_data(const Trail *trail, const PtxInstruction *instruction) {
    const PtxOperand *a = &instruction->operands[instruction->destination_count], *b = a + 1;
    PtxCompare compare = instruction->modifiers.compare;
    bool same = compare == PTX_EQ || compare == PTX_NE || compare == PTX_EQU || compare == PTX_NEU;
    return instruction->opcode == PTX_OP_setp && !same && is_data(trail, a) && is_data(trail, b);
}

static bool hands_on_trail(const Trail *trail, const PtxInstruction *instruction) {
    if (!hands_on(instruction) || compares_data(trail, instruction)) return false;
    for (unsigned k = instruction->destination_count; k < instruction->operand_count; k++)
        if (operand_holds(trail, &instruction->operands[k])) return true;
    return false;
}

/* Follows a loaded value through the instructions in order: whatever is computed from it holds it, too, and
 * a branch or a guarded exit that holds it is a decision. What is stored or passed to a call is followed as
 * far as it stays in the thread. */
static void follow(Trail *trail, const PtxInstruction *instruction) {
    bool holds = false;
    switch (ptx_control(instruction->opcode)) {
    case PTX_CONTROL_BRANCH:
    case PTX_CONTROL_LEAVE:
        trail->decides |= instruction->guard >= 0 && trail->holds[instruction->guard];
        return;
    case PTX_CONTROL_TABLE:
        trail->decides |= operand_holds(trail, &instruction->operands[0]);
        return;
    case PTX_CONTROL_CALL:
        follow_call(trail, instruction);
        return;
    case PTX_CONTROL_NEXT:
    case PTX_CONTROL_MEET:
    case PTX_CONTROL_HALT:
        break;
    }
    if (instruction->opcode == PTX_OP_st)
        follow_store(trail, instruction);
    else if (instruction->opcode == PTX_OP_ld)
        holds = follow_load(trail, instruction);
    else
        holds = hands_on_trail(trail, instruction);
    for (unsigned k = 0; holds && k < instruction->destination_count; k++)
        operand_take(trail, &instruction->operands[k]);
}

/* Instructions are looked at until no more registers or slots are added: loops lead back. */
static bool trail_decides(Trail *trail, const PtxInstruction *load) {
    const PtxFunction *function = trail->function;
    for (unsigned k = 0; k < load->destination_count; k++)
        operand_take(trail, &load->operands[k]);
    for (uint32_t steps = 0; trail->grew && !trail->decides; steps += function->instruction_count) {
        if (steps > MOST_STEPS) return true;
        trail->grew = false;
        for (uint32_t i = 0; i < function->instruction_count && !trail->decides; i++)
            follow(trail, &function->instructions[i]);
    }
    return trail->decides;
}

static void mark_data(Trail *trail) {
    for (uint32_t i = 0; i < trail->function->instruction_count; i++) {
        const PtxInstruction *load = &trail->function->instructions[i];
        bool reads = load->opcode == PTX_OP_ld && load->modifiers.semantics == PTX_SEM_VOLATILE;
        if (reads && load->operands[0].kind == PTX_OPERAND_REGISTER)
            trail->data[load->operands[0].index] = true;
    }
}

static bool value_decides(const PtxFunction *function, const PtxInstruction *load) {
    bool *marks = calloc(2 * (size_t)function->register_count + 1, sizeof *marks);
    if (!marks) return true;
    Trail trail = {.function = function, .holds = marks, .data = marks + function->register_count};
    mark_data(&trail);
    bool decides = trail_decides(&trail, load);
    free(marks);
    return decides;
}

bool flags_is_flag(const Check *check, const GpuAccess *access) {
    GpuPlace place = gpu_place(check->gpu, access->pc);
    bool cached = place.instruction && place.instruction->modifiers.cg;
    if (access->kind == GPU_ATOMIC || (access->semantics != PTX_SEM_VOLATILE && !cached)) return false;
    if (access->kind == GPU_WRITE || cached) return true;
    bool load = place.instruction && place.instruction->opcode == PTX_OP_ld;
    return load && value_decides(place.function, place.instruction);
}
