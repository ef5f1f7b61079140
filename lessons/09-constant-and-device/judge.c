/* judge.c - lesson 09: readings of `threads` sensors that take turns, corrected by a polynomial of `extra`
 * coefficients and by the sensor's own offset.
 *
 * x lies between -1.5 and 1.5, so that all powers count. Horner's rule and a sum of powers round differently:
 * the tolerance is the error bound of either.
 */
#include <float.h>
#include <math.h>

#include "autograder/judge.h"

static const JudgeCaseSpec cases[] = {
    {.name = "a parabola, seven sensors", .points = 1, .n = 1009, .threads = 7, .extra = 3},
    {.name = "another curve in the next call", .points = 1, .n = 64, .threads = 5, .extra = 5, .again = true},
    {.name = "no readings at all", .points = 0, .n = 0, .threads = 3, .extra = 3},
    {.name = "a single coefficient", .points = 1, .n = 33, .threads = 1, .extra = 1},
    {.name = "one reading past a block", .points = 1, .n = 257, .threads = 3, .extra = 6},
    {.name = "10,007 readings of 96 sensors, sixteen coefficients",
     .points = 2,
     .n = 10007,
     .threads = 96,
     .extra = 16},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

typedef struct Expected {
    size_t terms, sensors;
    const float *x, *c, *offset;
    double *y, *tolerance;
} Expected;

/* c[first] + c[first + 1] x + ..., `count` terms; with `magnitudes` of their absolute values. */
static double polynomial(const float *c, size_t count, double x, bool magnitudes) {
    double sum = 0.0, power = 1.0;
    for (size_t k = 0; k < count; k++, power *= x) {
        const double term = (double)c[k] * power;
        sum += magnitudes ? fabs(term) : term;
    }
    return sum;
}

static double offset_of(const Expected *expected, size_t i) {
    return (double)expected->offset[i % expected->sensors];
}

static void fill_expected(const JudgeCase *judged, Expected *expected) {
    for (size_t i = 0; i < (size_t)judged->spec->n; i++) {
        const double x = (double)expected->x[i], offset = offset_of(expected, i);
        expected->y[i] = polynomial(expected->c, expected->terms, x, false) + offset;
        expected->tolerance[i] = (double)(2 * expected->terms + 1) * (double)FLT_EPSILON *
                                 (polynomial(expected->c, expected->terms, x, true) + fabs(offset));
    }
}

static bool prepare(JudgeCase *judged) {
    const size_t n = (size_t)judged->spec->n, terms = (size_t)judged->spec->extra;
    const size_t sensors = (size_t)judged->spec->threads;
    float *x = judge_input_floats(judged, "x", n), *c = judge_input_floats(judged, "c", terms);
    float *offset = judge_input_floats(judged, "offset", sensors);
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    if (x == NULL || c == NULL || offset == NULL || expected == NULL) return false;
    judge_fill(judged, x, n, 1.5F, 0);
    judge_fill(judged, c, terms, 10.0F, 1);
    judge_fill(judged, offset, sensors, 100.0F, 2);
    *expected = (Expected){.terms = terms,
                           .sensors = sensors,
                           .x = x,
                           .c = c,
                           .offset = offset,
                           .y = ARENA_ARRAY(judged->arena, n + 1, double),
                           .tolerance = ARENA_ARRAY(judged->arena, n + 1, double)};
    if (expected->y == NULL || expected->tolerance == NULL) return false;
    fill_expected(judged, expected);
    judged->expected = expected;
    return judge_input_int(judged, "sensors", (int32_t)sensors) &&
           judge_input_int(judged, "terms", (int32_t)terms);
}

/* What a typical mistake leaves in place of reading i, without rounding. */
typedef double Leaves(const JudgeCase *judged, const Expected *expected, size_t i);

static double leave_offset(const JudgeCase *judged, const Expected *expected, size_t i) {
    (void)judged;
    return offset_of(expected, i);
}

static double leave_curve(const JudgeCase *judged, const Expected *expected, size_t i) {
    (void)judged;
    return polynomial(expected->c, expected->terms, (double)expected->x[i], false);
}

static double leave_without_highest(const JudgeCase *judged, const Expected *expected, size_t i) {
    (void)judged;
    return polynomial(expected->c, expected->terms - 1, (double)expected->x[i], false) +
           offset_of(expected, i);
}

static double leave_turned(const JudgeCase *judged, const Expected *expected, size_t i) {
    (void)judged;
    double y = 0.0;
    for (size_t k = 0; k < expected->terms; k++)
        y = y * (double)expected->x[i] + (double)expected->c[k];
    return y + offset_of(expected, i);
}

static double leave_first_curve(const JudgeCase *judged, const Expected *expected, size_t i) {
    if (judged->before == NULL) return (double)NAN;
    const Expected *first = judged->before->expected;
    return polynomial(first->c, first->terms, (double)expected->x[i], false) + offset_of(expected, i);
}

static double leave_less_offset(const JudgeCase *judged, const Expected *expected, size_t i) {
    return leave_curve(judged, expected, i) - offset_of(expected, i);
}

static double leave_offset_of_sensor_0(const JudgeCase *judged, const Expected *expected, size_t i) {
    return leave_curve(judged, expected, i) + (double)expected->offset[0];
}

/* Horner's rule with x at the wrong factor. */
static double leave_wrong_factor(const JudgeCase *judged, const Expected *expected, size_t i) {
    (void)judged;
    const double x = (double)expected->x[i];
    double y = (double)expected->c[expected->terms - 1];
    for (size_t k = expected->terms - 1; k-- > 0;)
        y += x * (double)expected->c[k];
    return y + offset_of(expected, i);
}

/* The loop ends one coefficient too early, or takes the coefficient after the one that is next. */
static double leave_without_first(const JudgeCase *judged, const Expected *expected, size_t i) {
    (void)judged;
    const double x = (double)expected->x[i];
    const size_t terms = expected->terms;
    if (terms == 1) return (double)NAN;
    return polynomial(expected->c + 1, terms - 1, x, false) + offset_of(expected, i);
}

/* c[0] x + c[1] x^2 + ...: the powers begin with x, or Horner's rule ends with x. */
static double leave_too_high(const JudgeCase *judged, const Expected *expected, size_t i) {
    return leave_curve(judged, expected, i) * (double)expected->x[i] + offset_of(expected, i);
}

/* c[0] + c[1] + c[2] x + ...: the power is taken before it is made. */
static double leave_too_low(const JudgeCase *judged, const Expected *expected, size_t i) {
    (void)judged;
    if (expected->terms == 1) return (double)NAN;
    return (double)expected->c[0] +
           polynomial(expected->c + 1, expected->terms - 1, (double)expected->x[i], false) +
           offset_of(expected, i);
}

static double leave_no_powers(const JudgeCase *judged, const Expected *expected, size_t i) {
    double others = 0.0;
    (void)judged;
    for (size_t k = 1; k < expected->terms; k++)
        others += (double)expected->c[k];
    return (double)expected->c[0] + others * (double)expected->x[i] + offset_of(expected, i);
}

static double leave_last_term(const JudgeCase *judged, const Expected *expected, size_t i) {
    const size_t last = expected->terms - 1;
    (void)judged;
    return (double)expected->c[last] * pow((double)expected->x[i], (double)last) + offset_of(expected, i);
}

/* The loop goes over the coefficient that y begins with once more. */
static double leave_last_twice(const JudgeCase *judged, const Expected *expected, size_t i) {
    const double power = pow((double)expected->x[i], (double)expected->terms);
    return leave_curve(judged, expected, i) + (double)expected->c[expected->terms - 1] * power +
           offset_of(expected, i);
}

typedef struct Suspect {
    const char *name, *words;
    Leaves *leaves;
} Suspect;

static const Suspect suspects[] = {
    {"offset-alone",
     "that is the offset alone: the curve is 0. Were the coefficients in constant memory when the kernel "
     "ran? "
     "Constants that nobody has set are 0",
     leave_offset},
    {"curve-alone", "that is the curve alone, without the sensor's offset", leave_curve},
    {"no-highest", "that is the curve without its last coefficient, the one of the highest power",
     leave_without_highest},
    {"turned", "that is the curve with its coefficients in the opposite order. c[0] is the one without x",
     leave_turned},
    {"first-curve",
     "that is the first call's curve. A constant keeps its value until another one is copied there",
     leave_first_curve},
    {"offset-subtracted", "that is the curve less the sensor's offset: it should be added",
     leave_less_offset},
    {"offset-of-sensor-0",
     "that is the curve and offset[0] in each reading: reading i is of sensor i % sensors",
     leave_offset_of_sensor_0},
    {"wrong-factor",
     "that is what y + x * c[k] makes in each step: y is multiplied by x, and c[k] is added, y * x + c[k]",
     leave_wrong_factor},
    {"no-first", "that is the curve without c[0]: the last step, y * x + c[0], is missing",
     leave_without_first},
    {"power-too-high",
     "each power of x is one too high: c[0] stands alone, c[1] is multiplied by x, c[2] by x * x",
     leave_too_high},
    {"power-too-low", "from c[1] on each power of x is one too low: c[1] is multiplied by x, c[2] by x * x",
     leave_too_low},
    {"no-powers", "each coefficient after c[0] is multiplied by x, and by no higher power of it",
     leave_no_powers},
    {"last-twice",
     "the last coefficient is in it twice, at its own power of x and at the next: y begins with it, and the "
     "loop "
     "takes it again",
     leave_last_twice},
    {"last-term-alone", "that is the last term alone: each replaced the sum instead of adding to it",
     leave_last_term},
};

static bool is_everywhere(const JudgeCase *judged, const float *y, Leaves *leaves) {
    const Expected *expected = judged->expected;
    for (size_t i = 0; i < (size_t)judged->spec->n; i++) {
        const double left = leaves(judged, expected, i), rounding = 2.0 * (double)FLT_EPSILON * fabs(left);
        if (!(fabs((double)y[i] - left) <= expected->tolerance[i] + rounding)) return false;
    }
    return true;
}

/* The suspect that leaves just this answer; of a single coefficient two may, and neither is told. */
static JudgeCause name_left(const JudgeCase *judged, const float *y) {
    const Suspect *found = NULL;
    for (size_t i = 0; i < sizeof suspects / sizeof *suspects; i++)
        if (is_everywhere(judged, y, suspects[i].leaves)) {
            if (found != NULL) return JUDGE_UNKNOWN;
            found = &suspects[i];
        }
    if (found == NULL) return JUDGE_UNKNOWN;
    return (JudgeCause){.name = found->name, .words = found->words};
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const size_t n = (size_t)judged->spec->n;
    const Expected *expected = judged->expected;
    const float *y = judge_answer_floats(judged, decision, "y", n);
    if (y == NULL) return;
    decision->passed = judge_compare(judged, decision, "y", y, expected->y, expected->tolerance, n);
    if (!decision->passed) judge_explain(decision, name_left(judged, y));
}

/* Horner's rule for the wrong reading, a step a line, and then the offset. */
static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    const Expected *expected = judged->expected;
    const size_t i = (size_t)wrong->wrong_index, last = expected->terms - 1;
    const double x = (double)expected->x[i];
    double y = (double)expected->c[last];
    judge_step(steps, "reading %zu is x = %.9g, of sensor %zu %% %zu = %zu", i, x, i, expected->sensors,
               i % expected->sensors);
    judge_step(steps, "the curve begins with c[%zu] = %.9g", last, y);
    for (size_t k = last; k-- > 0;) {
        const double next = y * x + (double)expected->c[k];
        judge_step(steps, "times x, plus c[%zu]: %.9g * %.9g + %.9g = %.9g", k, y, x, (double)expected->c[k],
                   next);
        y = next;
    }
    judge_step(steps, "y[%zu] = %.9g + offset[%zu] = %.9g + %.9g = %.9g", i, y, i % expected->sensors, y,
               offset_of(expected, i), expected->y[i]);
}

const Judge judge_09_constant_and_device = {
    .lesson = "09-constant-and-device",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
