/* edges.c - which partings of a warp are only the edge of the work.
 *
 * `if (i >= n) return;` parts the warp in which the array ends, and a field that is narrower than a block
 * parts every warp. The lanes outside have nothing to do until the kernel ends, so the warp runs one way and
 * loses no time to the other. Three things make such a parting: all lanes that the warp was started with are
 * there (in a loop they have met again), the lanes of one side are neighbours along threadIdx.x, and one
 * of the ways goes straight to the end of the kernel. The first two are looked at when it happens, the last
 * one when the line is told.
 */
#include "check/counts/notes.h"

enum { LANES = 32, MOST_JUMPS = 16, MOST_KNOWN = 8 };

/* Lanes that the warp was started with. */
static unsigned lanes_of_warp(const GpuWarp *warp, GpuDim block) {
    const uint64_t left = check_dim_volume(block) - (uint64_t)gpu_warp_index(warp) * LANES;
    if (left < LANES) return (unsigned)left;
    return LANES;
}

/* Lanes that do not begin a row of the block: those have a neighbour before them. */
static uint32_t lanes_after_another(const GpuWarp *warp, GpuDim block) {
    uint32_t followers = ~UINT32_C(1);
    if (block.x % LANES == 0) return followers;
    for (unsigned lane = 1; lane < LANES; lane++)
        if ((gpu_warp_index(warp) * LANES + lane) % block.x == 0) followers &= ~(UINT32_C(1) << lane);
    return followers;
}

bool edges_parts_whole_warp(const GpuWarp *warp, uint32_t taken, uint32_t not_taken) {
    const GpuDim block = gpu_block_launch(gpu_warp_block(warp))->spec.block;
    return check_lane_count(taken | not_taken) == lanes_of_warp(warp, block);
}

bool edges_parts_neighbours(const GpuWarp *warp, uint32_t taken, uint32_t not_taken) {
    const GpuDim block = gpu_block_launch(gpu_warp_block(warp))->spec.block;
    const uint32_t exist = taken | not_taken, followers = exist & lanes_after_another(warp, block);
    uint32_t changes = (taken ^ taken << 1) & followers;
    while (changes != 0) { /* three changes in one row? */
        const uint32_t first = changes & -changes, later = ~(first | (first - 1));
        const uint32_t ends = later & exist & ~followers; /* where the next rows begin */
        uint32_t row = later;
        if (ends != 0) row = later & ((ends & -ends) - 1);
        const uint32_t more = changes & row;
        if (more & (more - 1)) return false;
        changes &= ~first;
    }
    return true;
}

/* Predicates whose value is known on the way that lanes go from a branch. `x < nx && y < ny` is two jumps in
 * the code of nvcc -G: the first sets a predicate to false and goes to the second. */
typedef struct Known {
    int32_t number[MOST_KNOWN];
    bool value[MOST_KNOWN];
    unsigned count;
} Known;

static int find_known(const Known *known, int32_t number) {
    for (unsigned i = 0; i < known->count; i++)
        if (known->number[i] == number) return (int)i;
    return -1;
}

static void forget(Known *known, int32_t number) {
    const int at = find_known(known, number);
    if (at < 0) return;
    known->count--;
    known->number[at] = known->number[known->count];
    known->value[at] = known->value[known->count];
}

static void learn(Known *known, int32_t number, bool value) {
    forget(known, number);
    if (known->count == MOST_KNOWN) return;
    known->number[known->count] = number;
    known->value[known->count++] = value;
}

static bool is_predicate_copy(const PtxInstruction *instruction) {
    const bool copies = instruction->opcode == PTX_OP_mov || instruction->opcode == PTX_OP_not;
    return copies && instruction->type == PTX_PRED && instruction->guard < 0;
}

/* What the instruction does to what is known. */
static void pass(Known *known, const PtxInstruction *instruction) {
    const PtxOperand *to = instruction->operands, *from = to + 1;
    const bool flips = instruction->opcode == PTX_OP_not;
    int at = -1;
    if (from->kind == PTX_OPERAND_REGISTER) at = find_known(known, from->index);
    if (is_predicate_copy(instruction) && from->kind == PTX_OPERAND_IMMEDIATE)
        learn(known, to->index, (from->bits != 0) != flips);
    else if (is_predicate_copy(instruction) && at >= 0)
        learn(known, to->index, (known->value[at] != from->negated) != flips);
    else
        for (unsigned k = 0; k < instruction->destination_count; k++)
            if (to[k].kind == PTX_OPERAND_REGISTER) forget(known, to[k].index);
}

/* Does a jump lead between two instructions that follow each other? */
static bool is_target(const PtxFunction *function, uint32_t index) {
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const PtxInstruction *jump = &function->instructions[i];
        if (jump->opcode == PTX_OP_brx_idx) return true;
        if (jump->opcode == PTX_OP_bra && (uint32_t)jump->operands[0].index == index) return true;
    }
    return false;
}

/* What the instructions right before the branch make known to all who come to it. */
static Known known_before(const PtxFunction *function, uint32_t branch) {
    Known known = {.count = 0};
    uint32_t first = branch;
    while (first > 0 && branch - first < MOST_JUMPS && !is_target(function, first) &&
           function->instructions[first - 1].opcode != PTX_OP_bra)
        first--;
    for (uint32_t i = first; i < branch; i++)
        pass(&known, &function->instructions[i]);
    return known;
}

/* Is there nothing but jumps from this instruction to the kernel's end? */
static bool ends_at_once(const PtxFunction *function, uint32_t index, Known known) {
    for (unsigned steps = 0; steps < MOST_JUMPS && index < function->instruction_count; steps++) {
        const PtxInstruction *instruction = &function->instructions[index];
        int guard;
        if (instruction->guard < 0)
            guard = -1;
        else
            guard = find_known(&known, instruction->guard);
        if (instruction->guard >= 0 && guard < 0) return false;
        const bool done = guard < 0 || known.value[guard] != instruction->guard_negated;
        const bool ends = instruction->opcode == PTX_OP_ret || instruction->opcode == PTX_OP_exit;
        if (ends && done) return function->entry;
        if (!ends && instruction->opcode != PTX_OP_bra && !is_predicate_copy(instruction)) return false;
        if (is_predicate_copy(instruction)) pass(&known, instruction);
        if (instruction->opcode == PTX_OP_bra && done)
            index = (uint32_t)instruction->operands[0].index;
        else
            index = index + 1;
    }
    return index == function->instruction_count && function->entry;
}

bool edges_branch_ends(const Check *check, uint32_t pc) {
    const GpuPlace place = gpu_place(check->gpu, pc);
    if (!place.function || !place.instruction || place.instruction->opcode != PTX_OP_bra) return false;
    const uint32_t next = (uint32_t)(place.instruction - place.function->instructions) + 1;
    const Known known = known_before(place.function, next - 1);
    return ends_at_once(place.function, next, known) ||
           ends_at_once(place.function, (uint32_t)place.instruction->operands[0].index, known);
}

/* From one instruction to another there is no loop, and no way past it. */
static bool goes_straight(const PtxFunction *function, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; i++) {
        const PtxInstruction *passed = &function->instructions[i];
        if (passed->opcode == PTX_OP_brx_idx) return false;
        if (passed->opcode != PTX_OP_bra) continue;
        const uint32_t target = (uint32_t)passed->operands[0].index;
        if (target <= i || target > to) return false;
    }
    return true;
}

static bool is_plain(PtxOpcode opcode) {
    static const PtxOpcode plain[] = {PTX_OP_ld,  PTX_OP_mov, PTX_OP_setp, PTX_OP_and, PTX_OP_or, PTX_OP_not,
                                      PTX_OP_add, PTX_OP_sub, PTX_OP_rem,  PTX_OP_mul, PTX_OP_cvt};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (opcode == plain[i]) return true;
    return false;
}

/* `if (p || q)`: what is passed is the rest of the condition, made of the thread's own variables. */
static bool is_rest_of_condition(const PtxFunction *function, uint32_t from, uint32_t to) {
    enum { MOST = 16 };
    bool decides = false;
    if (to > from + MOST) return false;
    for (uint32_t i = from; i < to; i++) {
        const PtxInstruction *passed = &function->instructions[i];
        const bool jumps = passed->opcode == PTX_OP_bra;
        if (jumps && (uint32_t)passed->operands[0].index <= i) return false;
        if (passed->opcode == PTX_OP_ld && !ptx_is_frame_access(function, passed)) return false;
        if (!jumps && !is_plain(passed->opcode)) return false;
        decides = decides || (jumps && passed->guard >= 0);
    }
    return decides;
}

/* Does it set registers, or variables of the thread? A constructor stores by a pointer to what it makes. */
static bool sets_own(const PtxFunction *function, const PtxInstruction *instruction) {
    const PtxFamily family = ptx_opcode_info(instruction->opcode)->family;
    if (family == PTX_FAMILY_load) return ptx_is_frame_access(function, instruction);
    return family == PTX_FAMILY_operation || family == PTX_FAMILY_move || family == PTX_FAMILY_store;
}

/* One line, without a loop, whose result the thread makes of what it has: `: __half(0)`, which is a constant
 * for an optimiser and hundreds of instructions without one. */
static bool makes_own_value(const PtxFunction *function, uint32_t from, uint32_t to, int line) {
    for (uint32_t i = from; i < to; i++) {
        const PtxInstruction *instruction = &function->instructions[i];
        if (instruction->line != line && instruction->line != 0) return false;
        if (instruction->opcode != PTX_OP_bra && !sets_own(function, instruction)) return false;
    }
    return goes_straight(function, from, to);
}

/* `c ? x[i] : 0`: what is passed jumps over the other side, which only sets registers. */
static uint32_t past_the_moves(const PtxFunction *function, uint32_t target, int line) {
    const PtxInstruction *last = &function->instructions[target - 1];
    uint32_t at = target;
    while (at < function->instruction_count && function->instructions[at].opcode == PTX_OP_mov)
        at++;
    const bool jumps = last->opcode == PTX_OP_bra && last->guard < 0;
    uint32_t meeting = target;
    if (jumps) meeting = (uint32_t)last->operands[0].index;
    if (meeting > target && makes_own_value(function, target, meeting, line)) return meeting;
    const bool jumps_too = at + 1 == meeting && function->instructions[at].opcode == PTX_OP_bra;
    if (at == meeting || jumps_too) return meeting;
    return target;
}

/* `if (...) { ... }` with no else: the branch leads on to where those who do not take it arrive as well, and
 * what it goes past has no loop. LIMIT: an optimiser may weave several of them together. */
bool edges_branch_skips(const Check *check, uint32_t pc) {
    const GpuPlace place = gpu_place(check->gpu, pc);
    if (!place.function || !place.instruction || place.instruction->opcode != PTX_OP_bra) return false;
    const uint32_t branch = (uint32_t)(place.instruction - place.function->instructions);
    const uint32_t target = (uint32_t)place.instruction->operands[0].index;
    if (target <= branch + 1 || target > place.function->instruction_count) return false;
    return is_rest_of_condition(place.function, branch + 1, target) ||
           goes_straight(place.function, branch + 1,
                         past_the_moves(place.function, target, place.instruction->line));
}
