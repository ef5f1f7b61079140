/* judge.c - lesson 23: C = A B, where A has m rows of k numbers and B has k rows of n, all of them row by
 * row.
 *
 * The numbers are whole and small, so that every sum is exact in whatever order it is made: the answer must
 * be equal. `n` of a case is less than the numbers that kernels must read for it, `extra` its row in the
 * table of sizes.
 */
#include "lessons/common/product.h"

static const ProductSizes sizes[] = {
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

static float *whole_numbers(JudgeCase *judged, const char *name, size_t count, unsigned stream) {
    float *values = judge_input_floats(judged, name, count);
    if (values == NULL) return NULL;
    judge_fill(judged, values, count, 99.0F, stream);
    sums_make_whole(values, count);
    return values;
}

/* A hidden case says how many columns C has in `threads`, and k in `extra`. */
static ProductSizes sizes_of(const JudgeCaseSpec *spec) {
    if (spec->threads == 0) return sizes[spec->extra];
    return (ProductSizes){(int)(spec->n / spec->threads), (int)spec->threads, (int)spec->extra};
}

static bool prepare(JudgeCase *judged) {
    Product *expected = ARENA_NEW(judged->arena, Product);
    if (expected == NULL) return false;
    *expected = (Product){.sizes = sizes_of(judged->spec)};
    const size_t m = (size_t)expected->sizes.m, n = (size_t)expected->sizes.n, k = (size_t)expected->sizes.k;
    expected->a = whole_numbers(judged, "a", m * k, 0);
    expected->b = whole_numbers(judged, "b", k * n, 1);
    judged->expected = expected;
    return product_multiply(judged, expected) && product_input_sizes(judged, expected->sizes);
}

static const ProductMistake mistakes[] = {
    PRODUCT_LAST_TILE_LOST, PRODUCT_FIRST_TILE_ALONE, PRODUCT_LAST_TILE_ALONE, PRODUCT_LAST_INDEX_ALONE,
    PRODUCT_A_TURNED,       PRODUCT_B_TURNED,         PRODUCT_BY_ELEMENTS,     PRODUCT_A_STRIDE,
    PRODUCT_B_STRIDE,       PRODUCT_B_EXTENTS,        PRODUCT_C_TURNED,        PRODUCT_SLIPS,
};

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Product *expected = judged->expected;
    const float *c = product_compare(judged, decision);
    if (c != NULL && expected->sizes.k > 0)
        product_suspect(judged, c, mistakes, sizeof mistakes / sizeof *mistakes, decision);
}

static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    const Product *expected = judged->expected;
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
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
