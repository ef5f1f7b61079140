/* flat_lanes.c - looks at the cells of 32 lanes at once (flat.h); compiled once for every processor level.
 *
 * Cells come from where the lanes point, are judged and changed in rows of 32, and go back. Lanes that share
 * a word would write over each other: after the cells have gone back each lane looks for its own again, and a
 * lane that does not find it shared its word with a later one.
 */
#include "check/flat.h"

#include <string.h>

#define FLAT_PASTE_(a, b) a##_##b
#define FLAT_PASTE(a, b) FLAT_PASTE_(a, b)
#define FLAT_SYMBOL(name) FLAT_PASTE(name, GPU_LEVEL)
#define FLAT_INLINE static inline __attribute__((always_inline))

FlatPass FLAT_SYMBOL(flat_pass);

enum { LANES = GPU_WARP_LANES, EIGHT = 8 };
typedef uint32_t Row[LANES] __attribute__((aligned(64)));

FLAT_INLINE void take_adjacent(const FlatTouch *touch, uint32_t *restrict row) {
    const unsigned first = (unsigned)__builtin_ctz(touch->lanes),
                   count = (unsigned)__builtin_popcount(touch->lanes);
    const uint32_t *from = touch->cells + touch->offset[first] / 4;
    if (count == LANES) {
        memcpy(row, from, sizeof(Row));
        return;
    }
    memset(row, 0, sizeof(Row));
    for (unsigned i = 0; i < count; i++)
        row[first + i] = from[i];
}

FLAT_INLINE void take_anywhere(const FlatTouch *touch, uint32_t *restrict row) {
    const uint32_t *cells = touch->cells;
    if (touch->lanes == UINT32_MAX) {
        for (unsigned i = 0; i < LANES; i++)
            row[i] = cells[touch->offset[i] / 4];
        return;
    }
    memset(row, 0, sizeof(Row));
    for (uint32_t left = touch->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        row[lane] = cells[touch->offset[lane] / 4];
    }
}

FLAT_INLINE void repeat(uint32_t *restrict row, uint32_t cell, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        row[i] = cell;
}

/** The word of lane 0, were it side by side with the others. */
FLAT_INLINE uint32_t start_of(const FlatTouch *touch) {
    const unsigned first = (unsigned)__builtin_ctz(touch->lanes);
    return touch->offset[first] / 4 - first;
}

FLAT_INLINE void take_cells(const FlatTouch *touch, uint32_t *restrict row) {
    const uint32_t *cells = touch->cells;
    switch (touch->shape) {
    case FLAT_UNIFORM:
        repeat(row, cells[touch->offset[__builtin_ctz(touch->lanes)] / 4], LANES);
        return;
    case FLAT_STEPS:
        for (unsigned i = 0; i < LANES; i += EIGHT)
            repeat(row + i, cells[touch->offset[i] / 4], EIGHT);
        return;
    case FLAT_ROWS:
        for (unsigned i = 0; i < LANES; i += EIGHT)
            memcpy(row + i, cells + touch->offset[i] / 4, EIGHT * sizeof *row);
        return;
    case FLAT_ADJACENT:
        take_adjacent(touch, row);
        return;
    case FLAT_GAPS:
        memcpy(row, cells + start_of(touch), sizeof(Row));
        return;
    case FLAT_ANYWHERE:
        take_anywhere(touch, row);
    }
}

/** Where lanes share words by the shape, the words are known to have several users; else the last lane's cell
 * stays. */
FLAT_INLINE void put_cells(const FlatTouch *touch, const uint32_t *restrict row) {
    uint32_t *cells = touch->cells;
    const unsigned first = (unsigned)__builtin_ctz(touch->lanes);
    switch (touch->shape) {
    case FLAT_UNIFORM:
        cells[touch->offset[first] / 4] = row[first] | (touch->lanes & (touch->lanes - 1) ? FLAT_MANY : 0);
        return;
    case FLAT_STEPS:
        for (unsigned i = 0; i < LANES; i += EIGHT)
            cells[touch->offset[i] / 4] = row[i] | FLAT_MANY;
        return;
    case FLAT_ROWS:
        for (unsigned i = 0; i < LANES; i += EIGHT)
            memcpy(cells + touch->offset[i] / 4, row + i, EIGHT * sizeof *row);
        return;
    case FLAT_ADJACENT:
        memcpy(cells + touch->offset[first] / 4, row + first,
               (size_t)__builtin_popcount(touch->lanes) * sizeof *row);
        return;
    case FLAT_GAPS: /* lanes that do not take part have their cells as they were */
        memcpy(cells + start_of(touch), row, sizeof(Row));
        return;
    case FLAT_ANYWHERE:
        for (uint32_t left = touch->lanes; left; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            cells[touch->offset[lane] / 4] = row[lane];
        }
    }
}

/** All ones in the lanes that take part. */
FLAT_INLINE void find_active(uint32_t lanes, uint32_t *restrict active) {
    for (unsigned i = 0; i < LANES; i++)
        active[i] = 0 - (lanes >> i & 1);
}

/** A word that is only read, or only updated atomically, lets everybody do the same; whoever is alone may do
 * anything. Returns whether a lane is refused. */
FLAT_INLINE bool judge_shared(const FlatTouch *touch, const uint32_t *restrict old, uint32_t *restrict now,
                              const uint32_t *restrict active, uint32_t *changed) {
    const uint32_t use = touch->use, ever = use == FLAT_ATOMIC ? FLAT_EVER_ATOMIC : 0;
    const uint32_t time = touch->me & FLAT_TIME;
    uint32_t refused = 0, differs = 0;
    for (unsigned i = 0; i < LANES; i++) {
        const uint32_t cell = old[i], me = touch->me + i, keeps = (cell & FLAT_EVER_ATOMIC) | ever;
        const uint32_t stale = (cell & FLAT_TIME) != time ? UINT32_MAX : 0;
        const uint32_t alike = (cell & FLAT_USE) == use ? UINT32_MAX : 0;
        const uint32_t mine = ((cell ^ me) & (FLAT_TIME | FLAT_MANY | FLAT_THREAD)) == 0 ? UINT32_MAX : 0;
        const uint32_t many = ((cell ^ me) & FLAT_THREAD) != 0 ? FLAT_MANY : 0;
        const uint32_t fresh = me | use, joined = cell | many, mixed = cell | FLAT_OWN;
        const uint32_t next = (stale & fresh) | (~stale & ((alike & joined) | (~alike & mixed)));
        refused |= ~(stale | alike | mine) & active[i];
        now[i] = (next & ~(uint32_t)FLAT_EVER_ATOMIC) | keeps;
        differs |= (now[i] ^ cell) & active[i];
    }
    *changed = differs;
    return refused;
}

/** A write needs the word for itself. */
FLAT_INLINE bool judge_write(const FlatTouch *touch, const uint32_t *restrict old, uint32_t *restrict now,
                             const uint32_t *restrict active) {
    const uint32_t time = touch->me & FLAT_TIME;
    uint32_t refused = 0;
    for (unsigned i = 0; i < LANES; i++) {
        const uint32_t cell = old[i], me = touch->me + i;
        const uint32_t stale = (cell & FLAT_TIME) != time ? UINT32_MAX : 0;
        const uint32_t mine = ((cell ^ me) & (FLAT_TIME | FLAT_MANY | FLAT_THREAD)) == 0 ? UINT32_MAX : 0;
        refused |= ~(stale | mine) & active[i];
        now[i] = me | FLAT_OWN | (cell & FLAT_EVER_ATOMIC);
    }
    return refused;
}

/** The lanes whose cell is not as they left it. */
FLAT_INLINE uint32_t find_losers(const FlatTouch *touch, const uint32_t *restrict now) {
    Row found;
    uint32_t losers = 0;
    take_cells(touch, found);
    for (unsigned i = 0; i < LANES; i++)
        losers |= (uint32_t)(found[i] != now[i]) << i;
    return losers & touch->lanes;
}

/** Each lane would be side by side with the others if all took part, and the cells of all 32 are there. */
FLAT_INLINE bool has_gaps(const FlatTouch *touch, const uint32_t *restrict active) {
    const uint32_t start = start_of(touch);
    uint32_t differs = 0;
    if (start > touch->words || touch->words - start < LANES) return false;
    for (unsigned i = 0; i < LANES; i++)
        differs |= (touch->offset[i] - 4 * (start + i)) & active[i];
    return !differs;
}

FLAT_INLINE void leave_idle_cells(uint32_t *restrict now, const uint32_t *restrict old,
                                  const uint32_t *restrict active) {
    for (unsigned i = 0; i < LANES; i++)
        now[i] = (now[i] & active[i]) | (old[i] & ~active[i]);
}

/** All of these words have had several users of this kind already: one more changes nothing. */
FLAT_INLINE bool is_settled(const FlatTouch *touch, const uint32_t *cells, unsigned count) {
    const uint32_t mask = FLAT_TIME | FLAT_USE | FLAT_MANY;
    const uint32_t wanted = (touch->me & FLAT_TIME) | touch->use | FLAT_MANY;
    uint32_t differs = 0;
    for (unsigned i = 0; i < count; i++)
        differs |= (cells[i] ^ wanted) & mask;
    return !differs;
}

FLAT_INLINE bool rows_are_settled(const FlatTouch *touch) {
    bool settled = true;
    for (unsigned i = 0; i < LANES && settled; i += EIGHT)
        settled = is_settled(touch, touch->cells + touch->offset[i] / 4, EIGHT);
    return settled;
}

/** Several lanes in one word, none of them writing: it is new to the interval, or used like this already. */
FLAT_INLINE bool share_word(const FlatTouch *touch, unsigned lane) {
    uint32_t *cell = &touch->cells[touch->offset[lane] / 4], old = *cell;
    const uint32_t ever = touch->use == FLAT_ATOMIC ? FLAT_EVER_ATOMIC : 0;
    const bool stale = ((old ^ touch->me) & FLAT_TIME) != 0;
    if (!stale && (old & FLAT_USE) != touch->use) return false;
    const uint32_t now = stale ? ((touch->me + lane) | touch->use | (old & FLAT_EVER_ATOMIC)) : old;
    *cell = now | ever | FLAT_MANY;
    return true;
}

FLAT_INLINE bool share_words(const FlatTouch *touch) {
    if (touch->shape == FLAT_UNIFORM) return share_word(touch, (unsigned)__builtin_ctz(touch->lanes));
    bool shared = true;
    for (unsigned i = 0; i < LANES && shared; i += EIGHT)
        shared = share_word(touch, i);
    return shared;
}

FLAT_INLINE bool pass_lanes(const FlatTouch *touch, const uint32_t *restrict active) {
    Row old, now;
    uint32_t changed = 1;
    const bool writes = touch->use == FLAT_OWN;
    take_cells(touch, old);
    if (writes ? judge_write(touch, old, now, active) : judge_shared(touch, old, now, active, &changed))
        return false;
    if (!changed) return true;
    if (touch->shape == FLAT_GAPS) leave_idle_cells(now, old, active);
    put_cells(touch, now);
    if (touch->shape != FLAT_ROWS && touch->shape != FLAT_ANYWHERE) return true;
    uint32_t losers = find_losers(touch, now);
    if (writes) return !losers;
    for (; losers; losers &= losers - 1)
        touch->cells[touch->offset[__builtin_ctz(losers)] / 4] |= FLAT_MANY;
    return true;
}

bool FLAT_SYMBOL(flat_pass)(const FlatTouch *touch) {
    Row active;
    const bool writes = touch->use == FLAT_OWN, several = touch->lanes & (touch->lanes - 1);
    if (several && (touch->shape == FLAT_UNIFORM || touch->shape == FLAT_STEPS))
        return !writes && share_words(touch);
    if (!writes && touch->shape == FLAT_ROWS && rows_are_settled(touch)) return true;
    find_active(touch->lanes, active);
    if (touch->shape == FLAT_ANYWHERE && has_gaps(touch, active)) {
        FlatTouch gaps = *touch;
        gaps.shape = FLAT_GAPS;
        return pass_lanes(&gaps, active);
    }
    return pass_lanes(touch, active);
}
