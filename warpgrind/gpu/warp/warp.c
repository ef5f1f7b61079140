/* warp.c - a warp's lane groups: how they part, wait for each other, meet again, call and return.
 *
 * The masks of a warp's groups are always disjoint and together are its alive lanes. Every group has a chain
 * of joins, the places where branches it went through meet again; a join's `expected` are the alive lanes
 * that have not passed it. Frames do the same for calls: lanes that return wait (GROUP_RETURNED) for those
 * still inside. Waiting is never needed for a right answer, it only brings lanes together again, so whoever
 * waits too long is let go (warp_release_parked).
 */
#include "gpu/dataflow/progress.h"
#include "gpu/dataflow/waiting.h"
#include "gpu/memory/memory.h"
#include "gpu/state/events.h"
#include "gpu/warp/warp.h"

#include <stdlib.h>

enum { GROUP_SLICE = 1024, SPIN_LIMIT = 2000 };

/* ---- groups ---- */

void warp_set_state(GpuWarp *warp, GpuGroup *group, GpuGroupState state) {
    uint32_t bit = 1u << (group - warp->groups);
    group->state = state;
    warp->runnable = state == GROUP_RUNNABLE ? warp->runnable | bit : warp->runnable & ~bit;
    warp->used = state == GROUP_FREE ? warp->used & ~bit : warp->used | bit;
}

GpuGroup *warp_new_group(GpuWarp *warp) {
    if (warp->used == UINT32_MAX) BUG("more groups than lanes");
    GpuGroup *group = &warp->groups[__builtin_ctz(~warp->used)];
    *group = (GpuGroup){0};
    warp_set_state(warp, group, GROUP_RUNNABLE);
    return group;
}

void warp_free_group(GpuWarp *warp, GpuGroup *group) {
    warp_set_state(warp, group, GROUP_FREE);
    group->mask = 0;
}

void warp_count(GpuWarp *warp, uint32_t end) {
    uint64_t count = end - warp->start->ordinal;
    if (warp->run->gpu->wants_executed) event_executed(warp, end);
    local_count_run(warp, end);
    warp->run->launch.warp_instructions += count;
    warp->steps += count;
    warp->run->launch.thread_instructions += count * (unsigned)__builtin_popcount(warp->current->mask);
    warp->slice -= (int64_t)count;
}

const GpuInstruction *warp_stop(GpuWarp *warp, const GpuInstruction *ins, GpuGroupState state) {
    warp_count(warp, ins->ordinal + 1);
    warp->current->next = ins + 1;
    warp->current->spun = 0;
    warp_set_state(warp, warp->current, state);
    return NULL;
}

/* ---- joins ---- */

/** Joins are used again, and all of them are listed, so that they can be freed when a launch ends in the
 * middle. */
GpuJoin *warp_new_join(GpuWarp *warp, GpuJoin *parent, const GpuInstruction *at, uint32_t expected) {
    GpuJoin *join = warp->free_joins;
    if (join)
        warp->free_joins = join->parent;
    else if ((join = calloc(1, sizeof *join))) {
        join->next_all = warp->all_joins;
        warp->all_joins = join;
    }
    if (!join) {
        run_end(warp->run, GPU_OUT_OF_MEMORY);
        return NULL;
    }
    join->parent = parent;
    join->at = at;
    join->frame = warp->frame;
    join->expected = expected;
    join->ahead = 0;
    join->parked = NULL;
    return join;
}

static void warp_free_join(GpuWarp *warp, GpuJoin *join) {
    join->parent = warp->free_joins;
    warp->free_joins = join;
}

/** Lets the lanes parked at the join go on in its parent. */
static void warp_release_join(GpuWarp *warp, GpuJoin *join) {
    GpuGroup *group = join->parked;
    join->parked = NULL;
    join->expected &= ~group->mask;
    join->ahead |= group->mask;
    group->join = join->parent;
    warp_set_state(warp, group, GROUP_RUNNABLE);
    if (!join->expected) warp_free_join(warp, join);
}

/** Frees the join when nobody is left before it, and lets the parked go when nobody else is. */
static void warp_settle_join(GpuWarp *warp, GpuJoin *join) {
    if (join->parked && join->parked->mask == join->expected)
        warp_release_join(warp, join);
    else if (!join->expected)
        warp_free_join(warp, join);
}

/** Lanes that come to a join where others are parked become one group with them. */
void warp_park(GpuWarp *warp, GpuGroup *group, GpuJoin *join) {
    GpuGroup *parked = join->parked;
    if (parked) {
        parked->mask |= group->mask;
        warp_free_group(warp, group);
    } else {
        group->next = join->at;
        join->parked = group;
        group->join = join;
        group->spun = 0;
        warp_set_state(warp, group, GROUP_PARKED);
    }
    warp_settle_join(warp, join);
}

/** A group that is all the join expects takes it away and goes on; another one parks. */
const GpuInstruction *warp_arrive(GpuWarp *warp, const GpuInstruction *at) {
    GpuGroup *group = warp->current;
    GpuJoin *join = group->join;
    if (join->expected == group->mask) {
        group->join = join->parent;
        warp_free_join(warp, join);
        return at;
    }
    warp_count(warp, at->ordinal);
    warp_park(warp, group, join);
    return NULL;
}

static bool join_is_in(const GpuJoin *join, const GpuJoin *chain) {
    for (; chain; chain = chain->parent)
        if (chain == join) return true;
    return join == NULL;
}

/** Takes the lanes out of the joins from `join` up to but without `end`. */
void warp_leave_joins(GpuWarp *warp, GpuJoin *join, const GpuJoin *end, uint32_t lanes) {
    while (join && join != end) {
        GpuJoin *parent = join->parent;
        join->expected &= ~lanes;
        warp_settle_join(warp, join);
        join = parent;
    }
}

/** The groups go on together from joins that both are in. Those that only one of them is in lose its
 * lanes, which may let others go that waited there. */
void warp_merge(GpuWarp *warp, GpuGroup *into, GpuGroup *from) {
    GpuJoin *common = into->join;
    while (!join_is_in(common, from->join))
        common = common->parent;
    GpuJoin *first = into->join, *second = from->join;
    uint32_t into_lanes = into->mask, from_lanes = from->mask;
    into->mask |= from_lanes;
    into->join = common;
    warp_free_group(warp, from);
    warp_leave_joins(warp, first, common, into_lanes);
    warp_leave_joins(warp, second, common, from_lanes);
}

/* ---- exit ---- */

/** Lanes that waited in a warp operation for the exited ones look again. */
static void warp_wake_sync(GpuWarp *warp) {
    for (uint32_t left = warp->used; left; left &= left - 1) {
        GpuGroup *group = &warp->groups[__builtin_ctz(left)];
        if (group->state == GROUP_WARP_SYNC) warp_set_state(warp, group, GROUP_RUNNABLE);
    }
}

/** Ends the lanes: copies under way are done, joins, frames and barriers no longer expect them, and
 * whoever waited only for them goes on. */
void warp_exit(GpuWarp *warp, const GpuInstruction *ins) {
    GpuGroup *group = warp->current;
    uint32_t lanes = group->mask;
    warp_stop(warp, ins, GROUP_RUNNABLE);
    copy_exit(warp, lanes);
    if (warp->run->gpu->wants_exited) GPU_SEND(warp->run->gpu, exited, warp, lanes, ins->pc);
    GpuFrame *frame = group->frame;
    GpuJoin *join = group->join;
    warp->alive &= ~lanes;
    warp->block->alive_threads -= (unsigned)__builtin_popcount(lanes);
    if (!warp->alive) warp->block->live_warps--;
    warp_free_group(warp, group);
    warp_leave_joins(warp, join, NULL, lanes);
    while (frame) {
        GpuFrame *caller = frame->caller;
        frame->lanes &= ~lanes;
        frame_settle(warp, frame);
        frame = caller;
    }
    warp_wake_sync(warp);
    if (warp->block->barriers_used) barrier_check_all(warp->block);
}

/* ---- running ---- */

void warp_use_frame(GpuWarp *warp, GpuFrame *frame) {
    warp->frame = frame;
    warp->meta = frame->meta;
    warp->base[GPU_BASE_FRAME] = frame->registers;
    warp->base[GPU_BASE_CONSTANT] = frame->function->constants;
    warp->base[GPU_BASE_LOCAL] = warp->local + (size_t)frame->local_base * GPU_WARP_LANES;
}

void warp_enter(GpuWarp *warp, GpuGroup *group) {
    warp->run->gpu->running = warp;
    warp->current = group;
    warp_use_frame(warp, group->frame);
}

static inline void warp_move_undefined(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const bool all = CHECK_BOTH || warp->frame->undefined;
    GpuShadow *shadow = all ? ins->shadow : ins->frame_shadow;
    if (shadow) shadow(warp, ins, mask);
}

static void warp_execute_watched(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    while (ins) {
        progress_look(warp->run->watch, warp, ins, mask);
        if (warp->run->track) warp_move_undefined(warp, ins, mask);
        ins = ins->run.masked(warp, ins, mask);
    }
}

/** A debugger's: it hears of each instruction before it is executed, and then it may take its time. A join is
 * none: where sides meet it would hear of the instruction there twice. */
static void warp_execute_stepped(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    Gpu *gpu = warp->run->gpu;
    while (ins) {
        const GpuStepping step = {.warp = warp, .pc = ins->pc, .lanes = mask, .depth = warp->frame->depth};
        gpu->stepped = ins;
        if (ins->step != STEP_flow_join) gpu->stepper(gpu->stepper_self, &step);
        if (warp->run->watch) progress_look(warp->run->watch, warp, ins, mask);
        if (warp->run->track) warp_move_undefined(warp, ins, mask);
        const GpuInstruction *next = ins->run.masked(warp, ins, mask);
        if (next == ins->next) next = ins + 1; /* presets are instructions like any other here */
        ins = next;
    }
    gpu->stepped = NULL;
}

/** Runs the group until a handler returns NULL. There are five loops, so that what a launch does not need
 * (a debugger, a watch, definedness, masks) is not asked for at each instruction. */
static void warp_execute(GpuWarp *warp, GpuGroup *group) {
    const GpuInstruction *ins = group->next;
    uint32_t mask = group->mask;
    bool full = mask == warp->alive;
    warp->start = ins;
    if (ins->preset && !warp->run->gpu->stepper) ins = ins->next;
    if (warp->run->gpu->stepper) {
        warp_execute_stepped(warp, ins, mask);
    } else if (warp->run->watch) {
        warp_execute_watched(warp, ins, mask);
    } else if (warp->run->track) {
        while (ins) {
            warp_move_undefined(warp, ins, mask);
            ins = full ? ins->run.full(warp, ins, mask) : ins->run.masked(warp, ins, mask);
        }
    } else if (full) {
        while (ins)
            ins = ins->run.full(warp, ins, mask);
    } else {
        while (ins)
            ins = ins->run.masked(warp, ins, mask);
    }
    if (!warp->stopped_at) return;
    const uint64_t spun = group->spun;
    warp_stop(warp, warp->stopped_at, GROUP_RUNNABLE);
    group->spun = spun; /* giving way is no waiting */
    warp->stopped_at = NULL;
}

static GpuGroup *warp_pick(GpuWarp *warp) {
    uint32_t later = warp->runnable & (UINT32_MAX << warp->turn);
    uint32_t from = later;
    if (!later) from = warp->runnable;
    if (warp->run->gpu->config.seed && (from & (from - 1)) && run_random(warp->run) & 1) from &= from - 1;
    return &warp->groups[__builtin_ctz(from)];
}

/** A join or frame on the group's way where others wait for it: lets them go. */
static void warp_release_before(GpuWarp *warp, const GpuGroup *group) {
    for (GpuJoin *join = group->join; join; join = join->parent)
        if (join->parked) {
            warp_release_join(warp, join);
            return;
        }
    for (GpuFrame *frame = group->frame; frame; frame = frame->caller)
        if (frame->returned) {
            frame_release(warp, frame);
            return;
        }
}

static void warp_end_turn(GpuWarp *warp, GpuGroup *group, uint64_t spent) {
    group->spun += spent;
    warp->turn = (warp->turn + 1) % GPU_WARP_LANES;
    if (group->state != GROUP_RUNNABLE || group->spun <= SPIN_LIMIT) return;
    group->spun = 0;
    warp_release_before(warp, group);
}

/** One group has its turn after the other. A group that is alone keeps its turn; one that spins while
 * others wait lets go whoever is parked on its way, which may be what it spins for. */
int64_t warp_run(GpuWarp *warp, int64_t slice) {
    int64_t left = slice;
    while (warp->runnable && left > 0 && !warp->run->ended) {
        GpuGroup *group = warp_pick(warp);
        bool alone = (warp->used & (warp->used - 1)) == 0;
        warp->turn = (unsigned)(group - warp->groups);
        warp->slice = alone || left < GROUP_SLICE ? left : GROUP_SLICE;
        int64_t before = warp->slice;
        waiting_turn(warp, group->mask);
        warp_enter(warp, group);
        warp_execute(warp, group);
        int64_t spent = before - warp->slice;
        left -= spent;
        if (!alone && (warp->slice <= 0 || warp->run->gives_way)) warp_end_turn(warp, group, (uint64_t)spent);
        if (warp->run->gives_way) break;
    }
    local_count_turn(warp);
    return slice - left;
}

/** Nobody else in the warp can go on: the first lanes that wait only for company go on without. */
bool warp_release_parked(GpuWarp *warp) {
    for (uint32_t i = 0; i < GPU_WARP_LANES; i++) {
        GpuGroup *group = &warp->groups[i];
        if (group->state == GROUP_PARKED) {
            warp_release_join(warp, group->join);
            return true;
        }
        if (group->state == GROUP_RETURNED) {
            frame_release(warp, group->frame);
            return true;
        }
    }
    return false;
}

/** Executes what gives the same in all blocks of the launch, whether or not lanes come to it. Each register
 * of these is written by nothing else, so it lasts. */
static void warp_preset(GpuWarp *warp, GpuFrame *frame) {
    const GpuFunction *function = frame->function;
    frame->preset_for = warp->run->launch.id;
    if (function->preset_count == 0) return;
    warp_use_frame(warp, frame);
    for (uint32_t i = 0; i < function->preset_count; i++) {
        const GpuInstruction *ins = &function->code[function->presets[i]];
        ins->run.masked(warp, ins, UINT32_MAX);
    }
}

/** A new block: nothing is left of the one before but memory. */
void warp_start(GpuWarp *warp) {
    GpuKernel *kernel = warp->run->kernel;
    warp->alive = warp->existing;
    warp->poisoned = 0;
    warp->runnable = warp->used = 0;
    warp->turn = 0;
    warp->bypass_lanes = 0;
    copy_reset(warp);
    if (warp->entry_frame) frame_free(warp, warp->entry_frame);
    warp->entry_frame = frame_new(warp, kernel->entry, NULL, warp->existing);
    if (!warp->entry_frame) return;
    const bool stepped = warp->run->gpu->stepper != NULL; /* then it executes all of them in their turn */
    if (!stepped && warp->entry_frame->preset_for != warp->run->launch.id)
        warp_preset(warp, warp->entry_frame);
    GpuGroup *group = warp_new_group(warp);
    group->mask = warp->existing;
    group->frame = warp->entry_frame;
    group->next = kernel->entry->code;
}

/** Frames and joins are freed by their lists of all, wherever they are in use. */
void warp_destroy(GpuWarp *warp) {
    copy_destroy(warp);
    while (warp->all_frames) {
        GpuFrame *frame = warp->all_frames;
        warp->all_frames = frame->next_all;
        free(frame->partial);
        free(frame->registers);
        free(frame);
    }
    while (warp->all_joins) {
        GpuJoin *join = warp->all_joins;
        warp->all_joins = join->next_all;
        free(join);
    }
    warp->free_frames = warp->entry_frame = NULL;
    warp->free_joins = NULL;
}

void warp_reset(GpuWarp *warp) {
    warp->steps = warp->barrier_steps = warp->looked = 0;
    warp->waiting = (GpuWaiting){0};
    warp->free_frames = warp->entry_frame = NULL;
    warp->free_joins = NULL;
    for (GpuFrame *frame = warp->all_frames; frame; frame = frame->next_all)
        frame_free(warp, frame);
    for (GpuJoin *join = warp->all_joins; join; join = join->next_all)
        warp_free_join(warp, join);
}
