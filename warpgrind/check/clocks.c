/* clocks.c - barriers and warp barriers; fences with atomics are in releases.c. */
#include "check/clocks.h"
#include "check/releases.h"

#include <stdlib.h>
#include <string.h>

bool clocks_init(Clocks *clocks) {
    clocks->releases = releases_create();
    return clocks->releases != NULL;
}

static void forget_details(WarpClock *warp) {
    free(warp->lanes);
    free(warp->known);
}

void clocks_free(Clocks *clocks) {
    for (unsigned b = 0; b < clocks->used; b++)
        for (unsigned w = 0; w < CLOCK_WARPS; w++)
            forget_details(&clocks->blocks[b].warps[w]);
    releases_destroy(clocks->releases);
}

void clocks_launch_begin(Clocks *clocks) {
    clocks->fenced = false;
    releases_clear(clocks->releases);
}

void clocks_block_begin(Clocks *clocks, const GpuBlock *block) {
    BlockClock *clock = &clocks->blocks[gpu_block_slot(block)];
    if (gpu_block_slot(block) >= clocks->used) clocks->used = gpu_block_slot(block) + 1;
    for (unsigned w = 0; w < CLOCK_WARPS; w++)
        forget_details(&clock->warps[w]);
    memset(clock, 0, sizeof *clock);
    clock->linear = gpu_block_linear(block);
    clock->time = 1;
}

static BlockClock *clock_of(Clocks *clocks, const GpuBlock *block) {
    return &clocks->blocks[gpu_block_slot(block)];
}

/* A time later than every access so far. Without an access since the last one, that one will do. */
static uint32_t advance(BlockClock *clock) {
    if (clock->touched) {
        clock->touched = false;
        clock->time++;
        if (clock->time >= RECORD_TIME_OLD - 1) clock->exhausted = true;
    }
    return clock->time;
}

uint32_t clocks_advance(BlockClock *clock) {
    return advance(clock);
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
    if (!sync_warp(&clock->warps[gpu_warp_index(warp)], lanes, gpu_warp_alive(warp), advance(clock)))
        clocks->incomplete = true;
}

/* ---- barriers ---- */

static void knowledge_add(Knowledge *to, Acquired acquired) {
    for (unsigned i = 0; i < to->count; i++) {
        if (to->list[i].location != acquired.location) continue;
        if (acquired.sequence > to->list[i].sequence) to->list[i].sequence = acquired.sequence;
        return;
    }
    if (to->count == CLOCK_ACQUIRED)
        to->everything = true;
    else
        to->list[to->count++] = acquired;
}

void clocks_learn(Knowledge *to, Acquired acquired) {
    knowledge_add(to, acquired);
}

static void knowledge_join(Knowledge *to, const Knowledge *from) {
    to->everything |= from->everything;
    for (unsigned i = 0; i < from->count; i++)
        knowledge_add(to, from->list[i]);
}

static bool everyone_waits(const GpuBarrier *barrier, unsigned warps) {
    return !barrier->waiting || !barrier->arrived ||
           memcmp(barrier->waiting, barrier->arrived, warps * sizeof barrier->arrived[0]) == 0;
}

static void whole_barrier(BlockClock *clock, unsigned warps, uint32_t time) {
    clock->barrier_time = time;
    for (unsigned w = 0; w < warps; w++)
        knowledge_join(&clock->knowledge, &clock->warps[w].knowledge);
}

/* What those who arrived know and did, those who waited know afterwards; false without memory. */
static bool part_barrier(BlockClock *clock, const GpuBarrier *barrier, unsigned warps, uint32_t time) {
    uint32_t known[CLOCK_WARPS] = {0};
    Knowledge knowledge = {0};
    bool known_to_all = true;
    for (unsigned w = 0; w < warps; w++) {
        if (!barrier->arrived[w]) continue;
        if (clock->warps[w].known) max_into(known, clock->warps[w].known, CLOCK_WARPS);
        knowledge_join(&knowledge, &clock->warps[w].knowledge);
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
        knowledge_join(&warp->knowledge, &knowledge);
        known_to_all &= sync_warp(warp, barrier->waiting[w], barrier->waiting[w] | barrier->arrived[w], time);
    }
    return known_to_all;
}

void clocks_barrier(Clocks *clocks, const GpuBarrier *barrier) {
    BlockClock *clock = clock_of(clocks, barrier->block);
    unsigned warps = (gpu_block_threads(barrier->block) + 31) / 32;
    if (warps > CLOCK_WARPS) warps = CLOCK_WARPS;
    uint32_t time = advance(clock);
    if (barrier->whole_block && everyone_waits(barrier, warps)) {
        whole_barrier(clock, warps, time);
    } else if (!part_barrier(clock, barrier, warps, time)) {
        whole_barrier(clock, warps, time);
        clocks->incomplete = true;
    }
}
