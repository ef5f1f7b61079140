/* judge.c - lesson 28: eight functions, a case each, named after the function. `extra` says which one.
 *
 * A case counts when its answer is right and nothing was found in it (`clean_cases` of the manifest): most of
 * the mistakes leave the right answer on one day and a wrong one on another.
 */
#include <math.h>

#include "autograder/judge.h"

/* In the order of the driver's table. The first is one whose fault ends the program, so that a fresh one
 * shows all of the others; the last leaves an error that nobody looks at, which the next who asks would find.
 */
typedef enum Task { ADD_PAIRS, ADD_ONE, REVERSE_GROUPS, SUM_GROUPS, MEAN_GROUPS, HALVE, SMOOTH, SQUARE } Task;
enum { GROUP = 256, MEMBERS = 100 };

static const JudgeCaseSpec cases[] = {
    {.name = "add_pairs, 300 pairs", .points = 1, .n = 2 * 300 + 1, .extra = ADD_PAIRS},
    {.name = "add_one, 1,000 numbers", .points = 1, .n = 1000, .extra = ADD_ONE},
    {.name = "add_one, a single number", .points = 0, .n = 1, .extra = ADD_ONE},
    {.name = "reverse_groups, 4 groups", .points = 1, .n = 4 * GROUP, .extra = REVERSE_GROUPS},
    {.name = "sum_groups, 3 groups", .points = 1, .n = 3 * GROUP, .extra = SUM_GROUPS},
    {.name = "mean_groups, 6 groups, called twice",
     .points = 1,
     .n = 6 * MEMBERS,
     .extra = MEAN_GROUPS,
     .again = true},
    {.name = "halve, 1,000 numbers", .points = 1, .n = 1000, .extra = HALVE},
    {.name = "smooth, 700 numbers", .points = 1, .n = 700, .extra = SMOOTH},
    {.name = "smooth, a single number", .points = 0, .n = 1, .extra = SMOOTH},
    {.name = "square, 2,003 numbers", .points = 1, .n = 2003, .extra = SQUARE},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

typedef struct Expected {
    const float *x;
    size_t n, answers;
    double *y, *tolerance;
} Expected;

/* What one element of the answer must be, of n numbers; and how many elements there are. */
typedef double Element(const float *x, size_t n, size_t i);
typedef size_t Answers(size_t n);

static double one_more(const float *x, size_t n, size_t i) {
    (void)n;
    return (double)x[i] + 1.0;
}

static double reversed(const float *x, size_t n, size_t i) {
    (void)n;
    return (double)x[i / GROUP * GROUP + GROUP - 1 - i % GROUP];
}

static double sum_of(const float *x, size_t n, size_t i) {
    (void)n;
    return judge_sum(x + i * GROUP, GROUP);
}

static double mean_of(const float *x, size_t n, size_t i) {
    (void)n;
    return judge_sum(x + i * MEMBERS, MEMBERS) / (double)MEMBERS;
}

static double squared(const float *x, size_t n, size_t i) {
    (void)n;
    return (double)x[i] * (double)x[i];
}

static double halved(const float *x, size_t n, size_t i) {
    (void)n;
    return (double)x[i] / 2.0;
}

static double smoothed_once(const float *x, size_t n, size_t i) {
    if (i + 1 < n) return ((double)x[i] + (double)x[i + 1]) / 2.0;
    return (double)x[i];
}

static double smoothed(const float *x, size_t n, size_t i) {
    const double own = smoothed_once(x, n, i);
    if (i + 1 < n) return (own + smoothed_once(x, n, i + 1)) / 2.0;
    return own;
}

static double pair_sum(const float *x, size_t n, size_t i) {
    (void)n;
    return (double)x[2 * i + 1] + (double)x[2 * i + 2];
}

static size_t as_many(size_t n) {
    return n;
}

static size_t groups_of(size_t n) {
    return n / GROUP;
}

static size_t hundreds_of(size_t n) {
    return n / MEMBERS;
}

static size_t pairs_of(size_t n) {
    return n / 2;
}

/* What the function gets as its last parameter is `given`, where that is not n. */
static const struct {
    Element *element;
    Answers *answers, *given;
} tasks[] = {
    [ADD_ONE] = {one_more, as_many, as_many},    [REVERSE_GROUPS] = {reversed, as_many, as_many},
    [SUM_GROUPS] = {sum_of, groups_of, as_many}, [MEAN_GROUPS] = {mean_of, hundreds_of, as_many},
    [SQUARE] = {squared, as_many, as_many},      [HALVE] = {halved, as_many, as_many},
    [SMOOTH] = {smoothed, as_many, as_many},     [ADD_PAIRS] = {pair_sum, pairs_of, pairs_of},
};

/* Numbers are at most LIMIT; sums are of at most GROUP of them, in any order. */
static bool prepare(JudgeCase *judged) {
    static const float limit = 8.0F;
    static const double rounding = 1e-7;
    const size_t n = (size_t)judged->spec->n, task = (size_t)judged->spec->extra;
    const size_t answers = tasks[task].answers(n);
    float *x = judge_input_floats(judged, "x", n);
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    if (x == NULL || expected == NULL) return false;
    judge_fill(judged, x, n, limit, 0);
    *expected = (Expected){.x = x,
                           .n = n,
                           .answers = answers,
                           .y = ARENA_ARRAY(judged->arena, answers + 1, double),
                           .tolerance = ARENA_ARRAY(judged->arena, answers + 1, double)};
    if (expected->y == NULL || expected->tolerance == NULL) return false;
    double terms = 1.0;
    if (task == SUM_GROUPS) terms = GROUP;
    for (size_t i = 0; i < answers; i++) {
        expected->y[i] = tasks[task].element(x, n, i);
        expected->tolerance[i] = rounding * (double)(limit * limit) * terms;
    }
    judged->expected = expected;
    return judge_input_int(judged, "answers", (int32_t)answers) &&
           judge_input_int(judged, "n", (int32_t)tasks[task].given(n)) &&
           judge_input_int(judged, "task", (int32_t)task);
}

static double unchanged(const float *x, size_t n, size_t i) {
    (void)n;
    return (double)x[i];
}

static double first_of_group(const float *x, size_t n, size_t i) {
    (void)n;
    return (double)x[i * GROUP];
}

static double pair_before(const float *x, size_t n, size_t i) {
    (void)n;
    return (double)x[2 * i] + (double)x[2 * i + 1];
}

/* What a mistaken repair leaves in place of each element. */
static const struct {
    Task task;
    const char *name, *words;
    Element *leaves;
} suspects[] = {
    {SMOOTH, "smoothed-once", "that is one pass of the two: what the first pass leaves, the second must read",
     smoothed_once},
    {ADD_PAIRS, "pair-before", "those are x[2i] + x[2i + 1], pairs that begin one number too early",
     pair_before},
    {REVERSE_GROUPS, "not-reversed", "those are the numbers in their old order", unchanged},
    {SUM_GROUPS, "one-of-group", "those are the groups' first numbers, to which nothing was added",
     first_of_group},
};

static bool is_everywhere(const Expected *expected, const float *y, Element *leaves) {
    for (size_t i = 0; i < expected->answers; i++)
        if (!(fabs((double)y[i] - leaves(expected->x, expected->n, i)) <= expected->tolerance[i]))
            return false;
    return true;
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const float *y = judge_answer_floats(judged, decision, "y", expected->answers);
    if (y == NULL) return;
    decision->passed =
        judge_compare(judged, decision, "y", y, expected->y, expected->tolerance, expected->answers);
    if (decision->passed || decision->unwritten) return;
    for (size_t i = 0; i < sizeof suspects / sizeof *suspects; i++)
        if (suspects[i].task == (Task)judged->spec->extra && is_everywhere(expected, y, suspects[i].leaves)) {
            judge_explain(decision, (JudgeCause){.name = suspects[i].name, .words = suspects[i].words});
            return;
        }
}

static void work_group(const JudgeCase *judged, size_t i, size_t members, const char *what, Text *steps) {
    const Expected *expected = judged->expected;
    judge_step(steps, "group %zu is x[%zu] to x[%zu]", i, i * members, i * members + members - 1);
    judge_step(steps, "its numbers add up to %.9g", judge_sum(expected->x + i * members, members));
    judge_step(steps, "y[%zu] is their %s, %.9g", i, what, expected->y[i]);
}

static void work_reversed(const JudgeCase *judged, size_t i, Text *steps) {
    const Expected *expected = judged->expected;
    const size_t first = i / GROUP * GROUP;
    judge_step(steps, "y[%zu] is in the group that begins at %zu, and there number %zu", i, first, i - first);
    judge_step(steps, "so it is the group's number 255 - %zu: x[%zu] = %.9g", i - first,
               first + GROUP - 1 - (i - first), expected->y[i]);
}

static void work_smoothed(const JudgeCase *judged, size_t i, Text *steps) {
    const Expected *expected = judged->expected;
    judge_step(steps, "after the first pass, number %zu is %.9g", i,
               smoothed_once(expected->x, expected->n, i));
    if (i + 1 < expected->n)
        judge_step(steps, "and number %zu is %.9g", i + 1, smoothed_once(expected->x, expected->n, i + 1));
    judge_step(steps, "after the second, y[%zu] is %.9g", i, expected->y[i]);
}

/* What one formula says; `y[i]` and `x[i]` get the element's index. */
static void work_formula(const JudgeCase *judged, size_t i, Text *steps) {
    static const char *const terms[] = {
        [ADD_ONE] = "x[i] + 1", [SQUARE] = "x[i] * x[i]", [HALVE] = "x[i] / 2"};
    const Expected *expected = judged->expected;
    judge_step_element(judged, "y[i]", terms[judged->spec->extra], i, expected->y[i], steps);
}

static void work_pair(const JudgeCase *judged, size_t i, Text *steps) {
    const Expected *expected = judged->expected;
    judge_step(steps, "y[%zu] = x[%zu] + x[%zu] = %.9g + %.9g = %.9g", i, 2 * i + 1, 2 * i + 2,
               (double)expected->x[2 * i + 1], (double)expected->x[2 * i + 2], expected->y[i]);
}

static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    const size_t i = (size_t)wrong->wrong_index;
    switch ((Task)judged->spec->extra) {
    case REVERSE_GROUPS:
        work_reversed(judged, i, steps);
        return;
    case SUM_GROUPS:
        work_group(judged, i, GROUP, "sum", steps);
        return;
    case MEAN_GROUPS:
        work_group(judged, i, MEMBERS, "mean", steps);
        return;
    case SMOOTH:
        work_smoothed(judged, i, steps);
        return;
    case ADD_PAIRS:
        work_pair(judged, i, steps);
        return;
    case ADD_ONE:
    case SQUARE:
    case HALVE:
        work_formula(judged, i, steps);
        return;
    }
}

const Judge judge_28_find_the_bug = {
    .lesson = "28-find-the-bug",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
