/* judge.c - lesson 16: the length of a vector of floats or doubles, and the sum of the products of two
 * vectors.
 *
 * The floats are whole numbers so small that every sum is exact in whatever order, and none so small that a
 * lost one would hide behind the root's rounding. The doubles have more digits than a float can hold, so that
 * a sum that was made in floats shows. A wrong number is compared with those of typical mistakes.
 */
#include "autograder/judge.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef enum Which { FLOATS, DOUBLES, PRODUCTS } Which;

static const JudgeCaseSpec cases[] = {
    {.name = "a single float, called twice", .points = 1, .n = 1, .extra = FLOATS, .again = true},
    {.name = "no doubles at all", .points = 1, .n = 0, .extra = DOUBLES},
    {.name = "33 doubles, called twice", .points = 1, .n = 33, .extra = DOUBLES, .again = true},
    {.name = "products of 257 pairs, called twice", .points = 1, .n = 257, .extra = PRODUCTS, .again = true},
    {.name = "10,007 floats", .points = 1, .n = 10007, .extra = FLOATS},
    {.name = "10,007 doubles", .points = 1, .n = 10007, .extra = DOUBLES},
    {.name = "products of 100,003 pairs", .points = 2, .n = 100003, .extra = PRODUCTS},
};

enum { THREADS = 256, MOST_BLOCKS = 64 };

typedef struct Expected {
    double want, tolerance, squares; /* `squares`: before the root */
    double of_x;                     /* products of x with itself */
    double magnitudes;               /* the sum of |x[i]| */
    double of_blocks[MOST_BLOCKS];   /* what is added up, in shares of blocks as large as the page's */
    double *terms;                   /* each of the numbers that are added up */
    const float *x, *y;
} Expected;

/* A block's share: number i is in the piece of block i / THREADS, and then by turns. */
static void add_to_block(Expected *expected, size_t n, size_t i, double term) {
    const size_t wanted = (n + THREADS - 1) / THREADS, blocks = wanted < MOST_BLOCKS ? wanted : MOST_BLOCKS;
    expected->of_blocks[i / THREADS % blocks] += term;
    expected->terms[i] = term;
}

/* Whole numbers of both signs, from `least` to `limit`. */
static void fill_whole(const JudgeCase *judged, float *values, float least, float limit, unsigned stream) {
    const size_t n = (size_t)judged->spec->n;
    judge_fill(judged, values, n, limit - least, stream);
    for (size_t i = 0; i < n; i++)
        values[i] = copysignf(roundf(fabsf(values[i])) + least, values[i]);
}

static bool prepare_products(JudgeCase *judged, Expected *expected) {
    const size_t n = (size_t)judged->spec->n;
    float *x = judge_input_floats(judged, "x", n), *y = judge_input_floats(judged, "y", n);
    if (x == NULL || y == NULL) return false;
    fill_whole(judged, x, 1.0F, 12.0F, 0);
    fill_whole(judged, y, 1.0F, 12.0F, 1);
    for (size_t i = 0; i < n; i++) {
        expected->want += (double)x[i] * (double)y[i];
        expected->of_x += (double)x[i] * (double)x[i];
        add_to_block(expected, n, i, (double)x[i] * (double)y[i]);
    }
    expected->x = x;
    expected->y = y;
    return true;
}

static bool prepare_doubles(JudgeCase *judged, Expected *expected) {
    const size_t n = (size_t)judged->spec->n;
    double *x = judge_input_doubles(judged, "x", n);
    float *whole = ARENA_ARRAY(judged->arena, n + 1, float), *rest = ARENA_ARRAY(judged->arena, n + 1, float);
    if (x == NULL || whole == NULL || rest == NULL) return false;
    fill_whole(judged, whole, 5.0F, 35.0F, 0);
    judge_fill(judged, rest, n, 1e-6F, 1);
    for (size_t i = 0; i < n; i++) {
        x[i] = (double)whole[i] + (double)rest[i];
        expected->squares += x[i] * x[i];
        expected->magnitudes += fabs(x[i]);
        add_to_block(expected, n, i, x[i] * x[i]);
    }
    expected->want = sqrt(expected->squares);
    expected->tolerance = 4e-12 * expected->want;
    return true;
}

static bool prepare_floats(JudgeCase *judged, Expected *expected) {
    const size_t n = (size_t)judged->spec->n;
    float *x = judge_input_floats(judged, "x", n);
    if (x == NULL) return false;
    fill_whole(judged, x, 5.0F, 35.0F, 0);
    for (size_t i = 0; i < n; i++) {
        expected->squares += (double)x[i] * (double)x[i];
        expected->magnitudes += fabs((double)x[i]);
        add_to_block(expected, n, i, (double)x[i] * (double)x[i]);
    }
    expected->want = sqrt(expected->squares);
    expected->tolerance = (double)FLT_EPSILON * expected->want;
    return true;
}

static bool prepare(JudgeCase *judged) {
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    judged->expected = expected;
    if (expected == NULL || !judge_input_int(judged, "which", (int32_t)judged->spec->extra)) return false;
    expected->terms = ARENA_ARRAY(judged->arena, (size_t)judged->spec->n + 1, double);
    if (expected->terms == NULL) return false;
    switch ((Which)judged->spec->extra) {
    case FLOATS:
        return prepare_floats(judged, expected);
    case DOUBLES:
        return prepare_doubles(judged, expected);
    case PRODUCTS:
        break;
    }
    return prepare_products(judged, expected);
}

/* What a typical mistake leaves; of a case for which it says nothing, a nan. */
typedef double Leaves(const JudgeCase *judged);

static const Expected *expected_of(const JudgeCase *judged) {
    return judged->expected;
}

static bool is_of_products(const JudgeCase *judged) {
    return judged->spec->extra == PRODUCTS;
}

static double leave_nothing(const JudgeCase *judged) {
    (void)judged;
    return 0.0;
}

static double leave_squares_of_x(const JudgeCase *judged) {
    if (is_of_products(judged)) return expected_of(judged)->of_x;
    return NAN;
}

static double leave_root_of_products(const JudgeCase *judged) {
    if (is_of_products(judged)) return sqrt(expected_of(judged)->want);
    return NAN;
}

static double leave_sum_of_both(const JudgeCase *judged) {
    const Expected *expected = expected_of(judged);
    double sum = 0.0;
    if (!is_of_products(judged)) return NAN;
    for (size_t i = 0; i < (size_t)judged->spec->n; i++)
        sum += (double)expected->x[i] + (double)expected->y[i];
    return sum;
}

static double leave_squares(const JudgeCase *judged) {
    if (is_of_products(judged)) return NAN;
    return expected_of(judged)->squares;
}

/* Of one number a root of its square and a second root are the same. */
static double leave_roots_of_each(const JudgeCase *judged) {
    if (is_of_products(judged) || judged->spec->n == 1) return NAN;
    return sqrt(expected_of(judged)->magnitudes);
}

static double leave_block_0(const JudgeCase *judged) {
    const double sum = expected_of(judged)->of_blocks[0];
    if (judged->spec->n <= THREADS) return NAN;
    if (is_of_products(judged)) return sum;
    return sqrt(sum);
}

static const struct {
    JudgeCause cause;
    Leaves *leaves;
} mistakes[] = {
    {{"roots-of-each", "that is the root of the sum of |x[i]|: the squares themselves are added up, and the "
                       "root is taken of their sum"},
     leave_roots_of_each},
    {{"block-0-alone", "that is what block 0 makes of its own share: the sums of all blocks are added up"},
     leave_block_0},
    {{"zero", "it is 0: was anything added up?"}, leave_nothing},
    {{"y-unused", "that is the sum of x times x: y was not used"}, leave_squares_of_x},
    {{"added-both", "that is the sum of x[i] + y[i], and not of their products"}, leave_sum_of_both},
    {{"root-of-products", "that is the root of the sum: l2_norm takes a root, sum_of_products does not"},
     leave_root_of_products},
    {{"no-root", "that is the sum of the squares, without the root"}, leave_squares},
};

static bool is_near(double got, double want, double within) {
    return fabs(got - want) <= within * fabs(want);
}

/* The root of the sum of the blocks' roots, where so many blocks go through the pieces in turns. */
static double root_of_roots(const double *pieces, size_t count, size_t blocks) {
    double sum = 0.0;
    for (size_t block = 0; block < blocks; block++) {
        double of_block = 0.0;
        for (size_t piece = block; piece < count; piece += blocks)
            of_block += pieces[piece];
        sum += sqrt(of_block);
    }
    return sqrt(sum);
}

/* Whether each block has taken a root of its own sum, whatever the grid. */
static bool has_roots_of_blocks(const JudgeCase *judged, double got) {
    enum { LARGEST = 1024, STEP = 32 };
    const size_t n = (size_t)judged->spec->n;
    const double within = judged->spec->extra == DOUBLES ? 1e-11 : 1e-6;
    double *pieces = ARENA_ARRAY(judged->arena, n / STEP + 1, double);
    if (is_of_products(judged) || n == 1 || pieces == NULL) return false;
    for (size_t threads = STEP; threads <= LARGEST; threads += STEP) {
        const size_t count = (n + threads - 1) / threads;
        memset(pieces, 0, count * sizeof *pieces);
        for (size_t i = 0; i < n; i++)
            pieces[i / threads] += expected_of(judged)->terms[i];
        for (size_t blocks = 1; blocks <= count; blocks++)
            if (is_near(got, root_of_roots(pieces, count, blocks), within)) return true;
    }
    return false;
}

/* The products' sum stops somewhere. */
static JudgeCause name_end(const JudgeCase *judged, double got) {
    const Expected *expected = judged->expected;
    double sum = 0.0;
    for (size_t i = 0; is_of_products(judged) && i < (size_t)judged->spec->n; i++) {
        if (sum == got && i % 32 == 0 && i > 0)
            return judge_cause(judged->arena, "stops-early", "that is the sum of the first %zu products", i);
        sum += (double)expected->x[i] * (double)expected->y[i];
    }
    return JUDGE_UNKNOWN;
}

/* A float's rounding is no difference where the answer is one. */
static JudgeCause name_for(const JudgeCase *judged, double got) {
    const Expected *expected = judged->expected;
    const bool doubles = judged->spec->extra == DOUBLES;
    const double within = doubles ? 1e-12 : 2e-7;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        if (is_near(got, mistakes[i].leaves(judged), within)) return mistakes[i].cause;
    if (has_roots_of_blocks(judged, got))
        return (JudgeCause){"roots-of-blocks",
                            "that is what comes out when each block takes the root of its own "
                            "sum: the root is taken once, of the sum of all"};
    if (doubles && is_near(got, expected->want, 1e-6))
        return judge_cause(
            judged->arena, "made-floats",
            "it has only about as many correct digits as a float: somewhere a double was turned into one");
    return name_end(judged, got);
}

static void decide_double(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const double *got = judge_answer_doubles(judged, decision, "norm", 1);
    if (got == NULL) return;
    decision->passed = fabs(*got - expected->want) <= expected->tolerance;
    if (decision->passed) return;
    decision->wrong_index = 0;
    decision->message =
        arena_format(judged->arena, "`norm` is %.15g and should be %.15g", *got, expected->want);
    decision->was = arena_format(judged->arena, "%.15g", *got);
    const JudgeCause cause = name_for(judged, *got);
    judge_explain(decision, cause);
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    if (judged->spec->extra == DOUBLES) {
        decide_double(judged, decision);
        return;
    }
    const char *answer = "sum";
    if (judged->spec->extra == FLOATS) answer = "norm";
    const float *got = judge_answer_floats(judged, decision, answer, 1);
    if (got == NULL) return;
    decision->passed = judge_compare(judged, decision, answer, got, &expected->want, &expected->tolerance, 1);
    if (decision->passed || decision->unwritten) return;
    const JudgeCause cause = name_for(judged, (double)*got);
    judge_explain(decision, cause);
}

static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    const Expected *expected = judged->expected;
    const bool products = judged->spec->extra == PRODUCTS;
    double sum;
    if (products)
        sum = expected->want;
    else
        sum = expected->squares;
    const JudgeFormula formula = {.result = "sum",
                                  .term = products ? "x[i] * y[i]" : "x[i] * x[i]",
                                  .count = (size_t)judged->spec->n,
                                  .places = {{'i', 0, 1}}};
    if (formula.count == 0)
        judge_step(steps, "the sum of no numbers is 0");
    else
        judge_step_formula(judged, &formula, sum, steps);
    if (!products) judge_step(steps, "%s = sqrt(%.15g) = %.15g", wrong->answer, sum, expected->want);
}

const Judge judge_16_map_reduce = {
    .lesson = "16-map-reduce",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
