/* judge.c - lesson 04: y = x1 * x2 + b for arrays of n floats and another b in every case.
 *
 * `extra` is b in hundredths, and a little is added that differs from run to run. The second of two calls has
 * 0: who thinks that a constant is 0 anyway still has the first one's b. A product and a sum round twice, or
 * once where the compiler fuses them: the tolerance allows both.
 */
#include <float.h>
#include <math.h>

#include "autograder/judge.h"

static const JudgeCaseSpec cases[] = {
    {.name = "a prime number of elements", .points = 1, .n = 1009, .extra = 750},
    {.name = "another b in the next call", .points = 1, .n = 64, .extra = -325, .again = true},
    {.name = "no elements at all", .points = 0, .n = 0, .extra = 100},
    {.name = "a single element", .points = 1, .n = 1, .extra = 20075},
    {.name = "one less than a block", .points = 1, .n = 255, .extra = -1},
    {.name = "one element past a block", .points = 2, .n = 257, .extra = 150},
    {.name = "a large array", .points = 1, .n = 50021, .extra = -99950},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

typedef struct Expected {
    double b;
    double *y;
    double *tolerance;
} Expected;

static bool fill_expected(JudgeCase *judged, const float *x1, const float *x2, float b) {
    size_t n = (size_t)judged->spec->n;
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    if (expected == NULL) return false;
    expected->y = ARENA_ARRAY(judged->arena, n + 1, double);
    expected->tolerance = ARENA_ARRAY(judged->arena, n + 1, double);
    if (expected->y == NULL || expected->tolerance == NULL) return false;
    expected->b = (double)b;
    for (size_t i = 0; i < n; i++) {
        double product = (double)x1[i] * (double)x2[i];
        expected->y[i] = product + (double)b;
        expected->tolerance[i] = (double)FLT_EPSILON * (fabs(product) + fabs((double)b));
    }
    judged->expected = expected;
    return true;
}

static bool prepare(JudgeCase *judged) {
    size_t n = (size_t)judged->spec->n;
    float more = 0.0F;
    judge_fill(judged, &more, 1, 0.25F, 2);
    float b = 0.0F;
    if (judged->before == NULL) b = (float)judged->spec->extra / 100.0F + more;
    float *x1 = judge_input_floats(judged, "x1", n);
    float *x2 = judge_input_floats(judged, "x2", n);
    if (x1 == NULL || x2 == NULL) return false;
    judge_fill(judged, x1, n, 10.0F, 0);
    judge_fill(judged, x2, n, 10.0F, 1);
    return judge_input_float(judged, "b", b) && fill_expected(judged, x1, x2, b);
}

/* Was this number added to every element in place of b? */
static bool is_product_and(double other, const Expected *expected, const float *y, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!(fabs((double)y[i] + expected->b - other - expected->y[i]) <=
              expected->tolerance[i] + (double)FLT_EPSILON * fabs(other)))
            return false;
    return true;
}

static JudgeCause name_added(const JudgeCase *judged, const float *y, size_t n) {
    const Expected *expected = judged->expected;
    if (is_product_and(0.0, expected, y, n))
        return judge_cause(
            judged->arena, "product-alone",
            "that is the product alone. Is b added, and was it in constant memory when the kernel ran? "
            "A constant that nobody has set is 0");
    if (judged->before == NULL ||
        !is_product_and(((const Expected *)judged->before->expected)->b, expected, y, n))
        return JUDGE_UNKNOWN;
    return judge_cause(
        judged->arena, "first-b",
        "that is the product and the first call's b. A constant keeps its value until another one is "
        "copied there");
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    size_t n = (size_t)judged->spec->n;
    const Expected *expected = judged->expected;
    const float *y = judge_answer_floats(judged, decision, "y", n);
    if (y == NULL) return;
    decision->passed = judge_compare(judged, decision, "y", y, expected->y, expected->tolerance, n);
    if (!decision->passed) judge_explain(decision, name_added(judged, y, n));
}

static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    const size_t i = (size_t)wrong->wrong_index;
    judge_step_element(judged, "y[i]", "x1[i] * x2[i] + b", i, ((const Expected *)judged->expected)->y[i],
                       steps);
}

const Judge judge_04_constant_memory = {
    .lesson = "04-constant-memory",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
