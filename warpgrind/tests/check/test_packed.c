/* test_packed.c - cells of pages that are put away and come back as they were: what kernels leave in them,
 * which must become small, and random ones, which may be refused. */
#include "fake_gpu.h"

#include "check/shadow/packed.h"
#include "check/shadow/shadow.h"

#include <stdlib.h>

enum { CELLS = SHADOW_PAGE_BYTES, MOST_WAYS = 2 };

static uint64_t record_of(uint32_t site, uint32_t thread, uint32_t time) {
    return (uint64_t)site << RECORD_SITE_SHIFT | (uint64_t)thread << RECORD_THREAD_SHIFT | time;
}

/* How many words the cells take; 0: refused. What comes back must be what went in. */
static uint32_t packed_words(const uint64_t *cells, unsigned count, unsigned ways) {
    uint32_t words = 0;
    uint64_t *packed = packed_make(cells, count, ways, &words), back[CELLS * MOST_WAYS];
    if (!packed) return 0;
    memset(back, 0xee, sizeof back);
    packed_read(packed, back, count, ways);
    assert_memory_equal(back, cells, (size_t)count * ways * sizeof *cells);
    free(packed);
    return words;
}

/* What a kernel leaves when each thread has touched `chunk` bytes, by `sites` instructions in turn, of
 * records of `period` bytes, and the host has written the rest. */
static void fill(uint64_t cells[CELLS], unsigned chunk, unsigned sites, unsigned period) {
    for (unsigned at = 0; at < CELLS; at++) {
        const bool touched = at % period < chunk;
        cells[at] = record_of(2, 0, RECORD_TIME_OLD);
        if (touched) cells[at] = record_of(3 + at % period % sites, at / period % 1024, 17);
    }
}

static void what_kernels_leave_is_small(void **state) {
    static const struct {
        unsigned chunk, sites, period, words;
    } cases[] = {{1, 1, 1, 40},   /* bytes side by side: threads 0 to 1023, four times */
                 {2, 1, 2, 20},   /* pairs of bytes */
                 {16, 1, 16, 40}, /* 16 bytes of each thread, by a loop */
                 {4, 4, 4, 20},   /* four bytes, each by an instruction of its own */
                 {3, 3, 3, 60},   /* pixels of three bytes: words with two threads' bytes */
                 {7, 5, 24, 60},  /* the first fields of records of 24 bytes */
                 {37, 1, 37, 700}};
    uint64_t cells[CELLS];
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        fill(cells, cases[i].chunk, cases[i].sites, cases[i].period);
        assert_in_range(packed_words(cells, CELLS, 1), 1, cases[i].words);
    }
}

static void both_readers_come_back(void **state) {
    uint64_t cells[CELLS * MOST_WAYS];
    (void)state;
    for (unsigned at = 0; at < CELLS; at++) {
        cells[2 * at] = record_of(4, at / 16, 5);
        cells[2 * at + 1] = at % 64 < 8 ? record_of(5, at / 64, 6) : 0;
    }
    assert_in_range(packed_words(cells, CELLS, MOST_WAYS), 1, 600);
}

/* Any mixture of runs and noise comes back, or is refused; mere noise is. */
static void noise_is_refused(void **state) {
    uint64_t cells[CELLS], seed = 1;
    unsigned refused = 0;
    (void)state;
    for (unsigned round = 0; round < 200; round++) {
        for (unsigned at = 0; at < CELLS; at++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
            const bool noisy = seed >> 33 & (1u << round % 8 * 2) ? round > 100 : round % 3 == 0;
            cells[at] = noisy || at == 0 ? seed : cells[at - 1] + (at / 100 % 3) * RECORD_LANE;
        }
        refused += packed_words(cells, 1 + (unsigned)(seed >> 40) % CELLS, 1) == 0;
    }
    assert_in_range(refused, 20, 180);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_kernels_leave_is_small),
                                       cmocka_unit_test(both_readers_come_back),
                                       cmocka_unit_test(noise_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
