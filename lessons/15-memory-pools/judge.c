/* judge.c - lesson 15: `rounds` times the mean of three neighbours, the first and the last number stay.
 *
 * Both the number of rounds and n may be 0. One case runs in two streams at once, which share nothing but
 * what the learner makes them share; one looks whether the input is still there. A wrong result is compared
 * with those of a few rounds more or less.
 */
#include "autograder/judge.h"

#include <math.h>
#include <string.h>

enum { TWO_STREAMS = 100, LOOK_AGAIN = 200 }; /* added to the rounds in `extra` */
enum { WORST = 3 };                           /* rounds too many or too few that are told */

static const JudgeCaseSpec cases[] = {
    {.name = "a single number", .points = 1, .n = 1, .extra = 3},
    {.name = "no numbers at all", .points = 1, .n = 0, .extra = 5},
    {.name = "no rounds at all", .points = 1, .n = 100, .extra = 0, .copied = true},
    {.name = "one round, a block and one number", .points = 1, .n = 257, .extra = 1},
    {.name = "two rounds, called twice", .points = 1, .n = 512, .extra = 2, .again = true},
    {.name = "the input is not changed", .points = 1, .n = 1009, .extra = LOOK_AGAIN + 5},
    {.name = "two streams at once", .points = 1, .n = 4099, .extra = TWO_STREAMS + 3},
    {.name = "ten rounds over 20,011 numbers", .points = 1, .n = 20011, .extra = 10},
};

typedef struct Expected {
    const float *in, *others;
    double *rounds[2 * WORST + 1]; /* what comes out after that many more than WORST too few */
    double *out, *second, *same, *tolerance;
    int count;
    bool two, look_again;
} Expected;

static double *smooth(Arena *arena, const double *in, size_t n) {
    double *out = ARENA_ARRAY(arena, n + 1, double);
    for (size_t i = 0; out != NULL && i < n; i++)
        out[i] = i == 0 || i + 1 == n ? in[i] : (in[i - 1] + in[i] + in[i + 1]) / 3.0;
    return out;
}

static double *widen(Arena *arena, const float *in, size_t n) {
    double *out = ARENA_ARRAY(arena, n + 1, double);
    for (size_t i = 0; out != NULL && i < n; i++)
        out[i] = (double)in[i];
    return out;
}

static double *smooth_often(Arena *arena, const float *in, size_t n, int rounds) {
    double *values = widen(arena, in, n);
    for (int round = 0; values != NULL && round < rounds; round++)
        values = smooth(arena, values, n);
    return values;
}

/* The results of a few rounds more and fewer as well. */
static bool prepare_rounds(JudgeCase *judged, Expected *expected, size_t n) {
    double *values = widen(judged->arena, expected->in, n);
    expected->same = values;
    for (int round = 0; values != NULL && round <= expected->count + WORST; round++) {
        if (round >= expected->count - WORST) expected->rounds[round - expected->count + WORST] = values;
        values = smooth(judged->arena, values, n);
    }
    expected->out = expected->rounds[WORST];
    return values != NULL;
}

static bool prepare_second(JudgeCase *judged, Expected *expected, size_t n) {
    float *others = judge_input_floats(judged, "others", n);
    if (others == NULL) return false;
    judge_fill(judged, others, n, 1000.0F, 1);
    expected->others = others;
    expected->second = smooth_often(judged->arena, others, n, expected->count);
    return expected->second != NULL;
}

static bool prepare(JudgeCase *judged) {
    const size_t n = (size_t)judged->spec->n;
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    float *in = judge_input_floats(judged, "in", n);
    if (expected == NULL || in == NULL) return false;
    judged->expected = expected;
    const long extra = judged->spec->extra;
    expected->look_again = extra >= LOOK_AGAIN;
    expected->two = extra >= TWO_STREAMS && !expected->look_again;
    expected->count = (int)(extra % TWO_STREAMS);
    judge_fill(judged, in, n, 1000.0F, 0);
    expected->in = in;
    expected->tolerance = ARENA_ARRAY(judged->arena, n + 1, double);
    for (size_t i = 0; expected->tolerance != NULL && i < n; i++)
        expected->tolerance[i] = 4e-4 * (double)(expected->count > 0);
    return expected->tolerance != NULL && judge_input_int(judged, "rounds", expected->count) &&
           judge_input_int(judged, "calls", expected->two ? 2 : 1) &&
           judge_input_int(judged, "look_again", expected->look_again) &&
           prepare_rounds(judged, expected, n) && (!expected->two || prepare_second(judged, expected, n));
}

static bool are_near(const float *got, const double *want, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!(fabs((double)got[i] - want[i]) <= 4e-4)) return false;
    return true;
}

static JudgeCause name_for(const JudgeCase *judged, const float *out) {
    const Expected *expected = judged->expected;
    for (int i = 0; i <= 2 * WORST; i++) {
        const double *values = expected->rounds[i];
        const int rounds = expected->count - WORST + i;
        if (i == WORST || values == NULL || !are_near(out, values, (size_t)judged->spec->n)) continue;
        return judge_cause(judged->arena, "rounds", "that is the result of %d round%s; the call asks for %d",
                           rounds, rounds == 1 ? "" : "s", expected->count);
    }
    return JUDGE_UNKNOWN;
}

/* Of two answers of one size, the one that is read last is looked up in the report. */
static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const size_t n = (size_t)judged->spec->n;
    if (expected->look_again) {
        const float *in = judge_other_floats(judged, decision, "in", n);
        if (in == NULL || !judge_compare(judged, decision, "in", in, expected->same, NULL, n)) {
            if (in != NULL && decision->message != NULL) {
                decision->message =
                    arena_format(judged->arena, "the input was changed: %s", decision->message);
                decision->cause = "input-changed";
            }
            return;
        }
    }
    if (expected->two) {
        const float *second = judge_answer_floats(judged, decision, "second", n);
        if (second == NULL ||
            !judge_compare(judged, decision, "second", second, expected->second, expected->tolerance, n))
            return;
    }
    const float *out = judge_answer_floats(judged, decision, "out", n);
    if (out == NULL) return;
    decision->passed = judge_compare(judged, decision, "out", out, expected->out, expected->tolerance, n);
    if (decision->passed || decision->unwritten) return;
    const JudgeCause cause = name_for(judged, out);
    judge_explain(decision, cause);
}

/* An inner number in the first rounds and in the last one: each is the mean of three numbers before it. */
static void work_rounds(const JudgeCase *judged, const float *in, size_t i, Text *steps) {
    enum { FIRST_ROUNDS = 3 };
    const Expected *expected = judged->expected;
    const double *before = widen(judged->arena, in, (size_t)judged->spec->n);
    for (int round = 1; round <= expected->count && before != NULL; round++) {
        const double *after = smooth(judged->arena, before, (size_t)judged->spec->n);
        if (after == NULL) return;
        if (round <= FIRST_ROUNDS || round == expected->count)
            judge_step(steps, "round %d: the mean of numbers %zu to %zu, (%.9g + %.9g + %.9g) / 3 = %.9g",
                       round, i - 1, i + 1, before[i - 1], before[i], before[i + 1], after[i]);
        before = after;
    }
}

static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    const Expected *expected = judged->expected;
    const size_t n = (size_t)judged->spec->n, i = (size_t)wrong->wrong_index;
    const bool second = strcmp(wrong->answer, "second") == 0;
    const float *in = second ? expected->others : expected->in;
    judge_step(steps, "%s[%zu] is %.9g", second ? "others" : "in", i, (double)in[i]);
    if (strcmp(wrong->answer, "in") == 0)
        judge_step(steps, "and the input stays as it is");
    else if (expected->count == 0)
        judge_step(steps, "and 0 rounds leave every number as it is");
    else if (i == 0 || i + 1 == n)
        judge_step(steps, "and the first number and the last stay as they are in every round");
    else
        work_rounds(judged, in, i, steps);
}

const Judge judge_15_memory_pools = {
    .lesson = "15-memory-pools",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
