/* judge.c - lesson 14: y = sqrt(|x|) + 0.5 for n numbers, cut into chunks that go through the device in
 * streams.
 *
 * n is any number from 0 and need not be a multiple of the chunks; there may be more chunks than numbers. The
 * root is correctly rounded on the device and need not be elsewhere: the tolerance is a few units in the last
 * place. A wrong element is compared with what typical mistakes leave there.
 */
#include "autograder/judge.h"

#include <math.h>

static const JudgeCaseSpec cases[] = {
    {.name = "a single number", .points = 1, .n = 1, .extra = 1},
    {.name = "no numbers at all", .points = 1, .n = 0, .extra = 3},
    {.name = "fewer numbers than chunks", .points = 1, .n = 5, .extra = 8},
    {.name = "three chunks of one block", .points = 1, .n = 768, .extra = 3},
    {.name = "one number more than four blocks", .points = 1, .n = 1025, .extra = 4},
    {.name = "forty chunks", .points = 1, .n = 4099, .extra = 40},
    {.name = "100,003 numbers in seven chunks", .points = 2, .n = 100003, .extra = 7},
};

typedef struct Expected {
    const float *x;
    double *y, *tolerance;
} Expected;

static bool prepare(JudgeCase *judged) {
    const size_t n = (size_t)judged->spec->n;
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    float *x = judge_input_floats(judged, "x", n);
    if (expected == NULL || x == NULL || !judge_input_int(judged, "chunks", (int32_t)judged->spec->extra))
        return false;
    judge_fill(judged, x, n, 1000.0F, 0);
    expected->x = x;
    expected->y = ARENA_ARRAY(judged->arena, n + 1, double);
    expected->tolerance = ARENA_ARRAY(judged->arena, n + 1, double);
    if (expected->y == NULL || expected->tolerance == NULL) return false;
    for (size_t i = 0; i < n; i++) {
        expected->y[i] = sqrt(fabs((double)x[i])) + 0.5;
        expected->tolerance[i] = 4e-7 * expected->y[i];
    }
    judged->expected = expected;
    return true;
}

static bool is_near(float got, double want) {
    return fabs((double)got - want) <= 1e-5 * (fabs(want) + 1.0);
}

/* The element is right, and stands for another one of the same chunk length. */
static long place_of(const Expected *expected, size_t n, float got, size_t size, size_t at) {
    for (size_t i = at % size; i < n; i += size)
        if (is_near(got, expected->y[i])) return (long)i;
    return -1;
}

static JudgeCause name_for(const JudgeCase *judged, const JudgeDecision *decision, const float *y) {
    const Expected *expected = judged->expected;
    const size_t n = (size_t)judged->spec->n, chunks = (size_t)judged->spec->extra;
    const size_t at = (size_t)decision->wrong_index, size = (n + chunks - 1) / chunks;
    if (decision->unwritten && at > 0 && n / chunks * chunks == at)
        return judge_cause(judged->arena, "rounded-down",
                           "%zu / %zu rounds down, and the rest of %zu belongs to no chunk", n, chunks,
                           n - at);
    if (decision->unwritten && at % size == 0)
        return judge_cause(judged->arena, "chunk-lost",
                           "the chunk that begins at %zu came back before it was computed, or not at all",
                           at);
    const float got = y[at], x = expected->x[at];
    if (isnan(got) && x < 0.0F)
        return judge_cause(judged->arena, "negative-root",
                           "the square root of a negative number is not a number: take |x|");
    if (is_near(got, expected->y[at] - 0.5))
        return judge_cause(judged->arena, "no-half", "that is sqrt(|x|), without the 0.5");
    if (is_near(got, (double)x))
        return judge_cause(judged->arena, "untouched", "that is x itself: no kernel worked on it");
    const long other = place_of(expected, n, got, size, at);
    if (other >= 0)
        return judge_cause(judged->arena, "another-chunk", "that is y[%ld], of another chunk", other);
    return JUDGE_UNKNOWN;
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const size_t n = (size_t)judged->spec->n;
    const float *y = judge_answer_floats(judged, decision, "y", n);
    if (y == NULL) return;
    decision->passed = judge_compare(judged, decision, "y", y, expected->y, expected->tolerance, n);
    if (decision->passed) return;
    const JudgeCause cause = name_for(judged, decision, y);
    judge_explain(judged, decision, cause);
}

const Judge judge_14_streams_and_events = {
    .lesson = "14-streams-and-events",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .prepare = prepare,
    .decide = decide,
};
