/* clocks.h - what has happened before what: the time of blocks, and what barriers, warp barriers and fences
 * with atomics order.
 *
 * Every resident block has one counter, its time; it goes up at each synchronisation, and each access is
 * stamped with it. An earlier access of the same block is ordered before this one when its time lies before
 *   - the block's last whole barrier;
 *   - for the same warp: the warp's last __syncwarp, or (masks that name a part of the warp) the last one
 * with both lanes;
 *   - for another warp: what this warp knows of it through barriers of some warps only.
 * An access of any block is ordered when it was released (fence, then a strong write to some place) and that
 * place was looked at since (a strong read, then a fence): releases.h. That last part costs nothing until a
 * launch executes a fence.
 */
#pragma once

#include "check/findings/parts.h"
#include "check/order/vectors.h"
#include "check/shadow/shadow.h"

enum { CLOCK_WARPS = GPU_MAX_BLOCK_THREADS / 32 };

/** What a block, a warp or a lane has learnt through memory, by what it may be used for. */
typedef enum LoreKind {
    LORE_KNOWN,     /**< happened before whatever comes next */
    LORE_TELLS,     /**< what was fenced: a strong write makes it known in the own block */
    LORE_TELLS_FAR, /**< the same, in all blocks */
    LORE_HEARD,     /**< was told by the own block at a place that was looked at; a fence makes it known */
    LORE_HEARD_FAR, /**< the same, by any block */
    LORE_TOO_NEAR,  /**< would be known if each fence counted for all blocks */
    LORE_KINDS
} LoreKind;

typedef struct Lore {
    Vector *of[LORE_KINDS];
} Lore;

/** A lane's fences tell its own accesses besides what it knew. */
typedef struct WarpLore {
    Lore warp, lanes[32];
    uint32_t fenced[32], fenced_far[32]; /**< own accesses before these times */
    uint64_t heard_at[32],
        known_at[32]; /**< all of LORE_HEARD_FAR (LORE_KNOWN) is of this writing of one place; 0: mixed */
    uint64_t saw[32]; /**< the last writing of a place that the lane has seen */
    uint64_t
        covers[32]; /**< what is told at this writing of a place covers all that the lane knows; 0: none */
    uint32_t fresh; /**< lanes that have learnt nothing since their fence for all blocks */
    uint32_t takes; /**< lanes whose last look took a lock */
    uint32_t ahead; /**< lanes that know all that their warp and block know */
    bool renewed, renewed_far; /**< a lane has fenced since the last whole barrier */
} WarpLore;

typedef struct WarpClock {
    uint32_t sync_time;    /**< own accesses before it are ordered for all lanes */
    uint32_t (*lanes)[32]; /**< [lane][other lane], or NULL: only after barriers with part of the warp */
    uint32_t *known;       /**< [warp], or NULL: only after barriers with part of the block */
    WarpLore *lore;        /**< or NULL: only after fences and looks, until the next whole barrier */
} WarpClock;

typedef struct BlockClock {
    uint64_t linear;
    uint32_t time, barrier_time;
    bool touched;        /**< an access has been stamped with this time */
    bool worked;         /**< one that does not only look at a flag */
    bool looked;         /**< at a place in global memory that other blocks may write strongly */
    bool exhausted;      /**< no times left: accesses are not compared any more */
    Lore lore;           /**< what all its threads know */
    unsigned warp_count; /**< the warps behind these are all zero */
    WarpClock warps[CLOCK_WARPS];
} BlockClock;

typedef struct Releases Releases;

/** Accesses of a launch to global memory that other blocks may take for a flag: the pc of the first of each
 * sort, 0: none. They explain races. */
typedef struct FirstFlags {
    uint32_t relaxed, relaxed_atomic; /**< that order nothing else */
    uint32_t volatile_store;          /**< neither does it; the last one, as data may be volatile too */
    uint32_t near_release;            /**< that orders it for the own block only */
    uint32_t arrival;                 /**< the first at an mbarrier, in shared memory */
} FirstFlags;

typedef struct Clocks {
    BlockClock blocks[GPU_MAX_RESIDENT_BLOCKS];
    unsigned used; /**< the first so many have been a block's */
    Vectors vectors;
    Releases *releases;
    bool incomplete; /**< no memory for what some barrier orders: more counts as ordered than is */
    bool fenced;     /**< this launch has executed a fence or a release */
    bool near_fence; /**< and a fence for its own block that is no part of a release */
    FirstFlags flags;
} Clocks;

/** The block, as records name it. */
static inline uint32_t clocks_record_block(const BlockClock *clock) {
    return (uint32_t)clock->linear & ((UINT32_C(1) << RECORD_BLOCK_BITS) - 1);
}

bool clocks_init(Clocks *clocks);
void clocks_free(Clocks *clocks);
void clocks_launch_begin(Clocks *clocks);
void clocks_block_begin(Clocks *clocks, const GpuBlock *block);
/** All threads of the block that are alive have met. */
bool clocks_is_whole(const GpuBarrier *barrier);
void clocks_barrier(Clocks *clocks, const GpuBarrier *barrier);
void clocks_warp_sync(Clocks *clocks, const GpuWarp *warp, uint32_t lanes);
void releases_fence(Clocks *clocks, const GpuWarp *warp, uint32_t lanes, PtxScope scope);
bool releases_is_release(PtxSemantics semantics);
/** Lanes of a strong access. */
typedef struct Looks {
    uint32_t lanes; /**< that know what they were told there after a fence only */
    uint32_t take;  /**< of them those that take something, a lock most likely */
} Looks;

/** A strong access: an atomic, a look at a flag, or a write to one. Learns what was told there, tells what
 * was fenced. `arrival`: the instruction, when it arrives at an mbarrier and the access has its memory and
 * its values; NULL. */
void releases_strong(Clocks *clocks, const GpuAccess *access, Looks looks, const PtxInstruction *arrival);
/** LOST: it would take more than is kept to know; then it counts as ordered. */
typedef enum Order { ORDER_NONE, ORDER_KNOWN, ORDER_LOST } Order;
/** Whether the record's access was told at a place that this lane has looked at. */
Order releases_told(const Clocks *clocks, const BlockClock *block, unsigned warp, unsigned lane,
                    uint64_t record);
/** The same for some lane of the warp if each fence counted for all blocks, those of __threadfence_block()
 * too. */
bool releases_told_too_near(const BlockClock *block, unsigned warp, uint64_t record);
/** The same for some lane of the warp if it had a fence behind its look. */
bool releases_only_heard(const BlockClock *block, unsigned warp, uint64_t record);
/** A lane of the warp took a lock when it looked last. */
bool releases_takes_lock(const BlockClock *block, unsigned warp);
/** Records of who wrote last to the place of the lane, and of those who have seen that; `all`: there are too
 * many to know. The records are valid until the next strong access. */
const uint64_t *releases_witnesses(const Clocks *clocks, const GpuAccess *access, unsigned lane,
                                   unsigned *count, bool *all);
