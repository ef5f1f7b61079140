/* events.c - what is sent to observers besides memory accesses: mistakes in synchronising, hangs, undefined
 * values. */
#include "gpu/state/events.h"
#include "gpu/state/machine.h"

void gpu_set_keeper(Gpu *gpu, const GpuKeeper *keeper) {
    gpu->keeper = *keeper;
}

/** Lists of those who want accesses and branches are kept, since these events are frequent; of other
 * frequent ones it is known whether anybody wants them. */
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
