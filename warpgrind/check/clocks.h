/* clocks.h - what has happened before what: the time of blocks, and what barriers, warp barriers and fences
 * with atomics order.
 *
 * Every resident block has one counter, its time; it goes up at each synchronisation, and each access is
 * stamped with it. An earlier access of the same block is ordered before this one when its time lies before
 *   - the block's last whole barrier;
 *   - for the same warp: the warp's last __syncwarp, or (masks that name a part of the warp) the last one
 * with both lanes;
 *   - for another warp: what this warp knows of it through barriers of some warps only.
 * An access of any block is ordered when it was released (fence, then an atomic) to a place that this warp
 * has read with an atomic since. That last part costs nothing until a launch executes a fence.
 */
#ifndef CHECK_CLOCKS_H
#define CHECK_CLOCKS_H

#include "check/parts.h"
#include "check/shadow.h"

enum { CLOCK_WARPS = GPU_MAX_BLOCK_THREADS / 32, CLOCK_ACQUIRED = 8 };
enum { CLOCK_SCOPE_BLOCK, CLOCK_SCOPE_GPU, CLOCK_SCOPES };

/** The releases to one place up to `sequence` are known. */
typedef struct Acquired {
    uint32_t location, sequence;
} Acquired;

typedef struct Knowledge {
    Acquired list[CLOCK_ACQUIRED];
    unsigned count;
    bool everything; /**< lost count: nothing released anywhere is reported any more */
} Knowledge;

typedef struct WarpClock {
    uint32_t sync_time;    /**< own accesses before it are ordered for all lanes */
    uint32_t (*lanes)[32]; /**< [lane][other lane], or NULL: only after barriers with part of the warp */
    uint32_t *known;       /**< [warp], or NULL: only after barriers with part of the block */
    uint32_t release_time[CLOCK_SCOPES], release_base[CLOCK_SCOPES], release_lanes[CLOCK_SCOPES];
    Knowledge knowledge;
} WarpClock;

typedef struct BlockClock {
    uint64_t linear;
    uint32_t time, barrier_time;
    bool touched;   /**< an access has been stamped with this time */
    bool exhausted; /**< no times left: accesses are not compared any more */
    WarpClock warps[CLOCK_WARPS];
    Knowledge knowledge;
} BlockClock;

typedef struct Releases Releases;

typedef struct Clocks {
    BlockClock blocks[GPU_MAX_RESIDENT_BLOCKS];
    unsigned used; /**< the first so many have been a block's */
    Releases *releases;
    bool incomplete; /**< no memory for what some barrier orders: more counts as ordered than is */
    bool fenced;     /**< this launch has executed a fence or an access with release semantics */
} Clocks;

bool clocks_init(Clocks *clocks);
void clocks_free(Clocks *clocks);
void clocks_launch_begin(Clocks *clocks);
void clocks_block_begin(Clocks *clocks, const GpuBlock *block);
void clocks_barrier(Clocks *clocks, const GpuBarrier *barrier);
void clocks_warp_sync(Clocks *clocks, const GpuWarp *warp, uint32_t lanes);
void clocks_fence(Clocks *clocks, const GpuWarp *warp, uint32_t lanes, PtxScope scope);
/** An atomic (or an access with stronger semantics than volatile): learns what was released there, releases
 * what was fenced. */
void clocks_atomic(Clocks *clocks, const GpuAccess *access);
/** LOST: it would take more than is kept to know; then it counts as ordered. */
typedef enum Order { ORDER_NONE, ORDER_KNOWN, ORDER_LOST } Order;
/** Whether the record's access was released to somewhere that this warp has acquired. */
Order clocks_acquired(const Clocks *clocks, const BlockClock *block, unsigned warp, uint64_t record);
/** The same if every fence counted for all blocks, those of __threadfence_block() too. */
Order clocks_acquired_in_block(const Clocks *clocks, const BlockClock *block, unsigned warp, uint64_t record);
/** Whether the record's atomic came before an atomic of this warp (or one it knows of) on the same place: the
 * last block may set the counter back that all have counted on. */
bool clocks_after_atomic(const Clocks *clocks, const GpuAccess *access, unsigned lane, uint64_t record);

#endif
