/* vectors.c - see vectors.h. A tree over block numbers: a leaf for each block, and above them branches that
 * name the highest bit in which the blocks on either side differ. */
#include "check/order/vectors.h"
#include "base/minmax.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 32, WARPS = 32, MOST_ROWS = LANES * WARPS };

struct Vector {
    uint32_t references;
    uint32_t bit;   /**< of a branch: blocks with it set are on the right; 0: a leaf */
    uint32_t block; /**< of a branch: the bits above `bit` that all its blocks share */
    uint32_t base;
    uint32_t count;
    Vector *left, *right;
    VectorRow rows[]; /**< of a leaf: by warp, the latest time first, every lane in one row at most */
};

/* ---- life ---- */

Vector *vector_keep(Vector *vector) {
    if (vector) vector->references++;
    return vector;
}

static uint64_t bytes_of(unsigned count) {
    return sizeof(Vector) + count * sizeof(VectorRow);
}

void vector_drop(Vectors *vectors, Vector *vector) {
    while (vector && --vector->references == 0) {
        Vector *right = vector->right;
        vector_drop(vectors, vector->left);
        vectors->bytes -= bytes_of(vector->count);
        free(vector);
        vector = right;
    }
}

static Vector *vector_make(Vectors *vectors, unsigned count) {
    bool room = vectors->bytes + bytes_of(count) <= VECTORS_MOST_BYTES;
    Vector *vector = NULL;
    if (room) vector = malloc(bytes_of(count));
    if (!vector) {
        vectors->lost = true;
        return NULL;
    }
    vectors->bytes += bytes_of(count);
    *vector = (Vector){.references = 1, .count = count};
    return vector;
}

/** Takes both sides over. */
static Vector *branch_make(Vectors *vectors, uint32_t bit, uint32_t block, Vector *left, Vector *right) {
    Vector *branch = vector_make(vectors, 0);
    if (!branch) {
        vector_drop(vectors, right);
        return left;
    }
    branch->bit = bit;
    branch->block = block & ~(2 * bit - 1);
    branch->left = left;
    branch->right = right;
    return branch;
}

/* ---- leaves ---- */

typedef struct LeafDraft {
    uint32_t base;
    unsigned count;
    VectorRow rows[MOST_ROWS];
} LeafDraft;

/** The rows of one warp: lanes of the same time together. */
static void draft_warp(LeafDraft *draft, uint32_t warp, const uint32_t times[LANES]) {
    uint32_t below = UINT32_MAX;
    for (;;) {
        VectorRow row = {.warp = warp, .time = draft->base};
        for (unsigned lane = 0; lane < LANES; lane++) {
            if (times[lane] >= below || times[lane] < row.time) continue;
            if (times[lane] > row.time) row.lanes = 0;
            row.time = times[lane];
            row.lanes |= UINT32_C(1) << lane;
        }
        if (row.time <= draft->base) return;
        draft->rows[draft->count++] = row;
        below = row.time;
    }
}

static void latest(uint32_t times[LANES], const VectorRow *row) {
    for (uint32_t lanes = row->lanes; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        if (row->time > times[lane]) times[lane] = row->time;
    }
}

static uint32_t warps_of(const VectorRow *rows, unsigned count) {
    uint32_t warps = 0;
    for (unsigned i = 0; i < count; i++)
        warps |= UINT32_C(1) << rows[i].warp % WARPS;
    return warps;
}

/* Warp by warp the later of the two times for each lane: the leaf that knows what either one knew. */
static void draft_join(LeafDraft *draft, uint32_t base, const VectorRow *a, unsigned a_count,
                       const VectorRow *b, unsigned b_count) {
    draft->base = base;
    draft->count = 0;
    for (uint32_t warps = warps_of(a, a_count) | warps_of(b, b_count); warps; warps &= warps - 1) {
        uint32_t times[LANES] = {0}, warp = (uint32_t)__builtin_ctz(warps);
        for (unsigned i = 0; i < a_count; i++)
            if (a[i].warp == warp) latest(times, &a[i]);
        for (unsigned i = 0; i < b_count; i++)
            if (b[i].warp == warp) latest(times, &b[i]);
        draft_warp(draft, warp, times);
    }
}

static bool draft_is(const LeafDraft *draft, const Vector *leaf) {
    return draft->base == leaf->base && draft->count == leaf->count &&
           memcmp(draft->rows, leaf->rows, draft->count * sizeof draft->rows[0]) == 0;
}

static Vector *leaf_make(Vectors *vectors, uint32_t block, const LeafDraft *draft) {
    Vector *leaf = vector_make(vectors, draft->count);
    if (!leaf) return NULL;
    leaf->block = block;
    leaf->base = draft->base;
    memcpy(leaf->rows, draft->rows, draft->count * sizeof draft->rows[0]);
    return leaf;
}

static Vector *leaf_join(Vectors *vectors, Vector *a, Vector *b) {
    LeafDraft draft;
    draft_join(&draft, MAX(a->base, b->base), a->rows, a->count, b->rows, b->count);
    if (draft_is(&draft, a)) return vector_keep(a);
    if (draft_is(&draft, b)) return vector_keep(b);
    Vector *leaf = leaf_make(vectors, a->block, &draft);
    if (leaf) return leaf;
    return vector_keep(a);
}

/* ---- joining ---- */

static bool is_under(const Vector *branch, uint32_t block) {
    return (block & ~(2 * branch->bit - 1)) == branch->block;
}

/** Two trees without a block in common. */
static Vector *side_by_side(Vectors *vectors, Vector *a, Vector *b) {
    uint32_t bit = UINT32_C(1) << (31 - __builtin_clz(a->block ^ b->block));
    if (a->block & bit) return branch_make(vectors, bit, a->block, vector_keep(b), vector_keep(a));
    return branch_make(vectors, bit, a->block, vector_keep(a), vector_keep(b));
}

static Vector *joined(Vectors *vectors, Vector *a, Vector *b);

/** `under` belongs below one side of the branch. */
static Vector *join_below(Vectors *vectors, Vector *branch, Vector *under) {
    bool right = (under->block & branch->bit) != 0;
    Vector *old = right ? branch->right : branch->left, *side = joined(vectors, old, under);
    if (side == old) {
        vector_drop(vectors, side);
        return vector_keep(branch);
    }
    if (right) return branch_make(vectors, branch->bit, branch->block, vector_keep(branch->left), side);
    return branch_make(vectors, branch->bit, branch->block, side, vector_keep(branch->right));
}

static Vector *join_branches(Vectors *vectors, Vector *a, Vector *b) {
    Vector *left = joined(vectors, a->left, b->left), *right = joined(vectors, a->right, b->right);
    bool like_a = left == a->left && right == a->right, like_b = left == b->left && right == b->right;
    if (!like_a && !like_b) return branch_make(vectors, a->bit, a->block, left, right);
    vector_drop(vectors, left);
    vector_drop(vectors, right);
    return vector_keep(like_a ? a : b);
}

/** What either knows; one of the two itself where that is all. */
static Vector *joined(Vectors *vectors, Vector *a, Vector *b) {
    if (a == b) return vector_keep(a);
    if (!a->bit && !b->bit && a->block == b->block) return leaf_join(vectors, a, b);
    if (a->bit && a->bit == b->bit && a->block == b->block) return join_branches(vectors, a, b);
    if (a->bit > b->bit && is_under(a, b->block)) return join_below(vectors, a, b);
    if (b->bit > a->bit && is_under(b, a->block)) return join_below(vectors, b, a);
    return side_by_side(vectors, a, b);
}

static void forget_join(Vectors *vectors, VectorJoin *join) {
    vector_drop(vectors, join->a);
    vector_drop(vectors, join->b);
    vector_drop(vectors, join->both);
    *join = (VectorJoin){0};
}

void vectors_clear(Vectors *vectors) {
    for (unsigned i = 0; i < VECTORS_CACHED; i++)
        forget_join(vectors, &vectors->cache[i]);
}

static Vector *joined_once(Vectors *vectors, Vector *a, Vector *b) {
    uint64_t hash = ((uintptr_t)a * 3 + (uintptr_t)b) * UINT64_C(0x9E3779B97F4A7C15);
    VectorJoin *join = &vectors->cache[hash >> 58];
    if (join->a != a || join->b != b) {
        Vector *both = joined(vectors, a, b);
        forget_join(vectors, join);
        *join = (VectorJoin){vector_keep(a), vector_keep(b), both};
    }
    return vector_keep(join->both);
}

void vector_join(Vectors *vectors, Vector **to, Vector *from) {
    if (!from || from == *to) return;
    Vector *old = *to;
    if (!old)
        *to = vector_keep(from);
    else
        *to = old->bit && from->bit ? joined_once(vectors, old, from) : joined(vectors, old, from);
    vector_drop(vectors, old);
}

void vector_add(Vectors *vectors, Vector **to, uint32_t block, uint32_t base, const VectorRow *rows,
                unsigned count) {
    LeafDraft draft;
    draft_join(&draft, base, rows, count, NULL, 0);
    if (!draft.base && !draft.count) return;
    Vector *leaf = leaf_make(vectors, block, &draft);
    vector_join(vectors, to, leaf);
    vector_drop(vectors, leaf);
}

bool vector_knows(const Vector *vector, uint32_t block, uint32_t thread, uint32_t time) {
    while (vector && vector->bit)
        vector = block & vector->bit ? vector->right : vector->left;
    if (!vector || vector->block != block) return false;
    bool known = time < vector->base;
    for (unsigned i = 0; i < vector->count && !known; i++)
        known = vector->rows[i].warp == thread / LANES && vector->rows[i].lanes >> thread % LANES & 1 &&
                time < vector->rows[i].time;
    return known;
}
