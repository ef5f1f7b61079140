/* judge.c - lesson 12: the sum of n numbers by many blocks, each adding its own to the one result atomically.
 *
 * n is any number from 0, the block size a power of two from 32 to 1024. The result holds a NaN before the
 * call, and the case with two calls a sum, so that a result that was not set to zero shows.
 */
#include "lessons/common/sums.h"

enum { CALLED_TWICE = 16 }; /* in `extra`, beside the SumFill */

static const JudgeCaseSpec cases[] = {
    {.name = "one number", .points = 1, .n = 1, .threads = 256, .extra = SUM_WHOLE},
    {.name = "no numbers at all", .points = 1, .n = 0, .threads = 128, .extra = SUM_WHOLE},
    {.name = "one less than a block", .points = 1, .n = 63, .threads = 64, .extra = SUM_WHOLE},
    {.name = "one more than two blocks", .points = 1, .n = 513, .threads = 256, .extra = SUM_LAST_COUNTS},
    {.name = "fractions, in three full blocks",
     .points = 1,
     .n = 384,
     .threads = 128,
     .extra = SUM_FRACTIONS},
    {.name = "called twice in a row",
     .points = 1,
     .n = 4099,
     .threads = 32,
     .extra = SUM_WHOLE | CALLED_TWICE},
    {.name = "100 003 numbers, the largest blocks",
     .points = 1,
     .n = 100003,
     .threads = 1024,
     .extra = SUM_WHOLE},
};

static void add_suspects(JudgeCase *judged, SumExpected *expected, const float *in, size_t count,
                         size_t threads) {
    const size_t full = count - count % threads;
    sums_suspect(expected, 0.0, "it is zero: no block has added its sum");
    if ((judged->spec->extra & CALLED_TWICE) != 0)
        sums_suspect(expected, 2.0 * expected->want,
                     "that is twice the sum. The second call added to what the first had left: zero the "
                     "result in each call");
    sums_suspect(expected, judge_sum(in, count < threads ? count : threads), "that is block 0's sum alone");
    if (full > 0)
        sums_suspect(expected, judge_sum(in, full),
                     arena_format(judged->arena,
                                  "the numbers from index %zu on are missing: %zu / %zu rounds down, and "
                                  "the block that is only partly full was never launched",
                                  full, count, threads));
    sums_suspect(expected, expected->want - (double)in[count - 1], "the last number is missing from it");
}

static bool prepare(JudgeCase *judged) {
    const float *in = NULL;
    const JudgeCaseSpec *spec = judged->spec;
    const bool twice = (spec->extra & CALLED_TWICE) != 0;
    SumExpected *expected = sums_prepare(judged, &in, (SumFill)(spec->extra & ~CALLED_TWICE));
    if (expected == NULL || !judge_input_int(judged, "threads", (int32_t)spec->threads)) return false;
    if (!judge_input_int(judged, "calls", twice ? 2 : 1)) return false;
    if (spec->n > 0) add_suspects(judged, expected, in, (size_t)spec->n, (size_t)spec->threads);
    return true;
}

const Judge judge_12_grid_sum_atomic = {
    .lesson = "12-grid-sum-atomic",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .prepare = prepare,
    .decide = sums_decide,
};
