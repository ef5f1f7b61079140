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

/* The sum of the cell and its neighbours in its own plane, divided by their number. */
static double value_of_plane(const Expected *expected, size_t i) {
    return (7.0 * expected->out[i] - pair(expected->in, i, plane_of(expected))) / 5.0;
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
    {{"of-a-plane",
      "it is the mean of five: the neighbours below and above, at z - 1 and z + 1, are missing"},
     value_of_plane},
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

/* ---- another cell in place of a neighbour ---- */

/* From a cell to another one. */
typedef struct Offset {
    int x, y, z;
} Offset;

static const Offset neighbours[] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
enum { NEIGHBOURS = sizeof neighbours / sizeof *neighbours, FURTHEST = 2 };

/* What the field holds there; a NaN outside. */
static double cell_at(const Expected *expected, size_t i, Offset offset) {
    const long at =
        (long)i + offset.x + (long)offset.y * expected->extent.nx + (long)offset.z * (long)plane_of(expected);
    const long count = (long)plane_of(expected) * expected->extent.nz;
    if (at >= 0 && at < count) return (double)expected->in[at];
    return NAN;
}

/* Whether each wrong cell is what it would be with that in place of the neighbour: with a cell (`other`), or
 * with nothing. One cell alone may be so by chance. */
static bool is_added_instead(const Expected *expected, const float *out, size_t n, Offset neighbour,
                             const Offset *other) {
    const double rounding = 0.1; /* the cells are whole numbers */
    size_t wrong = 0;
    for (size_t i = 0; i < n; i++) {
        if (is_right(expected, i, out[i])) continue;
        if (!is_inside(expected->extent, i)) return false;
        double value = 0.0;
        if (other != NULL) value = cell_at(expected, i, *other);
        const double added = 7.0 * ((double)out[i] - expected->out[i]) + cell_at(expected, i, neighbour);
        if (!(fabs(added - value) <= rounding)) return false;
        wrong++;
    }
    return wrong > 1;
}

static const char *text_of(Arena *arena, Offset offset) {
    static const char *const shifts[] = {" - 2", " - 1", "", " + 1", " + 2"};
    return arena_format(arena, "(x%s, y%s, z%s)", shifts[offset.x + FURTHEST], shifts[offset.y + FURTHEST],
                        shifts[offset.z + FURTHEST]);
}

/* Where all wrong cells of a field with several tiles lie in one column, or one row, that is a tile's border;
 * or nothing. */
static const char *text_of_border(Arena *arena, const Expected *expected, const float *out, size_t n) {
    enum { SEVERAL_TILES = 33 };
    const size_t nx = (size_t)expected->extent.nx, ny = (size_t)expected->extent.ny;
    size_t first = 0;
    while (is_right(expected, first, out[first]))
        first++;
    bool one_column = nx >= SEVERAL_TILES, one_row = ny >= SEVERAL_TILES;
    for (size_t i = first; i < n; i++) {
        if (is_right(expected, i, out[i])) continue;
        one_column = one_column && i % nx == first % nx;
        one_row = one_row && i / nx % ny == first / nx % ny;
    }
    if (one_column) return arena_format(arena, ", only where x is %zu: at the border of a tile", first % nx);
    if (one_row)
        return arena_format(arena, ", only where y is %zu: at the border of a tile", first / nx % ny);
    return "";
}

static JudgeCause cause_of_other(Arena *arena, Offset neighbour, Offset other, const char *border) {
    if (other.x == 0 && other.y == 0 && other.z == 0)
        return judge_cause(arena, "other-cell", "in place of the neighbour at %s the cell itself was added%s",
                           text_of(arena, neighbour), border);
    return judge_cause(arena, "other-cell", "in place of the neighbour at %s the cell at %s was added%s",
                       text_of(arena, neighbour), text_of(arena, other), border);
}

/* Of cells near by, which one was taken for the neighbour. */
static JudgeCause name_other(Arena *arena, const Expected *expected, const float *out, size_t n,
                             Offset neighbour) {
    enum { SIDE = 2 * FURTHEST + 1 };
    for (int place = 0; place < SIDE * SIDE * SIDE; place++) {
        const Offset other = {place % SIDE - FURTHEST, place / SIDE % SIDE - FURTHEST,
                              place / SIDE / SIDE - FURTHEST};
        if (is_added_instead(expected, out, n, neighbour, &other))
            return cause_of_other(arena, neighbour, other, text_of_border(arena, expected, out, n));
    }
    return JUDGE_UNKNOWN;
}

static JudgeCause name_neighbour(Arena *arena, const Expected *expected, const float *out, size_t n) {
    for (size_t k = 0; k < NEIGHBOURS; k++) {
        if (is_added_instead(expected, out, n, neighbours[k], NULL))
            return judge_cause(arena, "neighbour-lost", "the neighbour at %s is missing%s",
                               text_of(arena, neighbours[k]), text_of_border(arena, expected, out, n));
        const JudgeCause other = name_other(arena, expected, out, n, neighbours[k]);
        if (other.name != NULL) return other;
    }
    return JUDGE_UNKNOWN;
}

/* ---- which mistake it was ---- */

static bool are_all_edges(const Expected *expected, const float *out, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!is_right(expected, i, out[i]) && is_inside(expected->extent, i)) return false;
    return true;
}

static JudgeCause name_for(Arena *arena, const Expected *expected, const float *out, size_t n) {
    if (are_all_edges(expected, out, n))
        return (JudgeCause){"edge-computed", "it is at the edge of the field, where cells are copied"};
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        if (explains(expected, out, n, mistakes[i].value)) return mistakes[i].cause;
    return name_neighbour(arena, expected, out, n);
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const size_t n = (size_t)judged->spec->n;
    const float *out = judge_answer_floats(judged, decision, "out", n);
    if (out == NULL) return;
    decision->passed = judge_compare(judged, decision, "out", out, expected->out, expected->tolerance, n);
    if (decision->passed || decision->unwritten || decision->wrong_index < 0) return;
    judge_explain(decision, name_for(judged->arena, expected, out, n));
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
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
