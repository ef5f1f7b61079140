/* clocks.c - barriers and warp barriers; fences are in releases_fence.c, strong accesses in releases.c. */
#include "check/order/clocks.h"
#include "base/minmax.h"
#include "check/order/releases.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

bool clocks_init(Clocks *clocks) {
    clocks->releases = releases_create();
    return clocks->releases != NULL;
}

static void forget_details(Clocks *clocks, BlockClock *clock) {
    lore_forget(&clocks->vectors, clock);
    for (unsigned w = 0; w < clock->warp_count; w++) {
        free(clock->warps[w].lanes);
        free(clock->warps[w].known);
        clock->warps[w].lanes = NULL;
        clock->warps[w].known = NULL;
    }
}

static unsigned block_warps(const GpuBlock *block) {
    return (gpu_block_threads(block) + 31) / 32;
}

void clocks_free(Clocks *clocks) {
    for (unsigned b = 0; b < clocks->used; b++)
        forget_details(clocks, &clocks->blocks[b]);
    releases_destroy(clocks);
}

void clocks_launch_begin(Clocks *clocks) {
    for (unsigned b = 0; clocks->fenced && b < clocks->used; b++)
        lore_forget(&clocks->vectors, &clocks->blocks[b]);
    clocks->fenced = false;
    clocks->near_fence = false;
    clocks->flags = (FirstFlags){0};
    releases_clear(clocks);
}

void clocks_block_begin(Clocks *clocks, const GpuBlock *block) {
    BlockClock *clock = &clocks->blocks[gpu_block_slot(block)];
    if (gpu_block_slot(block) >= clocks->used) clocks->used = gpu_block_slot(block) + 1;
    forget_details(clocks, clock);
    memset(clock, 0, offsetof(BlockClock, warps) + clock->warp_count * sizeof clock->warps[0]);
    clock->warp_count = block_warps(block);
    clock->linear = gpu_block_linear(block);
    clock->time = 1;
}

static BlockClock *clock_of(Clocks *clocks, const GpuBlock *block) {
    return &clocks->blocks[gpu_block_slot(block)];
}

/* A time later than every access so far. Without an access since the last one, that one will do. */
static uint32_t advance(BlockClock *clock) {
    if (clock->touched) {
        clock->touched = clock->worked = false;
        clock->time++;
        if (clock->time >= RECORD_TIME_OLD - 1) clock->exhausted = true;
    }
    return clock->time;
}

/* A fence does not order looks at flags, so that a loop that looks and fences does not use up the times. */
uint32_t clocks_advance(BlockClock *clock) {
    if (clock->worked) return advance(clock);
    return clock->time;
}

/* ---- within a warp ---- */

static void max_into(uint32_t *to, const uint32_t *from, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (from[i] > to[i]) to[i] = from[i];
}

/* Lanes that meet know from then on what each of them knew, and what each of them did. Without memory for the
 * table the whole warp counts as ordered: nothing is reported wrongly. */
static bool sync_lanes(WarpClock *warp, uint32_t lanes, uint32_t time) {
    if (!warp->lanes) warp->lanes = calloc(32, sizeof *warp->lanes);
    if (!warp->lanes) {
        warp->sync_time = time;
        return false;
    }
    uint32_t row[32] = {0};
    for (unsigned lane = 0; lane < 32; lane++)
        if (lanes >> lane & 1) max_into(row, warp->lanes[lane], 32);
    for (unsigned lane = 0; lane < 32; lane++)
        if (lanes >> lane & 1) row[lane] = time;
    for (unsigned lane = 0; lane < 32; lane++)
        if (lanes >> lane & 1) memcpy(warp->lanes[lane], row, sizeof row);
    return true;
}

static bool sync_warp(WarpClock *warp, uint32_t lanes, uint32_t alive, uint32_t time) {
    if ((lanes & alive) != alive) return sync_lanes(warp, lanes, time);
    warp->sync_time = time;
    return true;
}

void clocks_warp_sync(Clocks *clocks, const GpuWarp *warp, uint32_t lanes) {
    BlockClock *clock = clock_of(clocks, gpu_warp_block(warp));
    uint32_t alive = gpu_warp_alive(warp);
    lore_meet(clocks, clock, gpu_warp_index(warp), lanes, (lanes & alive) == alive);
    if (!sync_warp(&clock->warps[gpu_warp_index(warp)], lanes, alive, advance(clock)))
        clocks->incomplete = true;
}

/* ---- barriers ---- */

static bool everyone_waits(const GpuBarrier *barrier, unsigned warps) {
    return !barrier->waiting || !barrier->arrived ||
           memcmp(barrier->waiting, barrier->arrived, warps * sizeof barrier->arrived[0]) == 0;
}

static void whole_barrier(Clocks *clocks, BlockClock *clock, unsigned warps, uint32_t time) {
    lore_meet_all(clocks, clock, warps);
    clock->barrier_time = time;
}

/* What those who arrived know and did, those who waited know afterwards; false without memory. */
static bool part_barrier(BlockClock *clock, const GpuBarrier *barrier, unsigned warps, uint32_t time) {
    uint32_t known[CLOCK_WARPS] = {0};
    bool known_to_all = true;
    for (unsigned w = 0; w < warps; w++) {
        if (!barrier->arrived[w]) continue;
        if (clock->warps[w].known) max_into(known, clock->warps[w].known, CLOCK_WARPS);
    }
    for (unsigned w = 0; w < warps; w++)
        if (barrier->arrived[w]) known[w] = time;
    for (unsigned w = 0; w < warps; w++) {
        WarpClock *warp = &clock->warps[w];
        if (!barrier->waiting[w]) continue;
        if (!warp->known) warp->known = calloc(CLOCK_WARPS, sizeof *warp->known);
        if (warp->known)
            max_into(warp->known, known, CLOCK_WARPS);
        else
            known_to_all = false;
        known_to_all &= sync_warp(warp, barrier->waiting[w], barrier->waiting[w] | barrier->arrived[w], time);
    }
    return known_to_all;
}

static unsigned warps_of(const GpuBarrier *barrier) {
    unsigned warps = block_warps(barrier->block);
    return MIN(CLOCK_WARPS, warps);
}

bool clocks_is_whole(const GpuBarrier *barrier) {
    return barrier->whole_block && everyone_waits(barrier, warps_of(barrier));
}

/* A barrier moves the block's clock on. When all warps took part, one time orders everything before it;
 * otherwise each warp that waited learns from those that arrived. What cannot be kept counts as ordered: a
 * race may be missed, and the report says so. */
void clocks_barrier(Clocks *clocks, const GpuBarrier *barrier) {
    BlockClock *clock = clock_of(clocks, barrier->block);
    unsigned warps = warps_of(barrier);
    uint32_t time = advance(clock);
    if (clocks_is_whole(barrier)) {
        whole_barrier(clocks, clock, warps, time);
        return;
    }
    lore_hand_over(clocks, clock, barrier, warps);
    if (part_barrier(clock, barrier, warps, time)) return;
    whole_barrier(clocks, clock, warps, time);
    clocks->incomplete = true;
}
