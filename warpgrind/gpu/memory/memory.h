/* memory.h - device memory, and what the rooms above ask of a lane's own memory and of copies under way. */
#pragma once

#include "gpu/state/machine.h"

/* ---- device memory: memory.c ---- */

bool gpu_memory_init(GpuMemory *memory, unsigned parts);
void gpu_memory_destroy(GpuMemory *memory);
/** For variables: outside of the quota, and not poisoned. */
GpuAllocation *gpu_memory_place(Gpu *gpu, uint64_t bytes, uint64_t alignment, GpuAllocationKind kind,
                                uint64_t site);
/** The host's byte behind a device address. */
uint8_t *gpu_memory_bytes(const Gpu *gpu, uint64_t address);
/** Whether the address is near enough to an allocation to be a mistake about that one. */
bool gpu_memory_is_near(const Gpu *gpu, uint64_t address);

/* ---- copies under way: exec_copy.c ---- */

/** Tells observers of a lane that touches what a copy under way may fill. */
void copy_meet(const GpuWarp *warp, const GpuAccess *access);
/** All warps of a block in which something was copied have come to a barrier, or to their end. */
void copy_interval(GpuBlock *block);
/** Does the copies of lanes that exit. */
void copy_exit(GpuWarp *warp, uint32_t lanes);
/** Forgets those of a warp that starts anew. */
void copy_reset(GpuWarp *warp);
void copy_destroy(GpuWarp *warp);

/* ---- the lanes' stacks: exec_stack.c ---- */

/** What lies behind the frame in the lane's stack, as an offset from its bottom. */
uint32_t stack_top(const GpuFrame *frame, unsigned lane);
/** Where a function that these lanes call finds room: behind all of theirs, aligned to 16. */
uint32_t stack_top_of_all(const GpuFrame *frame, uint32_t lanes);

/* ---- counters of local memory: local_count.c ---- */

/** Adds up what a decoded function does at fixed places of its frame; false without memory. */
bool local_count_make(GpuFunction *function);
/** Adds what the warp's turn has counted to its launch. */
void local_count_turn(GpuWarp *warp);
/** How many of the four eights of lanes have one that is there: sectors of a word. */
static inline unsigned local_eights(uint32_t mask) {
    mask |= mask >> 4;
    mask |= mask >> 2;
    mask |= mask >> 1;
    return (mask & 0x01010101) * 0x01010101 >> 24;
}
/** Counts the run of instructions that ends before instruction `end`. */
static inline void local_count_run(GpuWarp *warp, uint32_t end) {
    const uint64_t *sums = warp->start->function->local_sums;
    if (!sums) return;
    const uint64_t words = sums[end] - sums[warp->start->ordinal];
    warp->local_requests += words;
    warp->local_sectors += words * local_eights(warp->current->mask);
}
/** Counts lanes that go to places of their own, in warp->address, or all to one (`together`). */
void local_count_lanes(const GpuWarp *warp, uint32_t lanes, uint64_t bytes, bool writes, bool together);
