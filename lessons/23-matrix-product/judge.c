/* judge.c - lesson 23: C = A B, where A has m rows of k numbers and B has k rows of n, all of them row by
 * row.
 *
 * The numbers are whole and small, so that every sum is exact in whatever order it is made: the answer must
 * be equal. `n` of a case is less than the numbers that kernels must read for it, `extra` its row in the
 * table of sizes. A wrong element is compared with what typical mistakes would put there.
 */
#include "lessons/common/sums.h"

typedef struct Sizes {
    int m, n, k;
} Sizes;

static const Sizes sizes[] = {
    {1, 1, 1}, {16, 16, 16}, {17, 33, 31}, {1, 1, 1009}, {37, 41, 1}, {5, 3, 0}, {0, 4, 3}, {79, 97, 113},
};

static const JudgeCaseSpec cases[] = {
    {.name = "1 x 1 times 1 x 1", .points = 0, .n = 1, .extra = 0},
    {.name = "16 x 16 times 16 x 16", .points = 1, .n = 16 * 16, .extra = 1},
    {.name = "17 x 31 times 31 x 33: around a tile", .points = 1, .n = 17 * 33, .extra = 2},
    {.name = "a row of 1,009 times a column", .points = 1, .n = 1, .extra = 3},
    {.name = "a column times a row", .points = 1, .n = 37, .extra = 4},
    {.name = "nothing to add: k = 0 gives zeros", .points = 1, .n = 0, .extra = 5},
    {.name = "no rows at all", .points = 0, .n = 0, .extra = 6},
    {.name = "79 x 113 times 113 x 97", .points = 2, .n = 79 * 97, .extra = 7},
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

static bool prepare(JudgeCase *judged) {
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    if (expected == NULL) return false;
    expected->sizes = sizes[judged->spec->extra];
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

/* What the element holds when the tiles of the inner dimension, `tile` numbers each, are not all added up. */
static JudgeCause name_for_tile(Arena *arena, const Expected *expected, size_t row, size_t column,
                                size_t tile, double got) {
    const size_t k = (size_t)expected->sizes.k;
    const size_t full = k / tile * tile, last = (k - 1) / tile * tile;
    if (full == 0 && got == 0.0)
        return judge_cause(
            arena, "partial-tile-lost",
            "it is 0: there are fewer products than a full tile has, and tiles that are only partly full "
            "are "
            "left out");
    if (full != k && got == part_of(expected, row, column, 0, full))
        return judge_cause(arena, "last-tile-lost",
                           "it is the sum over the first %s of %s products: the last tile, which is only "
                           "partly full, is missing",
                           arena_number(arena, full), arena_number(arena, k));
    if (k > tile && got == part_of(expected, row, column, 0, tile))
        return judge_cause(arena, "first-tile-alone",
                           "it is the sum over the first tile of %s products alone",
                           arena_number(arena, tile));
    if (k > tile && got == part_of(expected, row, column, last, k))
        return judge_cause(
            arena, "last-tile-alone",
            "it is the sum over the last tile alone: each tile replaced the sum instead of adding to it");
    return JUDGE_UNKNOWN;
}

static JudgeCause name_for(Arena *arena, const Expected *expected, size_t index, double got) {
    const size_t n = (size_t)expected->sizes.n, k = (size_t)expected->sizes.k;
    const size_t row = index / n, column = index % n;
    if (k == 0) return JUDGE_UNKNOWN;
    for (size_t tile = 8; tile <= 32; tile *= 2) {
        const JudgeCause cause = name_for_tile(arena, expected, row, column, tile, got);
        if (cause.name != NULL) return cause;
    }
    if (got == part_of(expected, row, column, k - 1, k))
        return judge_cause(arena, "last-product-alone", "it is the last product alone");
    if (index < (size_t)expected->sizes.m * k && index < k * n &&
        got == (double)expected->a[index] * (double)expected->b[index])
        return judge_cause(
            arena, "element-by-element",
            "it is a[i] * b[i], element by element. An element of the product is a row of A times a "
            "column of B");
    return JUDGE_UNKNOWN;
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const size_t count = (size_t)expected->sizes.m * (size_t)expected->sizes.n;
    const float *c = judge_answer_floats(judged, decision, "c", count);
    if (c == NULL) return;
    decision->passed = judge_compare(judged, decision, "c", c, expected->c, NULL, count);
    if (decision->passed || decision->unwritten || decision->wrong_index < 0) return;
    const size_t wrong = (size_t)decision->wrong_index;
    const JudgeCause cause = name_for(judged->arena, expected, wrong, (double)c[wrong]);
    judge_explain(judged, decision, cause);
}

const Judge judge_23_matrix_product = {
    .lesson = "23-matrix-product",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .prepare = prepare,
    .decide = decide,
};
