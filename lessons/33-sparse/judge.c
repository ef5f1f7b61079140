/* judge.c - lesson 33: a sparse matrix of `n` rows, in compressed rows, times a vector.
 *
 * `extra` says how long the rows are. All numbers are whole and so small that every sum is exact in whatever
 * order it is made: one number that is lost from a row of 100,000 shows. One case has fractions, in short
 * rows, and the error bound. A row's columns are neighbours or every second one, as in matrices of grids:
 * reading x is then no waste that a program could avoid.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "autograder/judge.h"
#include "lessons/common/sums.h"

typedef enum Lengths { OF_PAGE, EMPTY, SINGLE, UP_TO_40, NEAR_WARP, GAP, ONE_LONG, SEVERAL_LONG } Lengths;

enum { WARP = 32, LONG_ROW = 100000, LONG_AT = 701, MIDDLING = 3000 };

static const JudgeCaseSpec cases[] = {
    {.name = "the matrix on the page", .points = 1, .n = 4, .extra = OF_PAGE},
    {.name = "a single number", .points = 0, .n = 1, .extra = SINGLE},
    {.name = "no rows at all", .points = 0, .n = 0, .extra = EMPTY},
    {.name = "five rows, all empty", .points = 1, .n = 5, .extra = EMPTY, .copied = true},
    {.name = "333 rows of up to 40 numbers, with fractions", .points = 1, .n = 333, .extra = UP_TO_40},
    {.name = "rows of 31, 32 and 33 numbers, called twice",
     .points = 1,
     .n = 97,
     .extra = NEAR_WARP,
     .again = true},
    {.name = "600 empty rows between two full ones", .points = 1, .n = 602, .extra = GAP},
    {.name = "one of 1,999 rows has 100,000 numbers", .points = 2, .n = 1999, .extra = ONE_LONG},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

typedef struct Expected {
    size_t rows, columns_of_x;
    const int32_t *row_starts, *columns;
    const float *values, *x;
    double *y, *tolerance;
    int32_t share; /* how many places a warp has, where that is tried; 0: whole rows */
} Expected;

/* How many numbers row `row` of `rows` has. */
static size_t length_of(Lengths lengths, size_t row, size_t rows) {
    static const size_t of_page[] = {2, 0, 3, 1};
    const size_t scattered = row * 7919U % 41U;
    switch (lengths) {
    case OF_PAGE:
        return of_page[row % 4];
    case EMPTY:
        return 0;
    case SINGLE:
        return 1;
    case UP_TO_40:
        return scattered;
    case NEAR_WARP:
        return WARP - 1 + row % 3;
    case GAP:
        if (row == 0 || row == rows - 1) return 70 + row % 7;
        return 0;
    case ONE_LONG:
        if (row == LONG_AT) return LONG_ROW;
        return scattered / 2;
    case SEVERAL_LONG:
        if (row % 150 == 60) return MIDDLING;
        return scattered;
    }
    return 0;
}

/* Row starts, and for each row ascending columns: neighbours, or every second one. */
static void fill_rows(Lengths lengths, size_t rows, int32_t *row_starts, int32_t *columns,
                      size_t columns_of_x) {
    size_t i = 0;
    for (size_t row = 0; row < rows; row++) {
        const size_t length = length_of(lengths, row, rows);
        size_t step = 1;
        if (2 * length <= columns_of_x + 1) step = 2 - row % 2;
        size_t span = 1;
        if (length > 0) span = (length - 1) * step + 1;
        const size_t first = row * 31U % (columns_of_x - span + 1);
        row_starts[row] = (int32_t)i;
        for (size_t k = 0; k < length; k++)
            columns[i++] = (int32_t)(first + k * step);
    }
    row_starts[rows] = (int32_t)i;
}

static void fill_expected(Expected *expected, bool whole) {
    for (size_t row = 0; row < expected->rows; row++) {
        const int32_t begin = expected->row_starts[row], end = expected->row_starts[row + 1];
        double sum = 0.0, magnitudes = 0.0;
        for (int32_t i = begin; i < end; i++) {
            const double term = (double)expected->values[i] * (double)expected->x[expected->columns[i]];
            sum += term;
            magnitudes += fabs(term);
        }
        expected->y[row] = sum;
        expected->tolerance[row] = 0.0;
        if (!whole) expected->tolerance[row] = (double)(end - begin + 1) * (double)FLT_EPSILON * magnitudes;
    }
}

/* The inputs besides the numbers of rows. At most 8 x 8 x 100,000 in a row: below 2^23. */
static void fill_numbers(const JudgeCase *judged, float *values, size_t count, float *x,
                         size_t columns_of_x) {
    judge_fill(judged, values, count, 8.0F, 0);
    judge_fill(judged, x, columns_of_x, 8.0F, 1);
    if (judged->spec->extra == UP_TO_40) return;
    sums_make_whole(values, count);
    sums_make_whole(x, columns_of_x);
}

static size_t columns_for(Lengths lengths) {
    if (lengths == OF_PAGE) return 5;
    if (lengths == ONE_LONG) return LONG_ROW + 1000;
    return MIDDLING + 501;
}

static bool prepare(JudgeCase *judged) {
    const Lengths lengths = (Lengths)judged->spec->extra;
    const size_t rows = (size_t)judged->spec->n, columns_of_x = columns_for(lengths);
    size_t count = 0;
    for (size_t row = 0; row < rows; row++)
        count += length_of(lengths, row, rows);
    int32_t *row_starts = judge_input_ints(judged, "row_starts", rows + 1);
    int32_t *columns = judge_input_ints(judged, "columns", count);
    float *values = judge_input_floats(judged, "values", count);
    float *x = judge_input_floats(judged, "x", columns_of_x);
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    if (!row_starts || !columns || !values || !x || !expected) return false;
    fill_rows(lengths, rows, row_starts, columns, columns_of_x);
    fill_numbers(judged, values, count, x, columns_of_x);
    *expected = (Expected){.rows = rows,
                           .columns_of_x = columns_of_x,
                           .row_starts = row_starts,
                           .columns = columns,
                           .values = values,
                           .x = x,
                           .y = ARENA_ARRAY(judged->arena, rows + 1, double),
                           .tolerance = ARENA_ARRAY(judged->arena, rows + 1, double)};
    if (!expected->y || !expected->tolerance) return false;
    fill_expected(expected, lengths != UP_TO_40);
    judged->expected = expected;
    return judge_input_int(judged, "rows", (int32_t)rows) && judge_input_int(judged, "count", (int32_t)count);
}

/* What a typical mistake leaves in place of a row's result. */
typedef double Leaves(const Expected *expected, size_t row);

static double term_of(const Expected *expected, int32_t i) {
    return (double)expected->values[i] * (double)expected->x[expected->columns[i]];
}

static double leave_without_x(const Expected *expected, size_t row) {
    double sum = 0.0;
    for (int32_t i = expected->row_starts[row]; i < expected->row_starts[row + 1]; i++)
        sum += (double)expected->values[i];
    return sum;
}

static double leave_x_of_row(const Expected *expected, size_t row) {
    if (row >= expected->columns_of_x) return NAN;
    return leave_without_x(expected, row) * (double)expected->x[row];
}

static double leave_last_lost(const Expected *expected, size_t row) {
    if (expected->row_starts[row] == expected->row_starts[row + 1]) return 0.0;
    return expected->y[row] - term_of(expected, expected->row_starts[row + 1] - 1);
}

static double leave_thirty_two_times(const Expected *expected, size_t row) {
    return (double)WARP * expected->y[row];
}

/* Where the warp that has number i of the row begins in it. Shares count a place for each row besides those
 * of its numbers, so that number i lies at place i + row + 1. */
static int32_t begin_of_piece(const Expected *expected, int32_t row, int32_t i) {
    const int32_t begin = expected->row_starts[row], share = expected->share;
    if (share == 0) return begin;
    const int32_t first = (i + row + 1) / share * share - row - 1;
    if (first > begin) return first;
    return begin;
}

/* The sum of some of the row's numbers, which the lanes of a warp take in turns: the first `end` of each
 * `group`, and of these every `step`th. */
static double leave_places(const Expected *expected, size_t row, int32_t group, int32_t end, int32_t step) {
    double sum = 0.0;
    for (int32_t i = expected->row_starts[row]; i < expected->row_starts[row + 1]; i++) {
        const int32_t turn = i - begin_of_piece(expected, (int32_t)row, i);
        if (turn % group < end && turn % step == 0) sum += term_of(expected, i);
    }
    return sum;
}

static double leave_lane_0(const Expected *expected, size_t row) {
    return leave_places(expected, row, WARP, 1, 1);
}

static double leave_low_lanes(const Expected *expected, size_t row) {
    return leave_places(expected, row, WARP, WARP / 2, 1);
}

static double leave_even_lanes(const Expected *expected, size_t row) {
    return leave_places(expected, row, WARP, WARP, 2);
}

static double leave_first_lost(const Expected *expected, size_t row) {
    if (expected->row_starts[row] == expected->row_starts[row + 1]) return 0.0;
    return expected->y[row] - term_of(expected, expected->row_starts[row]);
}

static double leave_x_in_order(const Expected *expected, size_t row) {
    const int32_t begin = expected->row_starts[row];
    double sum = 0.0;
    for (int32_t i = begin; i < expected->row_starts[row + 1]; i++)
        sum += (double)expected->values[i] * (double)expected->x[i - begin];
    return sum;
}

static double leave_first_row(const Expected *expected, size_t row) {
    (void)row;
    return expected->y[0];
}

/* Where a search looks for a row that begins before the number, each row's first number is in the row before
 * that has any; but that of all numbers is in row 0. */
static double leave_first_to_row_before(const Expected *expected, size_t row) {
    const int32_t begin = expected->row_starts[row], end = expected->row_starts[row + 1];
    const int32_t all = expected->row_starts[expected->rows];
    double sum = expected->y[row];
    if (begin < end && row > 0) sum -= term_of(expected, begin);
    if (begin < end && end < all) sum += term_of(expected, end);
    if (row == 0 && begin == end && all > 0) sum += term_of(expected, 0);
    return sum;
}

/* A thread has number i, and sums of one row go up the lanes: where no lane is so far below, __shfl_up_sync
 * gives a lane its own number. What the warp's last lane of the row has then. */
static double leave_of_warp(const Expected *expected, int32_t begin, int32_t end) {
    const int32_t first = begin % WARP, count = end - begin;
    double sums[WARP], before[WARP];
    for (int32_t k = 0; k < count; k++)
        sums[k] = term_of(expected, begin + k);
    for (int32_t apart = 1; apart < WARP; apart *= 2) {
        memcpy(before, sums, sizeof sums);
        for (int32_t k = 0; k < count; k++) {
            if (first + k < apart) sums[k] += before[k];
            if (k >= apart) sums[k] += before[k - apart];
        }
    }
    return sums[count - 1];
}

static double leave_own_again(const Expected *expected, size_t row) {
    const int32_t end = expected->row_starts[row + 1];
    double sum = 0.0;
    for (int32_t i = expected->row_starts[row]; i < end;) {
        int32_t last = (i / WARP + 1) * WARP;
        if (last > end) last = end;
        sum += leave_of_warp(expected, i, last);
        i = last;
    }
    return sum;
}

typedef struct Suspect {
    const char *name, *words;
    Leaves *leaves;
} Suspect;

/* In short rows several of these leave the same. */
static const Suspect shared[] = {
    {"lane-0-alone", "that is what lane 0 of a warp has alone: the other lanes' sums were not added to it",
     leave_lane_0},
    {"low-lanes",
     "what lanes 16 to 31 of the warp have is missing from it: the first step of the shuffles, with distance "
     "16, is "
     "left out",
     leave_low_lanes},
    {"even-lanes",
     "what the odd lanes of the warp have is missing from it: the last step of the shuffles, with distance "
     "1, is "
     "left out",
     leave_even_lanes},
    {"first-lost",
     "that is the sum without the first number of each row: row r begins with number row_starts[r]",
     leave_first_lost},
    {"first-to-row-before",
     "each row's first number was counted to the row before: row r begins with number row_starts[r], so that "
     "a search looks for the last row with row_starts[r] <= i, not < i",
     leave_first_to_row_before},
    {"own-again",
     "that is what comes out when each lane adds what __shfl_up_sync gives it: where no lane is so far "
     "below, "
     "that is its own number. Only lanes from the distance on add anything",
     leave_own_again},
    {"x-in-order",
     "that is the row's numbers times x[0], x[1] and so on: each number has its own column, columns[i]",
     leave_x_in_order},
    {"first-row", "each element is the first row's sum", leave_first_row},
};

/* These do not. */
static const Suspect suspects[] = {
    {"without-x",
     "that is the sum of the row's numbers, without x: each is multiplied by x[its column] first",
     leave_without_x},
    {"x-of-row", "that is the row's numbers times x[row]: each number has its own column, columns[i]",
     leave_x_of_row},
    {"last-lost",
     "that is the sum without the last number of each row: row r has the numbers row_starts[r] to "
     "row_starts[r + 1] - 1",
     leave_last_lost},
    {"32-times", "that is 32 times what is right: all lanes of a warp know its sum, and one of them adds it",
     leave_thirty_two_times},
};

/* Is every row what the mistake leaves? At least one must tell it from the right answer, by more than a zero.
 */
static bool is_everywhere(const Expected *expected, const float *y, Leaves *leaves) {
    bool differs = false;
    for (size_t row = 0; row < expected->rows; row++) {
        const double left = leaves(expected, row), got = (double)y[row];
        const double scale = fabs(left) + fabs(expected->y[row]) + 1.0;
        if (!(fabs(got - left) <= 1e-5 * scale)) return false;
        differs = differs || (left != 0.0 && fabs(left - expected->y[row]) > 1e-4 * scale);
    }
    return differs;
}

/* In a second call that only adds: the sum of both. */
static bool is_sum_of_both(const JudgeCase *judged, const float *y) {
    if (judged->before == NULL) return false;
    const Expected *now = judged->expected, *before = judged->before->expected;
    for (size_t row = 0; row < now->rows; row++)
        if ((double)y[row] != now->y[row] + before->y[row]) return false;
    return true;
}

/* Zeros have too many causes. */
static bool tells_something(const Expected *expected, const float *y) {
    for (size_t row = 0; row < expected->rows; row++)
        if (y[row] != 0.0F && !(fabs((double)y[row] - expected->y[row]) <= expected->tolerance[row]))
            return true;
    return false;
}

/* Whether it is so of whole rows, or of shares of some size: lanes begin anew in each. */
static bool is_in_shares(Expected *expected, const float *y, Leaves *leaves) {
    enum { SMALLEST = 64, LARGEST = 8192 };
    bool found = is_everywhere(expected, y, leaves);
    for (int32_t share = SMALLEST; share <= LARGEST && !found; share *= 2) {
        expected->share = share;
        found = is_everywhere(expected, y, leaves);
    }
    expected->share = 0;
    return found;
}

/* That is told which all wrong answers have in common. */
static void suspect_shared(JudgeCase *judged, const float *y, JudgeDecision *decision) {
    enum { COUNT = sizeof shared / sizeof *shared };
    if (!tells_something(judged->expected, y)) return;
    JudgeCause *fit = ARENA_ARRAY(judged->arena, COUNT + 1, JudgeCause);
    unsigned count = 0;
    for (size_t i = 0; fit != NULL && i < COUNT; i++)
        if (is_in_shares(judged->expected, y, shared[i].leaves))
            fit[count++] = (JudgeCause){.name = shared[i].name, .words = shared[i].words};
    decision->suspects = fit;
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const float *y = judge_answer_floats(judged, decision, "y", expected->rows);
    if (y == NULL) return;
    decision->passed =
        judge_compare(judged, decision, "y", y, expected->y, expected->tolerance, expected->rows);
    if (decision->passed || decision->unwritten) return;
    if (is_sum_of_both(judged, y)) {
        judge_explain(decision, judge_cause(judged->arena, "not-zeroed",
                                            "that is the sum of both calls' results: start from zero in "
                                            "each call"));
        return;
    }
    for (size_t i = 0; i < sizeof suspects / sizeof *suspects; i++)
        if (is_everywhere(expected, y, suspects[i].leaves)) {
            judge_explain(decision, (JudgeCause){.name = suspects[i].name, .words = suspects[i].words});
            return;
        }
    suspect_shared(judged, y, decision);
}

/* The first terms of the row one by one, then what all make together. */
static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    enum { SHOWN = 4 };
    const Expected *expected = judged->expected;
    const size_t row = (size_t)wrong->wrong_index;
    const int32_t begin = expected->row_starts[row], end = expected->row_starts[row + 1];
    if (begin == end) {
        judge_step(steps, "row_starts[%zu] and row_starts[%zu] are both %d: row %zu is empty, and y[%zu] = 0",
                   row, row + 1, begin, row, row);
        return;
    }
    judge_step(steps, "row %zu has the numbers row_starts[%zu] = %d to row_starts[%zu] - 1 = %d", row, row,
               begin, row + 1, end - 1);
    for (int32_t i = begin; i < end && i < begin + SHOWN; i++)
        judge_step(steps, "values[%d] * x[columns[%d]] = %.9g * x[%d] = %.9g * %.9g = %.9g", i, i,
                   (double)expected->values[i], expected->columns[i], (double)expected->values[i],
                   (double)expected->x[expected->columns[i]], term_of(expected, i));
    if (end - begin > SHOWN) judge_step(steps, "and so on, to values[%d]", end - 1);
    judge_step(steps, "together y[%zu] = %.9g", row, expected->y[row]);
}

const Judge judge_33_sparse = {
    .lesson = "33-sparse",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
