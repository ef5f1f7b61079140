/* judge.c - lesson 01: z = x + y for arrays of n floats, n any number from 0.
 *
 * One addition of floats is exactly rounded, so the answer must be equal to the reference bit for bit. The
 * sizes are those at which a missing guard or a wrong number of blocks shows.
 */
#include "autograder/judge.h"

static const JudgeCaseSpec cases[] = {
    {.name = "a single element", .points = 1, .n = 1},
    {.name = "no elements at all", .points = 0, .n = 0},
    {.name = "one less than a warp", .points = 1, .n = 31},
    {.name = "exactly one block of 256", .points = 1, .n = 256},
    {.name = "one element past a block", .points = 2, .n = 257},
    {.name = "a prime number of elements, called twice", .points = 1, .n = 1009, .again = true},
    {.name = "a large array", .points = 1, .n = 100003},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

typedef struct Expected {
    const float *x, *y;
    double *z;
} Expected;

static bool prepare(JudgeCase *judged) {
    size_t n = (size_t)judged->spec->n;
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    float *x = judge_input_floats(judged, "x", n);
    float *y = judge_input_floats(judged, "y", n);
    double *want = ARENA_ARRAY(judged->arena, n + 1, double);
    if (expected == NULL || x == NULL || y == NULL || want == NULL) return false;
    judge_fill(judged, x, n, 100.0F, 0);
    judge_fill(judged, y, n, 100.0F, 1);
    for (size_t i = 0; i < n; i++)
        want[i] = (double)(x[i] + y[i]);
    *expected = (Expected){.x = x, .y = y, .z = want};
    judged->expected = expected;
    return true;
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    size_t n = (size_t)judged->spec->n;
    const Expected *expected = judged->expected;
    const float *z = judge_answer_floats(judged, decision, "z", n);
    if (z == NULL) return;
    decision->passed = judge_compare(judged, decision, "z", z, expected->z, NULL, n);
}

static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    const size_t i = (size_t)wrong->wrong_index;
    judge_step_element(judged, "z[i]", "x[i] + y[i]", i, ((const Expected *)judged->expected)->z[i], steps);
    judge_step(steps, "in blocks of 256, element %zu belongs to thread %zu of block %zu: %zu * 256 + %zu", i,
               i % 256, i / 256, i / 256, i % 256);
}

const Judge judge_01_vector_add = {
    .lesson = "01-vector-add",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
