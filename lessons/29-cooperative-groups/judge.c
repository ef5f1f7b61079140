/* judge.c - lesson 29: n numbers less their mean.
 *
 * The numbers lie round 100, so that the sum of a part of them divided by n is far from the mean. They grow
 * with their index, and with their lane in a tile: a block, or one lane of each tile, has another mean.
 */
#include <float.h>
#include <math.h>

#include "autograder/judge.h"

static const JudgeCaseSpec cases[] = {
    {.name = "one tile", .points = 1, .n = 32},
    {.name = "a single number", .points = 0, .n = 1},
    {.name = "no numbers at all", .points = 0, .n = 0},
    {.name = "fewer numbers than a tile", .points = 1, .n = 7},
    {.name = "one block and a number, called twice", .points = 1, .n = 257, .again = true},
    {.name = "ten blocks", .points = 1, .n = 2560},
    {.name = "more blocks than the device holds", .points = 2, .n = 43201},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

enum { TILE = 32 };

typedef struct Expected {
    const float *x;
    size_t n;
    double sum;
    double *y, *tolerance;
} Expected;

static bool prepare(JudgeCase *judged) {
    static const float spread = 4.0F, middle = 96.0F, drift = 8.0F, lanes = 0.25F;
    const size_t n = (size_t)judged->spec->n;
    float *x = judge_input_floats(judged, "x", n);
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    if (x == NULL || expected == NULL) return false;
    judge_fill(judged, x, n, spread, 0);
    for (size_t i = 0; i < n; i++)
        x[i] += middle + drift * ((float)i / (float)n - 0.5F) + lanes * (float)(i % TILE);
    *expected = (Expected){.x = x,
                           .n = n,
                           .sum = judge_sum(x, n),
                           .y = ARENA_ARRAY(judged->arena, n + 1, double),
                           .tolerance = ARENA_ARRAY(judged->arena, n + 1, double)};
    if (expected->y == NULL || expected->tolerance == NULL) return false;
    double mean = 0.0;
    if (n > 0) mean = expected->sum / (double)n;
    /* Sums of thousands of tiles, in any order: their roundings go both ways. */
    for (size_t i = 0; i < n; i++) {
        expected->y[i] = (double)x[i] - mean;
        expected->tolerance[i] = 512.0 * (double)FLT_EPSILON * mean;
    }
    judged->expected = expected;
    return true;
}

/* What a typical mistake leaves in place of element i. */
typedef double Leaves(const Expected *expected, size_t i);

static double leave_undivided(const Expected *expected, size_t i) {
    return (double)expected->x[i] - expected->sum;
}

static double leave_unchanged(const Expected *expected, size_t i) {
    return (double)expected->x[i];
}

static double leave_mean(const Expected *expected, size_t i) {
    (void)i;
    return expected->sum / (double)expected->n;
}

static const struct {
    const char *name, *words;
    Leaves *leaves;
} suspects[] = {
    {"undivided", "that is the number less the sum of all: divide the sum by n", leave_undivided},
    {"nothing-subtracted", "that is the number itself, with nothing subtracted", leave_unchanged},
    {"mean-itself", "that is the mean, which is to be subtracted from the number", leave_mean},
};

/* Is every element what the mistake leaves? */
static bool is_everywhere(const Expected *expected, const float *y, Leaves *leaves) {
    if (expected->n == 1) return false; /* its mean is the number itself */
    for (size_t i = 0; i < expected->n; i++) {
        const double left = leaves(expected, i);
        if (!(fabs((double)y[i] - left) <= 1e-4 * fabs(left))) return false;
    }
    return true;
}

/* The one number that was subtracted from each; not a number where they differ. */
static double subtracted(const Expected *expected, const float *y) {
    double sum = 0.0;
    for (size_t i = 0; i < expected->n; i++)
        sum += (double)expected->x[i] - (double)y[i];
    const double one = sum / (double)expected->n;
    for (size_t i = 0; i < expected->n; i++)
        if (!(fabs((double)expected->x[i] - (double)y[i] - one) <= 1e-4 * fabs(one) + 1e-4)) return NAN;
    return one;
}

static bool is_near(double a, double b) {
    return fabs(a - b) <= 1e-4 * fabs(b);
}

/* The sum of the numbers that the first tile of each block has, with blocks of so many threads. */
static double sum_of_first_tiles(const Expected *expected, size_t threads) {
    double sum = 0.0;
    for (size_t i = 0; i < expected->n; i++)
        if (i % threads < TILE) sum += (double)expected->x[i];
    return sum;
}

/* A wrong sum, or a wrong number by which it is divided: both depend on the size of a block. */
static JudgeCause cause_of_mean(Arena *arena, const Expected *expected, double mean) {
    enum { LEAST = 2 * TILE, MOST = 1024 };
    const size_t n = expected->n;
    for (size_t threads = LEAST; threads <= MOST; threads *= 2) {
        const size_t all = (n + threads - 1) / threads * threads;
        if (n > TILE && is_near(mean * (double)n, sum_of_first_tiles(expected, threads)))
            return judge_cause(
                arena, "first-tiles",
                "what was subtracted is made of the first tile of each block alone: thread 0 of "
                "each tile adds its tile's sum, not thread 0 of the block");
        if (all != n && is_near(mean * (double)all, expected->sum))
            return judge_cause(arena, "divided-by-threads",
                               "the sum was divided by %zu, as many as there are threads: there are %zu "
                               "numbers",
                               all, n);
    }
    return JUDGE_UNKNOWN;
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const float *y = judge_answer_floats(judged, decision, "y", expected->n);
    if (y == NULL) return;
    decision->passed = judge_compare(judged, decision, "y", y, expected->y, expected->tolerance, expected->n);
    if (decision->passed || decision->unwritten) return;
    for (size_t i = 0; i < sizeof suspects / sizeof *suspects; i++)
        if (is_everywhere(expected, y, suspects[i].leaves)) {
            judge_explain(decision, (JudgeCause){.name = suspects[i].name, .words = suspects[i].words});
            return;
        }
    judge_explain(decision, cause_of_mean(judged->arena, expected, subtracted(expected, y)));
}

static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    const Expected *expected = judged->expected;
    const size_t i = (size_t)wrong->wrong_index;
    const double mean = expected->sum / (double)expected->n;
    judge_step(steps, "the %zu numbers add up to %.9g", expected->n, expected->sum);
    judge_step(steps, "their mean is %.9g / %zu = %.9g", expected->sum, expected->n, mean);
    judge_step(steps, "y[%zu] = x[%zu] - mean = %.9g - %.9g = %.9g", i, i, (double)expected->x[i], mean,
               expected->y[i]);
}

const Judge judge_29_cooperative_groups = {
    .lesson = "29-cooperative-groups",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
