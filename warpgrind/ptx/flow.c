/* flow.c - where diverging threads meet again, and which branches lead around a barrier.
 *
 * Over the basic blocks of each function: immediate post-dominators (Cooper, Harvey and Kennedy, "A simple,
 * fast dominance algorithm", on the reversed graph with one virtual exit), and for each conditional branch
 * the blocks that either side can reach before that meeting point. Who traps goes nowhere: a `__trap()` or a
 * failed assertion in one arm does not keep the others from meeting.
 */
#include "ptx/internal.h"

#include <string.h>

#define NONE UINT32_MAX
enum { MOST_VISITS = 30000000, MOST_JUMPS = 8 }; /* LIMIT: of blocks, for all branches of a module together */

typedef struct Flow {
    PtxFunction *function;
    Arena *work;
    uint32_t blocks;      /* the virtual exit is block number `blocks` */
    uint32_t *block_of;   /* by instruction */
    uint32_t *start;      /* by block; start[blocks] is the function's end */
    uint32_t *edge_first; /* by block: its successors are edges[edge_first[b] .. edge_first[b + 1]) */
    uint32_t *edges;
    uint32_t *back_first; /* the same for predecessors */
    uint32_t *back_edges;
    uint32_t *order;  /* blocks in post-order of the reversed graph, the exit last */
    uint32_t *number; /* by block: its place in `order`, NONE not reached yet */
    uint32_t order_count;
    bool *endless;     /* by block: leads nowhere out, counts as a predecessor of the exit */
    uint32_t *post;    /* by block: immediate post-dominator */
    int32_t *barrier;  /* by block: the first instruction in it that waits for the block's threads, -1 */
    uint32_t *seen[2]; /* by block: stamp of the last walk of either side */
    uint32_t *stack;
} Flow;

/* ---- blocks and edges ---- */

static bool ends_launch(const PtxInstruction *instruction) {
    PtxControl control = ptx_control(instruction->opcode);
    return control == PTX_CONTROL_HALT || (control == PTX_CONTROL_CALL && ptx_leads_away(instruction));
}

static void mark_starts(const PtxFunction *function, bool *starts) {
    starts[0] = true;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const PtxInstruction *instruction = &function->instructions[i];
        if (ptx_leads_away(instruction)) starts[i + 1] = true;
        if (instruction->opcode == PTX_OP_bra) starts[instruction->operands[0].index] = true;
        for (uint32_t j = 0; j < instruction->branch_target_count; j++)
            starts[instruction->branch_targets[j]] = true;
    }
}

/* A basic block begins at a label's target and after each branch. One block more stands for the end of the
 * function. */
static bool find_blocks(Flow *flow) {
    uint32_t count = flow->function->instruction_count;
    bool *starts = ARENA_ARRAY(flow->work, count + 1, bool);
    flow->block_of = ARENA_ARRAY(flow->work, count + 1, uint32_t);
    if (!starts || !flow->block_of) return false;
    mark_starts(flow->function, starts);
    for (uint32_t i = 0; i < count; i++) {
        flow->blocks += starts[i];
        flow->block_of[i] = flow->blocks - 1;
    }
    flow->block_of[count] = flow->blocks;
    flow->start = ARENA_ARRAY(flow->work, flow->blocks + 1, uint32_t);
    if (!flow->start) return false;
    for (uint32_t i = 0, block = 0; i < count; i++)
        if (starts[i]) flow->start[block++] = i;
    flow->start[flow->blocks] = count;
    return true;
}

static uint32_t edge_count(const PtxInstruction *last) {
    return 2 + last->branch_target_count;
}

/* The successors of a block, from its last instruction. Returns how many. */
static uint32_t list_edges(const Flow *flow, uint32_t block, uint32_t *edges) {
    uint32_t end = flow->start[block + 1], count = 0;
    const PtxInstruction *last = &flow->function->instructions[end - 1];
    bool leaves = ptx_leads_away(last);
    if (!leaves || last->guard >= 0) edges[count++] = flow->block_of[end];
    if (last->opcode == PTX_OP_bra)
        edges[count++] = flow->block_of[last->operands[0].index];
    else if (last->opcode == PTX_OP_brx_idx)
        for (uint32_t i = 0; i < last->branch_target_count; i++)
            edges[count++] = flow->block_of[last->branch_targets[i]];
    else if (leaves && !ends_launch(last))
        edges[count++] = flow->blocks;
    return count;
}

/* Edges as one array with the first of each block, filled in one pass after counting how many there can
 * be. */
static bool find_edges(Flow *flow) {
    size_t most = 0;
    for (uint32_t block = 0; block < flow->blocks; block++)
        most += edge_count(&flow->function->instructions[flow->start[block + 1] - 1]);
    flow->edge_first = ARENA_ARRAY(flow->work, flow->blocks + 2, uint32_t);
    flow->edges = ARENA_ARRAY(flow->work, most, uint32_t);
    flow->back_first = ARENA_ARRAY(flow->work, flow->blocks + 3, uint32_t);
    flow->back_edges = ARENA_ARRAY(flow->work, most, uint32_t);
    if (!flow->edge_first || !flow->edges || !flow->back_first || !flow->back_edges) return false;
    uint32_t total = 0;
    for (uint32_t block = 0; block < flow->blocks; block++) {
        flow->edge_first[block] = total;
        total += list_edges(flow, block, flow->edges + total);
    }
    flow->edge_first[flow->blocks] = flow->edge_first[flow->blocks + 1] = total;
    return true;
}

/* Predecessors by counting sort; back_first is shifted by one while it is being filled. */
static void reverse_edges(Flow *flow) {
    uint32_t total = flow->edge_first[flow->blocks];
    for (uint32_t i = 0; i < total; i++)
        flow->back_first[flow->edges[i] + 2]++;
    for (uint32_t block = 0; block <= flow->blocks; block++)
        flow->back_first[block + 2] += flow->back_first[block + 1];
    for (uint32_t block = 0; block < flow->blocks; block++)
        for (uint32_t i = flow->edge_first[block]; i < flow->edge_first[block + 1]; i++)
            flow->back_edges[flow->back_first[flow->edges[i] + 1]++] = block;
}

/* ---- post-dominators ---- */

/* Post-order of all blocks that lead to `root`, with an explicit stack; `next` holds how far each block has
 * come. */
static void walk_back(Flow *flow, uint32_t root, uint32_t *next, bool *entered) {
    uint32_t depth = 0;
    flow->stack[depth++] = root;
    entered[root] = true;
    next[root] = flow->back_first[root];
    while (depth) {
        uint32_t block = flow->stack[depth - 1];
        if (next[block] == flow->back_first[block + 1]) {
            flow->number[block] = flow->order_count;
            flow->order[flow->order_count++] = block;
            depth--;
            continue;
        }
        uint32_t before = flow->back_edges[next[block]++];
        if (entered[before]) continue;
        entered[before] = true;
        next[before] = flow->back_first[before];
        flow->stack[depth++] = before;
    }
}

/* The exit must come last, so endless loops, which do not lead to it, are walked before it. They are the
 * blocks that first walks from the exit and from what ends the launch do not reach. */
static bool number_blocks(Flow *flow) {
    uint32_t count = flow->blocks + 1;
    uint32_t *next = ARENA_ARRAY(flow->work, count, uint32_t);
    bool *entered = ARENA_ARRAY(flow->work, count, bool), *leads_out = ARENA_ARRAY(flow->work, count, bool);
    if (!next || !entered || !leads_out) return false;
    walk_back(flow, flow->blocks, next, leads_out);
    for (uint32_t block = 0; block < flow->blocks; block++)
        if (flow->edge_first[block] == flow->edge_first[block + 1] && !leads_out[block])
            walk_back(flow, block, next, leads_out);
    memset(flow->number, 0xff, count * sizeof *flow->number);
    flow->order_count = 0;
    entered[flow->blocks] = true;
    for (uint32_t block = flow->blocks; block-- > 0;) {
        if (leads_out[block] || entered[block]) continue;
        flow->endless[block] = true;
        walk_back(flow, block, next, entered);
    }
    walk_back(flow, flow->blocks, next, entered);
    return true;
}

static uint32_t intersect(const Flow *flow, uint32_t a, uint32_t b) {
    while (a != b) {
        while (flow->number[a] < flow->number[b])
            a = flow->post[a];
        while (flow->number[b] < flow->number[a])
            b = flow->post[b];
    }
    return a;
}

static uint32_t meet_successors(const Flow *flow, uint32_t block) {
    uint32_t meeting = NONE;
    if (flow->endless[block]) meeting = flow->blocks;
    for (uint32_t i = flow->edge_first[block]; i < flow->edge_first[block + 1]; i++) {
        uint32_t after = flow->edges[i];
        if (flow->post[after] == NONE) continue;
        if (meeting == NONE)
            meeting = after;
        else
            meeting = intersect(flow, meeting, after);
    }
    return meeting;
}

/* The algorithm of Cooper, Harvey and Kennedy ("A simple, fast dominance algorithm", 2001) on the graph
 * with its edges turned round: repeated until nothing changes, which in code of compilers takes two or
 * three rounds. */
static void find_post_dominators(Flow *flow) {
    for (uint32_t block = 0; block < flow->blocks; block++)
        flow->post[block] = NONE;
    flow->post[flow->blocks] = flow->blocks;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = flow->order_count - 1; i-- > 0;) {
            uint32_t block = flow->order[i], meeting = meet_successors(flow, block);
            if (meeting == flow->post[block]) continue;
            flow->post[block] = meeting;
            changed = true;
        }
    }
}

/* ---- barriers ---- */

static bool waits_for_block(const PtxInstruction *instruction) {
    bool barrier = instruction->opcode == PTX_OP_bar || instruction->opcode == PTX_OP_barrier;
    if (barrier) return instruction->modifiers.mode != PTX_MODE_ARRIVE;
    return instruction->callee && ((const FunctionNode *)(const void *)instruction->callee)->has_barrier;
}

static bool contains_barrier(const PtxFunction *function) {
    for (uint32_t i = 0; i < function->instruction_count; i++)
        if (waits_for_block(&function->instructions[i])) return true;
    return false;
}

static void mark_functions_with_barriers(Parser *parser) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < parser->functions.count; i++) {
            FunctionNode *node = *GROWABLE_AT(&parser->functions, FunctionNode *, i);
            if (node->has_barrier || !contains_barrier(&node->function)) continue;
            node->has_barrier = changed = true;
        }
    }
}

static void find_barriers(Flow *flow) {
    for (uint32_t block = 0; block < flow->blocks; block++) {
        flow->barrier[block] = -1;
        for (uint32_t i = flow->start[block]; i < flow->start[block + 1] && flow->barrier[block] < 0; i++)
            if (waits_for_block(&flow->function->instructions[i])) flow->barrier[block] = (int32_t)i;
    }
}

/* Stamps all blocks from `from` on that are reached without passing `meeting`. */
static uint32_t walk_side(Flow *flow, int side, uint32_t from, uint32_t meeting, uint32_t stamp) {
    uint32_t depth = 0, visits = 0;
    uint32_t *seen = flow->seen[side];
    seen[meeting] = stamp;
    if (seen[from] != stamp) flow->stack[depth++] = from;
    seen[from] = stamp;
    while (depth) {
        uint32_t block = flow->stack[--depth];
        visits++;
        for (uint32_t i = flow->edge_first[block]; i < flow->edge_first[block + 1]; i++) {
            uint32_t after = flow->edges[i];
            if (seen[after] == stamp) continue;
            seen[after] = stamp;
            flow->stack[depth++] = after;
        }
    }
    return visits;
}

/* The first barrier that the other side reaches and this side does not. */
static int32_t bypassed(const Flow *flow, int side, uint32_t stamp) {
    for (uint32_t block = 0; block < flow->blocks; block++)
        if (flow->barrier[block] >= 0 && flow->seen[!side][block] == stamp &&
            flow->seen[side][block] != stamp)
            return flow->barrier[block];
    return -1;
}

/** The block that a block of a single unconditional jump leads to, NONE of any other block. */
static uint32_t jumps_on_to(const Flow *flow, uint32_t block) {
    const PtxInstruction *only = &flow->function->instructions[flow->start[block]];
    bool single = flow->start[block + 1] - flow->start[block] == 1;
    if (!single || only->opcode != PTX_OP_bra || only->guard >= 0) return NONE;
    return flow->block_of[only->operands[0].index];
}

static bool has_barrier(const Flow *flow, int side, uint32_t stamp) {
    for (uint32_t block = 0; block < flow->blocks; block++)
        if (flow->barrier[block] >= 0 && flow->seen[side][block] == stamp) return true;
    return false;
}

/** Nothing is left there but the end of the function, at once or after some jumps. */
static bool is_end(const Flow *flow, uint32_t block) {
    for (uint32_t jumps = 0; jumps < MOST_JUMPS && jumps_on_to(flow, block) != NONE; jumps++)
        block = jumps_on_to(flow, block);
    const PtxInstruction *first = &flow->function->instructions[flow->start[block]];
    return first->opcode == PTX_OP_ret || first->opcode == PTX_OP_exit;
}

/* Lanes that go this way have ended when the barrier opens: a `return` in the kernel, or nothing but its end
 * behind the `if` or `else` that the barrier stands in. Optimised code makes the same jump of both, and to
 * the barrier they are the same. LIMIT: what optimised code does for both before the `ret`, as a store that
 * was one of each side, looks like a statement behind the `if`, which is no end. A function's lanes go on in
 * its caller, so there only a `return` is a way out that was meant: unoptimised code has a jump to the `ret`
 * in a block of its own for it, while an `if` goes there directly, and its conditional branches come in
 * pairs: a jump for the other case follows. */
static bool returns_early(const Flow *flow, uint32_t branch, int which, uint32_t meeting) {
    const PtxInstruction *last = &flow->function->instructions[flow->start[branch + 1] - 1];
    const PtxOpcode end = flow->function->instructions[flow->start[meeting]].opcode;
    if (flow->function->entry) return is_end(flow, meeting) && !has_barrier(flow, which, branch + 1);
    if (end != PTX_OP_ret && end != PTX_OP_exit) return false;
    uint32_t side;
    if (which)
        side = branch + 1;
    else
        side = flow->block_of[last->operands[0].index];
    if (side == branch + 1 && jumps_on_to(flow, side) != NONE) side = jumps_on_to(flow, side);
    return side != meeting && jumps_on_to(flow, side) == meeting;
}

/* A conditional branch one side of which has a barrier that the other passes by: threads that part here may
 * never meet at it. When the side with the barrier comes back to the branch, the other leaves a loop. LIMIT:
 * MOST_VISITS blocks are visited for a module; later branches are not looked at, and a hang is then told
 * without the branch. */
static void find_bypasses(Flow *flow, size_t *visits) {
    find_barriers(flow);
    for (uint32_t block = 0; block < flow->blocks && *visits < MOST_VISITS; block++) {
        PtxInstruction *last = &flow->function->instructions[flow->start[block + 1] - 1];
        uint32_t meeting = flow->post[block], stamp = block + 1;
        if (last->opcode != PTX_OP_bra || last->guard < 0 || meeting >= flow->blocks) continue;
        uint32_t taken = flow->block_of[last->operands[0].index], falls = block + 1;
        *visits += walk_side(flow, 0, taken, meeting, stamp);
        *visits += walk_side(flow, 1, falls, meeting, stamp) + flow->blocks / 16;
        if (!returns_early(flow, block, 0, meeting)) last->bypasses_barrier_taken = bypassed(flow, 0, stamp);
        if (!returns_early(flow, block, 1, meeting))
            last->bypasses_barrier_fallthrough = bypassed(flow, 1, stamp);
        const bool around = last->bypasses_barrier_taken >= 0;
        if (around != (last->bypasses_barrier_fallthrough >= 0))
            last->leaves_loop = flow->seen[around][block] == stamp;
    }
}

/* ---- one function ---- */

static void set_reconvergence(const Flow *flow) {
    for (uint32_t block = 0; block < flow->blocks; block++) {
        PtxInstruction *last = &flow->function->instructions[flow->start[block + 1] - 1];
        uint32_t meeting = flow->post[block];
        bool branches = last->opcode == PTX_OP_bra || last->opcode == PTX_OP_brx_idx;
        if (branches && meeting < flow->blocks) last->reconvergence = (int32_t)flow->start[meeting];
    }
}

static bool make_arrays(Flow *flow) {
    uint32_t count = flow->blocks + 1;
    uint32_t **arrays[] = {&flow->order,   &flow->number,  &flow->post,
                           &flow->seen[0], &flow->seen[1], &flow->stack};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!(*arrays[i] = ARENA_ARRAY(flow->work, count, uint32_t))) return false;
    flow->endless = ARENA_ARRAY(flow->work, count, bool);
    flow->barrier = ARENA_ARRAY(flow->work, count, int32_t);
    return flow->endless && flow->barrier;
}

static bool analyse_function(FunctionNode *node, Arena *work, size_t *visits) {
    Flow flow = {.function = &node->function, .work = work};
    if (!find_blocks(&flow) || !find_edges(&flow) || !make_arrays(&flow)) return false;
    reverse_edges(&flow);
    if (!number_blocks(&flow)) return false;
    find_post_dominators(&flow);
    set_reconvergence(&flow);
    if (node->has_barrier) find_bypasses(&flow, visits);
    return true;
}

/* Function by function, each with memory of its own that goes at once: modules may have thousands of
 * functions. */
bool flow_analyse(Parser *parser) {
    size_t visits = 0;
    mark_functions_with_barriers(parser);
    for (size_t i = 0; i < parser->functions.count; i++) {
        FunctionNode *node = *GROWABLE_AT(&parser->functions, FunctionNode *, i);
        if (!node->function.instruction_count) continue;
        Arena *work = arena_create();
        bool fine = work && analyse_function(node, work, &visits);
        arena_destroy(work);
        if (!fine) return parse_no_memory(parser);
    }
    return true;
}

bool ptx_loop_round(const PtxFunction *function, uint32_t low, uint32_t high, uint32_t *first,
                    uint32_t *last) {
    uint32_t shortest = UINT32_MAX;
    for (uint32_t i = high; i < function->instruction_count; i++) {
        const PtxInstruction *branch = &function->instructions[i];
        if (branch->opcode != PTX_OP_bra || branch->operands[0].kind != PTX_OPERAND_LABEL) continue;
        const uint32_t target = (uint32_t)branch->operands[0].index;
        if (target > low || i - target >= shortest) continue;
        shortest = i - target;
        *first = target;
        *last = i;
    }
    return shortest != UINT32_MAX;
}
