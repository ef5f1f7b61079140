/* releases_fence.c - what a fence makes of what its lanes know: from then on their strong writes tell it; see
 * releases.h.
 */
#include "check/order/releases.h"

#include <string.h>

/** What a lane knows of its own block without having looked anywhere, as rows of a vector. */
static unsigned own_rows(const BlockClock *clock, unsigned warp, unsigned lane, VectorRow *rows) {
    const WarpClock *mine = &clock->warps[warp];
    unsigned count = 0;
    rows[count++] = (VectorRow){.warp = warp, .lanes = UINT32_MAX, .time = mine->sync_time};
    for (unsigned other = 0; mine->lanes && other < 32; other++)
        rows[count++] =
            (VectorRow){.warp = warp, .lanes = UINT32_C(1) << other, .time = mine->lanes[lane][other]};
    for (unsigned other = 0; mine->known && other < CLOCK_WARPS; other++)
        rows[count++] = (VectorRow){.warp = other, .lanes = UINT32_MAX, .time = mine->known[other]};
    return count;
}

static Vector *knowledge_of(Clocks *clocks, const BlockClock *clock, unsigned warp, unsigned lane) {
    VectorRow rows[1 + 32 + CLOCK_WARPS];
    Vector *all = lore_of_lane(clocks, clock, warp, lane, LORE_KNOWN);
    unsigned count = own_rows(clock, warp, lane, rows);
    vector_add(&clocks->vectors, &all, clocks_record_block(clock), clock->barrier_time, rows, count);
    return all;
}

/** What was heard, to be known or to be remembered otherwise. */
static void take_heard(Clocks *clocks, BlockClock *clock, unsigned warp, unsigned lane, LoreKind heard,
                       LoreKind as) {
    Vector **of = clock->warps[warp].lore->lanes[lane].of;
    Vector *all = lore_of_lane(clocks, clock, warp, lane, heard);
    vector_join(&clocks->vectors, &of[as], all);
    vector_drop(&clocks->vectors, all);
    if (as != LORE_KNOWN) return;
    vector_replace(&clocks->vectors, &of[heard], NULL);
    clock->warps[warp].lore->known_at[lane] = 0;
}

/** Blocks that all wait for each other at one place: what a lane heard there covers what it knew. */
static void take_covering(Vectors *vectors, WarpLore *lore, unsigned lane) {
    Vector **of = lore->lanes[lane].of;
    if (!of[LORE_HEARD_FAR] || !lore->covers[lane] || lore->heard_at[lane] != lore->covers[lane]) return;
    vector_replace(vectors, &of[LORE_KNOWN], of[LORE_HEARD_FAR]);
    vector_replace(vectors, &of[LORE_HEARD_FAR], NULL);
    lore->ahead |= UINT32_C(1) << lane;
}

/* What the lane knows at the fence is what its strong writes tell from now on, and what it has heard by
 * relaxed reads counts as known. A fence of the block's scope tells the own block only (PTX ISA 8.8,
 * causality order). */
static void fence_lane(Clocks *clocks, BlockClock *clock, unsigned warp, unsigned lane, bool far) {
    WarpLore *lore = clock->warps[warp].lore;
    if (far) take_covering(&clocks->vectors, lore, lane);
    take_heard(clocks, clock, warp, lane, LORE_HEARD, LORE_KNOWN);
    take_heard(clocks, clock, warp, lane, LORE_HEARD_FAR, far ? LORE_KNOWN : LORE_TOO_NEAR);
    Vector *all = knowledge_of(clocks, clock, warp, lane);
    vector_replace(&clocks->vectors, &lore->lanes[lane].of[LORE_TELLS], all);
    if (far) {
        vector_replace(&clocks->vectors, &lore->lanes[lane].of[LORE_TELLS_FAR], all);
        lore->fresh |= UINT32_C(1) << lane;
    }
    lore->covers[lane] = 0;
    vector_drop(&clocks->vectors, all);
}

/** The lanes have learnt the same so far: what a fence makes of it is the same too. */
static bool alike(const WarpLore *lore, unsigned a, unsigned b) {
    return memcmp(&lore->lanes[a], &lore->lanes[b], sizeof lore->lanes[a]) == 0;
}

static void copy_lore(Vectors *vectors, Lore *to, const Lore *from) {
    for (unsigned kind = 0; kind < LORE_KINDS; kind++)
        vector_replace(vectors, &to->of[kind], from->of[kind]);
}

static void copy_marks(WarpLore *lore, unsigned to, unsigned from) {
    uint32_t bit = UINT32_C(1) << to;
    lore->heard_at[to] = lore->known_at[to] = lore->covers[to] = 0;
    if (lore->fresh >> from & 1)
        lore->fresh = lore->fresh | bit;
    else
        lore->fresh = lore->fresh & ~bit;
    if (lore->ahead >> from & 1)
        lore->ahead = lore->ahead | bit;
    else
        lore->ahead = lore->ahead & ~bit;
}

/* Lanes that know the same, as all lanes of most warps do, share the first one's result. */
void releases_fence(Clocks *clocks, const GpuWarp *warp, uint32_t lanes, PtxScope scope) {
    BlockClock *clock = &clocks->blocks[gpu_block_slot(gpu_warp_block(warp))];
    unsigned index = gpu_warp_index(warp), first = check_first_lane(lanes);
    bool far = scope != PTX_SCOPE_CTA;
    WarpLore *lore = lore_of_warp(clocks, clock, index);
    uint32_t time = clocks_advance(clock), like_first = 0;
    clocks->fenced = true;
    if (!lore) return;
    lore->renewed = true;
    lore->renewed_far |= far;
    for (unsigned lane = first; lane < 32; lane++)
        if (!clock->warps[index].lanes && alike(lore, first, lane)) like_first |= UINT32_C(1) << lane;
    for (unsigned lane = first; lane < 32; lane++) {
        if (!(lanes >> lane & 1)) continue;
        lore->fenced[lane] = time;
        if (far) lore->fenced_far[lane] = time;
        if (lane != first && like_first >> lane & 1) {
            copy_lore(&clocks->vectors, &lore->lanes[lane], &lore->lanes[first]);
            copy_marks(lore, lane, first);
        } else
            fence_lane(clocks, clock, index, lane, far);
    }
}
