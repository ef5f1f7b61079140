/* cells_lanes.c - see cells.h; compiled once for every processor level. */
#include "check/shadow/cells.h"
#include "check/shadow/shadow.h"

#include <string.h>

#define CELLS_PASTE_(a, b) a##_##b
#define CELLS_PASTE(a, b) CELLS_PASTE_(a, b)
#define CELLS_SYMBOL(name) CELLS_PASTE(name, GPU_LEVEL)
#define CELLS_INLINE static inline __attribute__((always_inline))

enum { EIGHT = 8 };
typedef uint64_t Eight __attribute__((vector_size(64)));
typedef int64_t EightSigned __attribute__((vector_size(64)));

CELLS_INLINE Eight all(uint64_t value) {
    return value - (Eight){0};
}

CELLS_INLINE Eight eight_at(const uint64_t *cells) {
    Eight eight;
    memcpy(&eight, cells, sizeof eight);
    return eight;
}

/** The records of the first eight cells. */
CELLS_INLINE Eight first_records(const CellRun *run) {
    const Eight cell = {0, 1, 2, 3, 4, 5, 6, 7};
    return all(run->record) + (cell >> all((unsigned)__builtin_ctz(run->each))) * all(RECORD_LANE);
}

CELLS_INLINE Eight step(const CellRun *run) {
    return all(EIGHT / run->each * RECORD_LANE);
}

/* Eight records at a time, without a branch: each is old, of the lane itself, or of the same block before
 * its last barrier. What a vector cannot decide (what warps and flags order) makes the answer no, and the
 * caller compares one by one. */
static bool before(const CellRun *run) {
    Eight mine = first_records(run);
    Eight fine = all(UINT64_MAX);
    for (unsigned i = 0; i < run->count; i += EIGHT, mine += step(run)) {
        const Eight record = eight_at(run->cells + i), other = record ^ mine,
                    time = record & all(RECORD_TIME_MASK);
        const Eight past = (Eight)(record == all(0)) | (Eight)(time == all(RECORD_TIME_OLD));
        const Eight own = (Eight)((other & all(RECORD_WHO_MASK)) == all(0));
        const Eight synced = (Eight)((other & all(RECORD_BLOCK_MASK)) == all(0)) &
                             (Eight)((EightSigned)time < (EightSigned)all(run->barrier_time));
        fine &= past | own | synced;
    }
    uint64_t every = UINT64_MAX;
    for (unsigned i = 0; i < EIGHT; i++)
        every &= fine[i];
    return every != 0;
}

static void take_readers(const CellRun *run) {
    const Eight first = {UINT64_MAX, 0, UINT64_MAX, 0, UINT64_MAX, 0, UINT64_MAX, 0};
    Eight mine = first_records(run);
    for (unsigned i = 0; i < run->count; i += EIGHT, mine += step(run)) {
        const Eight old = eight_at(run->cells + i), here = (Eight)(old == mine);
        const Eight known = here | __builtin_shufflevector(here, here, 1, 0, 3, 2, 5, 4, 7, 6);
        const Eight kept = (old & known) | (mine & first & ~known);
        memcpy(run->cells + i, &kept, sizeof kept);
    }
}

static void take_writer(const CellRun *run) {
    Eight mine = first_records(run);
    for (unsigned i = 0; i < run->count; i += EIGHT, mine += step(run))
        memcpy(run->cells + i, &mine, sizeof mine);
}

extern const CellWays CELLS_SYMBOL(cell_ways);
const CellWays CELLS_SYMBOL(cell_ways) = {before, take_readers, take_writer};
