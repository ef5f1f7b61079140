/* events.c - what is sent to observers besides memory accesses: mistakes in synchronising, hangs, undefined
 * values. */
#include "gpu/internal.h"

void gpu_attach(Gpu *gpu, const GpuObserver *observer) {
    if (gpu->observer_count == GPU_MAX_OBSERVERS) BUG("more than %d observers", GPU_MAX_OBSERVERS);
    GpuObserver *mine = &gpu->observers[gpu->observer_count++];
    *mine = *observer;
    if (mine->access) gpu->access_observers[gpu->access_count++] = mine;
    gpu->shared_count += mine->access && !mine->access_global;
    if (mine->branch) gpu->branch_observers[gpu->branch_count++] = mine;
    gpu->wants_branch |= mine->branch || mine->parted;
    gpu->wants_fence |= mine->fence != NULL;
    gpu->wants_warp_sync |= mine->warp_sync != NULL;
    gpu->wants_executed |= mine->executed != NULL;
    gpu->wants_exited |= mine->exited != NULL;
}

void event_branch(const GpuWarp *warp, uint32_t pc, uint32_t taken, uint32_t not_taken) {
    const Gpu *gpu = warp->run->gpu;
    for (unsigned i = 0; i < gpu->branch_count; i++)
        gpu->branch_observers[i]->branch(gpu->branch_observers[i]->self, warp, pc, taken, not_taken);
    if (taken && not_taken) GPU_SEND(gpu, parted, warp, pc, taken, not_taken);
}

void event_executed(const GpuWarp *warp, uint32_t end) {
    const GpuInstruction *first = warp->start, *last = first;
    if (first->ordinal >= end) return;
    const GpuInstruction *behind = first->function->code + first->function->code_count;
    while (last + 1 < behind && last[1].ordinal < end)
        last++;
    GPU_SEND(warp->run->gpu, executed, warp, first->pc, last->pc, warp->current->mask);
}

/** Whether this mistake has been sent from here in this launch. */
static bool event_is_known(GpuRun *run, const GpuSyncEvent *event) {
    enum { CAPACITY = sizeof run->sent / sizeof *run->sent };
    for (unsigned i = 0; i < run->sent_count; i++)
        if (run->sent[i].pc == event->pc && run->sent[i].mistake == event->mistake) return true;
    if (run->sent_count < CAPACITY) run->sent[run->sent_count++] = (GpuMistakeKey){event->pc, event->mistake};
    return run->sent_count == CAPACITY;
}

void event_sync(GpuRun *run, GpuSyncEvent *event) {
    if (event_is_known(run, event)) return;
    event->launch = &run->launch;
    GPU_SEND(run->gpu, sync_mistake, event);
}

void event_undefined(GpuWarp *warp, uint32_t lanes, uint32_t pc, GpuUndefinedUse use, uint32_t origin) {
    GPU_SEND(warp->run->gpu, undefined_use, warp, lanes, pc, use, origin);
}

/* ---- hangs ---- */

static GpuWaiter event_waiter(const GpuBlock *block, const GpuWarp *warp, const GpuGroup *group) {
    GpuWaiter waiter = {.linear_thread = warp->index * GPU_WARP_LANES + (unsigned)__builtin_ctz(group->mask),
                        .thread_count = (unsigned)__builtin_popcount(group->mask),
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
    }
    return waiter;
}

static unsigned event_add_block(const GpuBlock *block, GpuWaiter *waiters, unsigned count) {
    for (uint32_t w = 0; w < block->warp_count; w++) {
        const GpuWarp *warp = &block->warps[w];
        for (uint32_t left = warp->used; left && count < GPU_MOST_WAITERS; left &= left - 1)
            waiters[count++] = event_waiter(block, warp, &warp->groups[__builtin_ctz(left)]);
    }
    return count;
}

void event_hang(GpuRun *run, GpuSyncMistake mistake) {
    GpuWaiter waiters[GPU_MOST_WAITERS];
    unsigned count = 0;
    const GpuBlock *first = NULL;
    for (unsigned s = 0; s < run->resident; s++) {
        const GpuBlock *block = run->gpu->slots[s];
        if (!block || !block->busy) continue;
        if (!first) first = block;
        count = event_add_block(block, waiters, count);
    }
    GpuSyncEvent event = {.mistake = mistake, .block = first, .waiters = waiters, .waiter_count = count};
    for (unsigned i = 0; i < count; i++)
        if (waiters[i].state == (mistake == GPU_SYNC_BUDGET ? GPU_SPINS : GPU_WAITS_BARRIER)) {
            event.pc = waiters[i].pc;
            event.other_thread = waiters[i].linear_thread;
            break;
        }
    if (!event.pc && count) event.pc = waiters[0].pc;
    if (mistake == GPU_SYNC_BUDGET) progress_tell(run, &event);
    event_sync(run, &event);
}
