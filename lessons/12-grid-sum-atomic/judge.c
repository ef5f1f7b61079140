/* judge.c - lesson 12: the sum of n numbers by many blocks, each adding its own to the one result atomically.
 *
 * n is any number from 0, the block size a power of two from 32 to 1024. The result holds a NaN before the
 * call, and the case with two calls the sum of other numbers, so that a result that was not set to zero
 * shows.
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
    {.name = "100,003 numbers, the largest blocks",
     .points = 1,
     .n = 100003,
     .threads = 1024,
     .extra = SUM_WHOLE},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

/** The first of two calls gets numbers of its own. */
static bool prepare_others(JudgeCase *judged, SumExpected *expected) {
    enum { STREAM = 1 };
    const size_t count = (size_t)judged->spec->n;
    float *others = judge_input_floats(judged, "others", count);
    if (others == NULL) return false;
    judge_fill(judged, others, count, 999.0F, STREAM);
    sums_make_whole(others, count);
    const double sum = judge_sum(others, count);
    sums_suspect(
        expected, expected->want + sum,
        "that is the sum of both calls' numbers. The second call added to what the first had left: zero the "
        "result in each call");
    sums_suspect(expected, sum, "that is the first call's sum: the second call changed nothing");
    return true;
}

static bool prepare(JudgeCase *judged) {
    const float *in = NULL;
    const int fill = (int)judged->spec->extra;
    const bool twice = (fill & CALLED_TWICE) != 0;
    SumExpected *expected = sums_prepare_grid(judged, &in, (SumFill)(fill & ~CALLED_TWICE));
    if (expected == NULL || !judge_input_int(judged, "calls", twice ? 2 : 1)) return false;
    sums_suspect(expected, 0.0, "it is zero: no block has added its sum");
    if (twice && !prepare_others(judged, expected)) return false;
    sums_suspect_lost(judged, expected, in, "that is block 0's sum alone");
    return true;
}

const Judge judge_12_grid_sum_atomic = {
    .lesson = "12-grid-sum-atomic",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .prepare = prepare,
    .decide = sums_decide,
};
