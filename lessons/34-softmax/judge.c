/* judge.c - lesson 34: softmax over each row of a matrix of `n` numbers, `threads` to a row.
 *
 * `extra` says where the numbers of a row lie. exp of more than 88 is more than a float can hold, and exp of
 * less than -104 is 0: with FAR rows no answer is right that does not subtract a row's maximum. One row in
 * three has numbers on both sides of 88, where such an answer is 0 here and a nan there, which nothing else
 * leaves. Within these rows they are at most 16 apart, so that all count. In APART rows one number, in the
 * last column, is 120 above the others: what subtracts less than the row's maximum asks for exp of more
 * than 88.
 */
#include <float.h>
#include <math.h>

#include "autograder/judge.h"

typedef enum Place { NEAR, FAR, APART } Place;

static const JudgeCaseSpec cases[] = {
    {.name = "a row of 32", .points = 1, .n = 32, .threads = 32, .extra = NEAR},
    {.name = "seven rows of a single number", .points = 0, .n = 7, .threads = 1, .extra = NEAR},
    {.name = "no rows at all", .points = 0, .n = 0, .threads = 5, .extra = NEAR},
    {.name = "rows of 5, shorter than a warp", .points = 1, .n = 3 * 5, .threads = 5, .extra = NEAR},
    {.name = "rows of 257, called twice",
     .points = 1,
     .n = 3 * 257,
     .threads = 257,
     .extra = NEAR,
     .again = true},
    {.name = "numbers near 200 and near -200", .points = 2, .n = 4 * 97, .threads = 97, .extra = FAR},
    {.name = "one number far above the others", .points = 0, .n = 2 * 300, .threads = 300, .extra = APART},
    {.name = "29 rows of 1,009", .points = 1, .n = 29 * 1009, .threads = 1009, .extra = FAR},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

typedef struct Expected {
    size_t rows, cols;
    const float *x;
    double *y, *tolerance;
    double *powers; /* exp(x - max) of each number, for a wrong answer */
} Expected;

/* Some elements that belong together, `step` apart: a row, a column, or all. */
typedef struct Part {
    size_t first, count, step;
} Part;

static double largest(const float *x, Part part) {
    double max = -INFINITY;
    for (size_t i = 0; i < part.count; i++)
        max = fmax(max, (double)x[part.first + i * part.step]);
    return max;
}

/* The sum of exp(number - max). */
static double sum_of(const float *x, Part part, double max) {
    double sum = 0.0;
    for (size_t i = 0; i < part.count; i++)
        sum += exp((double)x[part.first + i * part.step] - max);
    return sum;
}

static Part row_of(const Expected *expected, size_t i) {
    return (Part){.first = i / expected->cols * expected->cols, .count = expected->cols, .step = 1};
}

static void fill_expected(Expected *expected) {
    enum { ROUNDINGS = 512 }; /* of the exponent, and of sums that are scaled anew */
    for (size_t row = 0; row < expected->rows; row++) {
        const Part part = row_of(expected, row * expected->cols);
        const double max = largest(expected->x, part), sum = sum_of(expected->x, part, max);
        for (size_t i = part.first; i < part.first + part.count; i++) {
            expected->y[i] = exp((double)expected->x[i] - max) / sum;
            expected->tolerance[i] =
                (double)ROUNDINGS * (double)FLT_EPSILON * expected->y[i] + (double)FLT_MIN;
        }
    }
}

static void move_rows(float *x, size_t n, size_t cols) {
    static const float middles[] = {200.0F, -200.0F, 85.0F};
    for (size_t i = 0; i < n; i++)
        x[i] += middles[i / cols % (sizeof middles / sizeof *middles)];
}

static void move_apart(float *x, size_t n, size_t cols) {
    const float middle = -60.0F, above = 60.0F; /* exp of either is a float */
    for (size_t i = 0; i < n; i++)
        x[i] += i % cols + 1 < cols ? middle : above;
}

static bool prepare(JudgeCase *judged) {
    const size_t n = (size_t)judged->spec->n, cols = (size_t)judged->spec->threads;
    float *x = judge_input_floats(judged, "x", n);
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    if (x == NULL || expected == NULL) return false;
    judge_fill(judged, x, n, 8.0F, 0);
    if (judged->spec->extra == FAR) move_rows(x, n, cols);
    if (judged->spec->extra == APART) move_apart(x, n, cols);
    *expected = (Expected){.rows = n / cols,
                           .cols = cols,
                           .x = x,
                           .y = ARENA_ARRAY(judged->arena, n + 1, double),
                           .tolerance = ARENA_ARRAY(judged->arena, n + 1, double)};
    if (expected->y == NULL || expected->tolerance == NULL) return false;
    fill_expected(expected);
    judged->expected = expected;
    return judge_input_int(judged, "rows", (int32_t)expected->rows) &&
           judge_input_int(judged, "cols", (int32_t)cols);
}

/* What a typical mistake leaves in place of element i. */
typedef double Leaves(const Expected *expected, size_t i);

/* Without the maximum, in floats: a nan where both exp and the sum are infinite, or both 0. */
static double leave_overflow(const Expected *expected, size_t i) {
    const Part part = row_of(expected, i);
    float sum = 0.0F;
    for (size_t k = 0; k < part.count; k++)
        sum += expf(expected->x[part.first + k]);
    return (double)(expf(expected->x[i]) / sum);
}

/* With a maximum that is never below 0, in floats: 0 / 0 where all numbers are far below. */
static double leave_from_zero(const Expected *expected, size_t i) {
    const Part part = row_of(expected, i);
    const float max = (float)fmax(0.0, largest(expected->x, part));
    float sum = 0.0F;
    for (size_t k = 0; k < part.count; k++)
        sum += expf(expected->x[part.first + k] - max);
    return (double)(expf(expected->x[i] - max) / sum);
}

static double leave_undivided(const Expected *expected, size_t i) {
    return exp((double)expected->x[i] - largest(expected->x, row_of(expected, i)));
}

static double leave_of_columns(const Expected *expected, size_t i) {
    const Part column = {.first = i % expected->cols, .count = expected->rows, .step = expected->cols};
    const double max = largest(expected->x, column);
    return exp((double)expected->x[i] - max) / sum_of(expected->x, column, max);
}

static double leave_of_first_row(const Expected *expected, size_t i) {
    const Part first = row_of(expected, 0);
    const double max = largest(expected->x, first);
    return exp((double)expected->x[i] - max) / sum_of(expected->x, first, max);
}

/* The maximum in the sum alone, in floats. */
static double leave_unshifted(const Expected *expected, size_t i) {
    const Part part = row_of(expected, i);
    const float sum = (float)sum_of(expected->x, part, largest(expected->x, part));
    return (double)(expf(expected->x[i]) / sum);
}

enum { WARP = 32 };

/* A row by one warp: what the lanes hold after shuffles down. Lane 0 has all, and the others less, or a part
 * of it twice, as a lane that asks for one past the last gets its own value. */
static void hand_down(double *lanes, bool of_maximum) {
    for (size_t apart = WARP / 2; apart > 0; apart /= 2)
        for (size_t lane = 0; lane < WARP; lane++) {
            const double other = lanes[lane + apart < WARP ? lane + apart : lane];
            if (!of_maximum)
                lanes[lane] += other;
            else
                lanes[lane] = fmax(lanes[lane], other);
        }
}

/* The row's maximum is right, and each lane divides by the sum that it has itself. */
static double leave_own_sum(const Expected *expected, size_t i) {
    const Part part = row_of(expected, i);
    const double max = largest(expected->x, part);
    double lanes[WARP] = {0};
    for (size_t k = 0; k < part.count; k++)
        lanes[k % WARP] += exp((double)expected->x[part.first + k] - max);
    hand_down(lanes, false);
    return exp((double)expected->x[i] - max) / lanes[(i - part.first) % WARP];
}

/* Each lane subtracts the maximum that it has itself, and all divide by the sum of what came of that. */
static double leave_own_maximum(const Expected *expected, size_t i) {
    const Part part = row_of(expected, i);
    double lanes[WARP], sum = 0;
    for (size_t lane = 0; lane < WARP; lane++)
        lanes[lane] = -INFINITY;
    for (size_t k = 0; k < part.count; k++)
        lanes[k % WARP] = fmax(lanes[k % WARP], (double)expected->x[part.first + k]);
    hand_down(lanes, true);
    for (size_t k = 0; k < part.count; k++)
        sum += exp((double)expected->x[part.first + k] - lanes[k % WARP]);
    return exp((double)expected->x[i] - lanes[(i - part.first) % WARP]) / sum;
}

/* Divided by the sum over some columns of the row. Which maximum was subtracted does not matter. */
typedef bool Takes(size_t column, size_t cols);

static double leave_sum_over(const Expected *expected, size_t i, Takes *takes) {
    const Part part = row_of(expected, i);
    double sum = 0.0;
    for (size_t k = 0; k < part.count; k++)
        if (takes(k, part.count)) sum += expected->powers[part.first + k];
    return expected->powers[i] / sum;
}

static bool takes_first_half(size_t column, size_t cols) {
    return column < cols / 2;
}

static bool takes_low_lanes(size_t column, size_t cols) {
    (void)cols;
    return column % WARP < WARP / 2;
}

static bool takes_even(size_t column, size_t cols) {
    (void)cols;
    return column % 2 == 0;
}

static bool takes_first_warp(size_t column, size_t cols) {
    enum { THREADS = 256 };
    (void)cols;
    return column % THREADS < WARP;
}

static bool takes_all_but_last(size_t column, size_t cols) {
    return column + 1 < cols;
}

static bool takes_all_but_first(size_t column, size_t cols) {
    (void)cols;
    return column > 0;
}

#define LANE_ZERO                                                                                            \
    "after shuffles down only lane 0 has that of the row. Hand it on to all lanes: __shfl_sync(mask, "       \
    "value, 0)"

typedef struct Suspect {
    const char *name, *words;
    Leaves *leaves;
    Takes *takes; /* in place of that: the columns over which is added up */
} Suspect;

/* What no other mistake leaves. */
static const Suspect sure[] = {
    {"unshifted",
     "that is exp(x) divided by the sum of exp(x - max): subtract the maximum in the result as well",
     leave_unshifted, NULL},
    {"lane-zero-sum", "each lane divided by a sum of its own: " LANE_ZERO, leave_own_sum, NULL},
    {"lane-zero-maximum", "each lane subtracted a maximum of its own: " LANE_ZERO, leave_own_maximum, NULL},
    {"too-large",
     "that is exp(x) divided by its sum. exp of more than 88 is more than a float can hold, and exp of less "
     "than -104 "
     "is 0: subtract the row's maximum first",
     leave_overflow, NULL},
    {"from-zero",
     "that is what a maximum leaves that is larger than all numbers of the row: where they are all far below "
     "0, "
     "every exp is 0. Start it at -INFINITY, and compare the numbers themselves, without fabsf",
     leave_from_zero, NULL},
    {"undivided", "that is exp(x - max): the division by the row's sum is missing", leave_undivided, NULL},
    {"of-columns", "that is the softmax of the columns", leave_of_columns, NULL},
    {"first-row", "each row is divided by the first row's sum. Does the row depend on blockIdx.x?",
     leave_of_first_row, NULL},
};

/* Of a short row several of these leave the same. */
static const Suspect suspects[] = {
    {"half-row", "the sum is that of the row's first half alone", NULL, takes_first_half},
    {"low-lanes",
     "the sum lacks what lanes 16 to 31 of each warp have: the first step of the shuffles, with distance 16, "
     "is "
     "left out",
     NULL, takes_low_lanes},
    {"even-lanes",
     "the sum is that of the even columns alone: the last step of the shuffles, with distance 1, is left out",
     NULL, takes_even},
    {"first-warp",
     "the sum is that of the block's first warp alone: what the other warps know was not joined to it", NULL,
     takes_first_warp},
    {"last-column-lost", "the sum lacks the row's last number", NULL, takes_all_but_last},
    {"first-column-lost", "the sum lacks the row's first number", NULL, takes_all_but_first},
};
enum { SURE = sizeof sure / sizeof *sure, SUSPECTS = sizeof suspects / sizeof *suspects };

/* Is every element what the mistake leaves? At least one must tell it from the right answer. */
static bool is_everywhere(const Expected *expected, const float *y, const Suspect *suspect) {
    bool differs = false;
    for (size_t i = 0; i < expected->rows * expected->cols; i++) {
        const double got = (double)y[i], left = suspect->takes != NULL
                                                    ? leave_sum_over(expected, i, suspect->takes)
                                                    : suspect->leaves(expected, i);
        const bool near = fabs(got - left) <= 1e-4 * fabs(left) || (isnan(got) && isnan(left)) || got == left;
        if (!near) return false;
        differs = differs || !(fabs(left - expected->y[i]) <= expected->tolerance[i]);
    }
    return differs;
}

/* By which factor the row is wrong in all its elements alike; a nan where it is not, or nothing can be said.
 */
static double factor_of(const Expected *expected, const float *y, Part part) {
    const double least = 1e-30; /* smaller ones may be rounded in another way */
    double factor = NAN;
    for (size_t k = 0; k < part.count; k++) {
        const size_t i = part.first + k * part.step;
        const double got = (double)y[i], want = expected->y[i];
        if (want < least) continue;
        if (!(got > 0.0) || isinf(got)) return NAN;
        if (isnan(factor)) factor = got / want;
        if (fabs(got / want - factor) > 1e-4 * factor) return NAN;
    }
    return factor;
}

/* Whether some number of the row lies there. */
static bool has_number(const Expected *expected, Part part, double number) {
    const double rounding = 1e-4;
    for (size_t k = part.first; k < part.first + part.count; k++)
        if (fabs((double)expected->x[k] - number) <= rounding) return true;
    return false;
}

/* The sum is right, and what was subtracted in the result is a number of the row, but not the largest: each
 * element says which. */
static bool has_other_maximum(const Expected *expected, const float *y) {
    enum { SEVERAL = 64 }; /* elements, so that it is not by chance */
    size_t others = 0;
    for (size_t i = 0; i < expected->rows * expected->cols; i++) {
        const Part part = row_of(expected, i);
        const double factor = (double)y[i] / expected->y[i];
        if (!(factor > 0.999) || isinf(factor)) return false;
        others += factor > 1.001;
        if (!has_number(expected, part, largest(expected->x, part) - log(factor))) return false;
    }
    return others >= SEVERAL;
}

/* exp of what lies far above the others became infinite, and everything was divided by it. */
static bool is_of_infinite(const Expected *expected, const float *y) {
    for (size_t i = 0; i < expected->rows * expected->cols; i++)
        if ((i + 1) % expected->cols == 0 ? !isnan(y[i]) : y[i] != 0.0F) return false;
    return true;
}

/* Each row by a factor of its own: exp is right, and what it is divided by is not. */
static bool is_wrong_by_rows(const Expected *expected, const float *y) {
    size_t wrong = 0;
    if (expected->cols < 3) return false;
    for (size_t row = 0; row < expected->rows; row++) {
        const double factor = factor_of(expected, y, row_of(expected, row * expected->cols));
        if (isnan(factor)) return false;
        wrong += fabs(factor - 1.0) > 1e-3;
    }
    return wrong > 0;
}

/* The row's elements of each lane by a factor of its own, and none is too large. */
static bool is_wrong_by_lanes(const Expected *expected, const float *y) {
    size_t wrong = 0;
    for (size_t row = 0; row < expected->rows; row++)
        for (size_t lane = 0; lane < WARP && lane < expected->cols; lane++) {
            const size_t count = (expected->cols - lane + WARP - 1) / WARP;
            const Part part = {.first = row * expected->cols + lane, .count = count, .step = WARP};
            const double factor = factor_of(expected, y, part);
            if (!(factor < 1.001)) return false;
            wrong += factor < 0.999;
        }
    return wrong > 0;
}

/* All is nan, in rows of fewer numbers than a block has threads, and no exp can have been too large. */
static bool is_of_no_numbers(const Expected *expected, const float *y) {
    enum { THREADS = 256, LARGEST = 80 };
    if (expected->cols >= THREADS) return false;
    for (size_t i = 0; i < expected->rows * expected->cols; i++)
        if (!isnan(y[i]) || fabsf(expected->x[i]) > LARGEST) return false;
    return true;
}

static bool prepare_wrong(JudgeCase *judged, Expected *expected) {
    expected->powers = ARENA_ARRAY(judged->arena, expected->rows * expected->cols, double);
    if (expected->powers == NULL) return false;
    for (size_t row = 0; row < expected->rows; row++) {
        const Part part = row_of(expected, row * expected->cols);
        const double max = largest(expected->x, part);
        for (size_t i = part.first; i < part.first + part.count; i++)
            expected->powers[i] = exp((double)expected->x[i] - max);
    }
    return true;
}

static JudgeCause cause_of(const Suspect *suspect) {
    return (JudgeCause){.name = suspect->name, .words = suspect->words};
}

/* Of what several mistakes leave, that is told which all wrong answers have in common. */
/* The case has rows in which nothing else can be told of a wrong answer. */
static void suspect_apart(const Expected *expected, const float *y, JudgeDecision *decision) {
    static const JudgeCause cause = {"part-maximum", "exp was asked for more than 88, which a float cannot "
                                                     "hold: what was subtracted is less than the row's "
                                                     "largest number, in the last column. Is the maximum "
                                                     "that of all numbers of the row, and of all warps?"};
    if (is_of_infinite(expected, y)) judge_explain(decision, cause);
}

static void suspect(JudgeCase *judged, const float *y, JudgeDecision *decision) {
    Expected *expected = judged->expected;
    JudgeCause *fit = ARENA_ARRAY(judged->arena, SUSPECTS + 2, JudgeCause);
    unsigned count = 0;
    if (fit == NULL || !prepare_wrong(judged, expected)) return;
    for (size_t i = 0; i < SURE; i++)
        if (is_everywhere(expected, y, &sure[i])) {
            judge_explain(decision, cause_of(&sure[i]));
            return;
        }
    if (has_other_maximum(expected, y)) {
        judge_explain(decision, (JudgeCause){"other-maximum",
                                             "that is exp(x - m) divided by the row's sum of exp(x - max), "
                                             "where m is only the largest of some numbers of the row. "
                                             "Subtract in the result what was subtracted in the sum"});
        return;
    }
    for (size_t i = 0; i < SUSPECTS; i++)
        if (is_everywhere(expected, y, &suspects[i])) fit[count++] = cause_of(&suspects[i]);
    if (is_wrong_by_rows(expected, y))
        fit[count] =
            (JudgeCause){"wrong-sum", "within each row all elements are wrong by the same factor: they "
                                      "are divided by something else than the sum of exp(x - max) "
                                      "over the whole row"};
    else if (is_wrong_by_lanes(expected, y))
        fit[count] = (JudgeCause){
            "sums-of-lanes", "within each row all elements of one lane are too small by the same factor: "
                             "lanes divide by sums of their own, which are too large. Where a larger "
                             "maximum is found, is the sum of what came before scaled?"};
    else if (is_of_no_numbers(expected, y))
        fit[count] = (JudgeCause){
            "no-numbers", "it is nan in rows with fewer numbers than threads: of those that have none both "
                          "maxima are -INFINITY, and -INFINITY - -INFINITY is nan. joined leaves these as "
                          "they are"};
    decision->suspects = fit;
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const size_t n = (size_t)judged->spec->n;
    const float *y = judge_answer_floats(judged, decision, "y", n);
    if (y == NULL) return;
    decision->passed = judge_compare(judged, decision, "y", y, expected->y, expected->tolerance, n);
    if (decision->passed || decision->unwritten) return;
    if (judged->spec->extra == APART)
        suspect_apart(expected, y, decision);
    else
        suspect(judged, y, decision);
}

static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    const Expected *expected = judged->expected;
    (void)judged;
    const size_t i = (size_t)wrong->wrong_index;
    const Part part = row_of(expected, i);
    const double x = (double)expected->x[i], max = largest(expected->x, part);
    const double sum = sum_of(expected->x, part, max);
    judge_step(steps, "y[%zu] is column %zu of row %zu, which is x[%zu] to x[%zu]", i, i % expected->cols,
               i / expected->cols, part.first, part.first + part.count - 1);
    judge_step(steps, "the row's maximum is %.9g", max);
    judge_step(steps, "the sum of exp(x - %.9g) over the row is %.9g", max, sum);
    judge_step(steps, "exp(x[%zu] - max) = exp(%.9g - %.9g) = %.9g", i, x, max, exp(x - max));
    judge_step(steps, "y[%zu] = %.9g / %.9g = %.9g", i, exp(x - max), sum, expected->y[i]);
}

const Judge judge_34_softmax = {
    .lesson = "34-softmax",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
