/* hang.c - a launch in which nobody can go on, or that takes too many steps: who waits and spins where. */
#include "gpu/dataflow/progress.h"
#include "gpu/launch/launch.h"
#include "gpu/state/events.h"

/** Of a place in a library's functions: where the group is in the program itself, which has called the first
 * of them. */
static uint32_t hang_own_pc(const Gpu *gpu, const GpuGroup *group, uint32_t pc) {
    if (!gpu_is_in_library(gpu, pc)) return pc;
    uint32_t at = group->next->pc;
    for (const GpuFrame *frame = group->frame; frame && frame->call; frame = frame->caller)
        if (gpu_is_in_library(gpu, at)) at = frame->call->pc;
    if (gpu_is_in_library(gpu, at)) return pc;
    return at;
}

/** Where a group stands. One that waits at a barrier has gone past the instruction, which is therefore
 * the one before; one that looks at memory again and again is named at that read, wherever in its loop it
 * has come to. */
static GpuWaiter hang_waiter(const Gpu *gpu, const GpuBlock *block, const GpuWarp *warp,
                             const GpuGroup *group) {
    GpuWaiter waiter = {.warp = warp->index,
                        .lanes = group->mask,
                        .block = block->linear,
                        .pc = group->next->pc,
                        .state = GPU_SPINS,
                        .barrier = -1};
    if (group->state == GROUP_BARRIER) {
        waiter.state = GPU_WAITS_BARRIER;
        waiter.barrier = group->barrier;
        waiter.pc = (group->next - 1)->pc;
    } else if (group->state == GROUP_WARP_SYNC) {
        waiter.state = GPU_WAITS_WARP;
        waiter.mask = group->sync_mask;
    } else if (warp->waiting.waits && warp->waiting.lanes == group->mask) {
        waiter.pc = warp->waiting.pc;
    }
    if (waiter.state == GPU_SPINS) waiter.pc = hang_own_pc(gpu, group, waiter.pc);
    return waiter;
}

static unsigned hang_add_block(const Gpu *gpu, const GpuBlock *block, GpuWaiter *waiters, unsigned count) {
    for (uint32_t w = 0; w < block->warp_count; w++) {
        const GpuWarp *warp = &block->warps[w];
        for (uint32_t left = warp->used; left && count < GPU_MOST_WAITERS; left &= left - 1)
            waiters[count++] = hang_waiter(gpu, block, warp, &warp->groups[__builtin_ctz(left)]);
    }
    return count;
}

/** Who waits for an object asks in a library's function, and may be in another one by now. */
static void hang_place_of_wait(const Gpu *gpu, GpuSyncEvent *event) {
    for (uint32_t left = event->warp->used; left; left &= left - 1) {
        const GpuGroup *group = &event->warp->groups[__builtin_ctz(left)];
        if (group->mask & event->lanes) event->pc = hang_own_pc(gpu, group, event->pc);
    }
}

/** Whether blocks wait for the whole grid while others are gone: the counter in the grid's workspace has
 * turned its highest bit, and has no other, when all have come. */
static bool hang_in_grid(const GpuRun *run, const GpuSyncEvent *event) {
    const GpuAllocation *workspace = run->gpu->workspace;
    if (!event->stuck || !run->launch.meets_grid || !workspace || event->blocks_done == 0) return false;
    const uint8_t *place = gpu_memory_host(run->gpu, workspace->address, 8);
    uint32_t came = 0;
    if (place) memcpy(&came, place + 4, sizeof came);
    return (came & 0x7fffffff) != 0;
}

/** The event names one place: that of the first thread which spins, where the launch took too many steps or
 * was stopped, else of the first which waits at a barrier; failing that, of anybody. */
void launch_tell_hang(GpuRun *run, GpuSyncMistake mistake) {
    if (run->fault != GPU_OK) return; /* a card would not have come that far */
    GpuWaiter waiters[GPU_MOST_WAITERS];
    unsigned count = 0;
    const GpuBlock *first = NULL;
    for (unsigned s = 0; s < run->resident; s++) {
        const GpuBlock *block = run->gpu->slots[s];
        if (!block || !block->busy) continue;
        if (!first) first = block;
        count = hang_add_block(run->gpu, block, waiters, count);
    }
    GpuSyncEvent event = {.mistake = mistake, .block = first, .waiters = waiters, .waiter_count = count};
    const bool wait = mistake == GPU_SYNC_DEADLOCK;
    for (unsigned i = 0; i < count; i++)
        if (waiters[i].state == (wait ? GPU_WAITS_BARRIER : GPU_SPINS)) {
            event.pc = waiters[i].pc;
            event.other_thread = gpu_waiter_thread(&waiters[i]);
            break;
        }
    if (!event.pc && count) event.pc = waiters[0].pc;
    event.blocks_done = run_blocks_done(run);
    if (mistake == GPU_SYNC_BUDGET) progress_tell(run, &event);
    event.meets = hang_in_grid(run, &event);
    if (event.asks) hang_place_of_wait(run->gpu, &event);
    event_sync(run, &event);
}
