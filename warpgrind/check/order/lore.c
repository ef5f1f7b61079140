/* lore.c - what blocks, warps and lanes have learnt through memory, and how it spreads where they meet.
 *
 * A thread knows what its block has learnt, its warp and its lane. A lane learns by itself; where all lanes
 * of the warp meet it becomes the warp's, and at a whole barrier the block's. So only warps that have fenced
 * or looked at a flag since the last whole barrier have a WarpLore.
 */
#include "check/order/releases.h"

#include <stdlib.h>

static void forget(Vectors *vectors, Lore *lore) {
    for (unsigned kind = 0; kind < LORE_KINDS; kind++) {
        vector_drop(vectors, lore->of[kind]);
        lore->of[kind] = NULL;
    }
}

static void learn(Vectors *vectors, Lore *to, const Lore *from) {
    for (unsigned kind = 0; kind < LORE_KINDS; kind++)
        vector_join(vectors, &to->of[kind], from->of[kind]);
}

static void learn_from_others(Vectors *vectors, WarpLore *lore, unsigned lane, const Lore *from) {
    learn(vectors, &lore->lanes[lane], from);
    lore->heard_at[lane] = lore->known_at[lane] = lore->covers[lane] = 0;
    lore->fresh &= ~(UINT32_C(1) << lane);
}

static void forget_warp(Vectors *vectors, WarpClock *warp) {
    if (!warp->lore) return;
    forget(vectors, &warp->lore->warp);
    for (unsigned lane = 0; lane < 32; lane++)
        forget(vectors, &warp->lore->lanes[lane]);
    free(warp->lore);
    warp->lore = NULL;
}

void lore_forget(Vectors *vectors, BlockClock *clock) {
    forget(vectors, &clock->lore);
    for (unsigned w = 0; w < clock->warp_count; w++)
        forget_warp(vectors, &clock->warps[w]);
}

WarpLore *lore_of_warp(Clocks *clocks, BlockClock *clock, unsigned warp) {
    WarpClock *mine = &clock->warps[warp];
    if (!mine->lore) mine->lore = calloc(1, sizeof *mine->lore);
    if (!mine->lore) clocks->vectors.lost = true;
    return mine->lore;
}

/* Lanes that fenced at the same time are one row. */
static unsigned fenced_rows(const uint32_t times[32], uint32_t lanes, unsigned warp, VectorRow rows[32]) {
    unsigned count = 0;
    while (lanes) {
        VectorRow row = {.warp = warp, .time = times[__builtin_ctz(lanes)]};
        for (unsigned lane = 0; lane < 32; lane++)
            if (lanes >> lane & 1 && times[lane] == row.time) row.lanes |= UINT32_C(1) << lane;
        lanes &= ~row.lanes;
        if (row.time) rows[count++] = row;
    }
    return count;
}

/* What these lanes have learnt and fenced. */
static void gather(Clocks *clocks, const BlockClock *clock, unsigned warp, uint32_t lanes, Lore *to) {
    const WarpLore *lore = clock->warps[warp].lore;
    uint32_t block = (uint32_t)clock->linear & ((1u << RECORD_BLOCK_BITS) - 1);
    VectorRow rows[32];
    for (uint32_t left = lanes; left; left &= left - 1)
        learn(&clocks->vectors, to, &lore->lanes[__builtin_ctz(left)]);
    unsigned count = fenced_rows(lore->fenced, lanes, warp, rows);
    vector_add(&clocks->vectors, &to->of[LORE_TELLS], block, 0, rows, count);
    count = fenced_rows(lore->fenced_far, lanes, warp, rows);
    vector_add(&clocks->vectors, &to->of[LORE_TELLS_FAR], block, 0, rows, count);
}

static void meet_in_warp(Clocks *clocks, const BlockClock *clock, unsigned warp) {
    WarpLore *lore = clock->warps[warp].lore;
    gather(clocks, clock, warp, UINT32_MAX, &lore->warp);
    lore->fresh = lore->ahead = 0;
    for (unsigned lane = 0; lane < 32; lane++) {
        lore->covers[lane] = 0;
        forget(&clocks->vectors, &lore->lanes[lane]);
        lore->fenced[lane] = lore->fenced_far[lane] = 0;
        lore->heard_at[lane] = lore->known_at[lane] = lore->saw[lane] = 0;
    }
}

/* After __syncwarp() each lane knows what any of them knew. When the whole warp takes part, the warp keeps
 * it once. */
void lore_meet(Clocks *clocks, BlockClock *clock, unsigned warp, uint32_t lanes, bool whole) {
    WarpLore *lore = clock->warps[warp].lore;
    if (!lore) return;
    if (whole) {
        meet_in_warp(clocks, clock, warp);
        return;
    }
    Lore common = {0};
    gather(clocks, clock, warp, lanes, &common);
    for (; lanes; lanes &= lanes - 1)
        learn_from_others(&clocks->vectors, lore, (unsigned)__builtin_ctz(lanes), &common);
    forget(&clocks->vectors, &common);
}

static void forget_one(Vectors *vectors, Vector **vector) {
    vector_drop(vectors, *vector);
    *vector = NULL;
}

/* Whoever has fenced since the last whole barrier tells all that the block told before, and more; whoever is
 * ahead knows all that the block knew. */
static void renew(Vectors *vectors, BlockClock *clock, unsigned warps) {
    bool renewed = false, renewed_far = false, ahead = false;
    for (unsigned w = 0; w < warps; w++) {
        const WarpLore *lore = clock->warps[w].lore;
        renewed |= lore && lore->renewed;
        renewed_far |= lore && lore->renewed_far;
        ahead |= lore && lore->ahead;
    }
    if (ahead) forget_one(vectors, &clock->lore.of[LORE_KNOWN]);
    if (renewed) forget_one(vectors, &clock->lore.of[LORE_TELLS]);
    if (renewed_far) forget_one(vectors, &clock->lore.of[LORE_TELLS_FAR]);
}

void lore_meet_all(Clocks *clocks, BlockClock *clock, unsigned warps) {
    renew(&clocks->vectors, clock, warps);
    for (unsigned w = 0; w < warps; w++) {
        if (!clock->warps[w].lore) continue;
        meet_in_warp(clocks, clock, w);
        learn(&clocks->vectors, &clock->lore, &clock->warps[w].lore->warp);
        forget_warp(&clocks->vectors, &clock->warps[w]);
    }
}

/* At a barrier of part of the block, those who wait learn what those who arrived know, and nobody else
 * does. */
void lore_hand_over(Clocks *clocks, BlockClock *clock, const GpuBarrier *barrier, unsigned warps) {
    Lore common = {0};
    bool any = false;
    for (unsigned w = 0; w < warps; w++) {
        const WarpLore *lore = clock->warps[w].lore;
        if (!barrier->arrived[w] || !lore) continue;
        learn(&clocks->vectors, &common, &lore->warp);
        gather(clocks, clock, w, barrier->arrived[w], &common);
        any = true;
    }
    for (unsigned w = 0; w < warps && any; w++) {
        WarpLore *lore = NULL;
        if (barrier->waiting[w]) lore = lore_of_warp(clocks, clock, w);
        for (uint32_t lanes = barrier->waiting[w]; lore && lanes; lanes &= lanes - 1)
            learn_from_others(&clocks->vectors, lore, (unsigned)__builtin_ctz(lanes), &common);
    }
    forget(&clocks->vectors, &common);
}

Vector *lore_of_lane(Clocks *clocks, const BlockClock *clock, unsigned warp, unsigned lane, LoreKind kind) {
    const WarpLore *lore = clock->warps[warp].lore;
    if (lore && kind == LORE_KNOWN && lore->ahead >> lane & 1) return vector_keep(lore->lanes[lane].of[kind]);
    Vector *all = vector_keep(clock->lore.of[kind]);
    if (!lore) return all;
    vector_join(&clocks->vectors, &all, lore->warp.of[kind]);
    vector_join(&clocks->vectors, &all, lore->lanes[lane].of[kind]);
    return all;
}
