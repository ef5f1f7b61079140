/* flat.h - the quick way to see that accesses to shared memory do not race: one cell of 32 bits for each
 * word.
 *
 * Between two barriers of a whole block nearly every word is used in one of three ways: by one thread, or by
 * any number of threads that all read it, or all update it atomically. A cell knows which, and in which
 * interval between barriers; a cell of an earlier interval is stale and says nothing. An access that finds
 * only cells that allow it goes into a log and into the cells, 32 lanes at once, and that is all.
 *
 * Reads of an interval in which nothing has been changed yet cannot race, so that only the log has them until
 * somebody writes or updates. In many kernels all write, meet, and then all read.
 *
 * The first access that is in doubt, for whatever reason, is the exact detector's (race_cells.c): all of the
 * interval's accesses are replayed to it from the log, in their order and at their time, so that it knows as
 * much as if it had seen each of them. It serves the block until the next whole barrier. So what is found,
 * and who is named, does not depend on the cells; only accesses that cannot race are kept from it. Whatever
 * changes the order within an interval (a __syncwarp, a barrier of some warps, a fence) ends the quick way
 * for that interval before it takes effect.
 *
 * Where most intervals end in doubt, the exact detector serves from the beginning.
 */
#pragma once

#include "check/findings/parts.h"

/* A cell: thread 10, several threads 1, use 2, has ever been updated atomically 1, time of the interval 18.
 */
enum {
    FLAT_THREAD = 0x3ff,
    FLAT_MANY = 1 << 10,
    FLAT_READ = 1 << 11,
    FLAT_ATOMIC = 2 << 11,
    FLAT_OWN = 3 << 11, /**< by one thread: written, or used in several ways */
    FLAT_USE = 3 << 11,
    FLAT_EVER_ATOMIC = 1 << 13,
    FLAT_TIME_SHIFT = 14
};
#define FLAT_TIME (UINT32_MAX << FLAT_TIME_SHIFT)

/** Cells before the first and after the last: of lanes that do not take part. */
enum { FLAT_MARGIN = GPU_WARP_LANES };

/** How the lanes lie; of several that fit, the first. */
typedef enum FlatShape {
    FLAT_UNIFORM,  /**< all in one word */
    FLAT_ADJACENT, /**< side by side */
    FLAT_STEPS,    /**< 32 lanes, each eight in one word */
    FLAT_ROWS,     /**< 32 lanes, each eight side by side */
    FLAT_ANYWHERE
} FlatShape;

/** Whole words that 32 lanes touch, and who they are. */
typedef struct FlatTouch {
    uint32_t *cells;        /**< with FLAT_MARGIN more on either side */
    const uint32_t *offset; /**< [lane] in bytes; only set lanes count, and of those only what the shape
                               needs: the first one, each eighth one, or all of FLAT_ANYWHERE */
    uint32_t lanes;
    uint32_t me;  /**< time, and thread of lane 0 */
    uint32_t use; /**< FLAT_READ, FLAT_ATOMIC, FLAT_OWN for a write */
    FlatShape shape;
} FlatTouch;

/** True when no lane can race: then the cells know of the access. False is a doubt, and the cells of this
 * interval have no meaning any more. Compiled for every processor level. */
typedef bool FlatPass(const FlatTouch *touch);
FlatPass *flat_pass_for(unsigned level);

/** One access of the log: what its replay needs. */
typedef struct FlatEntry {
    const GpuWarp *warp;
    uint32_t pc, lanes;
    GpuAccessKind kind;
    PtxSemantics semantics;
    PtxScope scope;
    uint8_t bytes;
    bool contiguous, uniform;
    FlatShape shape;
    uint32_t offset[GPU_WARP_LANES]; /**< as in FlatTouch; all of them for lanes of several words */
} FlatEntry;

/** The shared memory of one resident block. */
typedef struct Flat {
    uint32_t *room, *cells;   /**< what is allocated; the cells, between its margins */
    uint32_t words, capacity; /**< that the block has; that there is room for */
    bool exact;               /**< the exact detector serves until the next whole barrier */
    bool atomics;             /**< some cell has been updated atomically */
    FlatEntry *log;
    size_t logged, log_capacity;
    bool changed; /**< something has been written or updated in this interval; else the cells know nothing of
                     it */
} Flat;

struct Actor;
struct Races;

void flat_launch_begin(struct Races *races);
/** A block begins: nothing has been touched. Without memory the exact detector serves. */
void flat_begin(struct Races *races, uint32_t slot, uint32_t span);
/** A whole barrier: what was before it is before everything. */
void flat_next(struct Races *races, uint32_t slot);
/** True when the access cannot race and has been put down; false: the exact detector has to look, and knows
 * all that it must. */
bool flat_touch(Check *check, const struct Actor *actor);
/** The same for a plain read or write, before anything else is found out about it; false also where it is
 * something more. */
bool flat_takes(Check *check, const GpuAccess *access);
/** From here on the exact detector serves the block's interval. */
void flat_leave(Check *check, uint32_t slot);
void flat_free(Flat *flat);
