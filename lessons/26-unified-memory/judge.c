/* judge.c - lesson 26: a rod of `n` places, and `extra` turns.
 *
 * In each turn the host sets both ends by a list, the device smooths the rod, and the host notes its middle.
 * So the host only passes on what it was given or what came back, and all that it leaves was made by kernels.
 * What a typical mistake leaves is the same calculation with one rule broken: `Rules` says which, so that all
 * are worked out by one function.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "autograder/judge.h"

static const JudgeCaseSpec cases[] = {
    {.name = "33 places, 1 turn", .points = 1, .n = 33, .extra = 1},
    {.name = "two places, 1 turn: no inner ones", .points = 1, .n = 2, .extra = 1, .copied = true},
    {.name = "five places, no turns", .points = 0, .n = 5, .extra = 0, .copied = true},
    {.name = "23 places, 22 turns: the ends reach the middle", .points = 1, .n = 23, .extra = 22},
    {.name = "257 places, 5 turns, called twice", .points = 1, .n = 257, .extra = 5, .again = true},
    {.name = "30,011 places, 12 turns", .points = 2, .n = 30011, .extra = 12},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

/* How a turn goes; all false is right. */
typedef struct Rules {
    bool not_smoothed, reads_before, first_end_only, same_ends, ends_apart, result_before, ends_smoothed,
        place_before;
} Rules;

typedef struct Trace {
    double *rod, *middle;
} Trace;

enum { MISTAKES = 8 };

static const struct {
    const char *name, *words;
    Rules rules;
} mistakes[MISTAKES] = {
    {"not-smoothed",
     "that is what the host's part alone makes: what the kernel wrote is never used. Are the two arrays "
     "swapped in each turn?",
     {.not_smoothed = true}},
    {"turn-late",
     "the middle was noted as it was before the kernel: the host reads it after the kernel has ended, from "
     "what the kernel wrote",
     {.reads_before = true}},
    {"one-end", "only the first end was set: the host sets both", {.first_end_only = true}},
    {"same-ends",
     "the ends of turn 0 were set in every turn: turn t has h_ends[2 * t] and h_ends[2 * t + 1]",
     {.same_ends = true}},
    {"ends-apart",
     "the ends of turn t were taken from h_ends[t] and h_ends[turns + t]: they lie side by side, at "
     "h_ends[2 * t] and h_ends[2 * t + 1]",
     {.ends_apart = true}},
    {"result-before",
     "that is the rod before the last turn's kernel: which of the two arrays has the result when the loop is "
     "over?",
     {.result_before = true}},
    {"ends-smoothed",
     "the ends were smoothed as well, each with itself for the neighbour that it lacks: the kernel copies "
     "them",
     {.ends_smoothed = true}},
    {"place-before-the-middle",
     "that is place (n - 1) / 2: the middle is place n / 2",
     {.place_before = true}},
};

typedef struct Expected {
    size_t n, turns;
    const float *before, *ends;
    Trace right, wrong[MISTAKES];
    double *tolerance; /* as many as places or turns, whichever are more */
} Expected;

static void smooth(Rules rules, double *next, const double *rod, size_t n) {
    next[0] = rod[0];
    next[n - 1] = rod[n - 1];
    if (rules.ends_smoothed) {
        next[0] = (2.0 * rod[0] + rod[1]) / 3.0;
        next[n - 1] = (2.0 * rod[n - 1] + rod[n - 2]) / 3.0;
    }
    for (size_t i = 1; i + 1 < n; i++)
        next[i] = (rod[i - 1] + rod[i] + rod[i + 1]) / 3.0;
}

/* Room for a trace, and for the rod of the turn before. */
static bool make_trace(Arena *arena, size_t n, size_t turns, Trace *trace) {
    trace->rod = ARENA_ARRAY(arena, n, double);
    trace->middle = ARENA_ARRAY(arena, turns + 1, double);
    return trace->rod && trace->middle;
}

/* The turns by these rules, from the rod that the case begins with. */
static void run(const Expected *expected, Rules rules, double *last, Trace *trace) {
    const size_t n = expected->n, noted = rules.place_before ? (n - 1) / 2 : n / 2;
    double *rod = trace->rod;
    for (size_t i = 0; i < n; i++)
        rod[i] = last[i] = (double)expected->before[i];
    for (size_t turn = 0; turn < expected->turns; turn++) {
        size_t of_turn = turn;
        if (rules.same_ends) of_turn = 0;
        size_t left = turn;
        if (!rules.ends_apart) left = 2 * of_turn;
        size_t right;
        if (rules.ends_apart)
            right = expected->turns + turn;
        else
            right = 2 * of_turn + 1;
        rod[0] = (double)expected->ends[left];
        if (!rules.first_end_only) rod[n - 1] = (double)expected->ends[right];
        memcpy(last, rod, n * sizeof *rod);
        if (!rules.not_smoothed) smooth(rules, rod, last, n);
        if (rules.reads_before)
            trace->middle[turn] = last[noted];
        else
            trace->middle[turn] = rod[noted];
    }
    if (rules.result_before) memcpy(rod, last, n * sizeof *rod);
}

static bool prepare(JudgeCase *judged) {
    const size_t n = (size_t)judged->spec->n, turns = (size_t)judged->spec->extra;
    enum { LIMIT = 100, ROUNDINGS = 4 };
    float *rod = judge_input_floats(judged, "rod", n);
    float *ends = judge_input_floats(judged, "ends", 2 * turns);
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    double *last = ARENA_ARRAY(judged->arena, n, double);
    if (!rod || !ends || !expected || !last) return false;
    judge_fill(judged, rod, n, LIMIT, 0);
    judge_fill(judged, ends, 2 * turns, LIMIT, 1);
    *expected = (Expected){.n = n, .turns = turns, .before = rod, .ends = ends};
    if (!make_trace(judged->arena, n, turns, &expected->right)) return false;
    run(expected, (Rules){0}, last, &expected->right);
    for (size_t i = 0; i < MISTAKES; i++) {
        if (!make_trace(judged->arena, n, turns, &expected->wrong[i])) return false;
        run(expected, mistakes[i].rules, last, &expected->wrong[i]);
    }
    expected->tolerance = ARENA_ARRAY(judged->arena, n + turns, double);
    if (!expected->tolerance) return false;
    for (size_t i = 0; i < n + turns; i++)
        expected->tolerance[i] =
            (double)ROUNDINGS * (double)FLT_EPSILON * (double)LIMIT * (double)(turns + 1);
    judged->expected = expected;
    return judge_input_int(judged, "turns", (int32_t)turns);
}

static bool is_near(const float *got, const double *want, size_t count, double tolerance) {
    for (size_t i = 0; i < count; i++)
        if (!(fabs((double)got[i] - want[i]) <= tolerance)) return false;
    return true;
}

/* Of n places the first n bytes came back, and the rest is as it was. */
static bool is_quarter(const Expected *expected, const float *rod) {
    enum { FEWEST = 16 };
    const size_t n = expected->n, quarter = n / sizeof *rod, rest = quarter + (n % sizeof *rod > 0);
    const double *right = expected->right.rod, tolerance = expected->tolerance[0];
    if (n < FEWEST || !is_near(rod, right, quarter, tolerance) || is_near(rod, right, n, tolerance))
        return false;
    return memcmp(rod + rest, expected->before + rest, (n - rest) * sizeof *rod) == 0;
}

/* The mistake that leaves just this, and not what is right. */
static void explain(const Expected *expected, const float *rod, const float *middle,
                    JudgeDecision *decision) {
    const double tolerance = expected->tolerance[0];
    for (size_t i = 0; i < MISTAKES; i++)
        if (is_near(rod, expected->wrong[i].rod, expected->n, tolerance) &&
            is_near(middle, expected->wrong[i].middle, expected->turns, tolerance)) {
            judge_explain(decision, (JudgeCause){.name = mistakes[i].name, .words = mistakes[i].words});
            return;
        }
    if (is_quarter(expected, rod))
        judge_explain(
            decision,
            (JudgeCause){.name = "quarter-back",
                         .words = "only the first quarter of the rod came back: memcpy and the runtime's "
                                  "copies count bytes, n * sizeof(float) for n places"});
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const float *rod = judge_answer_floats(judged, decision, "rod", expected->n);
    if (rod == NULL) return;
    const float *middle = judge_answer_floats(judged, decision, "middle", expected->turns);
    if (middle == NULL) return;
    decision->passed =
        judge_compare(judged, decision, "middle", middle, expected->right.middle, expected->tolerance,
                      expected->turns) &&
        judge_compare(judged, decision, "rod", rod, expected->right.rod, expected->tolerance, expected->n);
    if (!decision->passed && !decision->unwritten) explain(expected, rod, middle, decision);
}

/* The first turn by hand, at place i; later ones follow from it in the same way. */
static void work_first_turn(const Expected *expected, size_t i, Text *steps) {
    const size_t n = expected->n;
    const float *ends = expected->ends;
    double three[3];
    judge_step(steps, "turn 0, host: rod[0] = %.9g, rod[%zu] = %.9g", (double)ends[0], n - 1,
               (double)ends[1]);
    if (i == 0 || i == n - 1) {
        judge_step(steps, "turn 0, device: place %zu is an end, and stays %.9g", i, (double)ends[i > 0]);
        return;
    }
    for (size_t k = 0; k < 3; k++) {
        const size_t at = i - 1 + k;
        three[k] = (double)expected->before[at];
        if (at == 0) three[k] = (double)ends[0];
        if (at == n - 1) three[k] = (double)ends[1];
    }
    judge_step(steps, "turn 0, device: place %zu becomes (%.9g + %.9g + %.9g) / 3 = %.9g", i, three[0],
               three[1], three[2], (three[0] + three[1] + three[2]) / 3.0);
}

static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    const Expected *expected = judged->expected;
    const size_t i = (size_t)wrong->wrong_index;
    if (expected->turns == 0) {
        judge_step(steps, "there are no turns: place %zu stays %.9g", i, (double)expected->before[i]);
        return;
    }
    const bool of_middle = strcmp(wrong->answer, "middle") == 0;
    work_first_turn(expected, of_middle ? expected->n / 2 : i, steps);
    if (of_middle)
        judge_step(steps, "after turn %zu the middle is %.9g", i, expected->right.middle[i]);
    else if (expected->turns == 1)
        judge_step(steps, "after this turn place %zu is %.9g", i, expected->right.rod[i]);
    else
        judge_step(steps, "after %zu turns place %zu is %.9g", expected->turns, i, expected->right.rod[i]);
}

const Judge judge_26_unified_memory = {
    .lesson = "26-unified-memory",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
