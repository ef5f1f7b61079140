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

/** What temp[0] holds after the tree when each step divides by `divisor`. */
static double tree_sum(JudgeCase *judged, const float *in, size_t count, size_t divisor) {
    double *temp = ARENA_ARRAY(judged->arena, count, double);
    if (temp == NULL) return judge_sum(in, count);
    for (size_t i = 0; i < count; i++)
        temp[i] = (double)in[i];
    for (size_t d = count / divisor; d > 0; d /= divisor)
        for (size_t i = 0; i < d; i++)
            temp[i] += temp[i + d];
    return temp[0];
}

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
    sums_suspect(expected, tree_sum(judged, in, count, 4),
                 judge_cause(judged->arena, "divides-by-4",
                             "that is the sum of a tree whose steps divide by 4, not by 2"));
    sums_suspect(expected, expected->want - (double)in[count - 1],
                 judge_cause(judged->arena, "last-lost", "the last number is missing from it"));
    return true;
}

const Judge judge_09_constant_and_device = {
    .lesson = "09-constant-and-device",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .prepare = prepare,
    .decide = sums_decide,
};
