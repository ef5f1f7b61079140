/* test_cells.c - runs of cells eight at a time, at every level that this processor has, beside a plain loop
 * over random cells: empty ones, old ones, the lane's own, of the block's past and of anybody.
 */
#include "fake_gpu.h"

#include "check/shadow/cells.h"
#include "check/shadow/shadow.h"

enum { LANES = 32, MOST = 128, RUNS = 3000, BARRIER = 100 };

static uint32_t drawn(uint64_t *seed, uint32_t below) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % below;
}

static uint64_t record_of(uint32_t block, uint32_t thread, uint32_t time) {
    return UINT64_C(7) << RECORD_SITE_SHIFT | (uint64_t)block << RECORD_BLOCK_SHIFT |
           (uint64_t)thread << RECORD_THREAD_SHIFT | time;
}

/* Mostly what is before `mine`. */
static uint64_t drawn_cell(uint64_t *seed, uint64_t mine) {
    switch (drawn(seed, 150) ? drawn(seed, 5) : 5) {
    case 0:
        return 0;
    case 1:
        return record_of(drawn(seed, 9), drawn(seed, 1024), RECORD_TIME_OLD);
    case 2:
        return mine;
    case 3:
        return (mine & (RECORD_WHO_MASK)) | drawn(seed, 2 * BARRIER);
    case 4:
        return record_of(record_block(mine), drawn(seed, 1024), drawn(seed, BARRIER));
    default:
        return record_of(drawn(seed, 9), drawn(seed, 1024), BARRIER - 1 + drawn(seed, 3));
    }
}

static bool is_before(uint64_t record, uint64_t mine) {
    if (!record || record_time(record) == RECORD_TIME_OLD) return true;
    if (record_block(record) != record_block(mine)) return false;
    return record_thread(record) == record_thread(mine) || record_time(record) < BARRIER;
}

static void test_levels_agree(void **state) {
    (void)state;
    unsigned passed = 0;
    uint64_t seed = 1;
    for (unsigned run = 0; run < RUNS; run++) {
        const unsigned each = 1u << drawn(&seed, 3), count = LANES * each;
        const uint64_t record = record_of(drawn(&seed, 9), 32 * drawn(&seed, 32), BARRIER + drawn(&seed, 9));
        uint64_t cells[MOST], readers[MOST], writer[MOST];
        bool before = true;
        for (unsigned i = 0; i < count; i++) {
            const uint64_t mine = record + i / each * RECORD_LANE;
            cells[i] = drawn_cell(&seed, mine);
            before = before && is_before(cells[i], mine);
            writer[i] = mine;
        }
        for (unsigned i = 0; i < count; i += 2) {
            const uint64_t mine = record + i / each * RECORD_LANE;
            const bool known = cells[i] == mine || cells[i + 1] == mine;
            readers[i] = known ? cells[i] : mine;
            readers[i + 1] = known ? cells[i + 1] : 0;
        }
        passed += before;
        for (unsigned level = 0; level <= gpu_processor_level(); level++) {
            const CellWays *ways = cell_ways_for(level);
            uint64_t changed[MOST];
            const CellRun this = {changed, record, BARRIER, count, each};
            memcpy(changed, cells, sizeof changed);
            if (ways->before(&this) != before) fail_msg("run %u, level %u: before", run, level);
            if (each > 1) ways->take_readers(&this);
            if (each > 1 && memcmp(changed, readers, count * sizeof *changed) != 0)
                fail_msg("run %u, level %u: readers", run, level);
            ways->take_writer(&this);
            if (memcmp(changed, writer, count * sizeof *changed) != 0)
                fail_msg("run %u, level %u: writer", run, level);
        }
    }
    assert_in_range(passed, RUNS / 8, RUNS - RUNS / 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_levels_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
