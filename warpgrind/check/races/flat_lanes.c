/* flat_lanes.c - looks at the cells of 32 lanes at once (flat.h); compiled once for every processor level.
 *
 * Lanes that lie side by side have their cells side by side, and so they are judged and changed, sixteen at a
 * time. Rows of tiles are taken one after the other, as if each were an access of its own: a word that two
 * rows share has two users then. Other lanes' cells come from where the lanes point and go back; lanes that
 * share a word write over each other there: each looks for its own again, and a lane that does not find it
 * shared its word with a later one.
 */
#include "check/races/flat.h"

#include <string.h>

#ifdef __AVX2__
#include <immintrin.h>
#endif

#define FLAT_PASTE_(a, b) a##_##b
#define FLAT_PASTE(a, b) FLAT_PASTE_(a, b)
#define FLAT_SYMBOL(name) FLAT_PASTE(name, GPU_LEVEL)
#define FLAT_INLINE static inline __attribute__((always_inline))

FlatPass FLAT_SYMBOL(flat_pass);

enum { LANES = GPU_WARP_LANES, EIGHT = 8, SIXTEEN = 16 };
typedef uint32_t Cells __attribute__((vector_size(64), may_alias));

/* ---- sixteen cells ---- */

FLAT_INLINE Cells all(uint32_t value) {
    return value - (Cells){0};
}

/** In one instruction where there is one: to add up sixteen lanes takes longer than to judge them. */
FLAT_INLINE bool is_zero(Cells cells) {
#if defined(__AVX512F__)
    return _mm512_test_epi32_mask((__m512i)cells, (__m512i)cells) == 0;
#elif defined(__AVX2__)
    __m256i half[2];
    memcpy(half, &cells, sizeof half);
    const __m256i both = _mm256_or_si256(half[0], half[1]);
    return _mm256_testz_si256(both, both);
#else
    uint64_t parts[sizeof cells / 8], bits = 0;
    memcpy(parts, &cells, sizeof parts);
    for (unsigned i = 0; i < sizeof cells / 8; i++)
        bits |= parts[i];
    return bits == 0;
#endif
}

/** All ones in the lanes that take part. */
FLAT_INLINE Cells find_active(uint32_t lanes) {
    const Cells bit = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
    return (Cells)((all(lanes) & bit) == bit);
}

FLAT_INLINE Cells threads_from(const FlatTouch *touch, unsigned lane) {
    return all(touch->me + lane) + (Cells){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
}

/** What the cells are afterwards. A word that is only read, or only updated atomically, lets everybody do the
 * same; whoever is alone may do anything; a write needs the word for itself. */
FLAT_INLINE Cells judge(const FlatTouch *touch, Cells cell, Cells me, Cells *refused) {
    const uint32_t use = touch->use;
    const Cells ever = cell & all(FLAT_EVER_ATOMIC), differs = cell ^ me;
    const Cells stale = (Cells)((differs & all(FLAT_TIME)) != all(0));
    const Cells mine = (Cells)((differs & all(FLAT_TIME | FLAT_MANY | FLAT_THREAD)) == all(0));
    if (use == FLAT_OWN) {
        *refused = ~(stale | mine);
        return me | all(FLAT_OWN) | ever;
    }
    const Cells alike = (Cells)((cell & all(FLAT_USE)) == all(use));
    const Cells many = (Cells)((differs & all(FLAT_THREAD)) != all(0)) & all(FLAT_MANY);
    const Cells known = (alike & (cell | many)) | (~alike & (cell | all(FLAT_OWN)));
    *refused = ~(stale | alike | mine);
    return (stale & (me | all(use) | ever)) | (~stale & known) |
           all(use == FLAT_ATOMIC ? FLAT_EVER_ATOMIC : 0);
}

/** Up to sixteen lanes from `lane` on whose cells lie side by side; those that do not take part keep theirs.
 */
FLAT_INLINE bool pass_sixteen(const FlatTouch *touch, uint32_t *cells, unsigned lane, uint32_t lanes,
                              unsigned count) {
    Cells old = {0}, refused;
    memcpy(&old, cells, count * sizeof *cells);
    Cells now = judge(touch, old, threads_from(touch, lane), &refused);
    if (lanes != (1u << SIXTEEN) - 1) {
        const Cells active = find_active(lanes);
        now = (now & active) | (old & ~active);
        refused &= active;
    }
    memcpy(cells, &now, count * sizeof *cells);
    return is_zero(refused);
}

/* ---- lanes side by side, and rows ---- */

/** The word of lane 0, were it side by side with the first one: cells go on for 32 words on either side. */
FLAT_INLINE uint32_t *start_of(const FlatTouch *touch) {
    const unsigned first = (unsigned)__builtin_ctz(touch->lanes);
    return touch->cells + ((int64_t)(touch->offset[first] / 4) - first);
}

FLAT_INLINE bool pass_adjacent(const FlatTouch *touch) {
    uint32_t *cells = start_of(touch);
    return pass_sixteen(touch, cells, 0, touch->lanes & 0xffff, SIXTEEN) &&
           pass_sixteen(touch, cells + SIXTEEN, SIXTEEN, touch->lanes >> SIXTEEN, SIXTEEN);
}

/** Both halves of the warp in the same sixteen words, as when each reads one row of a tile. */
FLAT_INLINE bool share_sixteen(const FlatTouch *touch) {
    uint32_t *cells = touch->cells + touch->offset[0] / 4;
    Cells old, refused;
    memcpy(&old, cells, sizeof old);
    const Cells now = judge(touch, old, threads_from(touch, 0), &refused) | all(FLAT_MANY);
    memcpy(cells, &now, sizeof now);
    return touch->use != FLAT_OWN && is_zero((now & all(FLAT_USE)) ^ all(touch->use));
}

FLAT_INLINE bool halves_are_one(const uint32_t *offset) {
    const uint32_t eight = EIGHT * sizeof *offset;
    return offset[SIXTEEN] == offset[0] && offset[EIGHT] == offset[0] + eight &&
           offset[SIXTEEN + EIGHT] == offset[EIGHT];
}

/* Lanes in rows of eight or sixteen neighbours, as in tiles: each row is one vector comparison. */
FLAT_INLINE bool pass_rows(const FlatTouch *touch) {
    const uint32_t *offset = touch->offset;
    bool passes = true;
    if (halves_are_one(offset)) return share_sixteen(touch);
    for (unsigned lane = 0; lane < LANES && passes; lane += SIXTEEN) {
        uint32_t *row = touch->cells + offset[lane] / 4, *next = touch->cells + offset[lane + EIGHT] / 4;
        if (next == row + EIGHT)
            passes = pass_sixteen(touch, row, lane, 0xffff, SIXTEEN);
        else
            passes = pass_sixteen(touch, row, lane, 0xff, EIGHT) &&
                     pass_sixteen(touch, next, lane + EIGHT, 0xff, EIGHT);
    }
    return passes;
}

/** Each lane would be side by side with the others if all took part. */
FLAT_INLINE bool has_gaps(const FlatTouch *touch) {
    const unsigned first = (unsigned)__builtin_ctz(touch->lanes);
    const Cells steps = {0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60};
    const Cells start = all(touch->offset[first] - 4 * first) + steps;
    Cells low, high;
    memcpy(&low, touch->offset, sizeof low);
    memcpy(&high, touch->offset + SIXTEEN, sizeof high);
    const Cells differs = ((low ^ start) & find_active(touch->lanes)) |
                          ((high ^ (start + all(4 * SIXTEEN))) & find_active(touch->lanes >> SIXTEEN));
    return is_zero(differs);
}

/* ---- several lanes in one word ---- */

/** None of them writing: the word is new to the interval, or used like this already. */
FLAT_INLINE bool share_word(const FlatTouch *touch, unsigned lane) {
    uint32_t *cell = &touch->cells[touch->offset[lane] / 4], old = *cell;
    uint32_t ever = 0;
    if (touch->use == FLAT_ATOMIC) ever = FLAT_EVER_ATOMIC;
    const bool stale = ((old ^ touch->me) & FLAT_TIME) != 0;
    if (!stale && (old & FLAT_USE) != touch->use) return false;
    uint32_t now = old;
    if (stale) now = ((touch->me + lane) | touch->use | (old & FLAT_EVER_ATOMIC));
    *cell = now | ever | FLAT_MANY;
    return true;
}

FLAT_INLINE bool share_words(const FlatTouch *touch) {
    if (touch->use == FLAT_OWN) return false;
    if (touch->shape == FLAT_UNIFORM) return share_word(touch, (unsigned)__builtin_ctz(touch->lanes));
    bool shared = true;
    for (unsigned i = 0; i < LANES && shared; i += EIGHT)
        shared = share_word(touch, i);
    return shared;
}

/* ---- lanes anywhere ---- */

/* The lanes' cells side by side, for the vector code. A lane that takes no part gets an empty cell, which
 * allows everything. */
FLAT_INLINE void take_cells(const FlatTouch *touch, uint32_t *restrict row) {
    const uint32_t *cells = touch->cells;
    if (touch->lanes == UINT32_MAX) {
        for (unsigned i = 0; i < LANES; i++)
            row[i] = cells[touch->offset[i] / 4];
        return;
    }
    memset(row, 0, LANES * sizeof *row);
    for (uint32_t left = touch->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        row[lane] = cells[touch->offset[lane] / 4];
    }
}

/** The lanes whose cell is not as they left it. */
FLAT_INLINE uint32_t find_losers(const FlatTouch *touch, const uint32_t *restrict now) {
    uint32_t found[LANES], losers = 0;
    take_cells(touch, found);
    for (unsigned i = 0; i < LANES; i++)
        losers |= (uint32_t)(found[i] != now[i]) << i;
    return losers & touch->lanes;
}

/** Where lanes share words, the last lane's cell stays. */
FLAT_INLINE bool pass_anywhere(const FlatTouch *touch) {
    uint32_t row[LANES] __attribute__((aligned(64)));
    take_cells(touch, row);
    if (!pass_sixteen(touch, row, 0, touch->lanes & 0xffff, SIXTEEN) ||
        !pass_sixteen(touch, row + SIXTEEN, SIXTEEN, touch->lanes >> SIXTEEN, SIXTEEN))
        return false;
    for (uint32_t left = touch->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        touch->cells[touch->offset[lane] / 4] = row[lane];
    }
    uint32_t losers = find_losers(touch, row);
    if (touch->use == FLAT_OWN) return !losers;
    for (; losers; losers &= losers - 1)
        touch->cells[touch->offset[__builtin_ctz(losers)] / 4] |= FLAT_MANY;
    return true;
}

/* The compiled copy for one level of the processor: the shape of the access chooses the shortest loop that
 * is right for it. */
bool FLAT_SYMBOL(flat_pass)(const FlatTouch *touch) {
    const bool several = touch->lanes & (touch->lanes - 1);
    switch (touch->shape) {
    case FLAT_UNIFORM:
        if (several) return share_words(touch);
        return pass_adjacent(touch);
    case FLAT_STEPS:
        return share_words(touch);
    case FLAT_ADJACENT:
        return pass_adjacent(touch);
    case FLAT_ROWS:
        return pass_rows(touch);
    case FLAT_ANYWHERE:
        break;
    }
    if (has_gaps(touch)) return pass_adjacent(touch);
    return pass_anywhere(touch);
}
