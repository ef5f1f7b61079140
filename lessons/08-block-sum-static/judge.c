/* judge.c - lesson 08: the sum of 512 elements by one block.
 *
 * The size never changes, so the cases differ in their data: whole numbers, whose sum is exact in any order,
 * fractions, and one number whose loss cannot be overlooked.
 */
#include "lessons/common/block_sums.h"

enum { COUNT = 512 };

static const JudgeCaseSpec cases[] = {
    {.name = "whole numbers of both signs", .points = 3, .n = COUNT, .extra = SUM_WHOLE},
    {.name = "fractions, called twice", .points = 2, .n = COUNT, .extra = SUM_FRACTIONS, .again = true},
    {.name = "the last element outweighs the others", .points = 2, .n = COUNT, .extra = SUM_LAST_COUNTS},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

static void add_suspects(JudgeCase *judged, SumExpected *expected, const float *in) {
    sums_suspect_tree(judged, expected, in);
    sums_suspect(expected, expected->want - (double)in[COUNT - 1],
                 judge_cause(judged->arena, "last-lost", "the last element is missing from it"));
}

static bool prepare(JudgeCase *judged) {
    const float *in = NULL;
    SumExpected *expected = sums_prepare(judged, &in, (SumFill)judged->spec->extra);
    if (expected == NULL) return false;
    add_suspects(judged, expected, in);
    return true;
}

const Judge judge_08_block_sum_static = {
    .lesson = "08-block-sum-static",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = sums_decide_one_block,
    .work = sums_work_with_tree,
};
