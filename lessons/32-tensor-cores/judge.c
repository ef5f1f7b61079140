/* judge.c - lesson 32: C = A B of halves, added up in floats; sizes as in lesson 23.
 *
 * The product of two halves has at most 22 bits, so it is exact in a float. With whole numbers the sums are
 * so too, in whatever order they are made: the answer must be equal. One case has fractions, whose sums are
 * rounded as the hardware does it: a tensor core cuts products and sum off at the bits of the largest of
 * them, so each may lose as much as the last bit of a float of that size. Halves that are rounded once, sums
 * or products, are off by a thousand times as much.
 */
#include "lessons/common/product.h"

typedef enum Numbers { WHOLE, FRACTIONS } Numbers;

/* The rows of this table stand in `extra` of a case; a hidden case says n in `threads`, and k in `extra`. */
static const struct {
    ProductSizes sizes;
    Numbers numbers;
} rows[] = {
    {{16, 16, 16}, WHOLE},     {{1, 1, 1}, WHOLE},    {{17, 33, 31}, WHOLE},
    {{51, 35, 45}, FRACTIONS}, {{1, 1, 1009}, WHOLE}, {{37, 41, 1}, WHOLE},
    {{5, 3, 0}, WHOLE},        {{0, 4, 3}, WHOLE},    {{79, 97, 113}, WHOLE},
};

static const JudgeCaseSpec cases[] = {
    {.name = "16 x 16 times 16 x 16", .points = 1, .n = 16 * 16, .extra = 0},
    {.name = "1 x 1 times 1 x 1", .points = 0, .n = 1, .extra = 1},
    {.name = "17 x 31 times 31 x 33: one off a piece", .points = 1, .n = 17 * 33, .extra = 2},
    {.name = "51 x 45 times 45 x 35, with fractions", .points = 1, .n = 51 * 35, .extra = 3},
    {.name = "a row of 1,009 times a column", .points = 1, .n = 1, .extra = 4},
    {.name = "a column times a row, called twice", .points = 1, .n = 37, .extra = 5, .again = true},
    {.name = "nothing to add: k = 0 gives zeros", .points = 1, .n = 0, .extra = 6},
    {.name = "no rows at all", .points = 0, .n = 0, .extra = 7},
    {.name = "79 x 113 times 113 x 97", .points = 2, .n = 79 * 97, .extra = 8},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

/* ---- halves ---- */

enum { FLOAT_BITS = 23, HALF_BITS = 10, BIAS_APART = 127 - 15, LARGEST_EXPONENT = 30 };

/* The bits of a float that a half can hold: one of a usual exponent, or 0. */
static uint16_t half_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (value == 0.0F) return 0;
    const uint32_t exponent = (bits >> FLOAT_BITS & 0xff) - BIAS_APART;
    const uint32_t fraction = bits >> (FLOAT_BITS - HALF_BITS) & ((1U << HALF_BITS) - 1);
    return (uint16_t)(bits >> 31 << 15 | exponent << HALF_BITS | fraction);
}

/* Whether a half can hold it; what is too large for one has become infinite. */
static bool is_half(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const int exponent = (int)(bits >> FLOAT_BITS & 0xff) - BIAS_APART;
    if (isinf(value) || value == 0.0F) return true;
    return exponent > 0 && exponent <= LARGEST_EXPONENT &&
           (bits & ((1U << (FLOAT_BITS - HALF_BITS)) - 1)) == 0;
}

/* Numbers of at most 11 bits, which a half holds: whole ones up to 60, or fractions with a denominator of
 * 256. The program gets their halves. */
static const float *fill_halves(JudgeCase *judged, const char *name, size_t count, unsigned stream,
                                Numbers numbers) {
    const float limit = numbers == WHOLE ? 60.0F : 2047.0F, scale = numbers == WHOLE ? 1.0F : 1.0F / 256.0F;
    float *values = ARENA_ARRAY(judged->arena, count + 1, float);
    uint8_t *bytes = judge_input_bytes(judged, name, count * sizeof(uint16_t));
    if (values == NULL || bytes == NULL) return NULL;
    judge_fill(judged, values, count, limit, stream);
    sums_make_whole(values, count);
    for (size_t i = 0; i < count; i++) {
        values[i] *= scale;
        const uint16_t half = half_of(values[i]);
        memcpy(bytes + i * sizeof half, &half, sizeof half);
    }
    return values;
}

/* ---- the case ---- */

/* A product and the sum so far lose a bit of the largest of them, each at most once for each inner index. */
static bool fill_tolerance(JudgeCase *judged, Product *expected) {
    const size_t m = (size_t)expected->sizes.m, n = (size_t)expected->sizes.n, k = (size_t)expected->sizes.k;
    expected->tolerance = ARENA_ARRAY(judged->arena, m * n + 1, double);
    if (expected->tolerance == NULL) return false;
    for (size_t i = 0; i < m * n; i++) {
        double magnitudes = 0.0;
        for (size_t p = 0; p < k; p++)
            magnitudes += fabs((double)expected->a[i / n * k + p] * (double)expected->b[p * n + i % n]);
        expected->tolerance[i] = 2.0 * (double)k * (double)FLT_EPSILON * magnitudes;
    }
    return true;
}

static bool prepare(JudgeCase *judged) {
    const JudgeCaseSpec *spec = judged->spec;
    Product *expected = ARENA_NEW(judged->arena, Product);
    if (expected == NULL) return false;
    Numbers numbers = WHOLE;
    expected->sizes = (ProductSizes){(int)(spec->n / (spec->threads + !spec->threads)), (int)spec->threads,
                                     (int)spec->extra};
    if (spec->threads == 0) {
        expected->sizes = rows[spec->extra].sizes;
        numbers = rows[spec->extra].numbers;
    }
    const size_t m = (size_t)expected->sizes.m, n = (size_t)expected->sizes.n, k = (size_t)expected->sizes.k;
    expected->a = fill_halves(judged, "a", m * k, 0, numbers);
    expected->b = fill_halves(judged, "b", k * n, 1, numbers);
    judged->expected = expected;
    if (!product_multiply(judged, expected)) return false;
    if (numbers == FRACTIONS && !fill_tolerance(judged, expected)) return false;
    return product_input_sizes(judged, expected->sizes);
}

/* ---- the verdict ---- */

/* A warp's piece of B lies in a tile of 32 columns. With a leading dimension of 16 it is what lies in half as
 * many rows, one half of each after the other. */
static double value_with_half_rows(const Product *expected, ProductPlace at) {
    enum { PIECE = 16, TILE = 32 };
    const size_t n = (size_t)expected->sizes.n, k = (size_t)expected->sizes.k;
    const size_t left = at.column / TILE * TILE, first = at.column - left;
    double sum = 0.0;
    for (size_t p = 0; p < k; p++) {
        const size_t at_tile = first + p % PIECE * PIECE, start = p / PIECE * PIECE;
        sum += (double)expected->a[at.row * k + p] *
               product_number_at(expected->b, k, n, start + at_tile / TILE, left + at_tile % TILE);
    }
    return sum;
}

/* A warp's piece of A lies in a tile whose rows have `width` numbers, and is loaded as if they had `length`.
 */
static double value_with_rows_of_a(const Product *expected, ProductPlace at, size_t width, size_t length) {
    enum { PIECE = 16, TILE = 32 };
    const size_t m = (size_t)expected->sizes.m, n = (size_t)expected->sizes.n, k = (size_t)expected->sizes.k;
    const size_t top = at.row / TILE * TILE, row = at.row - top, piece = row / PIECE * PIECE;
    double sum = 0.0;
    for (size_t p = 0; p < k; p++) {
        const size_t start = p / width * width, left = (p - start) / PIECE * PIECE;
        const size_t at_tile = piece * width + left + row % PIECE * length + p % PIECE;
        sum += product_number_at(expected->a, m, k, top + at_tile / width, start + at_tile % width) *
               (double)expected->b[p * n + at.column];
    }
    return sum;
}

static double value_with_a_rows_of_8(const Product *expected, ProductPlace at) {
    return value_with_rows_of_a(expected, at, 16, 8);
}

static double value_with_a_rows_of_16(const Product *expected, ProductPlace at) {
    return value_with_rows_of_a(expected, at, 32, 16);
}

/* What the warps beside the first one compute from the pieces of that one. */
static double value_with_first_piece(const Product *expected, size_t row, size_t column) {
    const size_t m = (size_t)expected->sizes.m, n = (size_t)expected->sizes.n, k = (size_t)expected->sizes.k;
    if (row < m && column < n) return product_part(expected, row, column, 0, k);
    return 0.0;
}

static size_t in_first_piece(size_t index) {
    enum { PIECE = 16, TILE = 32 };
    return index / TILE * TILE + index % PIECE;
}

static double value_with_first_of_a(const Product *expected, ProductPlace at) {
    return value_with_first_piece(expected, in_first_piece(at.row), at.column);
}

static double value_with_first_of_b(const Product *expected, ProductPlace at) {
    return value_with_first_piece(expected, at.row, in_first_piece(at.column));
}

#define ROWS_OF_A(value)                                                                                     \
    PRODUCT_MISTAKE("a-leading-dimension",                                                                   \
                    "it is what comes out when the piece of A is loaded as if the rows of its tile were "    \
                    "half as long: the leading dimension is the length of a row in memory",                  \
                    value, true)
#define FIRST_PIECES                                                                                         \
    PRODUCT_MISTAKE("a-first-piece",                                                                         \
                    "it is what comes out when all warps load the upper piece of A's tile: the lower "       \
                    "ones begin at its row 16",                                                              \
                    value_with_first_of_a, true),                                                            \
        PRODUCT_MISTAKE("b-first-piece",                                                                     \
                        "it is what comes out when all warps load the left piece of B's tile: the right "    \
                        "ones begin at its column 16",                                                       \
                        value_with_first_of_b, true)
#define HALF_ROWS                                                                                            \
    PRODUCT_MISTAKE("leading-dimension",                                                                     \
                    "it is what comes out when the piece of B is loaded as if a row of its tile had 16 "     \
                    "numbers: the leading dimension is the length of a row in memory",                       \
                    value_with_half_rows, true)

static const ProductMistake mistakes[] = {PRODUCT_LAST_TILE_LOST,
                                          PRODUCT_FIRST_TILE_ALONE,
                                          PRODUCT_LAST_TILE_ALONE,
                                          PRODUCT_A_TURNED,
                                          PRODUCT_B_TURNED,
                                          PRODUCT_C_TURNED,
                                          HALF_ROWS,
                                          ROWS_OF_A(value_with_a_rows_of_8),
                                          ROWS_OF_A(value_with_a_rows_of_16),
                                          FIRST_PIECES,
                                          PRODUCT_BY_ELEMENTS,
                                          PRODUCT_A_STRIDE,
                                          PRODUCT_B_STRIDE};

/* All elements are halves, and near what is right; what is right is mostly no half. */
static bool is_rounded_to_halves(const Product *expected, const float *c) {
    const double near = 0.1;
    const size_t count = (size_t)expected->sizes.m * (size_t)expected->sizes.n;
    size_t others = 0;
    double off = 0.0, all = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (!is_half(c[i])) return false;
        others += !is_half((float)expected->c[i]);
        if (isinf(c[i])) continue;
        off += fabs((double)c[i] - expected->c[i]);
        all += fabs(expected->c[i]);
    }
    return others > 0 && off <= near * all;
}

/* Each warp's piece of C is stored in the tile as if a row of that had 16 numbers. Then it lies in half as
 * many rows, and over what the warp beside it has stored: either may be there. */
static bool has_half_rows(const Product *expected, const float *c) {
    enum { PIECE = 16, TILE = 32, HALF = PIECE * TILE };
    const size_t m = (size_t)expected->sizes.m, n = (size_t)expected->sizes.n;
    size_t explained = 0;
    for (size_t i = 0; i < m * n; i++) {
        const size_t top = i / n / TILE * TILE, left = i % n / TILE * TILE;
        const size_t at = (i / n - top) * TILE + i % n - left, below = at / HALF * PIECE;
        bool known = false, found = false;
        for (size_t right = 0; right < TILE && at % HALF >= right; right += PIECE) {
            const size_t of_piece = at % HALF - right;
            if (of_piece >= PIECE * PIECE) continue;
            const size_t row = top + below + of_piece / PIECE, column = left + right + of_piece % PIECE;
            double value = 0.0;
            if (row < m && column < n) value = expected->c[row * n + column];
            known = true;
            found = found || product_is(expected, i, (double)c[i], value);
        }
        if (known && !found) return false;
        explained += known && product_is_telling(expected, c, i);
    }
    return explained > 1;
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    static const JudgeCause halves = {"halves", "every element is a number that a half can hold: the sums "
                                                "were kept in halves, or became halves on the way. "
                                                "A sum keeps its bits in a fragment of floats"};
    static const JudgeCause half_rows[] = {
        {"c-leading-dimension",
         "it is what comes out when a warp's piece of C is stored as if a row of its tile had "
         "16 numbers: the leading dimension is the length of a row in memory"},
        {0}};
    const Product *expected = judged->expected;
    const float *c = product_compare(judged, decision);
    if (c == NULL || expected->sizes.k == 0) return;
    if (has_half_rows(expected, c)) {
        decision->suspects = half_rows;
        decision->leads = true;
    } else if (is_rounded_to_halves(expected, c))
        judge_explain(decision, halves);
    else
        product_suspect(judged, c, mistakes, sizeof mistakes / sizeof *mistakes, decision);
}

static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    enum { SHOWN = 3 };
    const Product *expected = judged->expected;
    const size_t n = (size_t)expected->sizes.n, k = (size_t)expected->sizes.k, i = (size_t)wrong->wrong_index;
    (void)judged;
    field_step_row(steps, "c", i, n);
    if (k == 0) {
        judge_step(steps, "k = 0: the sum of no products is 0");
        return;
    }
    for (size_t p = 0; p < k && p < SHOWN; p++) {
        const size_t at_a = i / n * k + p, at_b = p * n + i % n;
        const double a = (double)expected->a[at_a], b = (double)expected->b[at_b];
        judge_step(steps, "a[%zu] * b[%zu] = %.9g * %.9g = %.9g", at_a, at_b, a, b, a * b);
    }
    if (k > SHOWN) judge_step(steps, "and so on, to a[%zu] * b[%zu]", i / n * k + k - 1, (k - 1) * n + i % n);
    judge_step(steps, "together c[%zu] = %.9g", i, expected->c[i]);
}

const Judge judge_32_tensor_cores = {
    .lesson = "32-tensor-cores",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
