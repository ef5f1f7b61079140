/* judge.c - lesson 07: the sum of one block's elements, as many as threads, a power of two.
 *
 * Whole numbers, so that the sum is exact in any order and a lost element shows; one case has fractions.
 */
#include "lessons/common/sums.h"

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

static void add_suspects(JudgeCase *judged, SumExpected *expected, const float *in, size_t count) {
    double even = 0.0;
    for (size_t i = 0; i < count; i += 2)
        even += (double)in[i];
    sums_suspect_tree(judged, expected, in);
    sums_suspect(expected, even,
                 judge_cause(judged->arena, "last-pass-lost",
                             "the last pass of the tree, with distance 1, is missing"));
    sums_suspect(
        expected, judge_sum(in, count / 2),
        judge_cause(judged->arena, "first-pass-lost",
                    "that is the sum of the first half: the pass with the largest distance is missing"));
}

static bool prepare(JudgeCase *judged) {
    const float *in = NULL;
    SumExpected *expected = sums_prepare(judged, &in, (SumFill)judged->spec->extra);
    if (expected == NULL) return false;
    add_suspects(judged, expected, in, (size_t)judged->spec->n);
    return true;
}

const Judge judge_07_block_sum_dynamic = {
    .lesson = "07-block-sum-dynamic",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .prepare = prepare,
    .decide = sums_decide,
    .work = sums_work_with_tree,
};
