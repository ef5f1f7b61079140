/* judge.c - lesson 21: each inner cell becomes the mean of itself and its six neighbours; cells at the edge
 * of the field are copied.
 *
 * The numbers are whole and small, so that the sum of seven is exact; only the division rounds, by a factor
 * of 1/7 a second time. The first wrong cell is compared with what typical mistakes would put there.
 */
#include "lessons/common/sums.h"

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
    {.name = "32 x 16 x 4", .points = 1, .n = 32 * 16 * 4, .extra = 3},
    {.name = "33 x 17 x 5: around a tile", .points = 2, .n = 33 * 17 * 5, .extra = 4},
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

static JudgeCause name_for(Arena *arena, const Expected *expected, size_t i, double got) {
    const float *in = expected->in;
    const size_t nx = (size_t)expected->extent.nx, plane = nx * (size_t)expected->extent.ny;
    if (!is_inside(expected->extent, i))
        return judge_cause(arena, "edge-computed", "it is at the edge of the field, where cells are copied");
    const double here = (double)in[i], want = expected->out[i];
    if (is_near(got, here))
        return judge_cause(arena, "copied",
                           "it was copied, but it has all six neighbours: it becomes the mean");
    if (is_near(got, 7.0 * want))
        return judge_cause(arena, "not-divided", "it is the sum of the seven, not divided by 7");
    if (is_near(got, (7.0 * want - here) / 6.0))
        return judge_cause(arena, "without-itself",
                           "it is the mean of the six neighbours, without the cell itself");
    if (is_near(got, 7.0 * want / 6.0))
        return judge_cause(arena, "divided-by-6", "the sum of seven was divided by 6");
    if (is_near(got, (7.0 * want - (double)in[i - plane]) / 7.0))
        return judge_cause(arena, "below-lost", "the neighbour below, at z - 1, is missing");
    if (is_near(got, (7.0 * want - (double)in[i + plane]) / 7.0))
        return judge_cause(arena, "above-lost", "the neighbour above, at z + 1, is missing");
    return JUDGE_UNKNOWN;
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const size_t n = (size_t)judged->spec->n;
    const float *out = judge_answer_floats(judged, decision, "out", n);
    if (out == NULL) return;
    decision->passed = judge_compare(judged, decision, "out", out, expected->out, expected->tolerance, n);
    if (decision->passed || decision->unwritten || decision->wrong_index < 0) return;
    const size_t wrong = (size_t)decision->wrong_index;
    const JudgeCause cause = name_for(judged->arena, expected, wrong, (double)out[wrong]);
    judge_explain(judged, decision, cause);
}

const Judge judge_21_stencil = {
    .lesson = "21-stencil",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .prepare = prepare,
    .decide = decide,
};
