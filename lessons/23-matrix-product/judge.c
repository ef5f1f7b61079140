/* judge.c - lesson 23: C = A B, where A has m rows of k numbers and B has k rows of n, all of them row by
 * row.
 *
 * The numbers are whole and small, so that every sum is exact in whatever order it is made: the answer must
 * be equal. `n` of a case is less than the numbers that kernels must read for it, `extra` its row in the
 * table of sizes. Wrong elements are compared with what typical mistakes would put there: all of them.
 */
#include "lessons/common/field.h"

typedef struct Sizes {
    int m, n, k;
} Sizes;

static const Sizes sizes[] = {
    {1, 1, 1}, {16, 16, 16}, {17, 33, 31}, {1, 1, 1009}, {37, 41, 1}, {5, 3, 0}, {0, 4, 3}, {79, 97, 113},
};

static const JudgeCaseSpec cases[] = {
    {.name = "16 x 16 times 16 x 16", .points = 1, .n = 16 * 16, .extra = 1},
    {.name = "1 x 1 times 1 x 1", .points = 0, .n = 1, .extra = 0},
    {.name = "17 x 31 times 31 x 33: one off a tile", .points = 1, .n = 17 * 33, .extra = 2},
    {.name = "a row of 1,009 times a column", .points = 1, .n = 1, .extra = 3},
    {.name = "a column times a row, called twice", .points = 1, .n = 37, .extra = 4, .again = true},
    {.name = "nothing to add: k = 0 gives zeros", .points = 1, .n = 0, .extra = 5},
    {.name = "no rows at all", .points = 0, .n = 0, .extra = 6},
    {.name = "79 x 113 times 113 x 97", .points = 2, .n = 79 * 97, .extra = 7},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

typedef struct Expected {
    Sizes sizes;
    const float *a, *b;
    double *c;
} Expected;

/* The part of one element's sum that the inner indices from `first` up to `end` make. */
static double part_of(const Expected *expected, size_t row, size_t column, size_t first, size_t end) {
    double sum = 0.0;
    for (size_t i = first; i < end; i++)
        sum += (double)expected->a[row * (size_t)expected->sizes.k + i] *
               (double)expected->b[i * (size_t)expected->sizes.n + column];
    return sum;
}

static float *whole_numbers(JudgeCase *judged, const char *name, size_t count, unsigned stream) {
    float *values = judge_input_floats(judged, name, count);
    if (values == NULL) return NULL;
    judge_fill(judged, values, count, 99.0F, stream);
    sums_make_whole(values, count);
    return values;
}

/* A hidden case says how many columns C has in `threads`, and k in `extra`. */
static Sizes sizes_of(const JudgeCaseSpec *spec) {
    if (spec->threads == 0) return sizes[spec->extra];
    return (Sizes){(int)(spec->n / spec->threads), (int)spec->threads, (int)spec->extra};
}

static bool prepare(JudgeCase *judged) {
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    if (expected == NULL) return false;
    expected->sizes = sizes_of(judged->spec);
    const size_t m = (size_t)expected->sizes.m, n = (size_t)expected->sizes.n, k = (size_t)expected->sizes.k;
    expected->a = whole_numbers(judged, "a", m * k, 0);
    expected->b = whole_numbers(judged, "b", k * n, 1);
    expected->c = ARENA_ARRAY(judged->arena, m * n + 1, double);
    if (expected->a == NULL || expected->b == NULL || expected->c == NULL) return false;
    for (size_t i = 0; i < m * n; i++)
        expected->c[i] = part_of(expected, i / n, i % n, 0, k);
    judged->expected = expected;
    return judge_input_int(judged, "m", expected->sizes.m) &&
           judge_input_int(judged, "n", expected->sizes.n) && judge_input_int(judged, "k", expected->sizes.k);
}

/* An element of the product, and the number of inner indices that a tile has, of those mistakes that know
 * tiles. */
typedef struct Place {
    size_t row, column, tile;
} Place;

/* What the element would be by a mistake; a NaN where the mistake would not show, or make no element. */
typedef double Value(const Expected *expected, Place at);

static double value_of_full_tiles(const Expected *expected, Place at) {
    return part_of(expected, at.row, at.column, 0, (size_t)expected->sizes.k / at.tile * at.tile);
}

static double value_of_first_tile(const Expected *expected, Place at) {
    const size_t k = (size_t)expected->sizes.k;
    return part_of(expected, at.row, at.column, 0, at.tile < k ? at.tile : k);
}

static double value_of_last_tile(const Expected *expected, Place at) {
    const size_t k = (size_t)expected->sizes.k;
    return part_of(expected, at.row, at.column, (k - 1) / at.tile * at.tile, k);
}

static double value_of_last_product(const Expected *expected, Place at) {
    const size_t k = (size_t)expected->sizes.k;
    return part_of(expected, at.row, at.column, k - 1, k);
}

/* The number at a place of a matrix, and 0 outside it. */
static double number_at(const float *matrix, size_t rows, size_t columns, size_t row, size_t column) {
    return row < rows && column < columns ? (double)matrix[row * columns + column] : 0.0;
}

/* With the tile of A read as [i][y], or that of B as [x][i]. */
static double value_with_turned(const Expected *expected, Place at, bool a_turned) {
    const size_t m = (size_t)expected->sizes.m, n = (size_t)expected->sizes.n, k = (size_t)expected->sizes.k;
    const size_t top = at.row / at.tile * at.tile, left = at.column / at.tile * at.tile;
    double sum = 0.0;
    for (size_t start = 0; start < k; start += at.tile)
        for (size_t i = 0; i < at.tile; i++) {
            const double of_a = a_turned ? number_at(expected->a, m, k, top + i, start + at.row - top)
                                         : number_at(expected->a, m, k, at.row, start + i);
            const double of_b = a_turned ? number_at(expected->b, k, n, start + i, at.column)
                                         : number_at(expected->b, k, n, start + at.column - left, left + i);
            sum += of_a * of_b;
        }
    return sum;
}

static double value_with_a_turned(const Expected *expected, Place at) {
    return value_with_turned(expected, at, true);
}

static double value_with_b_turned(const Expected *expected, Place at) {
    return value_with_turned(expected, at, false);
}

/* With rows of A that are as long as those of B, or the other way round; a NaN where that leaves the matrix.
 */
static double value_with_strides(const Expected *expected, Place at, size_t a_row, size_t b_row) {
    const size_t m = (size_t)expected->sizes.m, n = (size_t)expected->sizes.n, k = (size_t)expected->sizes.k;
    double sum = 0.0;
    if (n == k || at.row * a_row + k > m * k || (k - 1) * b_row + at.column >= k * n) return NAN;
    for (size_t i = 0; i < k; i++)
        sum += (double)expected->a[at.row * a_row + i] * (double)expected->b[i * b_row + at.column];
    return sum;
}

static double value_with_a_of_n(const Expected *expected, Place at) {
    return value_with_strides(expected, at, (size_t)expected->sizes.n, (size_t)expected->sizes.n);
}

static double value_with_b_of_k(const Expected *expected, Place at) {
    return value_with_strides(expected, at, (size_t)expected->sizes.k, (size_t)expected->sizes.k);
}

static double value_by_elements(const Expected *expected, Place at) {
    const size_t index = at.row * (size_t)expected->sizes.n + at.column, k = (size_t)expected->sizes.k;
    if (index >= (size_t)expected->sizes.m * k || index >= k * (size_t)expected->sizes.n) return NAN;
    return (double)expected->a[index] * (double)expected->b[index];
}

static const struct {
    JudgeCause cause;
    Value *value;
    bool leads; /* it is the expression that is written wrongly */
} mistakes[] = {
    {{"last-tile-lost", "it lacks the products of the last tile, which is only partly full"},
     value_of_full_tiles,
     false},
    {{"first-tile-alone", "it is the sum over the first tile alone"}, value_of_first_tile, false},
    {{"last-tile-alone",
      "it is the sum over the last tile alone: each tile replaced the sum instead of adding to it"},
     value_of_last_tile,
     false},
    {{"last-product-alone", "it is the last product alone: each replaced the sum instead of adding to it"},
     value_of_last_product,
     false},
    {{"a-turned", "it is what comes out when the tile of A is read with its two indices exchanged"},
     value_with_a_turned,
     true},
    {{"b-turned", "it is what comes out when the tile of B is read with its two indices exchanged"},
     value_with_b_turned,
     true},
    {{"element-by-element",
      "it is a[i] * b[i], element by element. An element of the product is a row of A times a column of B"},
     value_by_elements,
     true},
    {{"a-stride", "it is what comes out when rows of A are taken to have n numbers: they have k"},
     value_with_a_of_n,
     true},
    {{"b-stride", "it is what comes out when rows of B are taken to have k numbers: they have n"},
     value_with_b_of_k,
     true},
};

/* A wrong element that a cause can be read from: a 0 has too many, and a NaN hides its own. */
static bool is_telling(const Expected *expected, const float *c, size_t i) {
    return (double)c[i] != expected->c[i] && c[i] != 0.0F && !isnan(c[i]);
}

/* Whether the mistake makes the telling elements what they are, as far as it is known what it makes. */
static bool explains(const Expected *expected, const float *c, Value *value, size_t tile) {
    const size_t n = (size_t)expected->sizes.n, count = (size_t)expected->sizes.m * n;
    size_t explained = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_telling(expected, c, i)) continue;
        const double made = value(expected, (Place){i / n, i % n, tile});
        if (!isnan(made) && (double)c[i] != made) return false;
        if (!isnan(made)) explained++;
    }
    return explained > 0;
}

static bool tells_something(const Expected *expected, const float *c) {
    const size_t count = (size_t)expected->sizes.m * (size_t)expected->sizes.n;
    for (size_t i = 0; i < count; i++)
        if (is_telling(expected, c, i)) return true;
    return false;
}

/* Whether tiles of one size or another make it so. */
static bool explains_with_tiles(const Expected *expected, const float *c, Value *value) {
    for (size_t tile = 8; tile <= 32; tile *= 2)
        if (explains(expected, c, value, tile)) return true;
    return false;
}

/* In small cases several mistakes give the same: what is told explains all wrong answers of the program. */
static void suspect(JudgeCase *judged, const Expected *expected, const float *c, JudgeDecision *decision) {
    enum { MOST = sizeof mistakes / sizeof *mistakes };
    if (!tells_something(expected, c)) return;
    JudgeCause *fit = ARENA_ARRAY(judged->arena, MOST + 1, JudgeCause);
    unsigned count = 0;
    decision->suspects = fit;
    decision->leads = fit != NULL;
    for (size_t i = 0; fit != NULL && i < MOST; i++) {
        if (!explains_with_tiles(expected, c, mistakes[i].value)) continue;
        fit[count++] = mistakes[i].cause;
        decision->leads = decision->leads && mistakes[i].leads;
    }
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const size_t count = (size_t)expected->sizes.m * (size_t)expected->sizes.n;
    const float *c = judge_answer_floats(judged, decision, "c", count);
    if (c == NULL) return;
    decision->passed = judge_compare(judged, decision, "c", c, expected->c, NULL, count);
    const Field field = {.extent = {(size_t)expected->sizes.n, (size_t)expected->sizes.m, 1},
                         .part = {"column", "row", ""},
                         .index = {"", "", ""}};
    if (decision->unwritten) judge_explain_mistake(decision, field_name_exchanged(judged->arena, &field, c));
    if (decision->passed || decision->unwritten || decision->wrong_index < 0) return;
    if (expected->sizes.k > 0) suspect(judged, expected, c, decision);
}

static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    const Expected *expected = judged->expected;
    const size_t n = (size_t)expected->sizes.n, k = (size_t)expected->sizes.k, i = (size_t)wrong->wrong_index;
    const JudgeFormula formula = {.result = "c[i]",
                                  .term = "a[p] * b[q]",
                                  .count = k,
                                  .places = {{'i', i, 0}, {'p', i / n * k, 1}, {'q', i % n, n}}};
    field_step_row(steps, "c", i, n);
    if (k == 0)
        judge_step(steps, "k = 0: the sum of no products is 0");
    else
        judge_step_formula(judged, &formula, expected->c[i], steps);
}

const Judge judge_23_matrix_product = {
    .lesson = "23-matrix-product",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
