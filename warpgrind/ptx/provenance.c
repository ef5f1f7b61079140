/* provenance.c - see provenance.h. The trail begins at the register of the address and goes backwards:
 * through sums, moves and changes of the space to their sources, through a place on the stack to what is
 * stored there. A product or a value of 32 bits is an index, where the trail ends.
 */
#include "ptx/provenance.h"

enum { MOST_STEPS = 64, POINTER_BYTES = 8 };

/** What is looked for: a register, or the place on the stack at an offset from one. */
typedef struct Step {
    int32_t reg;
    int64_t offset;
    bool on_stack;
    int32_t into; /**< the register that was loaded from there */
} Step;

typedef struct Trail {
    const PtxFunction *function;
    Step steps[MOST_STEPS];
    unsigned count, done;
    Provenance found;
} Trail;

static void add_step(Trail *trail, Step step) {
    for (unsigned i = 0; i < trail->count; i++) {
        const Step *other = &trail->steps[i];
        if (other->reg == step.reg && other->on_stack == step.on_stack && other->offset == step.offset)
            return;
    }
    if (trail->count < MOST_STEPS)
        trail->steps[trail->count++] = step;
    else
        trail->found.open = true;
}

static void add_operand(Trail *trail, const PtxOperand *operand) {
    if (operand->kind == PTX_OPERAND_REGISTER) add_step(trail, (Step){.reg = operand->index});
    if (operand->kind == PTX_OPERAND_VARIABLE) trail->found.open = true; /* a variable's own address */
}

static void add_parameter(Trail *trail, const PtxVariable *variable, int64_t at) {
    Provenance *found = &trail->found;
    for (unsigned i = 0; i < found->count; i++)
        if (found->from[i] == variable && found->at[i] == at) return;
    if (found->count == PROVENANCE_MOST) {
        found->open = true;
        return;
    }
    found->from[found->count] = variable;
    found->at[found->count++] = at;
}

static void add_read(Trail *trail, int32_t reg) {
    Provenance *found = &trail->found;
    for (unsigned i = 0; i < found->read_count; i++)
        if (found->read[i] == reg) return;
    if (found->read_count < PROVENANCE_MOST)
        found->read[found->read_count++] = reg;
    else
        found->open = true;
}

static bool is_parameter(const PtxFunction *function, const PtxVariable *variable) {
    return variable >= function->parameters && variable < function->parameters + function->parameter_count;
}

static bool is_load(const PtxInstruction *instruction) {
    return instruction->opcode == PTX_OP_ld || instruction->opcode == PTX_OP_ldu;
}

enum { NO_ELEMENT = -1 };

/** Which element of what the instruction makes goes into the register: of ld.v2, 0 or 1. Only a load's vector
 * has elements that are pointers; what mov takes apart are halves of a value. */
static int element_for(const PtxFunction *function, const PtxInstruction *instruction, int32_t reg) {
    const PtxOperand *to = &instruction->operands[0];
    for (unsigned k = 0; k < instruction->destination_count; k++)
        if (to[k].kind == PTX_OPERAND_REGISTER && to[k].index == reg) return 0;
    if (!is_load(instruction) || to->kind != PTX_OPERAND_VECTOR) return NO_ELEMENT;
    for (int k = 0; k < to->parts; k++) {
        const PtxOperand *part = &function->parts[to->first_part + (unsigned)k];
        if (part->kind == PTX_OPERAND_REGISTER && part->index == reg) return k;
    }
    return NO_ELEMENT;
}

static bool writes(const PtxFunction *function, const PtxInstruction *instruction, int32_t reg) {
    return element_for(function, instruction, reg) != NO_ELEMENT;
}

/** The one instruction that writes the register; NULL: none, or several. */
static const PtxInstruction *only_writer(const PtxFunction *function, int32_t reg) {
    const PtxInstruction *found = NULL;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        if (!writes(function, &function->instructions[i], reg)) continue;
        if (found) return NULL;
        found = &function->instructions[i];
    }
    return found;
}

/** The parameter that an operand of ld.param names: itself, or by a register that has its address and nothing
 * else. Where it is in it goes into `at`. NULL: none. */
static const PtxVariable *parameter_at(const PtxFunction *function, const PtxOperand *from, int64_t *at) {
    enum { MOST_MOVES = 4 };
    *at = from->offset;
    for (unsigned moves = 0; from->index >= 0 && moves < MOST_MOVES; moves++) {
        const PtxInstruction *writer = only_writer(function, from->index);
        if (!writer || writer->opcode != PTX_OP_mov) return NULL;
        from = &writer->operands[1];
        if (from->kind == PTX_OPERAND_VARIABLE) break;
        if (from->kind != PTX_OPERAND_REGISTER) return NULL;
    }
    if (from->variable && is_parameter(function, from->variable)) return from->variable;
    return NULL;
}

/** A value of less than a pointer's size is an index. */
static void follow_load(Trail *trail, const PtxInstruction *load, int32_t into) {
    const PtxOperand *from = &load->operands[1];
    if (ptx_type_bytes(load->type) < POINTER_BYTES) return;
    int64_t at, ahead = element_for(trail->function, load, into) * (int64_t)ptx_type_bytes(load->type);
    const PtxVariable *parameter = parameter_at(trail->function, from, &at);
    if (load->modifiers.space == PTX_SPACE_PARAM && parameter)
        add_parameter(trail, parameter, at + ahead);
    else if (load->modifiers.space == PTX_SPACE_PARAM)
        trail->found.open = true; /* what a call has returned, or a member by an index */
    else if (from->kind == PTX_OPERAND_ADDRESS && from->index >= 0)
        add_step(trail, (Step){from->index, from->offset + ahead, .on_stack = true, .into = into});
    else
        add_read(trail, into);
}

/** Sums and moves: which of the sources may be the pointer. The rest makes indices. */
static const struct Carrier {
    PtxOpcode opcode;
    uint8_t first, last;
} carriers[] = {
    {PTX_OP_add, 1, 2},  {PTX_OP_and, 1, 2}, {PTX_OP_selp, 1, 2}, {PTX_OP_sub, 1, 1},
    {PTX_OP_cvta, 1, 1}, {PTX_OP_mov, 1, 1}, {PTX_OP_mad, 3, 3},
};

static bool is_unknown(PtxOpcode opcode) {
    return opcode == PTX_OP_call || opcode == PTX_OP_shfl || opcode == PTX_OP_atom;
}

/** The instruction gives the register its value. */
static void follow(Trail *trail, const PtxInstruction *instruction, int32_t into) {
    PtxOpcode opcode = instruction->opcode;
    if (is_load(instruction)) follow_load(trail, instruction, into);
    if (is_unknown(opcode)) trail->found.open = true;
    for (unsigned i = 0; i < sizeof carriers / sizeof *carriers; i++)
        for (unsigned k = carriers[i].first; carriers[i].opcode == opcode && k <= carriers[i].last; k++)
            add_operand(trail, &instruction->operands[k]);
}

/** What the instruction stores at the place, of st.v2 the element that lies there. NULL: nothing. */
static const PtxOperand *stored_at(const PtxFunction *function, const PtxInstruction *instruction,
                                   const Step *place) {
    const PtxOperand *to = &instruction->operands[0], *what = &instruction->operands[1];
    if (instruction->opcode != PTX_OP_st || to->kind != PTX_OPERAND_ADDRESS || to->index != place->reg)
        return NULL;
    if (to->offset == place->offset && what->kind != PTX_OPERAND_VECTOR) return what;
    if (what->kind != PTX_OPERAND_VECTOR) return NULL;
    for (unsigned k = 0; k < what->parts; k++)
        if (to->offset + k * (int64_t)ptx_type_bytes(instruction->type) == place->offset)
            return &function->parts[what->first_part + k];
    return NULL;
}

/** One step back. What nobody stores to the place, memory has from elsewhere. */
static void go_back(Trail *trail, Step step) {
    bool any = false;
    const PtxFunction *function = trail->function;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const PtxInstruction *instruction = &function->instructions[i];
        const PtxOperand *stored = NULL;
        if (step.on_stack) stored = stored_at(function, instruction, &step);
        if (stored) any = true, add_operand(trail, stored);
        if (!step.on_stack && writes(function, instruction, step.reg))
            any = true, follow(trail, instruction, step.reg);
    }
    if (any) return;
    if (step.on_stack)
        add_read(trail, step.into);
    else
        trail->found.open = true;
}

static Provenance go_all_the_way(Trail *trail) {
    while (trail->done < trail->count)
        go_back(trail, trail->steps[trail->done++]);
    return trail->found;
}

Provenance ptx_provenance_of_argument(const PtxFunction *function, const PtxInstruction *call,
                                      unsigned number) {
    Trail trail = {.function = function};
    const PtxOperand *argument = NULL;
    if (number < call->argument_count) argument = &function->parts[call->first_argument + number];
    for (uint32_t i = 0; argument && i < function->instruction_count; i++) {
        const PtxInstruction *store = &function->instructions[i];
        bool hands_over = store->opcode == PTX_OP_st && store->modifiers.space == PTX_SPACE_PARAM &&
                          store->operands[0].variable == argument->variable;
        if (hands_over) add_operand(&trail, &store->operands[1]);
    }
    if (trail.count != 1) trail.found.open = true;
    return go_all_the_way(&trail);
}

Provenance ptx_provenance(const PtxFunction *function, const PtxInstruction *access) {
    Trail trail = {.function = function};
    for (unsigned k = 0; k < access->operand_count; k++)
        if (access->operands[k].kind == PTX_OPERAND_ADDRESS && access->operands[k].index >= 0)
            add_step(&trail, (Step){.reg = access->operands[k].index});
    if (trail.count != 1) trail.found.open = true;
    return go_all_the_way(&trail);
}
