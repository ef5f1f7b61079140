/* barrier.c - the sixteen barriers of a block, counted thread by thread (PTX ISA 9.7.13.1).
 *
 * A barrier without a count opens when every thread that is still alive waits at it. The machine goes on
 * wherever it can, as hardware does, and says what was wrong: different barriers that opened as one, threads
 * that went around a barrier the others wait at, threads that had exited.
 */
#include "gpu/memory/memory.h"
#include "gpu/state/events.h"
#include "gpu/state/machine.h"
#include "gpu/warp/warp.h"

static uint32_t barrier_count_lanes(const GpuBlock *block, const uint32_t *lanes) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < block->warp_count; i++)
        count += (unsigned)__builtin_popcount(lanes[i]);
    return count;
}

/* ---- what was wrong ---- */

/** Who leaves a loop with a barrier and then the kernel has ended when the barrier opens, as has who returned
 * before it: where optimised code has the one it has the other. */
static bool barrier_was_left(const GpuWarp *warp, unsigned lane) {
    return warp->bypass_branch[lane]->source->leaves_loop && !(warp->alive >> lane & 1);
}

/** The first lane at `from` or later that went around a barrier since the last one opened. */
static bool barrier_find_bypass(const GpuBlock *block, uint32_t *thread) {
    for (uint32_t t = *thread; t < block->threads; t++) {
        const GpuWarp *warp = &block->warps[t / GPU_WARP_LANES];
        unsigned lane = t % GPU_WARP_LANES;
        bool around = warp->bypass_lanes >> lane & 1 && warp->bypass_generation[lane] == block->generation;
        if (around && !barrier_was_left(warp, lane)) {
            *thread = t;
            return true;
        }
    }
    return false;
}

/** Whether the group waits at the barrier `at`, or in what was called there. */
static bool barrier_waits_at(const GpuGroup *group, const GpuInstruction *at) {
    if (group->state != GROUP_BARRIER) return false;
    if (group->next - 1 == at) return true;
    for (const GpuFrame *frame = group->frame; frame->caller; frame = frame->caller)
        if (frame->call == at) return true;
    return false;
}

/** A group that waits at `at` with lanes that have not gone around it. */
static const GpuGroup *barrier_find_waiter(const GpuBlock *block, const GpuInstruction *at,
                                           uint32_t *warp_index, uint32_t *lanes) {
    for (uint32_t w = 0; w < block->warp_count; w++) {
        const GpuWarp *warp = &block->warps[w];
        for (uint32_t left = warp->used; left; left &= left - 1) {
            const GpuGroup *group = &warp->groups[__builtin_ctz(left)];
            if (!barrier_waits_at(group, at)) continue;
            uint32_t innocent = group->mask;
            for (uint32_t l = group->mask & warp->bypass_lanes; l; l &= l - 1) {
                unsigned lane = (unsigned)__builtin_ctz(l);
                if (warp->bypassed[lane] == at && warp->bypass_generation[lane] == block->generation)
                    innocent &= ~(1u << lane);
            }
            *warp_index = w;
            *lanes = innocent;
            if (innocent) return group;
        }
    }
    return NULL;
}

/** Both arms of the branch have a barrier: whoever goes around one comes to the other. */
static void barrier_name_other_arm(const GpuWarp *around, unsigned lane, GpuSyncEvent *event) {
    const GpuInstruction *branch = around->bypass_branch[lane];
    if (!branch->branch.bypass_taken || !branch->branch.bypass_through) return;
    bool taken = around->bypassed[lane] == branch->branch.bypass_taken;
    event->mistake = GPU_SYNC_DIFFERENT_BARRIERS;
    event->other_pc = (taken ? branch->branch.bypass_through : branch->branch.bypass_taken)->pc;
}

static bool barrier_tell_bypassed(GpuBlock *block, const GpuBarrierState *barrier) {
    const GpuInstruction *unmissed =
        NULL; /* nobody waits there: nor for the next thread that went around it */
    for (uint32_t thread = 0; barrier_find_bypass(block, &thread); thread++) {
        const GpuWarp *around = &block->warps[thread / GPU_WARP_LANES];
        unsigned lane = thread % GPU_WARP_LANES;
        uint32_t w = 0, lanes = 0;
        if (around->bypassed[lane] == unmissed) continue;
        const GpuGroup *waits = barrier_find_waiter(block, around->bypassed[lane], &w, &lanes);
        if (!waits) {
            unmissed = around->bypassed[lane];
            continue;
        }
        uint32_t around_pc = around->bypassed[lane]->pc, pc = (waits->next - 1)->pc;
        GpuSyncEvent event = {.mistake = GPU_SYNC_BYPASSED,
                              .block = block,
                              .warp = &block->warps[w],
                              .lanes = lanes,
                              .pc = pc,
                              .call_pc = pc == around_pc ? 0 : around_pc,
                              .other_pc = around->bypass_branch[lane]->pc,
                              .other_thread = thread,
                              .arrived = barrier_count_lanes(block, barrier->waiting),
                              .expected = block->threads};
        barrier_name_other_arm(around, lane, &event);
        event_sync(block->run, &event);
        return true;
    }
    return false;
}

/** Names a thread of the other bar instruction as well: the first one that waits and is not among the
 * party's lanes. */
static void barrier_tell_different(GpuBlock *block, const GpuBarrierState *barrier) {
    GpuSyncEvent event = {.mistake = GPU_SYNC_DIFFERENT_BARRIERS,
                          .block = block,
                          .warp = &block->warps[barrier->other_warp],
                          .lanes = barrier->other_lanes,
                          .pc = barrier->other->pc,
                          .other_pc = barrier->first->pc,
                          .arrived = barrier_count_lanes(block, barrier->waiting),
                          .expected = block->threads};
    for (uint32_t w = 0; w < block->warp_count; w++) {
        uint32_t others = barrier->waiting[w] & ~(w == barrier->other_warp ? barrier->other_lanes : 0);
        if (!others) continue;
        event.other_thread = w * GPU_WARP_LANES + (unsigned)__builtin_ctz(others);
        break;
    }
    event_sync(block->run, &event);
}

/** The barrier opened without threads that had exited: names the first of these, and of the warps that
 * waited the first. */
static void barrier_tell_exited(GpuBlock *block, const GpuBarrierState *barrier) {
    GpuSyncEvent event = {.mistake = GPU_SYNC_EXITED,
                          .block = block,
                          .pc = barrier->first->pc,
                          .arrived = barrier_count_lanes(block, barrier->waiting),
                          .expected = block->threads};
    for (uint32_t w = block->warp_count; w-- > 0;) {
        const GpuWarp *warp = &block->warps[w];
        uint32_t gone = warp->existing & ~warp->alive;
        if (gone) event.other_thread = w * GPU_WARP_LANES + (unsigned)__builtin_ctz(gone);
        if (barrier->waiting[w]) event.warp = warp, event.lanes = barrier->waiting[w];
    }
    event_sync(block->run, &event);
}

/* Threads that went around a barrier soon end: that they have is no news at the next one. */
static void barrier_judge(GpuBlock *block, const GpuBarrierState *barrier) {
    if (block->bypassed && barrier_tell_bypassed(block, barrier)) {
        block->bypass_told = true;
        return;
    }
    if (barrier->other) barrier_tell_different(block, barrier);
    if (block->alive_threads < block->threads && !block->bypass_told) barrier_tell_exited(block, barrier);
}

/* ---- opening ---- */

/** bar.red's result for a group that is released: it stands behind the instruction, in whose frame the
 * destination lies. */
static void barrier_give_result(const GpuGroup *group, const GpuBarrierState *barrier) {
    const GpuInstruction *ins = group->next - 1;
    uint8_t *d = group->frame->registers + (ins->d & ((1u << GPU_BASE_SHIFT) - 1));
    uint32_t value;
    switch (ins->step == STEP_flow_barrier_red ? (int)ins->source->modifiers.mode : -1) {
    case PTX_MODE_RED_POPC:
        for (uint32_t left = group->mask; left; left &= left - 1)
            memcpy(d + 4 * (unsigned)__builtin_ctz(left), &barrier->votes, 4);
        break;
    case PTX_MODE_RED_AND:
    case PTX_MODE_RED_OR:
        memcpy(&value, d, 4);
        value &= ~group->mask;
        if (ins->source->modifiers.mode == PTX_MODE_RED_AND ? barrier->all : barrier->any)
            value |= group->mask;
        memcpy(d, &value, 4);
        break;
    default:
        break;
    }
}

/** The groups of a warp that wait there can go on; those that stand at the same place become one. */
static void barrier_release_warp(GpuWarp *warp, int number, const GpuBarrierState *barrier) {
    GpuGroup *released[GPU_WARP_LANES];
    unsigned count = 0;
    for (uint32_t left = warp->used; left; left &= left - 1) {
        GpuGroup *group = &warp->groups[__builtin_ctz(left)];
        if (group->state != GROUP_BARRIER || group->barrier != number) continue;
        barrier_give_result(group, barrier);
        warp_set_state(warp, group, GROUP_RUNNABLE);
        unsigned same = 0;
        while (same < count &&
               !(released[same]->next == group->next && released[same]->frame == group->frame))
            same++;
        if (same == count)
            released[count++] = group;
        else
            warp_merge(warp, released[same], group);
    }
}

/** Observers hear of it before anybody goes on. Only a barrier of the whole block is judged: the others
 * are pipelines, whose threads come in parts on purpose. */
static void barrier_open(GpuBlock *block, int number) {
    GpuBarrierState *barrier = &block->barriers[number];
    GpuBarrier event = {.block = block,
                        .number = number,
                        .expected = barrier->expected ? barrier->expected : block->threads,
                        .whole_block =
                            barrier->expected == 0 || barrier->arrived_threads >= block->alive_threads,
                        .arrived = barrier->arrived,
                        .waiting = barrier->waiting,
                        .pc = barrier->first->pc};
    if (!barrier->expected) {
        barrier_judge(block, barrier);
        if (block->copied) copy_interval(block);
        block->generation++;
        block->bypassed = false;
    }
    block->run->launch.barriers++;
    GPU_SEND(block->run->gpu, barrier, &event);
    for (uint32_t w = 0; w < block->warp_count; w++)
        if (barrier->waiting[w]) barrier_release_warp(&block->warps[w], number, barrier);
    memset(barrier, 0, sizeof *barrier);
    block->barriers_used &= ~(1u << number);
}

/** A warp all of whose threads have arrived counts as 32 where the program gives a count, as on hardware. */
static uint32_t barrier_weight(const GpuBlock *block, const GpuBarrierState *barrier) {
    uint32_t count = 0;
    for (uint32_t w = 0; w < block->warp_count; w++) {
        bool whole = barrier->arrived[w] == block->warps[w].existing;
        count += whole ? GPU_WARP_LANES : (unsigned)__builtin_popcount(barrier->arrived[w]);
    }
    return count;
}

static void barrier_try(GpuBlock *block, int number) {
    const GpuBarrierState *barrier = &block->barriers[number];
    bool full;
    if (barrier->expected)
        full = barrier_weight(block, barrier) >= barrier->expected;
    else
        full = barrier->arrived_threads >= block->alive_threads;
    if (full) barrier_open(block, number);
}

void barrier_check_all(GpuBlock *block) {
    for (uint32_t left = block->barriers_used; left; left &= left - 1) {
        int number = __builtin_ctz(left);
        if (block->alive_threads) barrier_try(block, number);
    }
}

static void barrier_tell_count(GpuWarp *warp, const GpuInstruction *ins, uint32_t lanes, uint32_t count) {
    GpuSyncEvent event = {.mistake = GPU_SYNC_BARRIER_COUNT,
                          .block = warp->block,
                          .warp = warp,
                          .lanes = lanes,
                          .pc = ins->pc,
                          .expected = count};
    event_sync(warp->run, &event);
}

/** Counts these lanes at the barrier, notes whether another instruction than the first brought them, and
 * opens it if they were the last. A number or a count that is not allowed ends the launch. */
void barrier_arrive(GpuWarp *warp, const GpuInstruction *ins, uint32_t lanes, int number, uint32_t expected,
                    bool waits) {
    GpuBlock *block = warp->block;
    if (number < 0 || number >= GPU_BARRIERS || expected % GPU_WARP_LANES) {
        barrier_tell_count(warp, ins, lanes, expected);
        run_end(warp->run, GPU_ILLEGAL_INSTRUCTION);
        return;
    }
    GpuBarrierState *barrier = &block->barriers[number];
    barrier->arrived[warp->index] |= lanes;
    barrier->arrived_threads += (unsigned)__builtin_popcount(lanes);
    if (waits) barrier->waiting[warp->index] |= lanes;
    if (!barrier->first) {
        barrier->first = ins;
        barrier->expected = expected;
    } else if (barrier->first != ins && !barrier->other) {
        barrier->other = ins;
        barrier->other_warp = warp->index;
        barrier->other_lanes = lanes;
    }
    block->barriers_used |= 1u << number;
    barrier_try(block, number);
}
