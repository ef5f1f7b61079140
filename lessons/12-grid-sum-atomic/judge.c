/* judge.c - lesson 12: the sum of n numbers by many blocks, each adding its own to the one result atomically.
 *
 * n is any number from 0, the block size a power of two from 32 to 1024. The result holds a NaN before the
 * call, and before a second call the sum of other numbers, so that a result that was not set to zero shows.
 */
#include "lessons/common/block_sums.h"

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
     .extra = SUM_WHOLE,
     .again = true},
    {.name = "100,003 numbers, the largest blocks",
     .points = 1,
     .n = 100003,
     .threads = 1024,
     .extra = SUM_WHOLE},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

static bool prepare(JudgeCase *judged) {
    const float *in = NULL;
    SumExpected *expected = sums_prepare_grid(judged, &in, (SumFill)judged->spec->extra);
    if (expected == NULL) return false;
    sums_suspect(expected, 0.0,
                 judge_cause(judged->arena, "zero",
                             "it is zero, as if no block had added its sum after it was set to zero"));
    sums_suspect_lost(judged, expected, in);
    return true;
}

const Judge judge_12_grid_sum_atomic = {
    .lesson = "12-grid-sum-atomic",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = sums_decide_blocks,
    .work = sums_work_with_tree,
};
