/* exec_flow.c - control flow: branches, joins, guards, exit, barriers, and a few instructions that ask the
 * machine.
 *
 * A guarded instruction that can stop or move its lanes (call, ret, bar, ...) has been decoded as a branch
 * around it, so all handlers here see the whole current group.
 */
#include "gpu/definedness/undefined.h"
#include "gpu/state/events.h"
#include "gpu/state/machine.h"
#include "gpu/warp/warp.h"

static uint32_t flow_predicate(GpuWarp *warp, const GpuInstruction *ins) {
    uint32_t value;
    memcpy(&value, warp->base[GPU_BASE_FRAME] + ins->guard.place, sizeof value);
    return value ^ ins->guard.flip;
}

/** The guard for a decision: an undefined one is reported, once. */
static uint32_t flow_decide(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    if (warp->run->track) {
        uint32_t undefined = warp->meta[ins->guard.number].undefined & mask;
        if (undefined) undefined_report(warp, ins, ins->guard.number, undefined, GPU_UNDEFINED_BRANCH);
    }
    return flow_predicate(warp, ins) & mask;
}

const GpuInstruction *flow_nop(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    (void)warp, (void)mask;
    return ins->next;
}

const GpuInstruction *flow_guard(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint32_t lanes = flow_decide(warp, ins, mask);
    if (!lanes) return ins->next;
    if (warp->run->track && ins->guard.shadow) ins->guard.shadow(warp, ins, lanes);
    return ins->guard.inner.masked(warp, ins, lanes);
}

/* ---- joins and branches ---- */

/** Another runnable group that stands here with the same joins becomes one with the current one. */
static const GpuInstruction *flow_meet(GpuWarp *warp, const GpuInstruction *ins) {
    for (uint32_t left = warp->runnable; left; left &= left - 1) {
        GpuGroup *other = &warp->groups[__builtin_ctz(left)];
        if (other == warp->current || other->next != ins || other->frame != warp->frame) continue;
        warp_count(warp, ins->ordinal);
        warp->current->next = ins;
        warp_merge(warp, warp->current, other);
        return NULL;
    }
    return ins->next;
}

const GpuInstruction *flow_join(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    (void)mask;
    const GpuJoin *join = warp->current->join;
    if (join && join->at == ins && join->frame == warp->frame) return warp_arrive(warp, ins);
    if (warp->runnable & (warp->runnable - 1)) return flow_meet(warp, ins);
    return ins->next;
}

static const GpuInstruction *flow_go(GpuWarp *warp, uint32_t end, const GpuInstruction *target) {
    warp_count(warp, end);
    warp->start = target;
    if (warp->slice > 0) return target;
    warp->current->next = target;
    return NULL;
}

const GpuInstruction *flow_branch(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    (void)mask;
    return flow_go(warp, ins->ordinal + 1, ins->branch.target);
}

/** Parts the current group: `taken` lanes go to the target, the others to the next instruction. */
static const GpuInstruction *flow_diverge(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask,
                                          uint32_t taken, uint32_t end) {
    GpuGroup *group = warp->current;
    warp_count(warp, end);
    GpuJoin *join = group->join;
    bool nested = join && join->at == ins->branch.meet && join->frame == warp->frame;
    if (ins->branch.meet && !nested) {
        join = warp_new_join(warp, group->join, ins->branch.meet, mask);
        if (!join) return NULL;
    }
    GpuGroup *other = warp_new_group(warp);
    bool swap = warp->run->gpu->config.seed && run_random(warp->run) & 1;
    other->mask = swap ? mask & ~taken : taken;
    group->mask = swap ? taken : mask & ~taken;
    other->next = swap ? ins + 1 : ins->branch.target;
    group->next = swap ? ins->branch.target : ins + 1;
    other->frame = group->frame;
    other->join = group->join = join;
    if (ins->branch.meet && other->next == ins->branch.meet) warp_park(warp, other, join);
    return NULL;
}

const GpuInstruction *flow_branch_if(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint32_t taken = flow_decide(warp, ins, mask);
    GpuRun *run = warp->run;
    run->launch.branches++;
    if (run->gpu->wants_branch) event_branch(warp, ins->pc, taken, mask & ~taken);
    if (taken == mask) return flow_go(warp, ins->ordinal + 1, ins->branch.target);
    if (!taken) return ins->next;
    run->launch.divergent_branches++;
    return flow_diverge(warp, ins, mask, taken, ins->ordinal + 1);
}

static void flow_note_bypass(GpuWarp *warp, uint32_t lanes, const GpuInstruction *barrier,
                             const GpuInstruction *branch) {
    if (!barrier || !lanes) return;
    uint32_t known = warp->bypass_lanes;
    warp->block->bypassed = true;
    warp->bypass_lanes |= lanes;
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        /* The if inside the loop is to blame, not the loop that ends later. */
        if (known >> lane & 1 && warp->bypassed[lane] == barrier &&
            warp->bypass_generation[lane] == warp->block->generation)
            continue;
        warp->bypassed[lane] = barrier;
        warp->bypass_branch[lane] = branch;
        warp->bypass_generation[lane] = warp->block->generation;
    }
}

const GpuInstruction *flow_branch_bypass(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint32_t taken = flow_decide(warp, ins, mask);
    flow_note_bypass(warp, taken, ins->branch.bypass_taken, ins);
    flow_note_bypass(warp, mask & ~taken, ins->branch.bypass_through, ins);
    return flow_branch_if(warp, ins, mask);
}

/** The branch round a guarded instruction: no branch of the program, so it is not counted. */
const GpuInstruction *flow_skip(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint32_t execute = flow_decide(warp, ins, mask);
    if (execute == mask) return ins->next;
    if (!execute) return flow_go(warp, ins->ordinal + 1, ins->branch.target);
    return flow_diverge(warp, ins, mask, mask & ~execute, ins->ordinal);
}

/** brx.idx: lanes with the same target as the first one go there, the others look again. */
const GpuInstruction *flow_table(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const GpuExtra *targets = ins->function->extra + ins->extra;
    unsigned first = (unsigned)__builtin_ctz(mask);
    uint64_t index = gpu_lane_value(warp, ins->a, 4, first);
    uint32_t same = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        if (gpu_lane_value(warp, ins->a, 4, lane) == index) same |= 1u << lane;
    }
    if (index >= ins->source->branch_target_count) {
        run_end(warp->run, GPU_ILLEGAL_INSTRUCTION);
        return NULL;
    }
    const GpuInstruction *target = ins->function->code + targets[index].row;
    if (same == mask) return flow_go(warp, ins->ordinal + 1, target);
    warp_count(warp, ins->ordinal);
    GpuGroup *group = warp->current, *other = warp_new_group(warp);
    GpuJoin *join = group->join;
    if (ins->branch.meet && !(join && join->at == ins->branch.meet && join->frame == warp->frame)) {
        join = warp_new_join(warp, group->join, ins->branch.meet, mask);
        if (!join) return NULL;
    }
    *other = (GpuGroup){.mask = same, .next = target, .frame = group->frame, .join = join};
    warp_set_state(warp, other, GROUP_RUNNABLE);
    group->mask = mask & ~same;
    group->join = join;
    group->next = ins;
    return NULL;
}

/* ---- the end ---- */

const GpuInstruction *flow_exit(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    (void)mask;
    warp_exit(warp, ins);
    return NULL;
}

void flow_note_stop(const GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    GpuLaunch *launch = &warp->run->launch;
    launch->trap_pc = ins->pc;
    launch->trap_block = warp->block->linear;
    launch->trap_thread = 32 * warp->index + (uint32_t)__builtin_ctz(mask);
}

const GpuInstruction *flow_trap(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    flow_note_stop(warp, ins, mask);
    warp_stop(warp, ins, GROUP_RUNNABLE);
    run_end(warp->run, GPU_TRAP);
    return NULL;
}

/** A call of a function that cannot be executed: only functions have it to which no call leads for certain.
 */
const GpuInstruction *flow_illegal(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    flow_note_stop(warp, ins, mask);
    warp_stop(warp, ins, GROUP_RUNNABLE);
    run_end(warp->run, GPU_ILLEGAL_INSTRUCTION);
    return NULL;
}

/* ---- barriers ---- */

static uint32_t flow_operand(GpuWarp *warp, const GpuInstruction *ins, GpuRow row, uint16_t number,
                             uint32_t mask) {
    if (warp->run->track && number != GPU_NO_REGISTER && warp->meta[number].undefined & mask)
        undefined_report(warp, ins, number, warp->meta[number].undefined & mask, GPU_UNDEFINED_BARRIER);
    return (uint32_t)gpu_lane_value(warp, row, 4, (unsigned)__builtin_ctz(mask));
}

/** Lanes whose barrier number differs from the first one's become a group of their own, which comes here
 * again. */
static uint32_t flow_alike(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    if (ins->a >> GPU_BASE_SHIFT == GPU_BASE_CONSTANT) return mask;
    uint64_t number = gpu_lane_value(warp, ins->a, 4, (unsigned)__builtin_ctz(mask));
    uint32_t same = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        if (gpu_lane_value(warp, ins->a, 4, lane) == number) same |= 1u << lane;
    }
    if (same == mask) return mask;
    GpuGroup *rest = warp_new_group(warp);
    rest->mask = mask & ~same;
    rest->next = ins;
    rest->frame = warp->frame;
    rest->join = warp->current->join;
    warp->current->mask = same;
    return same;
}

/* Stops the group at a barrier, or (bar.arrive) lets it go on, and counts its lanes there. Lanes that name
 * another barrier or count than the first one come later. a: the number; b: the thread count; c: bar.red's
 * predicate. */
static const GpuInstruction *flow_wait(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, bool waits) {
    mask = flow_alike(warp, ins, mask);
    uint32_t number = flow_operand(warp, ins, ins->a, ins->uses[0], mask);
    uint32_t expected = 0;
    if (ins->count > 1) expected = flow_operand(warp, ins, ins->b, ins->uses[1], mask);
    warp_stop(warp, ins, waits ? GROUP_BARRIER : GROUP_RUNNABLE);
    warp->current->barrier = (int)number;
    barrier_arrive(warp, ins, mask, (int)number, expected, waits);
    return NULL;
}

const GpuInstruction *flow_barrier(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    return flow_wait(warp, ins, mask, true);
}

const GpuInstruction *flow_arrive(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    return flow_wait(warp, ins, mask, false);
}

/** Counts the group's votes before it waits. The first one to come sets the beginning of .and, which is
 * true. */
const GpuInstruction *flow_barrier_red(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    mask = flow_alike(warp, ins, mask);
    uint32_t number = (uint32_t)gpu_lane_value(warp, ins->a, 4, (unsigned)__builtin_ctz(mask));
    if (number < GPU_BARRIERS) {
        GpuBarrierState *barrier = &warp->block->barriers[number];
        uint32_t value;
        memcpy(&value, gpu_row(warp, ins->c), sizeof value);
        if (ins->flip_c) value = ~value;
        if (!barrier->first && !barrier->arrived_threads) barrier->all = true;
        barrier->votes += (unsigned)__builtin_popcount(value & mask);
        barrier->any = barrier->any || (value & mask);
        barrier->all = barrier->all && (value & mask) == mask;
    }
    return flow_wait(warp, ins, mask, true);
}

/* ---- asking the machine ---- */

const GpuInstruction *flow_fence(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const PtxModifiers *words = &ins->source->modifiers;
    if (warp->run->gpu->wants_fence)
        GPU_SEND(warp->run->gpu, fence, warp, mask, ins->pc, words->scope, words->semantics);
    return ins->next;
}

/** The local address of a variable: its offset in the frame, moved by the frame's place on the lane's stack.
 */
const GpuInstruction *flow_local_address(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const uint64_t address = warp->frame->local_base + ins->u.bits;
    if (mask == UINT32_MAX) {
        for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
            gpu_lane_set(warp, ins->d, ins->width, lane, address);
        return ins->next;
    }
    for (; mask; mask &= mask - 1)
        gpu_lane_set(warp, ins->d, ins->width, (unsigned)__builtin_ctz(mask), address);
    return ins->next;
}

/** Clocks count the launch's warp instructions, and what has been let pass in vain waits: monotonic, and the
 * same in every run. */
const GpuInstruction *flow_clock(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const GpuRun *run = warp->run;
    uint64_t now = run->clock_ahead + run->launch.warp_instructions + (ins->ordinal - warp->start->ordinal);
    uint64_t value = now;
    if (ins->u.bits == PTX_CLOCK_HI || ins->u.bits == PTX_GLOBALTIMER_HI) value = now >> 32;
    for (; mask; mask &= mask - 1)
        gpu_lane_set(warp, ins->d, ins->width, (unsigned)__builtin_ctz(mask), value);
    return ins->next;
}
