/* judge.c - lesson 03: y = x for n floats, by a grid that the case gives: from one thread to many more
 * threads than elements.
 *
 * A copy is exact. The sizes lie around whole rounds of the grid, where a loop that ends too early or too
 * late shows. `threads` of a case is the size of a block, `extra` the number of blocks.
 */
#include "lessons/common/sums.h"

static const JudgeCaseSpec cases[] = {
    {.name = "one element, one thread", .points = 0, .n = 1, .threads = 1, .extra = 1},
    {.name = "no elements at all", .points = 0, .n = 0, .threads = 64, .extra = 2},
    {.name = "1,009 elements, one thread", .points = 1, .n = 1009, .threads = 1, .extra = 1},
    {.name = "5 elements, 1,100 blocks of 32", .points = 1, .n = 5, .threads = 32, .extra = 1100},
    {.name = "255 elements, 2 blocks of 128", .points = 1, .n = 255, .threads = 128, .extra = 2},
    {.name = "513 elements, 2 blocks of 128, called twice",
     .points = 1,
     .n = 513,
     .threads = 128,
     .extra = 2,
     .again = true},
    {.name = "1,152 elements, 3 blocks of 96", .points = 1, .n = 1152, .threads = 96, .extra = 3},
    {.name = "30,011 elements, 7 blocks of 192", .points = 1, .n = 30011, .threads = 192, .extra = 7},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

typedef struct Expected {
    const float *x;
    double *y;
} Expected;

static bool prepare(JudgeCase *judged) {
    const size_t n = (size_t)judged->spec->n;
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    float *x = judge_input_floats(judged, "x", n);
    double *y = ARENA_ARRAY(judged->arena, n + 1, double);
    if (expected == NULL || x == NULL || y == NULL) return false;
    judge_fill(judged, x, n, 1000.0F, 0);
    for (size_t i = 0; i < n; i++)
        y[i] = (double)x[i];
    *expected = (Expected){.x = x, .y = y};
    judged->expected = expected;
    return judge_input_int(judged, "blocks", (int32_t)judged->spec->extra) &&
           judge_input_int(judged, "threads", (int32_t)judged->spec->threads);
}

/* Is exactly what lies from `first` on missing? */
static bool ends_at(const float *y, size_t n, size_t first) {
    for (size_t i = 0; i < n; i++)
        if (sums_is_poison(y[i]) != (i >= first)) return false;
    return first < n;
}

/* Is in every round exactly what lies from `first` on missing? */
static bool ends_rounds_at(const float *y, size_t n, size_t round, size_t first) {
    for (size_t i = 0; i < n; i++)
        if (sums_is_poison(y[i]) != (i % round >= first)) return false;
    return first < round;
}

static JudgeCause name_unwritten(Arena *arena, const JudgeCaseSpec *spec, const float *y) {
    const size_t n = (size_t)spec->n, threads = (size_t)spec->threads;
    const size_t all = threads * (size_t)spec->extra;
    if (n < 2) return JUDGE_UNKNOWN;
    if (ends_at(y, n, n - 1)) return judge_cause(arena, "last-lost", "only the last element is missing");
    if (n < all && ends_at(y, n, 0))
        return judge_cause(
            arena, "partial-round-lost",
            "there are more threads than elements, and the only round, which is partly full, is missing");
    if (all == 1 && ends_at(y, n, all))
        return judge_cause(arena, "one-round",
                           "the only thread copied one element, and did not go on to another");
    if (n > all && ends_at(y, n, all))
        return judge_cause(arena, "one-round",
                           "each of the %zu threads copied one element, and none went on to another", all);
    if (ends_at(y, n, n / all * all))
        return judge_cause(
            arena, "last-round-lost",
            "the last round, from index %zu on, is missing: %zu is not a multiple of %zu threads",
            n / all * all, n, all);
    if (n > all && ends_at(y, n, n - all))
        return judge_cause(arena, "round-too-few", "the last round of each thread is missing");
    if (ends_rounds_at(y, n, all, threads))
        return judge_cause(
            arena, "every-block-alike",
            "only block 0's elements are there, in every round: the other blocks copied the same ones");
    return JUDGE_UNKNOWN;
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const size_t n = (size_t)judged->spec->n;
    const float *y = judge_answer_floats(judged, decision, "y", n);
    if (y == NULL) return;
    decision->passed = judge_compare(judged, decision, "y", y, expected->y, NULL, n);
    if (decision->passed || decision->wrong_index < 0) return;
    JudgeCause cause = JUDGE_UNKNOWN;
    if (decision->unwritten) cause = name_unwritten(judged->arena, judged->spec, y);
    for (size_t i = 0; !decision->unwritten && cause.name == NULL && i < n; i++)
        if (y[decision->wrong_index] == expected->x[i])
            cause = judge_cause(judged->arena, "read-elsewhere", "it is x[%zu]", i);
    judge_explain(decision, cause);
}

static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    const size_t i = (size_t)wrong->wrong_index;
    const size_t all = (size_t)judged->spec->threads * (size_t)judged->spec->extra;
    judge_step_element(judged, "y[i]", "x[i]", i, ((const Expected *)judged->expected)->y[i], steps);
    judge_step(steps, "it is element %zu of thread %zu, counted from 0: %zu + %zu * %zu threads", i / all,
               i % all, i % all, i / all, all);
}

const Judge judge_03_grid_stride = {
    .lesson = "03-grid-stride",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
