/* block.h - a resident block: its warps, shared memory and barriers. */
#pragma once

#include "gpu/state/module.h"
#include "gpu/state/warp.h"

/** Rows that a block always has, in this order. */
enum {
    GPU_BLOCK_CTAID,
    GPU_BLOCK_NCTAID = 3,
    GPU_BLOCK_NTID = 6,
    GPU_BLOCK_GRIDID = 9,
    GPU_BLOCK_NWARPID,
    GPU_BLOCK_SMID,
    GPU_BLOCK_NSMID,
    GPU_BLOCK_DYNAMIC_SHARED,
    GPU_BLOCK_TOTAL_SHARED,
    GPU_BLOCK_WORKSPACE, /**< high and low half of its address */
    GPU_BLOCK_WORKSPACE_LOW,
    GPU_BLOCK_ROWS
};

enum { GPU_BARRIERS = 16, GPU_MAX_WARPS = GPU_MAX_BLOCK_THREADS / GPU_WARP_LANES };

/** One of a block's sixteen barriers: who has come. */
typedef struct GpuBarrierState {
    uint32_t arrived[GPU_MAX_WARPS], waiting[GPU_MAX_WARPS];
    uint32_t arrived_threads;
    uint32_t expected; /**< 0: whole block */
    const GpuInstruction *first;
    const GpuInstruction *other; /**< a different instruction that also waits */
    uint32_t other_warp, other_lanes;
    bool all, any; /**< bar.red: of the predicates so far */
    uint32_t votes;
} GpuBarrierState;

/** A resident block, in a slot whose memory serves one block after the other. */
struct GpuBlock {
    GpuRun *run;
    uint32_t slot;
    bool busy, stuck;
    GpuDim index;
    uint64_t linear;
    uint32_t threads, warp_count;
    uint32_t alive_threads;
    bool bypassed;       /**< somebody has gone around a barrier since the last one opened */
    bool bypass_told;    /**< the same of any barrier before */
    uint32_t generation; /**< whole-block barriers opened so far */
    uint8_t *uniforms;
    uint8_t *shared;
    uint32_t shared_span;
    GpuWarp *warps;
    uint32_t live_warps;
    GpuBarrierState barriers[GPU_BARRIERS];
    uint32_t barriers_used; /**< those with somebody waiting */
    bool copied;            /**< a warp has copied asynchronously */
    uint32_t copies;        /**< asynchronous copies under way */
    uint32_t idle_copies;   /**< waited for at once, since the last barrier of all (exec_copy.c) */
    /* what the slot's memory was made for */
    uint32_t launch; /**< id of the launch whose parameters are in the uniforms */
    const GpuKernel *kernel;
    GpuDim shape;
    uint32_t dynamic_shared, stack_bytes;
    uint8_t *stacks;
    size_t stack_memory;
    bool track;
};

/** Where the system's shared memory lies in block->shared: behind the program's. */
static inline uint32_t block_system_shared(const GpuBlock *block) {
    return (block->shared_span + 63) & ~UINT32_C(63);
}
