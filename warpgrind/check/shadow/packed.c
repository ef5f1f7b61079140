/* packed.c - see packed.h. */
#include "check/shadow/packed.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PERIOD = 64, MOST_CELLS = 8192, GAIN = 4, START_WORDS = 64 };
enum { PERIOD_SHIFT = 16, RUN_SHIFT = 32 };

/** One of the records of each cell. A piece is a head (16 bits of cells as they are, 16 of the period, 32 of
 * how many follow) and the cells as they are. */
typedef struct Plane {
    const uint64_t *cells;
    unsigned count, step;
} Plane;

typedef struct Words {
    uint64_t words[START_WORDS + MOST_CELLS / GAIN];
    uint32_t used;
    uint32_t covered; /**< cells */
} Words;

static inline uint64_t cell_at(const Plane *plane, unsigned at) {
    return plane->cells[(size_t)at * plane->step];
}

static inline bool follows(const Plane *plane, unsigned at, unsigned period) {
    return cell_at(plane, at) == 2 * cell_at(plane, at - period) - cell_at(plane, at - 2 * period);
}

/* How many cells from `at` on follow from those before. */
static unsigned run_from(const Plane *plane, unsigned at, unsigned period) {
    unsigned end = at;
    while (end < plane->count && follows(plane, end, period))
        end++;
    return end - at;
}

/* The period that covers most cells for each word it takes; 0 when none is worth its head. A longer one takes
 * more words, so it has to cover the cell at which a shorter one ended: most do not, and are looked at no
 * further. */
static unsigned best_period(const Plane *plane, unsigned at, unsigned *best_run) {
    unsigned best = 0, end = at;
    *best_run = 0;
    for (unsigned period = 1; period <= MOST_PERIOD && at + 2 * period < plane->count; period++) {
        if (best && end >= at + 2 * period && !follows(plane, end, period)) continue;
        unsigned run = run_from(plane, at + 2 * period, period), covers = 2 * period + run,
                 takes = 2 * period + 1;
        bool better;
        if (best == 0)
            better = covers >= 2 * takes;
        else
            better = covers * (2 * best + 1) > (2 * best + *best_run) * takes;
        if (!better) continue;
        best = period;
        *best_run = run;
        end = at + covers;
        if (end == plane->count) break;
    }
    return best;
}

/* False when the words do not pay any more. */
static bool put_piece(Words *out, const Plane *plane, unsigned from, unsigned literals, unsigned period,
                      unsigned run) {
    out->covered += literals + run;
    if (out->used + 1 + literals > START_WORDS + out->covered / GAIN) return false;
    out->words[out->used++] = literals | (uint64_t)period << PERIOD_SHIFT | (uint64_t)run << RUN_SHIFT;
    for (unsigned i = 0; i < literals; i++)
        out->words[out->used++] = cell_at(plane, from + i);
    return true;
}

/* Cells that follow from nothing wait for the next piece; too many of them end the attempt early, since
 * looking for periods in vain is what takes time. */
static bool pack_plane(Words *out, const Plane *plane) {
    unsigned from = 0;
    for (unsigned at = 0; at < plane->count;) {
        unsigned run, period = best_period(plane, at, &run), literals = at - from + 2 * period;
        if (!period && at + 1 < plane->count && at - from < START_WORDS) {
            at++;
            continue;
        }
        if (!period) literals = ++at - from;
        if (!put_piece(out, plane, from, literals, period, run)) return false;
        if (period) at = from + literals + run;
        from = at;
    }
    return true;
}

uint64_t *packed_make(const uint64_t *cells, unsigned count, unsigned ways, uint32_t *words) {
    Words out;
    out.used = out.covered = 0;
    if (count * ways > MOST_CELLS) return NULL;
    for (unsigned way = 0; way < ways; way++)
        if (!pack_plane(&out, &(Plane){cells + way, count, ways})) return NULL;
    uint64_t *made = malloc(out.used * sizeof *made);
    if (made) memcpy(made, out.words, out.used * sizeof *made);
    *words = out.used;
    return made;
}

void packed_read(const uint64_t *packed, uint64_t *cells, unsigned count, unsigned ways) {
    for (unsigned way = 0; way < ways; way++)
        for (unsigned at = 0; at < count;) {
            const uint64_t head = *packed++;
            const size_t period = ways * (head >> PERIOD_SHIFT & 0xffff);
            for (unsigned end = at + (unsigned)(head & 0xffff); at < end; at++)
                cells[(size_t)at * ways + way] = *packed++;
            for (unsigned end = at + (unsigned)(head >> RUN_SHIFT); at < end; at++) {
                uint64_t *cell = &cells[(size_t)at * ways + way];
                *cell = 2 * cell[-(ptrdiff_t)period] - cell[-2 * (ptrdiff_t)period];
            }
        }
}
