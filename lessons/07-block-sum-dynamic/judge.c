/* judge.c - lesson 07: the sum of one block's elements, as many as threads, a power of two.
 *
 * The tolerance is the error bound of a float sum in any order, so every way of adding passes and no lost
 * element does.
 */
#include "autograder/judge.h"

static const JudgeCaseSpec cases[] = {
    {.name = "a block of 64, two warps", .points = 1, .n = 64, .threads = 64},
    {.name = "a single thread", .points = 1, .n = 1, .threads = 1},
    {.name = "two threads", .points = 1, .n = 2, .threads = 2},
    {.name = "one warp", .points = 1, .n = 32, .threads = 32},
    {.name = "a block of 256", .points = 1, .n = 256, .threads = 256},
    {.name = "a block of 512", .points = 1, .n = 512, .threads = 512},
    {.name = "the largest block, 1024", .points = 1, .n = 1024, .threads = 1024},
};

static bool prepare(JudgeCase *judged) {
    size_t n = (size_t)judged->spec->n;
    float *in = judge_input_floats(judged, "in", n);
    if (in == NULL) return false;
    judge_fill(judged, in, n, 100.0F, 0);
    judged->expected = in;
    return true;
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    size_t n = (size_t)judged->spec->n;
    const float *out = judge_answer_floats(judged, decision, "out", 1);
    if (out == NULL) return;
    double want = judge_sum(judged->expected, n);
    double tolerance = judge_sum_tolerance(judged->expected, n);
    decision->passed = judge_compare(judged, decision, "out", out, &want, &tolerance, 1);
}

const Judge judge_07_block_sum_dynamic = {
    .lesson = "07-block-sum-dynamic",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .prepare = prepare,
    .decide = decide,
};
