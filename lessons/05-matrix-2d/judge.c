/* judge.c - lesson 05: z = x y, element by element, for matrices of rows x cols floats, row by row.
 *
 * One product of floats is exactly rounded, so the answer must be equal. The largest matrix has more elements
 * than the budget allows threads, so that they have to step in both directions; a square one is there for
 * those who confuse rows and cols, and pass it.
 */
#include "lessons/common/field.h"

typedef struct Size {
    int rows, cols;
} Size;

static const Size sizes[] = {
    {1, 1}, {0, 7}, {7, 0}, {64, 64}, {65, 257}, {1, 1009}, {1009, 1}, {131, 389},
};

static const JudgeCaseSpec cases[] = {
    {.name = "a single element", .points = 0, .n = 1, .extra = 0},
    {.name = "no rows", .points = 0, .n = 0, .extra = 1},
    {.name = "no columns", .points = 0, .n = 0, .extra = 2},
    {.name = "64 x 64: square", .points = 1, .n = 64 * 64, .extra = 3},
    {.name = "65 x 257: one past the grid", .points = 1, .n = 65 * 257, .extra = 4},
    {.name = "one row of 1,009, called twice", .points = 1, .n = 1009, .extra = 5, .again = true},
    {.name = "one column of 1,009", .points = 1, .n = 1009, .extra = 6},
    {.name = "131 x 389: primes", .points = 1, .n = 131 * 389, .extra = 7},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

typedef struct Expected {
    Field field;
    const float *x, *y;
    double *z;
} Expected;

/* A hidden case says how many columns it has in `threads`. */
static Size size_of(const JudgeCaseSpec *spec) {
    if (spec->threads > 0) return (Size){(int)(spec->n / spec->threads), (int)spec->threads};
    return sizes[spec->extra];
}

static bool prepare(JudgeCase *judged) {
    const size_t n = (size_t)judged->spec->n;
    const Size size = size_of(judged->spec);
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    float *x = judge_input_floats(judged, "x", n), *y = judge_input_floats(judged, "y", n);
    double *z = ARENA_ARRAY(judged->arena, n + 1, double);
    if (expected == NULL || x == NULL || y == NULL || z == NULL) return false;
    *expected = (Expected){.field = {.extent = {(size_t)size.cols, (size_t)size.rows, 1},
                                     .part = {"column", "row", "matrix"},
                                     .index = {"", "", ""}},
                           .x = x,
                           .y = y,
                           .z = z};
    judge_fill(judged, x, n, 100.0F, 0);
    judge_fill(judged, y, n, 100.0F, 1);
    for (size_t i = 0; i < n; i++)
        z[i] = (double)(x[i] * y[i]);
    judged->expected = expected;
    return judge_input_int(judged, "rows", size.rows) && judge_input_int(judged, "cols", size.cols);
}

/* An element of the product of two matrices, as far as there is one. */
static double matrix_product_at(const Expected *expected, size_t row, size_t col) {
    const size_t cols = expected->field.extent[0], rows = expected->field.extent[1];
    double sum = 0.0;
    for (size_t k = 0; k < cols && k < rows; k++)
        sum += (double)expected->x[row * cols + k] * (double)expected->y[k * cols + col];
    return sum;
}

static float added(float x, float y) {
    return x + y;
}

static float x_twice(float x, float y) {
    (void)y;
    return x * x;
}

static bool all_are(const Expected *expected, size_t count, const float *z, float of(float x, float y)) {
    for (size_t i = 0; i < count; i++)
        if (z[i] != of(expected->x[i], expected->y[i])) return false;
    return true;
}

static JudgeCause name_for(const JudgeCase *judged, size_t wrong, const float *z) {
    const Expected *expected = judged->expected;
    Arena *arena = judged->arena;
    const size_t count = (size_t)judged->spec->n;
    const double got = (double)z[wrong];
    if (all_are(expected, count, z, added)) return judge_cause(arena, "added", "it is x + y");
    if (all_are(expected, count, z, x_twice)) return judge_cause(arena, "x-twice", "it is x * x");
    const size_t cols = expected->field.extent[0];
    const double product = matrix_product_at(expected, wrong / cols, wrong % cols);
    const double slack = 1e-4 * (1.0 + fabs(product));
    if (fabs(got - product) <= slack && fabs(expected->z[wrong] - product) > slack)
        return judge_cause(
            arena, "matrix-product",
            "it is a row of x times a column of y. Here the elements are multiplied one by one");
    return JUDGE_UNKNOWN;
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const Field *field = &expected->field;
    const size_t n = (size_t)judged->spec->n;
    const float *z = judge_answer_floats(judged, decision, "z", n);
    if (z == NULL) return;
    decision->passed = judge_compare(judged, decision, "z", z, expected->z, NULL, n);
    if (decision->passed || decision->wrong_index < 0) return;
    const size_t wrong = (size_t)decision->wrong_index;
    JudgeCause cause;
    if (decision->unwritten)
        cause = field_name_unwritten(judged->arena, field, z);
    else
        cause = name_for(judged, wrong, z);
    if (wrong > 0)
        decision->message = arena_format(judged->arena, "%s, in row %zu, column %zu", decision->message,
                                         field_index(field, wrong, 1), field_index(field, wrong, 0));
    judge_explain(decision, cause);
}

static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    const Expected *expected = judged->expected;
    const size_t i = (size_t)wrong->wrong_index;
    field_step_row(steps, "z", i, expected->field.extent[0]);
    judge_step_element(judged, "z[i]", "x[i] * y[i]", i, expected->z[i], steps);
}

const Judge judge_05_matrix_2d = {
    .lesson = "05-matrix-2d",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
