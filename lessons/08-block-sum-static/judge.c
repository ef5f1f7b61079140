/* judge.c - lesson 08: the sum of 512 elements by one block.
 *
 * The size never changes, so the cases differ in their data: each makes another kind of lost or doubled
 * element show. The tolerance is the error bound of a float sum in any order.
 */
#include "autograder/judge.h"

enum { COUNT = 512 };
enum { MIXED_SIGNS, NEGATIVE_ONLY, GROWING, ONE_GIANT };

static const JudgeCaseSpec cases[] = {
    {.name = "values of both signs", .points = 2, .n = COUNT, .extra = MIXED_SIGNS},
    {.name = "negative values only", .points = 2, .n = COUNT, .extra = NEGATIVE_ONLY},
    {.name = "values that grow along the array", .points = 2, .n = COUNT, .extra = GROWING},
    {.name = "one large value at the very end", .points = 1, .n = COUNT, .extra = ONE_GIANT},
};

/** The value at `i`, made from a random one. */
static float shape_value(long pattern, float random, size_t i) {
    switch (pattern) {
    case NEGATIVE_ONLY:
        return random < 0 ? random : -random;
    case GROWING:
        return (float)(i + 1) + random / 256.0F;
    case ONE_GIANT:
        return i == COUNT - 1 ? 1.0e6F : random / 100.0F;
    default:
        return random;
    }
}

static bool prepare(JudgeCase *judged) {
    float *in = judge_input_floats(judged, "in", COUNT);
    if (in == NULL) return false;
    judge_fill(judged, in, COUNT, 100.0F, 0);
    for (size_t i = 0; i < COUNT; i++)
        in[i] = shape_value(judged->spec->extra, in[i], i);
    judged->expected = in;
    return true;
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const float *out = judge_answer_floats(judged, decision, "out", 1);
    if (out == NULL) return;
    double want = judge_sum(judged->expected, COUNT);
    double tolerance = judge_sum_tolerance(judged->expected, COUNT);
    decision->passed = judge_compare(judged, decision, "out", out, &want, &tolerance, 1);
}

const Judge judge_08_block_sum_static = {
    .lesson = "08-block-sum-static",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .prepare = prepare,
    .decide = decide,
};
