/* product.h - what the judges of matrix products share: C = A B, where A has m rows of k numbers and B has k
 * rows of n, all of them row by row.
 *
 * Wrong elements are compared with what typical mistakes would put there: all of them.
 */
#pragma once

#include "lessons/common/field.h"

typedef struct ProductSizes {
    int m, n, k;
} ProductSizes;

typedef struct Product {
    ProductSizes sizes;
    const float *a, *b;
    double *c;
    double *tolerance; /**< of each element; NULL: sums are exact */
} Product;

/** The part of one element's sum that the inner indices from `first` up to `end` make. */
static inline double product_part(const Product *expected, size_t row, size_t column, size_t first,
                                  size_t end) {
    double sum = 0.0;
    for (size_t i = first; i < end; i++)
        sum += (double)expected->a[row * (size_t)expected->sizes.k + i] *
               (double)expected->b[i * (size_t)expected->sizes.n + column];
    return sum;
}

/** Fills `c`; false without memory. */
static inline bool product_multiply(JudgeCase *judged, Product *expected) {
    const size_t m = (size_t)expected->sizes.m, n = (size_t)expected->sizes.n, k = (size_t)expected->sizes.k;
    expected->c = ARENA_ARRAY(judged->arena, m * n + 1, double);
    if (expected->a == NULL || expected->b == NULL || expected->c == NULL) return false;
    for (size_t i = 0; i < m * n; i++)
        expected->c[i] = product_part(expected, i / n, i % n, 0, k);
    return true;
}

static inline bool product_input_sizes(JudgeCase *judged, ProductSizes sizes) {
    return judge_input_int(judged, "m", sizes.m) && judge_input_int(judged, "n", sizes.n) &&
           judge_input_int(judged, "k", sizes.k);
}

/* ---- what typical mistakes make ---- */

/** An element of the product, and the number of inner indices that a tile has, of those mistakes that know
 * tiles. */
typedef struct ProductPlace {
    size_t row, column, tile;
} ProductPlace;

/** What the element would be by a mistake; a NaN where the mistake would not show, or make no element. */
typedef double ProductValue(const Product *expected, ProductPlace at);

static inline double product_of_full_tiles(const Product *expected, ProductPlace at) {
    return product_part(expected, at.row, at.column, 0, (size_t)expected->sizes.k / at.tile * at.tile);
}

static inline double product_of_first_tile(const Product *expected, ProductPlace at) {
    const size_t k = (size_t)expected->sizes.k;
    return product_part(expected, at.row, at.column, 0, at.tile < k ? at.tile : k);
}

static inline double product_of_last_tile(const Product *expected, ProductPlace at) {
    const size_t k = (size_t)expected->sizes.k;
    return product_part(expected, at.row, at.column, (k - 1) / at.tile * at.tile, k);
}

static inline double product_of_last_index(const Product *expected, ProductPlace at) {
    const size_t k = (size_t)expected->sizes.k;
    return product_part(expected, at.row, at.column, k - 1, k);
}

/** The number at a place of a matrix, and 0 outside it. */
static inline double product_number_at(const float *matrix, size_t rows, size_t columns, size_t row,
                                       size_t column) {
    if (row < rows && column < columns) return (double)matrix[row * columns + column];
    return 0.0;
}

/** With the tile of A read as [i][y], or that of B as [x][i]. */
static inline double product_with_turned(const Product *expected, ProductPlace at, bool a_turned) {
    const size_t m = (size_t)expected->sizes.m, n = (size_t)expected->sizes.n, k = (size_t)expected->sizes.k;
    const size_t top = at.row / at.tile * at.tile, left = at.column / at.tile * at.tile;
    double sum = 0.0;
    for (size_t start = 0; start < k; start += at.tile)
        for (size_t i = 0; i < at.tile; i++) {
            double of_a;
            if (a_turned)
                of_a = product_number_at(expected->a, m, k, top + i, start + at.row - top);
            else
                of_a = product_number_at(expected->a, m, k, at.row, start + i);
            double of_b;
            if (a_turned)
                of_b = product_number_at(expected->b, k, n, start + i, at.column);
            else
                of_b = product_number_at(expected->b, k, n, start + at.column - left, left + i);
            sum += of_a * of_b;
        }
    return sum;
}

static inline double product_with_a_turned(const Product *expected, ProductPlace at) {
    return product_with_turned(expected, at, true);
}

static inline double product_with_b_turned(const Product *expected, ProductPlace at) {
    return product_with_turned(expected, at, false);
}

/** With rows of A that are as long as those of B, or the other way round; a NaN where that leaves the matrix.
 */
static inline double product_with_strides(const Product *expected, ProductPlace at, size_t a_row,
                                          size_t b_row) {
    const size_t m = (size_t)expected->sizes.m, n = (size_t)expected->sizes.n, k = (size_t)expected->sizes.k;
    double sum = 0.0;
    if (n == k || at.row * a_row + k > m * k || (k - 1) * b_row + at.column >= k * n) return NAN;
    for (size_t i = 0; i < k; i++)
        sum += (double)expected->a[at.row * a_row + i] * (double)expected->b[i * b_row + at.column];
    return sum;
}

static inline double product_with_a_of_n(const Product *expected, ProductPlace at) {
    return product_with_strides(expected, at, (size_t)expected->sizes.n, (size_t)expected->sizes.n);
}

static inline double product_with_b_of_k(const Product *expected, ProductPlace at) {
    return product_with_strides(expected, at, (size_t)expected->sizes.k, (size_t)expected->sizes.k);
}

/** The column of A, and the row of B, that stand in place of an inner index. */
typedef struct ProductInner {
    size_t of_a, of_b;
} ProductInner;
typedef ProductInner ProductSlip(ProductPlace at, size_t inner);

/** With an index that slips: what lies outside the matrices is 0. */
static inline double product_with_slip(const Product *expected, ProductPlace at, ProductSlip *slip) {
    const size_t m = (size_t)expected->sizes.m, n = (size_t)expected->sizes.n, k = (size_t)expected->sizes.k;
    double sum = 0.0;
    for (size_t i = 0; i < (k + at.tile - 1) / at.tile * at.tile; i++) {
        const ProductInner inner = slip(at, i);
        sum += product_number_at(expected->a, m, k, at.row, inner.of_a) *
               product_number_at(expected->b, k, n, inner.of_b, at.column);
    }
    return sum;
}

/** One index of a matrix in place of the other matrix's: the two that are multiplied do not belong together.
 */
static inline ProductInner product_slip_b_further(ProductPlace at, size_t i) {
    (void)at;
    return (ProductInner){i, i + 1};
}

static inline ProductInner product_slip_a_further(ProductPlace at, size_t i) {
    (void)at;
    return (ProductInner){i + 1, i};
}

static inline ProductInner product_slip_a_by_y(ProductPlace at, size_t i) {
    return (ProductInner){i / at.tile * at.tile + at.row % at.tile, i};
}

static inline ProductInner product_slip_b_by_x(ProductPlace at, size_t i) {
    return (ProductInner){i, i / at.tile * at.tile + at.column % at.tile};
}

static inline ProductInner product_slip_a_first(ProductPlace at, size_t i) {
    return (ProductInner){i % at.tile, i};
}

static inline ProductInner product_slip_b_first(ProductPlace at, size_t i) {
    return (ProductInner){i, i % at.tile};
}

/** The loop over a tile begins at 1, or ends one before its end. */
static inline double product_without_ends(const Product *expected, ProductPlace at, size_t end) {
    double sum = 0.0;
    for (size_t i = 0; i < (size_t)expected->sizes.k; i++)
        if (i % at.tile != end) sum += product_part(expected, at.row, at.column, i, i + 1);
    return sum;
}

static inline double product_without_first(const Product *expected, ProductPlace at) {
    return product_without_ends(expected, at, 0);
}

static inline double product_without_last(const Product *expected, ProductPlace at) {
    return product_without_ends(expected, at, at.tile - 1);
}

static inline double product_of_sums(const Product *expected, ProductPlace at) {
    const size_t n = (size_t)expected->sizes.n, k = (size_t)expected->sizes.k;
    double sum = 0.0;
    for (size_t i = 0; i < k; i++)
        sum += (double)expected->a[at.row * k + i] + (double)expected->b[i * n + at.column];
    return sum;
}

/** With B taken to have n rows of k numbers, and zeros beyond. */
static inline double product_with_b_extents(const Product *expected, ProductPlace at) {
    const size_t n = (size_t)expected->sizes.n, k = (size_t)expected->sizes.k;
    double sum = 0.0;
    for (size_t i = 0; i < k && i < n && at.column < k; i++)
        sum += (double)expected->a[at.row * k + i] * (double)expected->b[i * k + at.column];
    return sum;
}

/** With each tile of C stored by columns, where its rows belong. */
static inline double product_with_c_turned(const Product *expected, ProductPlace at) {
    const size_t m = (size_t)expected->sizes.m, n = (size_t)expected->sizes.n, k = (size_t)expected->sizes.k;
    const size_t top = at.row / at.tile * at.tile, left = at.column / at.tile * at.tile;
    const size_t row = top + at.column - left, column = left + at.row - top;
    if (row < m && column < n) return product_part(expected, row, column, 0, k);
    return 0.0;
}

static inline double product_by_elements(const Product *expected, ProductPlace at) {
    const size_t index = at.row * (size_t)expected->sizes.n + at.column, k = (size_t)expected->sizes.k;
    if (index >= (size_t)expected->sizes.m * k || index >= k * (size_t)expected->sizes.n) return NAN;
    return (double)expected->a[index] * (double)expected->b[index];
}

/** A typical mistake, and what it makes of an element: by a function, or by an index that slips. */
typedef struct ProductMistake {
    JudgeCause cause;
    ProductValue *value;
    ProductSlip *slip;
    bool leads; /**< it is the expression that is written wrongly */
} ProductMistake;

#define PRODUCT_MISTAKE(name, words, value, leads)                                                           \
    { {name, words}, value, NULL, leads }
#define PRODUCT_SLIP(name, words, slip)                                                                      \
    { {name, words}, NULL, slip, true }

#define PRODUCT_LAST_TILE_LOST                                                                               \
    PRODUCT_MISTAKE("last-tile-lost", "it lacks the products of the last tile, which is only partly full",   \
                    product_of_full_tiles, false)
#define PRODUCT_FIRST_TILE_ALONE                                                                             \
    PRODUCT_MISTAKE("first-tile-alone", "it is the sum over the first tile alone", product_of_first_tile,    \
                    false)
#define PRODUCT_LAST_TILE_ALONE                                                                              \
    PRODUCT_MISTAKE(                                                                                         \
        "last-tile-alone",                                                                                   \
        "it is the sum over the last tile alone: each tile replaced the sum instead of adding to it",        \
        product_of_last_tile, false)
#define PRODUCT_LAST_INDEX_ALONE                                                                             \
    PRODUCT_MISTAKE("last-product-alone",                                                                    \
                    "it is the last product alone: each replaced the sum instead of adding to it",           \
                    product_of_last_index, false)
#define PRODUCT_A_TURNED                                                                                     \
    PRODUCT_MISTAKE("a-turned",                                                                              \
                    "it is what comes out when the tile of A is read with its two indices swapped",          \
                    product_with_a_turned, true)
#define PRODUCT_B_TURNED                                                                                     \
    PRODUCT_MISTAKE("b-turned",                                                                              \
                    "it is what comes out when the tile of B is read with its two indices swapped",          \
                    product_with_b_turned, true)
#define PRODUCT_C_TURNED                                                                                     \
    PRODUCT_MISTAKE("c-turned",                                                                              \
                    "it is what comes out when each tile of C is stored with rows and columns swapped",      \
                    product_with_c_turned, true)
#define PRODUCT_BY_ELEMENTS                                                                                  \
    PRODUCT_MISTAKE(                                                                                         \
        "element-by-element",                                                                                \
        "it is a[i] * b[i], element by element. An element of the product is a row of A times a "            \
        "column of B",                                                                                       \
        product_by_elements, true)
#define PRODUCT_A_STRIDE                                                                                     \
    PRODUCT_MISTAKE("a-stride",                                                                              \
                    "it is what comes out when rows of A are taken to have n numbers: they have k",          \
                    product_with_a_of_n, true)
#define PRODUCT_B_STRIDE                                                                                     \
    PRODUCT_MISTAKE("b-stride",                                                                              \
                    "it is what comes out when rows of B are taken to have k numbers: they have n",          \
                    product_with_b_of_k, true)
#define PRODUCT_B_EXTENTS                                                                                    \
    PRODUCT_MISTAKE("b-extents",                                                                             \
                    "it is what comes out when B is taken to have n rows of k numbers: it has k rows of n",  \
                    product_with_b_extents, true)
#define PRODUCT_SLIPS                                                                                        \
    PRODUCT_SLIP("b-further", "it is what comes out when B is read one row too far down: b[i + 1] for a[i]", \
                 product_slip_b_further),                                                                    \
        PRODUCT_SLIP("a-further",                                                                            \
                     "it is what comes out when A is read one column too far right: a[i + 1] for b[i]",      \
                     product_slip_a_further),                                                                \
        PRODUCT_SLIP("a-by-y",                                                                               \
                     "it is what comes out when a thread loads its number of A from column start + y: that " \
                     "is start + x",                                                                         \
                     product_slip_a_by_y),                                                                   \
        PRODUCT_SLIP("b-by-x",                                                                               \
                     "it is what comes out when a thread loads its number of B from row start + x: that is " \
                     "start + y",                                                                            \
                     product_slip_b_by_x),                                                                   \
        PRODUCT_SLIP("a-first-tile",                                                                         \
                     "it is what comes out when each tile of A is the first one of its row of tiles: "       \
                     "the tile's start is missing in the column",                                            \
                     product_slip_a_first),                                                                  \
        PRODUCT_SLIP("b-first-tile",                                                                         \
                     "it is what comes out when each tile of B is the first one of its column of tiles: "    \
                     "the tile's start is missing in the row",                                               \
                     product_slip_b_first),                                                                  \
        PRODUCT_MISTAKE("first-of-tile-lost", "it lacks the first product of each tile",                     \
                        product_without_first, false),                                                       \
        PRODUCT_MISTAKE("last-of-tile-lost", "it lacks the last product of each tile", product_without_last, \
                        false),                                                                              \
        PRODUCT_MISTAKE("added-both", "it is the sum of a + b: the numbers should be multiplied",            \
                        product_of_sums, true)

static inline bool product_is(const Product *expected, size_t i, double got, double value) {
    return fabs(got - value) <= (expected->tolerance != NULL ? expected->tolerance[i] : 0.0);
}

/** A wrong element that a cause can be read from: a 0 has too many, and a NaN hides its own. */
static inline bool product_is_telling(const Product *expected, const float *c, size_t i) {
    return !product_is(expected, i, (double)c[i], expected->c[i]) && c[i] != 0.0F && !isnan(c[i]);
}

/** Whether the mistake makes the telling elements what they are, as far as it is known what it makes. */
static inline bool product_explains(const Product *expected, const float *c, const ProductMistake *mistake,
                                    size_t tile) {
    const size_t n = (size_t)expected->sizes.n, count = (size_t)expected->sizes.m * n;
    size_t explained = 0;
    for (size_t i = 0; i < count; i++) {
        if (!product_is_telling(expected, c, i)) continue;
        const ProductPlace at = {i / n, i % n, tile};
        const double made = mistake->slip != NULL ? product_with_slip(expected, at, mistake->slip)
                                                  : mistake->value(expected, at);
        if (!isnan(made) && !product_is(expected, i, (double)c[i], made)) return false;
        if (!isnan(made)) explained++;
    }
    return explained > 0;
}

static inline bool product_tells_something(const Product *expected, const float *c) {
    const size_t count = (size_t)expected->sizes.m * (size_t)expected->sizes.n;
    for (size_t i = 0; i < count; i++)
        if (product_is_telling(expected, c, i)) return true;
    return false;
}

/** Whether tiles of one size or another make it so. */
static inline bool product_explains_with_tiles(const Product *expected, const float *c,
                                               const ProductMistake *mistake) {
    for (size_t tile = 8; tile <= 32; tile *= 2)
        if (product_explains(expected, c, mistake, tile)) return true;
    return false;
}

/** Whether what is wrong in C, and written, are elements that belong at other places, where row r of C begins
 * at r * length: several may be stored at one place, and any of them be there. */
static inline bool product_has_rows_of(const Product *expected, const float *c, size_t length) {
    const size_t m = (size_t)expected->sizes.m, n = (size_t)expected->sizes.n;
    size_t explained = 0;
    if (length == n || length == 0) return false;
    for (size_t i = 0; i < m * n; i++) {
        if (product_is(expected, i, (double)c[i], expected->c[i]) || sums_is_poison(c[i])) continue;
        bool found = false;
        for (size_t row = i / length + 1; row-- > 0 && i - row * length < n;) {
            const size_t from = row * n + i - row * length;
            found = found || (row < m && product_is(expected, from, (double)c[i], expected->c[from]));
        }
        if (!found) return false;
        explained++;
    }
    return explained > 1;
}

static inline JudgeCause product_name_rows(const Product *expected, const float *c) {
    if (product_has_rows_of(expected, c, (size_t)expected->sizes.k))
        return (JudgeCause){"c-rows-of-k",
                            "it is what comes out when rows of C are taken to have k numbers: they have n"};
    if (product_has_rows_of(expected, c, (size_t)expected->sizes.m))
        return (JudgeCause){"c-rows-of-m",
                            "it is what comes out when rows of C are taken to have m numbers: they have n"};
    return JUDGE_UNKNOWN;
}

/** In small cases several mistakes give the same: what is told explains all wrong answers of the program. */
static inline void product_suspect(JudgeCase *judged, const float *c, const ProductMistake *mistakes,
                                   size_t most, JudgeDecision *decision) {
    const Product *expected = judged->expected;
    if (!product_tells_something(expected, c)) return;
    JudgeCause *fit = ARENA_ARRAY(judged->arena, most + 1, JudgeCause);
    unsigned count = 0;
    decision->suspects = fit;
    decision->leads = fit != NULL;
    for (size_t i = 0; fit != NULL && i < most; i++) {
        if (!product_explains_with_tiles(expected, c, &mistakes[i])) continue;
        fit[count++] = mistakes[i].cause;
        decision->leads = decision->leads && mistakes[i].leads;
    }
}

/** Compares the answer; what is unwritten because the grid's numbers were exchanged is told as that. The
 * answer, where it is wrong in written elements. */
static inline const float *product_compare(JudgeCase *judged, JudgeDecision *decision) {
    const Product *expected = judged->expected;
    const size_t count = (size_t)expected->sizes.m * (size_t)expected->sizes.n;
    const float *c = judge_answer_floats(judged, decision, "c", count);
    if (c == NULL) return NULL;
    decision->passed = judge_compare(judged, decision, "c", c, expected->c, expected->tolerance, count);
    const Field field = {.extent = {(size_t)expected->sizes.n, (size_t)expected->sizes.m, 1},
                         .part = {"column", "row", ""},
                         .index = {"", "", ""}};
    if (decision->unwritten) judge_explain_mistake(decision, field_name_exchanged(judged->arena, &field, c));
    if (!decision->passed && decision->cause == NULL && decision->wrong_index >= 0)
        judge_explain_mistake(decision, product_name_rows(expected, c));
    const bool told = decision->unwritten || decision->cause != NULL;
    if (decision->passed || told || decision->wrong_index < 0) return NULL;
    return c;
}
