/* judge.c - lesson 18: x becomes 0.9 x, `steps` times, on every device that there is, and on every rank.
 *
 * Shares are uneven wherever n is no multiple of the devices or ranks: two numbers or more are left over, and
 * two or more are missing, so that rounding down and rounding up are both seen. They are empty where there
 * are fewer numbers. Each step rounds once, so the tolerance grows with them. A wrong number is compared with
 * what typical mistakes leave there: it was never worked on, or once too often, or twice as often because two
 * shares overlap.
 */
#include "autograder/judge.h"

#include <math.h>

enum { STEPS_USUAL = 5 };

/* extra: devices, and 100 for each rank; neighbours with as many devices share a program. `threads` is the
 * number of steps. */
static const JudgeCaseSpec cases[] = {
    {.name = "one device, called twice",
     .points = 1,
     .n = 1000,
     .threads = STEPS_USUAL,
     .extra = 1,
     .again = true},
    {.name = "one number on four devices", .points = 1, .n = 1, .threads = 3, .extra = 4},
    {.name = "no numbers at all", .points = 1, .n = 0, .threads = 3, .extra = 4},
    {.name = "no steps", .points = 1, .n = 100, .threads = 0, .extra = 4, .copied = true},
    {.name = "40,009 numbers on four devices", .points = 2, .n = 40009, .threads = 20, .extra = 4},
    {.name = "fewer numbers than seven devices", .points = 1, .n = 5, .threads = STEPS_USUAL, .extra = 7},
    {.name = "one number more than eight blocks", .points = 1, .n = 2049, .threads = STEPS_USUAL, .extra = 7},
    {.name = "a prime on three ranks, called twice",
     .points = 1,
     .n = 1009,
     .threads = STEPS_USUAL,
     .extra = 304,
     .again = true},
    {.name = "fewer numbers than four ranks", .points = 1, .n = 3, .threads = STEPS_USUAL, .extra = 404},
    {.name = "no numbers on four ranks", .points = 1, .n = 0, .threads = 3, .extra = 404},
    {.name = "10,006 numbers on four ranks, with two devices",
     .points = 2,
     .n = 10006,
     .threads = 10,
     .extra = 402},
};

typedef struct Expected {
    const float *x;
    double *decayed, *tolerance;
    int devices, ranks, callers_device;
} Expected;

static double decayed_by(float x, long steps) {
    return (double)x * pow(0.9, (double)steps);
}

static bool prepare(JudgeCase *judged) {
    const JudgeCaseSpec *spec = judged->spec;
    const size_t n = (size_t)spec->n;
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    float *x = judge_input_floats(judged, "x", n);
    if (expected == NULL || x == NULL) return false;
    expected->devices = (int)(spec->extra % 100);
    expected->ranks = (int)(spec->extra / 100);
    expected->callers_device = expected->devices > 2;
    if (!judge_input_int(judged, "steps", (int32_t)spec->threads) ||
        !judge_input_int(judged, "devices", expected->devices) ||
        !judge_input_int(judged, "ranks", expected->ranks) ||
        !judge_input_int(judged, "callers_device", expected->callers_device))
        return false;
    judge_fill(judged, x, n, 1000.0F, 0);
    expected->x = x;
    expected->decayed = ARENA_ARRAY(judged->arena, n + 1, double);
    expected->tolerance = ARENA_ARRAY(judged->arena, n + 1, double);
    if (expected->decayed == NULL || expected->tolerance == NULL) return false;
    for (size_t i = 0; i < n; i++) {
        expected->decayed[i] = decayed_by(x[i], spec->threads);
        expected->tolerance[i] = 1.5e-7 * (double)(spec->threads + 1) * fabs(expected->decayed[i]);
    }
    judged->expected = expected;
    return true;
}

static bool is_near(float got, double want) {
    return fabs((double)got - want) <= 1e-5 * fabs(want);
}

/* Whether all elements that are wrong hold what so many steps make of them. */
static bool all_have_steps(const Expected *expected, const float *x, size_t n, long steps) {
    size_t wrong = 0;
    for (size_t i = 0; i < n; i++) {
        if (fabs((double)x[i] - expected->decayed[i]) <= expected->tolerance[i]) continue;
        if (!is_near(x[i], decayed_by(expected->x[i], steps))) return false;
        wrong++;
    }
    return wrong > 0;
}

/* Unchanged numbers lie before others that were worked on, fewer at a time than there are shares: by a share
 * that begins at a multiple of its own length, where lengths differ by one. */
static bool has_gaps(const Expected *expected, const float *x, size_t n, long shares) {
    long gap = 0;
    size_t gaps = 0;
    if ((long)n < shares * shares) return false; /* as short as a whole share that is lost */
    for (size_t i = 0; i < n; i++) {
        const bool right = fabs((double)x[i] - expected->decayed[i]) <= expected->tolerance[i];
        gaps += right && gap > 0;
        gap = right ? 0 : gap + 1;
        if (gap >= shares) return false;
    }
    return gaps > 0 && gap == 0;
}

/* Named only where all elements that are wrong agree. */
static JudgeCause name_for(const JudgeCase *judged, const JudgeDecision *decision, const float *x) {
    const Expected *expected = judged->expected;
    const size_t n = (size_t)judged->spec->n;
    const long steps = judged->spec->threads, at = decision->wrong_index;
    long shares;
    if (expected->ranks > 0)
        shares = expected->ranks;
    else
        shares = expected->devices;
    const char *whose = "device";
    if (expected->ranks > 0) whose = "rank";
    if (all_have_steps(expected, x, n, 0)) {
        if (at > 0 && (long)n / shares * shares == at && is_near(x[n - 1], (double)expected->x[n - 1]))
            return judge_cause(judged->arena, "rounded-down",
                               "%zu / %ld rounds down, and the rest of %ld belongs to no %s", n, shares,
                               (long)n - at, whose);
        if (has_gaps(expected, x, n, shares))
            return (JudgeCause){"shares-apart",
                                "that is the number, unchanged, and numbers after it were worked "
                                "on: it lies between two shares. A share begins where the one "
                                "before it ends, at the sum of the counts before it"};
        return judge_cause(
            judged->arena, "untouched",
            "that is the number, unchanged: no %s worked on it, or its share did not come back", whose);
    }
    if (all_have_steps(expected, x, n, 2 * steps))
        return judge_cause(judged->arena, "shares-overlap",
                           "that is %ld steps: it is in the shares of two %ss", 2 * steps, whose);
    if (all_have_steps(expected, x, n, steps - 1))
        return judge_cause(judged->arena, "step-too-few", "that is one step too few");
    if (all_have_steps(expected, x, n, steps + 1))
        return judge_cause(judged->arena, "step-too-many", "that is one step too many");
    return JUDGE_UNKNOWN;
}

/* The device that was current before the call must be current after it. */
static void compare_devices(const JudgeCase *judged, JudgeDecision *decision, float current) {
    const Expected *expected = judged->expected;
    decision->passed = current == (float)expected->callers_device;
    if (decision->passed) return;
    decision->message = arena_format(
        judged->arena, "the numbers are right, but device %d was current on entry, and device %.0f on return",
        expected->callers_device, (double)current);
    decision->cause = "device-not-restored";
    decision->call = "cudaSetDevice";
    decision->advice = "The current device belongs to the host thread, and the caller goes on with it. Ask "
                       "cudaGetDevice first, and set that device again before you return.";
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const size_t n = (size_t)judged->spec->n;
    const bool alone = expected->ranks == 0;
    const float *device = NULL;
    if (alone) device = judge_other_floats(judged, decision, "device_afterwards", 1);
    const float *x;
    if (alone && device == NULL)
        x = NULL;
    else
        x = judge_answer_floats(judged, decision, "x", n);
    if (x == NULL) return;
    decision->passed = judge_compare(judged, decision, "x", x, expected->decayed, expected->tolerance, n);
    if (decision->passed) {
        if (alone) compare_devices(judged, decision, *device);
        return;
    }
    const JudgeCause cause = name_for(judged, decision, x);
    judge_explain(decision, cause);
}

static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    enum { FIRST_STEPS = 3 };
    const Expected *expected = judged->expected;
    const long i = wrong->wrong_index, count = judged->spec->threads;
    judge_step(steps, "x[%ld] is %.9g", i, (double)expected->x[i]);
    for (long step = 1; step <= count; step++)
        if (step <= FIRST_STEPS || step == count)
            judge_step(steps, "step %ld: 0.9 * %.9g = %.9g", step, decayed_by(expected->x[i], step - 1),
                       decayed_by(expected->x[i], step));
    if (count == 0) judge_step(steps, "and 0 steps leave it as it is");
}

const Judge judge_18_multi_gpu = {
    .lesson = "18-multi-gpu",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
