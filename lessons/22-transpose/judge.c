/* judge.c - lesson 22: a matrix of rows x cols floats, row by row, becomes one of cols x rows.
 *
 * Nothing is computed, so the answer must be equal bit by bit. All elements of a case differ: a wrong one is
 * looked up in the input, and the message says which element it is. `n` of a case is the number of elements,
 * `extra` its row in the table of sizes. One row has the same elements in the same order when it is a column.
 */
#include "lessons/common/field.h"
#include "lessons/common/sums.h"

typedef struct Size {
    int rows, cols;
} Size;

static const Size sizes[] = {
    {1, 1}, {0, 7}, {32, 32}, {33, 31}, {1, 509}, {509, 1}, {64, 96}, {211, 157},
};

static const JudgeCaseSpec cases[] = {
    {.name = "a single element", .points = 0, .n = 1, .extra = 0},
    {.name = "no rows at all", .points = 0, .n = 0, .extra = 1},
    {.name = "32 x 32: one tile", .points = 1, .n = 32 * 32, .extra = 2},
    {.name = "33 x 31: one off a tile", .points = 1, .n = 33 * 31, .extra = 3},
    {.name = "one row of 509", .points = 1, .n = 509, .extra = 4, .copied = true},
    {.name = "one column of 509", .points = 1, .n = 509, .extra = 5, .copied = true},
    {.name = "64 x 96: whole tiles, called twice", .points = 1, .n = 64 * 96, .extra = 6, .again = true},
    {.name = "211 x 157: primes", .points = 1, .n = 211 * 157, .extra = 7},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

typedef struct Expected {
    Size size;
    const float *in;
    double *out;
} Expected;

/* A hidden case says how many columns it has in `threads`. */
static Size size_of(const JudgeCaseSpec *spec) {
    if (spec->threads > 0) return (Size){(int)(spec->n / spec->threads), (int)spec->threads};
    return sizes[spec->extra];
}

static bool prepare(JudgeCase *judged) {
    const size_t n = (size_t)judged->spec->n;
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    float *in = judge_input_floats(judged, "in", n);
    if (expected == NULL || in == NULL) return false;
    *expected =
        (Expected){.size = size_of(judged->spec), .in = in, .out = ARENA_ARRAY(judged->arena, n + 1, double)};
    if (expected->out == NULL) return false;
    judge_fill(judged, in, n, 1000.0F, 0);
    const size_t rows = (size_t)expected->size.rows, cols = (size_t)expected->size.cols;
    for (size_t i = 0; i < n; i++)
        expected->out[i % cols * rows + i / cols] = (double)in[i];
    judged->expected = expected;
    return judge_input_int(judged, "rows", expected->size.rows) &&
           judge_input_int(judged, "cols", expected->size.cols);
}

/* Which element of in stands at a row and column of out by a mistake; what lies outside in has no element. */
typedef size_t Place(Size size, size_t row, size_t col, size_t tile);
enum { NO_PLACE = -1 };

/* Is every element of the answer the one of its place, as far as there is one? One at least must be wrong. */
static bool is_everywhere(const Expected *expected, const float *out, Place *place, size_t tile) {
    const size_t rows = (size_t)expected->size.rows, n = rows * (size_t)expected->size.cols;
    size_t explained = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t from = place(expected->size, i / rows, i % rows, tile);
        if (from == (size_t)NO_PLACE) continue;
        if (out[i] != expected->in[from]) return false;
        explained += (double)out[i] != expected->out[i];
    }
    return explained > 0;
}

static size_t place_copied(Size size, size_t row, size_t col, size_t tile) {
    (void)tile;
    return row * (size_t)size.rows + col;
}

/* Tiles at the right place, and not transposed themselves. */
static size_t place_tiles_moved(Size size, size_t row, size_t col, size_t tile) {
    const size_t in_row = col / tile * tile + row % tile, in_col = row / tile * tile + col % tile;
    if (in_row >= (size_t)size.rows || in_col >= (size_t)size.cols) return (size_t)NO_PLACE;
    return in_row * (size_t)size.cols + in_col;
}

/* Row `col` of out begins at col * cols, where it should at col * rows: several elements may then be stored
 * at one place, and the last of them is there. */
static bool is_stored_by_cols(const Expected *expected, const float *out, size_t at) {
    const size_t rows = (size_t)expected->size.rows, cols = (size_t)expected->size.cols;
    for (size_t col = at / cols + 1; col-- > 0 && at - col * cols < rows;)
        if (col < cols && out[at] == expected->in[(at - col * cols) * cols + col]) return true;
    return false;
}

static bool has_rows_of_cols(const Expected *expected, const float *out, size_t n) {
    size_t explained = 0;
    for (size_t i = 0; i < n; i++) {
        if (sums_is_poison(out[i])) continue;
        if (!is_stored_by_cols(expected, out, i)) return false;
        explained += (double)out[i] != expected->out[i];
    }
    return explained > 1;
}

/* Row `row` of in begins at row * rows, where it should at row * cols; what lies past its end may be
 * anything.
 */
static bool is_read_by_rows(const Expected *expected, const float *out, size_t n) {
    const size_t rows = (size_t)expected->size.rows;
    size_t explained = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t from = i % rows * rows + i / rows;
        if (from >= n) continue;
        if (out[i] != expected->in[from]) return false;
        explained += (double)out[i] != expected->out[i];
    }
    return explained > 1;
}

/* An index that is written with the wrong length of a row. */
static JudgeCause name_length(const Expected *expected, const float *out, size_t n) {
    if (expected->size.rows == expected->size.cols) return JUDGE_UNKNOWN;
    if (has_rows_of_cols(expected, out, n))
        return (JudgeCause){"rows-of-out", "that is what comes out when a row of out is taken to have cols "
                                           "elements: out has cols rows of rows elements each"};
    if (is_read_by_rows(expected, out, n))
        return (JudgeCause){"rows-of-in", "that is what comes out when a row of in is taken to have rows "
                                          "elements: in has rows rows of cols elements each"};
    return JUDGE_UNKNOWN;
}

/* Where in `in` the first wrong element stands. */
static JudgeCause name_place(JudgeCase *judged, const Expected *expected, const float *out, size_t wrong) {
    const size_t rows = (size_t)expected->size.rows, cols = (size_t)expected->size.cols;
    for (size_t i = 0; i < rows * cols; i++)
        if (expected->in[i] == out[wrong])
            return judge_cause(judged->arena, "read-elsewhere",
                               "row %zu, column %zu of out must be row %zu, column %zu of in, and holds row "
                               "%zu, column %zu of it",
                               wrong / rows, wrong % rows, wrong % rows, wrong / rows, i / cols, i % cols);
    return JUDGE_UNKNOWN;
}

/* Of one tile, a copy is the same as a tile that is not turned: what all wrong answers agree on is told. */
static void suspect_places(JudgeCase *judged, const float *out, JudgeDecision *decision) {
    enum { MOST = 4, SMALLEST = 8, LARGEST = 32 };
    const Expected *expected = judged->expected;
    JudgeCause *fit = ARENA_ARRAY(judged->arena, MOST, JudgeCause);
    bool tiles = false;
    unsigned count = 0;
    if (fit == NULL) return;
    for (size_t tile = SMALLEST; tile <= LARGEST; tile *= 2)
        tiles = tiles || is_everywhere(expected, out, place_tiles_moved, tile);
    if (is_everywhere(expected, out, place_copied, 0))
        fit[count++] =
            (JudgeCause){"copied", "the elements are in their old order: the matrix was copied, not "
                                   "transposed"};
    if (tiles)
        fit[count++] =
            (JudgeCause){"tiles-moved", "each tile is in its place, and its own rows and columns are "
                                        "not swapped: a tile that is stored as [y][x] must be read as "
                                        "[x][y]"};
    decision->leads = count > 0;
    if (count == 0) fit[0] = name_place(judged, expected, out, (size_t)decision->wrong_index);
    decision->suspects = fit;
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const size_t n = (size_t)judged->spec->n;
    const float *out = judge_answer_floats(judged, decision, "out", n);
    if (out == NULL) return;
    decision->passed = judge_compare(judged, decision, "out", out, expected->out, NULL, n);
    if (decision->passed || decision->wrong_index < 0) return;
    judge_explain_mistake(decision, name_length(expected, out, n));
    if (decision->unwritten || decision->cause != NULL) return;
    suspect_places(judged, out, decision);
}

static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    const Expected *expected = judged->expected;
    const size_t rows = (size_t)expected->size.rows, cols = (size_t)expected->size.cols;
    const size_t i = (size_t)wrong->wrong_index, from = i % rows * cols + i / rows;
    field_step_row(steps, "out", i, rows);
    field_step_row(steps, "in", from, cols);
    judge_step(steps, "rows and columns are swapped: out[%zu] = in[%zu] = %.9g", i, from, expected->out[i]);
}

const Judge judge_22_transpose = {
    .lesson = "22-transpose",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
