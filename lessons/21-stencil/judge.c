/* judge.c - lesson 21: each inner cell becomes the mean of itself and its six neighbours; cells at the edge
 * of the field are copied.
 *
 * The numbers are whole and small, so that the sum of seven is exact; only the division rounds, by a factor
 * of 1/7 a second time. Wrong cells are compared with what typical mistakes would put there: all of them.
 */
#include "lessons/common/field.h"

typedef struct Extent {
    int nx, ny, nz;
} Extent;

static const Extent extents[] = {
    {1, 1, 1}, {0, 5, 3}, {3, 3, 3}, {32, 16, 4}, {33, 17, 5}, {37, 1, 9}, {31, 37, 11}, {64, 50, 21},
};

static const JudgeCaseSpec cases[] = {
    {.name = "a single cell", .points = 0, .n = 1, .extra = 0, .copied = true},
    {.name = "no cells at all", .points = 0, .n = 0, .extra = 1},
    {.name = "3 x 3 x 3: one inner cell", .points = 1, .n = 3 * 3 * 3, .extra = 2},
    {.name = "32 x 16 x 4, called twice", .points = 1, .n = 32 * 16 * 4, .extra = 3, .again = true},
    {.name = "33 x 17 x 5: one past a tile", .points = 2, .n = 33 * 17 * 5, .extra = 4},
    {.name = "37 x 1 x 9: edges only", .points = 1, .n = 37 * 9, .extra = 5, .copied = true},
    {.name = "31 x 37 x 11: primes", .points = 1, .n = 31 * 37 * 11, .extra = 6},
    {.name = "64 x 50 x 21", .points = 2, .n = 64 * 50 * 21, .extra = 7},
};

typedef struct Expected {
    Extent extent;
    const float *in;
    double *out, *tolerance;
} Expected;

static bool is_inside(Extent extent, size_t i) {
    const size_t nx = (size_t)extent.nx, ny = (size_t)extent.ny, nz = (size_t)extent.nz;
    const size_t x = i % nx, y = i / nx % ny, z = i / nx / ny;
    return x > 0 && x + 1 < nx && y > 0 && y + 1 < ny && z > 0 && z + 1 < nz;
}

/* The sum of the two neighbours `step` cells away. */
static double pair(const float *in, size_t i, size_t step) {
    return (double)in[i - step] + (double)in[i + step];
}

static bool prepare(JudgeCase *judged) {
    const size_t n = (size_t)judged->spec->n;
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    float *in = judge_input_floats(judged, "in", n);
    if (expected == NULL || in == NULL) return false;
    *expected = (Expected){.extent = extents[judged->spec->extra],
                           .in = in,
                           .out = ARENA_ARRAY(judged->arena, n + 1, double),
                           .tolerance = ARENA_ARRAY(judged->arena, n + 1, double)};
    if (expected->out == NULL || expected->tolerance == NULL) return false;
    judge_fill(judged, in, n, 9999.0F, 0);
    sums_make_whole(in, n);
    const size_t nx = (size_t)expected->extent.nx, plane = nx * (size_t)expected->extent.ny;
    for (size_t i = 0; i < n; i++) {
        expected->out[i] = (double)in[i];
        if (!is_inside(expected->extent, i)) continue;
        expected->out[i] = ((double)in[i] + pair(in, i, 1) + pair(in, i, nx) + pair(in, i, plane)) / 7.0;
        expected->tolerance[i] = fabs(expected->out[i]) * 3e-7;
    }
    judged->expected = expected;
    return judge_input_int(judged, "nx", expected->extent.nx) &&
           judge_input_int(judged, "ny", expected->extent.ny) &&
           judge_input_int(judged, "nz", expected->extent.nz);
}

static bool is_near(double got, double value) {
    return fabs(got - value) <= fabs(value) * 3e-7;
}

/* What an inner cell would be by a mistake. */
typedef double Value(const Expected *expected, size_t i);

static double value_copied(const Expected *expected, size_t i) {
    return (double)expected->in[i];
}

static double value_not_divided(const Expected *expected, size_t i) {
    return 7.0 * expected->out[i];
}

static double value_without_itself(const Expected *expected, size_t i) {
    return (7.0 * expected->out[i] - (double)expected->in[i]) / 6.0;
}

static double value_itself_twice(const Expected *expected, size_t i) {
    return (7.0 * expected->out[i] + (double)expected->in[i]) / 8.0;
}

static double value_by_six(const Expected *expected, size_t i) {
    return 7.0 * expected->out[i] / 6.0;
}

static size_t plane_of(const Expected *expected) {
    return (size_t)expected->extent.nx * (size_t)expected->extent.ny;
}

static double value_without_below(const Expected *expected, size_t i) {
    return expected->out[i] - (double)expected->in[i - plane_of(expected)] / 7.0;
}

static double value_without_above(const Expected *expected, size_t i) {
    return expected->out[i] - (double)expected->in[i + plane_of(expected)] / 7.0;
}

static const struct {
    JudgeCause cause;
    Value *value;
} mistakes[] = {
    {{"copied", "it was copied, but a cell with all six neighbours becomes the mean"}, value_copied},
    {{"not-divided", "it is the sum of the seven, not divided by 7"}, value_not_divided},
    {{"without-itself", "it is the mean of the six neighbours, without the cell itself"},
     value_without_itself},
    {{"itself-twice", "it is the mean of eight, with the cell itself twice: all seven count alike"},
     value_itself_twice},
    {{"divided-by-6", "the sum of seven was divided by 6"}, value_by_six},
    {{"below-lost", "the neighbour below, at z - 1, is missing"}, value_without_below},
    {{"above-lost", "the neighbour above, at z + 1, is missing"}, value_without_above},
};

static bool is_right(const Expected *expected, size_t i, float got) {
    return fabs((double)got - expected->out[i]) <= expected->tolerance[i];
}

/* Whether all wrong cells lie inside the field and are what the mistake makes of them. */
static bool explains(const Expected *expected, const float *out, size_t n, Value *value) {
    for (size_t i = 0; i < n; i++)
        if (!is_right(expected, i, out[i]) &&
            !(is_inside(expected->extent, i) && is_near((double)out[i], value(expected, i))))
            return false;
    return true;
}

static bool are_all_edges(const Expected *expected, const float *out, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!is_right(expected, i, out[i]) && is_inside(expected->extent, i)) return false;
    return true;
}

static JudgeCause name_for(const Expected *expected, const float *out, size_t n) {
    if (are_all_edges(expected, out, n))
        return (JudgeCause){"edge-computed", "it is at the edge of the field, where cells are copied"};
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        if (explains(expected, out, n, mistakes[i].value)) return mistakes[i].cause;
    return JUDGE_UNKNOWN;
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const size_t n = (size_t)judged->spec->n;
    const float *out = judge_answer_floats(judged, decision, "out", n);
    if (out == NULL) return;
    decision->passed = judge_compare(judged, decision, "out", out, expected->out, expected->tolerance, n);
    if (decision->passed || decision->unwritten || decision->wrong_index < 0) return;
    judge_explain(decision, name_for(expected, out, n));
}

static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    const Expected *expected = judged->expected;
    const size_t i = (size_t)wrong->wrong_index, nx = (size_t)expected->extent.nx;
    const struct {
        const char *along;
        size_t step;
    } pairs[] = {{"x", 1}, {"y", nx}, {"z", plane_of(expected)}};
    field_step_cell(steps, "out", i, nx, (size_t)expected->extent.ny);
    if (!is_inside(expected->extent, i)) {
        judge_step(steps, "it is at the edge of the field, and copied: in[%zu] is %.9g", i, expected->out[i]);
        return;
    }
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
        judge_step(steps, "its neighbours along %s: in[%zu] + in[%zu] = %.9g + %.9g = %.9g", pairs[p].along,
                   i - pairs[p].step, i + pairs[p].step, (double)expected->in[i - pairs[p].step],
                   (double)expected->in[i + pairs[p].step], pair(expected->in, i, pairs[p].step));
    judge_step(steps, "with itself: (%.9g + %.9g + %.9g + %.9g) / 7 = %.9g", (double)expected->in[i],
               pair(expected->in, i, 1), pair(expected->in, i, nx), pair(expected->in, i, plane_of(expected)),
               expected->out[i]);
}

const Judge judge_21_stencil = {
    .lesson = "21-stencil",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
