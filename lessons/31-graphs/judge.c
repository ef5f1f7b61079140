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
    if (round > 0) return (double)expected->rates[round - 1];
    return 0.0;
}

static double no_rate(const Expected *expected, size_t round) {
    (void)expected;
    (void)round;
    return 0.0;
}

/* Which round: none, the first, the last. */
typedef enum Which { NO_ROUND, FIRST_ROUND, LAST_ROUND } Which;

/* How the rounds go; all zero is right. */
typedef struct Way {
    Rate *rate;
    double factor;        /* of each rate */
    double centre;        /* how often a number is taken away from its neighbours */
    int steps;            /* of a round */
    Which twice, missing; /* this round is done once more, or not at all */
} Way;

static const Way right = {0};

/* One small kernel: each number but the first and the last moves towards the mean of its neighbours. */
static void step(double *out, const double *in, size_t n, double rate, double centre) {
    for (size_t i = 0; i < n; i++) {
        const bool end = i == 0 || i + 1 == n;
        if (end)
            out[i] = in[i];
        else
            out[i] = in[i] + rate * (in[i - 1] - centre * in[i] + in[i + 1]);
    }
}

static void round_of(double *values, double *between, size_t n, const Way *way, double rate) {
    int steps = STEPS;
    if (way->steps > 0) steps = way->steps;
    double centre = 2.0;
    if (way->centre > 0.0) centre = way->centre;
    if (way->factor > 0.0) rate *= way->factor;
    for (int s = 0; s < steps; s += 2) {
        step(between, values, n, rate, centre);
        step(values, between, n, rate, centre);
    }
}

static bool is_round(const Expected *expected, Which which, size_t round) {
    return (which == FIRST_ROUND && round == 0) || (which == LAST_ROUND && round + 1 == expected->rounds);
}

/* What so many rounds leave; NULL without memory. */
static double *simulate(const Expected *expected, size_t rounds, const Way *way) {
    double *values = ARENA_ARRAY(expected->arena, expected->n, double);
    double *between = ARENA_ARRAY(expected->arena, expected->n, double);
    Rate *rate = own_rate;
    if (way->rate != NULL) rate = way->rate;
    if (values == NULL || between == NULL) return NULL;
    for (size_t i = 0; i < expected->n; i++)
        values[i] = (double)expected->x[i];
    for (size_t round = 0; round < rounds; round++) {
        if (is_round(expected, way->missing, round)) continue;
        round_of(values, between, expected->n, way, rate(expected, round));
        if (is_round(expected, way->twice, round))
            round_of(values, between, expected->n, way, rate(expected, round));
    }
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
    expected->y = simulate(expected, rounds, &right);
    expected->tolerance = ARENA_ARRAY(judged->arena, n, double);
    if (expected->y == NULL || expected->tolerance == NULL) return false;
    for (size_t i = 0; i < n; i++)
        expected->tolerance[i] = 1e-6 * (double)(1 + STEPS * rounds);
    judged->expected = expected;
    return true;
}

static const struct {
    JudgeCause cause;
    Way way;
} mistakes[] = {
    {{"first-rate",
      "that is what the first round's rate leaves when all rounds use it: each round needs its own"},
     {.rate = first_rate}},
    {{"rate-before",
      "that is what comes out when each round uses the rate of the one before: update first, then launch"},
     {.rate = rate_before}},
    {{"no-rate", "that is the number that was there at first, as with a rate of 0"}, {.rate = no_rate}},
    {{"round-twice", "that is what eight steps in each round leave: is the graph launched twice, or are the "
                     "kernels launched beside it?"},
     {.steps = 2 * STEPS}},
    {{"half-round", "that is what two steps in each round leave: a round has four"}, {.steps = STEPS / 2}},
    {{"first-round-twice",
      "that is what one round too many leaves, with the first rate: what is captured does not run, and what "
      "is launched to try it does"},
     {.twice = FIRST_ROUND}},
    {{"last-round-twice", "that is what one round too many leaves, with the last rate"},
     {.twice = LAST_ROUND}},
    {{"first-round-missing", "that is what all rounds but the first leave: what is captured does not run, so "
                             "launch the graph in the first round as well"},
     {.missing = FIRST_ROUND}},
    {{"rate-factor", "that is what half of each rate leaves"}, {.factor = 0.5}},
    {{"rate-factor", "that is what twice each rate leaves"}, {.factor = 2.0}},
    {{"centre-once",
      "that is what in[i - 1] - in[i] + in[i + 1] leaves: the number itself is subtracted twice, once for "
      "each neighbour"},
     {.centre = 1.0}},
};
enum { MISTAKES = sizeof mistakes / sizeof *mistakes };

/* Whether all of the answer is what this way leaves. */
static bool is_left(const Expected *expected, const float *y, const Way *way) {
    const double *left = simulate(expected, expected->rounds, way);
    for (size_t i = 0; left != NULL && i < expected->n; i++)
        if (!(fabs((double)y[i] - left[i]) <= expected->tolerance[i] * fmax(1.0, fabs(left[i]))))
            return false;
    return left != NULL;
}

static const JudgeCause *suspects_of(const Expected *expected, const float *y) {
    JudgeCause *suspects = ARENA_ARRAY(expected->arena, MISTAKES + 1, JudgeCause);
    size_t count = 0;
    for (size_t i = 0; suspects != NULL && i < MISTAKES; i++)
        if (is_left(expected, y, &mistakes[i].way)) suspects[count++] = mistakes[i].cause;
    return suspects;
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const float *y = judge_answer_floats(judged, decision, "y", expected->n);
    if (y == NULL) return;
    decision->passed = judge_compare(judged, decision, "y", y, expected->y, expected->tolerance, expected->n);
    if (decision->passed || decision->unwritten || expected->rounds < 2) return; /* one could be any */
    decision->suspects = suspects_of(expected, y);
}

static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    enum { SHOWN = 3 };
    const Expected *expected = judged->expected;
    const size_t i = (size_t)wrong->wrong_index;
    judge_step(steps, "x[%zu] is %.9g at first", i, (double)expected->x[i]);
    for (size_t round = 0; round < expected->rounds && round < SHOWN; round++) {
        const double *values = simulate(expected, round + 1, &right);
        if (values == NULL) return;
        judge_step(steps, "after round %zu, with a rate of %.9g, it is %.9g", round,
                   (double)expected->rates[round], values[i]);
    }
    if (expected->rounds > SHOWN)
        judge_step(steps, "after the last, round %zu, it is %.9g", expected->rounds - 1, expected->y[i]);
}

const Judge judge_31_graphs = {
    .lesson = "31-graphs",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
