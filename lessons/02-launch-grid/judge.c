/* judge.c - lesson 02: f = 2 g for a field of nx x ny x nz floats, x running fastest. Any extent may be 0.
 *
 * Doubling is exact, so the answer must be equal. Two cases have more rows, or planes, than a grid of the
 * starter's blocks, which are two high and two deep, may reach. `n` of a case is the number of elements,
 * `extra` its row in the table of extents.
 */
#include "lessons/common/field.h"

typedef struct Extent {
    int nx, ny, nz;
} Extent;

static const Extent extents[] = {
    {1, 1, 1},  {0, 5, 3},      {5, 0, 3},      {5, 3, 0},     {32, 8, 4},
    {33, 9, 5}, {1, 131075, 1}, {1, 1, 131075}, {131, 23, 29}, {1, 1, 262147},
};

static const JudgeCaseSpec cases[] = {
    {.name = "a single element", .points = 1, .n = 1, .extra = 0},
    {.name = "nx = 0", .points = 0, .n = 0, .extra = 1},
    {.name = "ny = 0", .points = 0, .n = 0, .extra = 2},
    {.name = "nz = 0", .points = 0, .n = 0, .extra = 3},
    {.name = "32 x 8 x 4", .points = 1, .n = 32 * 8 * 4, .extra = 4},
    {.name = "33 x 9 x 5: one past a block, called twice",
     .points = 1,
     .n = 33 * 9 * 5,
     .extra = 5,
     .again = true},
    {.name = "1 x 131,075 x 1: many rows", .points = 1, .n = 131075, .extra = 6},
    {.name = "1 x 1 x 131,075: many planes", .points = 1, .n = 131075, .extra = 7},
    {.name = "131 x 23 x 29: primes", .points = 1, .n = 131 * 23 * 29, .extra = 8},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

typedef struct Expected {
    Field field;
    const float *g;
    double *f;
} Expected;

static bool prepare(JudgeCase *judged) {
    const size_t n = (size_t)judged->spec->n;
    const Extent extent = extents[judged->spec->extra];
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    float *g = judge_input_floats(judged, "g", n);
    double *f = ARENA_ARRAY(judged->arena, n + 1, double);
    if (expected == NULL || g == NULL || f == NULL) return false;
    expected->field = (Field){.extent = {(size_t)extent.nx, (size_t)extent.ny, (size_t)extent.nz},
                              .part = {"element of a row", "row of a plane", "plane"},
                              .index = {"x = ", "y = ", "z = "}};
    expected->g = g;
    expected->f = f;
    judge_fill(judged, g, n, 1000.0F, 0);
    for (size_t i = 0; i < n; i++)
        f[i] = 2.0 * (double)g[i];
    judged->expected = expected;
    return judge_input_int(judged, "nx", extent.nx) && judge_input_int(judged, "ny", extent.ny) &&
           judge_input_int(judged, "nz", extent.nz);
}

static bool is_copied(const Expected *expected, size_t count, const float *f) {
    for (size_t i = 0; i < count; i++)
        if (f[i] != expected->g[i]) return false;
    return true;
}

static bool is_squared(const Expected *expected, size_t count, const float *f) {
    for (size_t i = 0; i < count; i++)
        if (f[i] != expected->g[i] * expected->g[i]) return false;
    return true;
}

/* What typical mistakes put at a place. All elements of g differ. */
static JudgeCause name_for(Arena *arena, const Expected *expected, size_t count, size_t wrong,
                           const float *f) {
    if (is_copied(expected, count, f)) return judge_cause(arena, "copied", "g was copied, and not doubled");
    if (is_squared(expected, count, f))
        return judge_cause(arena, "squared", "that is g[i] * g[i], the square: twice g[i] is 2 * g[i]");
    for (size_t i = 0; i < count; i++)
        if (f[wrong] == 2.0F * expected->g[i])
            return judge_cause(arena, "read-elsewhere",
                               "it is 2 g[%zu]: read at one place and written to another", i);
    return JUDGE_UNKNOWN;
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const Field *field = &expected->field;
    const size_t n = (size_t)judged->spec->n;
    const float *f = judge_answer_floats(judged, decision, "f", n);
    if (f == NULL) return;
    decision->passed = judge_compare(judged, decision, "f", f, expected->f, NULL, n);
    if (decision->passed || decision->wrong_index < 0) return;
    const size_t wrong = (size_t)decision->wrong_index;
    JudgeCause cause;
    if (decision->unwritten)
        cause = field_name_unwritten(judged->arena, field, f);
    else
        cause = name_for(judged->arena, expected, n, wrong, f);
    if (wrong > 0)
        decision->message = arena_format(judged->arena, "%s, that is (x, y, z) = (%zu, %zu, %zu)",
                                         decision->message, field_index(field, wrong, 0),
                                         field_index(field, wrong, 1), field_index(field, wrong, 2));
    judge_explain(decision, cause);
}

static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    const Expected *expected = judged->expected;
    const size_t i = (size_t)wrong->wrong_index;
    field_step_cell(steps, "f", i, expected->field.extent[0], expected->field.extent[1]);
    judge_step_element(judged, "f[i]", "2 * g[i]", i, expected->f[i], steps);
}

const Judge judge_02_launch_grid = {
    .lesson = "02-launch-grid",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
