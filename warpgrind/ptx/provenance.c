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

static void add_parameter(Trail *trail, const PtxVariable *variable) {
    Provenance *found = &trail->found;
    for (unsigned i = 0; i < found->count; i++)
        if (found->from[i] == variable) return;
    if (found->count < PROVENANCE_MOST)
        found->from[found->count++] = variable;
    else
        found->open = true;
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

/** A value of less than a pointer's size is an index. */
static void follow_load(Trail *trail, const PtxInstruction *load, int32_t into) {
    const PtxOperand *from = &load->operands[1];
    if (ptx_type_bytes(load->type) < POINTER_BYTES) return;
    bool whole = from->variable && from->variable->bytes == POINTER_BYTES;
    if (load->modifiers.space == PTX_SPACE_PARAM && whole)
        add_parameter(trail, from->variable);
    else if (from->kind == PTX_OPERAND_ADDRESS && from->index >= 0)
        add_step(trail, (Step){.reg = from->index, .offset = from->offset, .on_stack = true, .into = into});
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
    if (opcode == PTX_OP_ld || opcode == PTX_OP_ldu) follow_load(trail, instruction, into);
    if (is_unknown(opcode)) trail->found.open = true;
    for (unsigned i = 0; i < sizeof carriers / sizeof *carriers; i++)
        for (unsigned k = carriers[i].first; carriers[i].opcode == opcode && k <= carriers[i].last; k++)
            add_operand(trail, &instruction->operands[k]);
}

static bool writes(const PtxInstruction *instruction, int32_t reg) {
    for (unsigned k = 0; k < instruction->destination_count; k++)
        if (instruction->operands[k].kind == PTX_OPERAND_REGISTER && instruction->operands[k].index == reg)
            return true;
    return false;
}

static bool stores_to(const PtxInstruction *instruction, const Step *place) {
    const PtxOperand *to = &instruction->operands[0];
    return instruction->opcode == PTX_OP_st && to->kind == PTX_OPERAND_ADDRESS && to->index == place->reg &&
           to->offset == place->offset;
}

/** One step back. What nobody stores to the place, memory has from elsewhere. */
static void go_back(Trail *trail, Step step) {
    bool any = false;
    for (uint32_t i = 0; i < trail->function->instruction_count; i++) {
        const PtxInstruction *instruction = &trail->function->instructions[i];
        if (step.on_stack && stores_to(instruction, &step))
            any = true, add_operand(trail, &instruction->operands[1]);
        if (!step.on_stack && writes(instruction, step.reg)) any = true, follow(trail, instruction, step.reg);
    }
    if (any) return;
    if (step.on_stack)
        add_read(trail, step.into);
    else
        trail->found.open = true;
}

Provenance ptx_provenance(const PtxFunction *function, const PtxInstruction *access) {
    Trail trail = {.function = function};
    for (unsigned k = 0; k < access->operand_count; k++)
        if (access->operands[k].kind == PTX_OPERAND_ADDRESS && access->operands[k].index >= 0)
            add_step(&trail, (Step){.reg = access->operands[k].index});
    if (trail.count != 1) trail.found.open = true;
    while (trail.done < trail.count)
        go_back(&trail, trail.steps[trail.done++]);
    return trail.found;
}
