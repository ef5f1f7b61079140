/* judge.c - lesson 09: the sum of 512 numbers by one block, its step sizes from a divisor in constant memory.
 *
 * The function is lesson 08's. What is new shows in the sum as well: with a divisor that is not 2 the tree
 * takes other steps, and with one that was never set (0) none at all.
 */
#include "lessons/common/sums.h"

static const JudgeCaseSpec cases[] = {
    {.name = "whole numbers of both signs", .points = 2, .n = 512, .threads = 512, .extra = SUM_WHOLE},
    {.name = "the last number outweighs the others",
     .points = 2,
     .n = 512,
     .threads = 512,
     .extra = SUM_LAST_COUNTS},
    {.name = "fractions, within the rounding error",
     .points = 1,
     .n = 512,
     .threads = 512,
     .extra = SUM_FRACTIONS},
    {.name = "called twice in a row",
     .points = 2,
     .n = 512,
     .threads = 512,
     .extra = SUM_WHOLE,
     .again = true},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

static bool prepare(JudgeCase *judged) {
    const float *in = NULL;
    const size_t count = (size_t)judged->spec->n;
    SumExpected *expected = sums_prepare(judged, &in, (SumFill)judged->spec->extra);
    if (expected == NULL) return false;
    sums_suspect(
        expected, (double)in[0],
        judge_cause(
            judged->arena, "no-step",
            "that is the first number alone, so the tree took no step. Is divisor 2 when the kernel runs?"));
    sums_suspect(expected, sums_tree(judged, in, count / 4, 4, sums_pass_with),
                 judge_cause(judged->arena, "divides-by-4",
                             "that is the sum of a tree whose steps divide by 4, not by 2"));
    return true;
}

const Judge judge_09_constant_and_device = {
    .lesson = "09-constant-and-device",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .prepare = prepare,
    .decide = sums_decide,
    .work = sums_work_with_tree,
};
