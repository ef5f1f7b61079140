/* judge.c - lesson 07: the sum of one block's elements, as many as threads, a power of two.
 *
 * Whole numbers, so that the sum is exact in any order and a lost element shows; one case has fractions.
 */
#include "lessons/common/block_sums.h"

static const JudgeCaseSpec cases[] = {
    {.name = "a block of 64, two warps", .points = 1, .n = 64, .extra = SUM_WHOLE},
    {.name = "a single thread", .points = 1, .n = 1, .extra = SUM_WHOLE},
    {.name = "two threads, called twice", .points = 1, .n = 2, .extra = SUM_WHOLE, .again = true},
    {.name = "one warp", .points = 1, .n = 32, .extra = SUM_WHOLE},
    {.name = "a block of 256, with fractions", .points = 1, .n = 256, .extra = SUM_FRACTIONS},
    {.name = "a block of 512, the last element outweighs the others",
     .points = 1,
     .n = 512,
     .extra = SUM_LAST_COUNTS},
    {.name = "the largest block, 1,024", .points = 1, .n = 1024, .extra = SUM_WHOLE},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

static bool prepare(JudgeCase *judged) {
    const float *in = NULL;
    SumExpected *expected = sums_prepare(judged, &in, (SumFill)judged->spec->extra);
    if (expected == NULL) return false;
    sums_suspect_tree(judged, expected, in);
    return true;
}

const Judge judge_07_block_sum_dynamic = {
    .lesson = "07-block-sum-dynamic",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = sums_decide_one_block,
    .work = sums_work_with_tree,
};
