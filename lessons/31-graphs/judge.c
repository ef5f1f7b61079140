/* judge.c - lesson 31: rounds of smoothing, STEPS small kernels each, every round with a rate of its own.
 *
 * `extra` is the number of rounds. Rates lie between 0.05 and 0.25, far enough apart that another round's
 * rate shows.
 */
#include <math.h>

#include "autograder/judge.h"

enum { STEPS = 4 };

static const JudgeCaseSpec cases[] = {
    {.name = "one round", .points = 1, .n = 40, .extra = 1},
    {.name = "no rounds at all", .points = 0, .n = 40, .extra = 0, .copied = true},
    {.name = "two numbers, which are both ends", .points = 0, .n = 2, .extra = 2, .copied = true},
    {.name = "three rounds, called twice", .points = 1, .n = 257, .extra = 3, .again = true},
    {.name = "twelve rounds", .points = 2, .n = 1000, .extra = 12},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

typedef struct Expected {
    Arena *arena;
    const float *x, *rates;
    size_t n, rounds;
    double *y, *tolerance;
} Expected;

/* One small kernel: each number but the first and the last moves towards the mean of its neighbours. */
static void step(double *out, const double *in, size_t n, double rate) {
    for (size_t i = 0; i < n; i++) {
        const bool end = i == 0 || i + 1 == n;
        out[i] = end ? in[i] : in[i] + rate * (in[i - 1] - 2.0 * in[i] + in[i + 1]);
    }
}

static void round_of(double *values, double *between, size_t n, double rate) {
    for (int s = 0; s < STEPS; s += 2) {
        step(between, values, n, rate);
        step(values, between, n, rate);
    }
}

/* Which rate a round has: the right one, or another. */
typedef double Rate(const Expected *expected, size_t round);

static double own_rate(const Expected *expected, size_t round) {
    return (double)expected->rates[round];
}

static double first_rate(const Expected *expected, size_t round) {
    (void)round;
    return (double)expected->rates[0];
}

static double rate_before(const Expected *expected, size_t round) {
    return round > 0 ? (double)expected->rates[round - 1] : 0.0;
}

static double no_rate(const Expected *expected, size_t round) {
    (void)expected;
    (void)round;
    return 0.0;
}

/* What so many rounds leave; NULL without memory. */
static double *simulate(const Expected *expected, size_t rounds, Rate *rate) {
    double *values = ARENA_ARRAY(expected->arena, expected->n, double);
    double *between = ARENA_ARRAY(expected->arena, expected->n, double);
    if (values == NULL || between == NULL) return NULL;
    for (size_t i = 0; i < expected->n; i++)
        values[i] = (double)expected->x[i];
    for (size_t round = 0; round < rounds; round++)
        round_of(values, between, expected->n, rate(expected, round));
    return values;
}

static bool prepare(JudgeCase *judged) {
    static const float limit = 8.0F, middle = 0.15F, spread = 0.1F;
    const size_t n = (size_t)judged->spec->n, rounds = (size_t)judged->spec->extra;
    float *x = judge_input_floats(judged, "x", n);
    float *rates = judge_input_floats(judged, "rates", rounds);
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    if (x == NULL || rates == NULL || expected == NULL) return false;
    judge_fill(judged, x, n, limit, 0);
    judge_fill(judged, rates, rounds, spread, 1);
    for (size_t round = 0; round < rounds; round++)
        rates[round] += middle;
    *expected = (Expected){.arena = judged->arena, .x = x, .rates = rates, .n = n, .rounds = rounds};
    expected->y = simulate(expected, rounds, own_rate);
    expected->tolerance = ARENA_ARRAY(judged->arena, n, double);
    if (expected->y == NULL || expected->tolerance == NULL) return false;
    for (size_t i = 0; i < n; i++)
        expected->tolerance[i] = 1e-6 * (double)(1 + STEPS * rounds);
    judged->expected = expected;
    return true;
}

static const struct {
    const char *name, *words;
    Rate *rate;
} suspects[] = {
    {"first-rate",
     "that is what the first round's rate leaves when all rounds use it: each round needs its own",
     first_rate},
    {"rate-before",
     "that is what comes out when each round uses the rate of the one before: update first, then "
     "launch",
     rate_before},
    {"no-rate", "that is the number that was there at first, as with a rate of 0", no_rate},
};

static bool is_everywhere(const Expected *expected, const float *y, const double *left) {
    for (size_t i = 0; i < expected->n; i++)
        if (!(fabs((double)y[i] - left[i]) <= expected->tolerance[i])) return false;
    return true;
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const float *y = judge_answer_floats(judged, decision, "y", expected->n);
    if (y == NULL) return;
    decision->passed = judge_compare(judged, decision, "y", y, expected->y, expected->tolerance, expected->n);
    if (decision->passed || decision->unwritten || expected->rounds < 2) return; /* one could be any */
    for (size_t i = 0; i < sizeof suspects / sizeof *suspects; i++) {
        const double *left = simulate(expected, expected->rounds, suspects[i].rate);
        if (left == NULL || !is_everywhere(expected, y, left)) continue;
        judge_explain(decision, (JudgeCause){.name = suspects[i].name, .words = suspects[i].words});
        return;
    }
}

static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    enum { SHOWN = 3 };
    const Expected *expected = judged->expected;
    const size_t i = (size_t)wrong->wrong_index;
    judge_step(steps, "x[%zu] is %.9g at first", i, (double)expected->x[i]);
    for (size_t round = 0; round < expected->rounds && round < SHOWN; round++) {
        const double *values = simulate(expected, round + 1, own_rate);
        if (values == NULL) return;
        judge_step(steps, "after round %zu, with a rate of %.9g, it is %.9g", round,
                   (double)expected->rates[round], values[i]);
    }
    if (expected->rounds > SHOWN)
        judge_step(steps, "after the last, round %zu, it is %.9g", expected->rounds - 1, expected->y[i]);
}

const Judge judge_31_graphs = {
    .lesson = "31-graphs",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
