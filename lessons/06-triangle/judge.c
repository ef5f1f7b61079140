/* judge.c - lesson 06: the upper triangle of an n x n matrix, with its diagonal, gets one value; below it
 * nothing may be written, not even what is there.
 *
 * Values cannot show whether an element was left alone, so the driver copies what lies below the diagonal as
 * kept memory, row by row, and the device says who wrote it (autograder/evidence/kept.h). The largest matrix
 * is so large that index formulas with a square root of floats round to the wrong row or, from column 4607
 * on, the wrong column; of that some rows come back. `n` of a case is the order of the matrix.
 */
#include "lessons/common/field.h"

enum { WHOLE = 256, SOME_ROWS = 24, FIRST_ROWS = 8 }; /* matrices of up to WHOLE rows come back whole */

static const JudgeCaseSpec cases[] = {
    {.name = "1 x 1", .points = 0, .n = 1},
    {.name = "no matrix at all: n = 0", .points = 0, .n = 0},
    {.name = "2 x 2", .points = 1, .n = 2},
    {.name = "31 x 31: one less than a warp, called twice", .points = 1, .n = 31, .again = true},
    {.name = "32 x 32", .points = 1, .n = 32},
    {.name = "33 x 33: one more than a warp", .points = 1, .n = 33},
    {.name = "127 x 127: a prime", .points = 1, .n = 127},
    {.name = "4,801 x 4,801: large", .points = 1, .n = 4801},
};

typedef struct Expected {
    float value;
    float *rows; /* those that come back */
    size_t row_count, above_count, below_count;
    double *above, *below;
} Expected;

/* All rows, or the first ones, where the square root is largest, the last, and others between. */
static bool choose_rows(JudgeCase *judged, Expected *expected) {
    const size_t n = (size_t)judged->spec->n;
    const bool whole = n <= WHOLE;
    if (whole)
        expected->row_count = n;
    else
        expected->row_count = SOME_ROWS;
    expected->rows = judge_input_floats(judged, "rows", expected->row_count);
    if (expected->rows == NULL) return false;
    for (size_t i = 0; i < expected->row_count; i++) {
        size_t row;
        if (whole || i < FIRST_ROWS)
            row = i;
        else
            row = i * (n - 1) / (SOME_ROWS - 1);
        expected->rows[i] = (float)row;
        expected->above_count += n - row;
        expected->below_count += row;
    }
    return true;
}

/* A large matrix is all zeros at first. */
static double old_value(const float *a, size_t n, size_t row, size_t col) {
    if (n <= WHOLE) return (double)a[row * n + col];
    return 0.0;
}

static bool prepare(JudgeCase *judged) {
    const size_t n = (size_t)judged->spec->n, stored = n <= WHOLE ? n * n : 0;
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    float *a = judge_input_floats(judged, "a", stored);
    if (expected == NULL || a == NULL || !choose_rows(judged, expected)) return false;
    float values[2];
    judge_fill(judged, values, 2, 1000.0F, 1);
    expected->value = values[1];
    judge_fill(judged, a, stored, 100.0F, 0);
    expected->above = ARENA_ARRAY(judged->arena, expected->above_count + 1, double);
    expected->below = ARENA_ARRAY(judged->arena, expected->below_count + 1, double);
    if (expected->above == NULL || expected->below == NULL) return false;
    size_t at = 0;
    for (size_t i = 0; i < expected->above_count; i++)
        expected->above[i] = (double)expected->value;
    for (size_t i = 0; i < expected->row_count; i++)
        for (size_t col = 0; col < (size_t)expected->rows[i]; col++)
            expected->below[at++] = old_value(a, n, (size_t)expected->rows[i], col);
    judged->expected = expected;
    return judge_input_int(judged, "n", (int32_t)n) && judge_input_float(judged, "value", expected->value);
}

/* The place of an element of "above" or "below", where rows follow each other without a gap. */
static bool find_place(const JudgeCase *judged, size_t index, bool above, size_t *row, size_t *column) {
    const Expected *expected = judged->expected;
    const size_t n = (size_t)judged->spec->n;
    for (size_t i = 0; i < expected->row_count; i++) {
        *row = (size_t)expected->rows[i];
        if (above)
            *column = *row + index;
        else
            *column = index;
        const size_t length = above ? n - *row : *row;
        if (index < length) return true;
        index -= length;
    }
    return false;
}

static const char *name_place(const JudgeCase *judged, size_t index, bool above) {
    size_t row, column;
    if (!find_place(judged, index, above, &row, &column)) return "";
    return arena_format(judged->arena, "row %zu, column %zu", row, column);
}

static const char *name_kept(const JudgeCase *judged, size_t copy, size_t element) {
    const Expected *expected = judged->expected;
    size_t row = 0; /* row 0 has nothing below the diagonal, and no copy of nothing is made */
    copy %= expected->row_count - 1; /* a second call is followed by the same copies */
    for (size_t i = 0; i < expected->row_count; i++)
        if (expected->rows[i] > 0.0F && copy-- == 0) row = (size_t)expected->rows[i];
    return arena_format(judged->arena, "row %zu, column %zu, below the diagonal,", row, element);
}

/* The first element below the diagonal that has another value than before: where a value went that is missing
 * above. */
static const char *name_changed(const JudgeCase *judged, const float *below) {
    const Expected *expected = judged->expected;
    for (size_t i = 0; i < expected->below_count; i++)
        if (!(below[i] == (float)expected->below[i])) return name_place(judged, i, false);
    return NULL;
}

static bool is_all(const float *got, size_t count, float value) {
    for (size_t i = 0; i < count; i++)
        if (got[i] != value) return false;
    return true;
}

/* The first of the rows that came back without the value, where all above it have it, and none from it on; or
 * the number of rows. */
static size_t first_lost_row(const Expected *expected, size_t n, const float *above) {
    size_t first = expected->row_count;
    for (size_t i = 0; i < expected->row_count; i++) {
        const size_t length = n - (size_t)expected->rows[i];
        size_t found = 0;
        for (size_t k = 0; k < length; k++)
            found += *above++ == expected->value;
        if (found == length && first == expected->row_count) continue;
        if (found > 0) return expected->row_count;
        if (first > i) first = i;
    }
    return first;
}

/* Each row begins with its element of the diagonal. */
static bool is_diagonal_lost(const Expected *expected, size_t n, const float *above) {
    for (size_t i = 0; i < expected->row_count; i++) {
        const size_t length = n - (size_t)expected->rows[i];
        for (size_t k = 0; k < length; k++)
            if ((above[k] == expected->value) != (k > 0)) return false;
        above += length;
    }
    return true;
}

/* The one element of a 1 x 1 matrix is all of it: the larger cases have to say the same. */
static const JudgeCause diagonal_lost[] = {
    {"diagonal-lost", "only the diagonal is missing: the upper triangle includes it, col >= row"}, {0}};

/* An element of the triangle did not get the value: what happened below the diagonal may tell why. */
static void describe_above(JudgeCase *judged, JudgeDecision *decision, const char *place, const float *above,
                           const float *below) {
    const Expected *expected = judged->expected;
    const size_t lost = first_lost_row(expected, (size_t)judged->spec->n, above);
    const char *changed = name_changed(judged, below);
    decision->message = arena_format(judged->arena, "%s did not get the value", place);
    decision->suspects = &diagonal_lost[1]; /* none */
    if (is_diagonal_lost(expected, (size_t)judged->spec->n, above)) decision->suspects = diagonal_lost;
    if (expected->below_count > 1 && is_all(below, expected->below_count, expected->value))
        judge_explain(decision, judge_cause(judged->arena, "lower-triangle",
                                            "below the diagonal all have it: that is the lower triangle"));
    else if (changed != NULL)
        judge_explain(decision, judge_cause(judged->arena, "below-instead",
                                            "%s, below the diagonal, was written instead", changed));
    else if (lost > 0 && lost + 1 < expected->row_count)
        judge_explain(
            decision,
            judge_cause(judged->arena, "rows-lost",
                        "of the rows that this case looks at, all up to row %.0f have it, and none from this "
                        "one on: are there blocks for these rows, or do blocks go on to further ones?",
                        (double)expected->rows[lost - 1]));
}

/* Each of the rows that were looked at has the value in column 0, and nowhere else below the diagonal. */
static bool is_past_row_ends(const Expected *expected, const float *below) {
    size_t rows = 0;
    for (size_t i = 0; i < expected->row_count; i++) {
        const size_t length = (size_t)expected->rows[i];
        for (size_t col = 0; col < length; col++)
            if ((below[col] == expected->value) != (col == 0)) return false;
        below += length;
        rows += length > 0;
    }
    return rows > 0;
}

static void describe_below(JudgeCase *judged, JudgeDecision *decision, const char *place,
                           const float *below) {
    const Expected *expected = judged->expected;
    decision->message = arena_format(judged->arena, "%s, below the diagonal, was written", place);
    if (is_all(below, expected->below_count, 0.0F))
        judge_explain(decision, judge_cause(judged->arena, "zeroed-below",
                                            "all elements below it are 0, and should have been left alone"));
    else if (is_past_row_ends(expected, below))
        judge_explain(decision,
                      judge_cause(judged->arena, "past-row-end",
                                  "it lies one past the end of the row above: a row's last column is "
                                  "n - 1"));
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const float *below = judge_other_floats(judged, decision, "below", expected->below_count);
    if (below == NULL) return;
    const float *above = judge_answer_floats(judged, decision, "above", expected->above_count);
    if (above == NULL) return;
    const bool upper =
        judge_compare(judged, decision, "above", above, expected->above, NULL, expected->above_count);
    const bool lower = upper && judge_compare(judged, decision, "below", below, expected->below, NULL,
                                              expected->below_count);
    decision->passed = upper && lower;
    if (decision->passed || decision->wrong_index < 0) return;
    const char *place = name_place(judged, (size_t)decision->wrong_index, !upper);
    if (upper)
        describe_below(judged, decision, place, below);
    else
        describe_above(judged, decision, place, above, below);
}

static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    const Expected *expected = judged->expected;
    const bool above = strcmp(wrong->answer, "above") == 0;
    const size_t n = (size_t)judged->spec->n, i = (size_t)wrong->wrong_index;
    size_t row, column;
    if (!find_place(judged, i, above, &row, &column)) return;
    field_step_row(steps, "a", row * n + column, n);
    if (above)
        judge_step(steps, "column >= row: it is in the triangle, and gets value = %.9g",
                   (double)expected->value);
    else
        judge_step(steps, "column < row: it is below the diagonal, and stays %.9g", expected->below[i]);
}

const Judge judge_06_triangle = {
    .lesson = "06-triangle",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
    .name_kept = name_kept,
};
