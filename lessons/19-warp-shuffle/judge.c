/* judge.c - lesson 19: the sum of n numbers by many blocks, whose warps add by shuffles.
 *
 * n is any number from 0, the block size any number from 1 to 1024: not only multiples of a warp. The result
 * holds a NaN before the call, and in one case the sum of other numbers.
 */
#include "lessons/common/sums.h"

enum { CALLED_TWICE = 16, WARP = 32 }; /* CALLED_TWICE in `extra`, beside the SumFill */

static const JudgeCaseSpec cases[] = {
    {.name = "one number", .points = 0, .n = 1, .threads = 32, .extra = SUM_WHOLE},
    {.name = "no numbers at all", .points = 1, .n = 0, .threads = 64, .extra = SUM_WHOLE},
    {.name = "exactly two warps", .points = 1, .n = 64, .threads = 64, .extra = SUM_WHOLE},
    {.name = "blocks of 33: one more than a warp",
     .points = 1,
     .n = 67,
     .threads = 33,
     .extra = SUM_LAST_COUNTS},
    {.name = "fractions, in blocks of 100", .points = 1, .n = 301, .threads = 100, .extra = SUM_FRACTIONS},
    {.name = "blocks of a single thread", .points = 1, .n = 37, .threads = 1, .extra = SUM_WHOLE},
    {.name = "called twice in a row",
     .points = 1,
     .n = 1009,
     .threads = 256,
     .extra = SUM_WHOLE | CALLED_TWICE},
    {.name = "100,003 numbers, blocks of 1,000",
     .points = 1,
     .n = 100003,
     .threads = 1000,
     .extra = SUM_WHOLE},
};

/* The numbers of the first call, and the sum that stays when nothing is set to zero. */
static bool prepare_others(JudgeCase *judged, SumExpected *expected) {
    const size_t count = (size_t)judged->spec->n / 2 + 1;
    float *others = judge_input_floats(judged, "others", count);
    if (others == NULL) return false;
    judge_fill(judged, others, count, 99.0F, 7);
    sums_make_whole(others, count);
    sums_suspect(expected, expected->want + judge_sum(others, count),
                 judge_cause(judged->arena, "not-zeroed",
                             "the first call's sum is still in it: set the result to zero in every call"));
    return true;
}

/* The sum of every `every`-th number whose place in its block is below `limit`. */
static double sum_of_places(const JudgeCase *judged, const float *in, size_t limit, size_t every) {
    const size_t threads = ((size_t)judged->spec->threads + WARP - 1) / WARP * WARP;
    double sum = 0.0;
    for (size_t i = 0; i < (size_t)judged->spec->n; i++)
        if (i % threads < limit && i % every == 0) sum += (double)in[i];
    return sum;
}

static bool prepare(JudgeCase *judged) {
    const float *in = NULL;
    const int fill = (int)judged->spec->extra;
    const bool twice = (fill & CALLED_TWICE) != 0;
    SumExpected *expected = sums_prepare_grid(judged, &in, (SumFill)(fill & ~CALLED_TWICE));
    if (expected == NULL || !judge_input_int(judged, "calls", twice ? 2 : 1)) return false;
    if (twice && !prepare_others(judged, expected)) return false;
    sums_suspect(expected, 0.0, judge_cause(judged->arena, "zero", "it is zero: no block has added its sum"));
    sums_suspect(
        expected, sum_of_places(judged, in, WARP, 1),
        judge_cause(judged->arena, "first-warps-alone",
                    "that is the sum of the first warp of each block: the other warps' sums are missing"));
    sums_suspect(
        expected, sum_of_places(judged, in, 1024, 2),
        judge_cause(
            judged->arena, "last-step-lost",
            "every other number is missing: the last step of the shuffles, with distance 1, is left out"));
    sums_suspect_lost(judged, expected, in,
                      judge_cause(judged->arena, "block-0-alone", "that is block 0's sum alone"));
    return true;
}

const Judge judge_19_warp_shuffle = {
    .lesson = "19-warp-shuffle",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .prepare = prepare,
    .decide = sums_decide,
};
