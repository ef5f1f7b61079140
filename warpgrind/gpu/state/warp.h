/* warp.h - a warp: its lane groups, their frames and registers.
 *
 * A warp's alive lanes are divided among its groups. A group that has reached the point where a branch's
 * sides meet is PARKED there in a GpuJoin until the others come, exit or are stuck.
 */
#pragma once

#include "gpu/state/code.h"
#include <string.h>

#ifndef CHECK_BOTH
#define CHECK_BOTH 0 /* make CHECK_BOTH=1: see check/findings/parts.h */
#endif

typedef struct GpuFrame GpuFrame;
typedef struct GpuRun GpuRun;
typedef struct GpuCopies GpuCopies;

/** Rows that a warp always has, in this order. */
enum {
    GPU_WARP_TID,
    GPU_WARP_LANEID = 3,
    GPU_WARP_WARPID,
    GPU_WARP_LANEMASK,
    GPU_WARP_ROWS = GPU_WARP_LANEMASK + 5
};

/** Which lanes of a register hold values that come from nowhere. */
typedef struct GpuMeta {
    uint32_t undefined; /**< lanes with an undefined byte */
    uint32_t partial; /**< of these: lanes whose undefined bytes are in the frame's `partial`; the others: all
                         bytes */
    uint32_t origin;
} GpuMeta;

/** What a group waits for, if anything. */
typedef enum GpuGroupState {
    GROUP_FREE, /**< the entry of GpuWarp.groups is not in use */
    GROUP_RUNNABLE,
    GROUP_PARKED,   /**< at its join, for the lanes that still come there */
    GROUP_RETURNED, /**< from its frame, for the lanes still inside */
    GROUP_BARRIER,
    GROUP_WARP_SYNC /**< in an operation of the warp, for the lanes that its mask names */
} GpuGroupState;

/** The place where the sides of a branch meet again, for the lanes that have taken that branch together. */
typedef struct GpuJoin {
    struct GpuJoin *parent; /**< also the list of free ones */
    const GpuInstruction *at;
    GpuFrame *frame;
    uint32_t expected;
    uint32_t ahead; /**< lanes that have gone on from here while others are still on their way */
    struct GpuGroup *parked;
    struct GpuJoin *next_all;
} GpuJoin;

/** Lanes of a warp that are at the same instruction of the same frame. */
typedef struct GpuGroup {
    GpuGroupState state;
    uint32_t mask;
    const GpuInstruction *next;
    GpuFrame *frame;
    GpuJoin *join;
    int barrier;
    uint32_t sync_mask;
    uint64_t spun; /**< instructions since it last stopped for anything but its slice */
} GpuGroup;

/** A function that some lanes of a warp are in: registers of all 32, and the room on their stacks. */
struct GpuFrame {
    GpuFunction *function;
    GpuFrame *caller;
    const GpuInstruction *call;
    GpuJoin *caller_join;
    GpuGroup *returned;
    uint32_t lanes; /**< alive and inside */
    uint32_t ahead; /**< lanes that have returned and gone on while others are still inside */
    uint32_t carry;
    uint32_t local_base;
    uint32_t depth;
    uint32_t card_stack; /**< on a card, from the first call that recurs or goes through a pointer on */
    bool grown;          /**< by alloca: then each lane has a top, from local_base */
    bool undefined;      /**< a register may have an undefined lane; else no meta has one */
    uint32_t *words;     /**< local_undefined of its local memory; NULL: nobody follows values */
    uint32_t preset_for; /**< the launch that its presets were executed for */
    uint32_t tops[GPU_WARP_LANES];
    uint8_t *registers;
    GpuMeta *meta;
    uint8_t (*partial)[GPU_WARP_LANES]; /**< [register][lane] byte masks */
    GpuFrame *next_free, *next_all;
};

/** Whether the warp waits (waiting.h): the read with which rounds begin, and what has been read since. */
typedef struct GpuWaiting {
    uint32_t pc, lanes; /**< 0: none */
    uint64_t low, high;
    uint64_t began;           /**< the warp's steps by then */
    uint64_t look, saw, sees; /**< sums of that read, of all reads of the round before, of those so far */
    unsigned rounds;          /**< that were looked at, 2 for more */
    bool waits;               /**< the round before was one of a wait */
    uint64_t steps;           /**< of all rounds that were */
    uint64_t thread_steps;    /**< times their lanes */
} GpuWaiting;

/** All that a warp has decided while its launch is watched (gpu/dataflow/rounds.h). */
typedef struct GpuRounds {
    uint64_t sum, count;
    bool repeats; /**< it has done exactly the same in two rounds on end */
} GpuRounds;

/** 32 lanes, or as many as the block has left: the groups that they are in, and what the instruction that
 * runs now works on. */
struct GpuWarp {
    uint8_t *base[GPU_BASE_COUNT];
    GpuMeta *meta;
    GpuFrame *frame;
    GpuGroup *current;
    const GpuInstruction *start; /**< first instruction not yet counted */
    const GpuInstruction *
        stopped_at; /**< the one that ended the launch or gave way, until its group has stopped; NULL: none */
    int64_t slice;
    uint64_t steps;         /**< instructions executed */
    uint64_t barrier_steps; /**< up to the last barrier of all, in a block that copies asynchronously */
    GpuWaiting waiting;
    uint64_t looked;       /**< instructions looked ahead at (speculation.h) */
    uint32_t wanted;       /**< by a speculative load that is being executed: lanes that want the value */
    uint64_t watched_from; /**< steps when the watch of the launch began, */
    GpuRounds rounds;      /**< and what it has decided since */
    GpuRun *run;
    GpuBlock *block;
    uint32_t index, existing, alive;
    uint32_t runnable; /**< groups in that state, a bit each */
    uint32_t used;     /**< groups not free */
    unsigned turn;     /**< group to run next, if it can */
    uint32_t poisoned; /**< lanes that have read what is not there */
    GpuGroup groups[GPU_WARP_LANES];
    GpuJoin *free_joins;
    GpuFrame *free_frames;
    GpuJoin *all_joins;
    GpuFrame *all_frames;
    GpuFrame *entry_frame;
    uint8_t *local;            /**< lane stacks: [word][lane] */
    uint32_t *local_undefined; /**< [byte]: lane masks */
    uint32_t *local_origin;    /**< [word] */
    /* barriers gone around (PtxInstruction.bypasses_barrier_*) */
    const GpuInstruction *bypassed[GPU_WARP_LANES], *bypass_branch[GPU_WARP_LANES];
    uint32_t bypass_generation[GPU_WARP_LANES];
    uint32_t bypass_lanes;
    uint8_t rows[12 * GPU_ROW_BYTES] __attribute__((aligned(64)));
    uint64_t address[GPU_WARP_LANES] __attribute__((aligned(64)));
    uint8_t values[GPU_WARP_LANES * 16] __attribute__((aligned(64)));
    uint64_t local_requests, local_sectors; /**< of this turn, as in GpuFunction.local_sums */
    const uint8_t *stored; /**< what the store in progress writes: values, or a row as it stands */
    GpuAccess access;
    GpuCopies *copies; /**< exec_copy.c; NULL: none was ever asked for */
};

/* ---- lanes of rows ---- */

static inline void *gpu_row(const GpuWarp *warp, GpuRow row) {
    return warp->base[row >> GPU_BASE_SHIFT] + (row & ((1u << GPU_BASE_SHIFT) - 1));
}
static inline uint64_t gpu_lane_value(const GpuWarp *warp, GpuRow row, unsigned width, unsigned lane) {
    const uint8_t *bytes = gpu_row(warp, row);
    uint64_t wide;
    uint32_t narrow;
    if (width == 8) {
        memcpy(&wide, bytes + lane * 8, 8);
        return wide;
    }
    memcpy(&narrow, bytes + lane * 4, 4);
    return narrow;
}
static inline void gpu_lane_set(const GpuWarp *warp, GpuRow row, unsigned width, unsigned lane,
                                uint64_t value) {
    uint8_t *bytes = gpu_row(warp, row);
    uint32_t narrow = (uint32_t)value;
    if (width == 8)
        memcpy(bytes + lane * 8, &value, 8);
    else
        memcpy(bytes + lane * 4, &narrow, 4);
}
/** The lowest bytes of a value, extended to 64 bits. */
static inline uint64_t gpu_extend(uint64_t value, unsigned bytes, bool sign) {
    unsigned unused = 64 - bytes * 8;
    if (!unused) return value;
    if (sign) return (uint64_t)((int64_t)(value << unused) >> unused);
    return value << unused >> unused;
}
