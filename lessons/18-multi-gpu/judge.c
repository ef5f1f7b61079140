/* judge.c - lesson 18: x becomes 0.9 x, `steps` times, on every device that there is, and on every rank.
 *
 * Shares are uneven wherever n is no multiple of the devices or ranks, and empty where there are fewer
 * numbers. Each step rounds once, so the tolerance grows with them. A wrong number is compared with what
 * typical mistakes leave there: it was never worked on, or once too often, or twice as often because two
 * shares overlap.
 */
#include "autograder/judge.h"

#include <math.h>

enum { STEPS_USUAL = 5 };

/* extra: devices, and 100 for each rank; neighbours with as many devices share a program. `threads` is the
 * number of steps. */
static const JudgeCaseSpec cases[] = {
    {.name = "one device", .points = 1, .n = 1000, .threads = STEPS_USUAL, .extra = 1},
    {.name = "one number on four devices", .points = 1, .n = 1, .threads = 3, .extra = 4},
    {.name = "no numbers at all", .points = 1, .n = 0, .threads = 3, .extra = 4},
    {.name = "no steps", .points = 1, .n = 100, .threads = 0, .extra = 4, .copied = true},
    {.name = "40,009 numbers on four devices", .points = 2, .n = 40009, .threads = 20, .extra = 4},
    {.name = "fewer numbers than seven devices", .points = 1, .n = 5, .threads = STEPS_USUAL, .extra = 7},
    {.name = "one number more than eight blocks", .points = 1, .n = 2049, .threads = STEPS_USUAL, .extra = 7},
    {.name = "a prime on three ranks", .points = 1, .n = 1009, .threads = STEPS_USUAL, .extra = 304},
    {.name = "fewer numbers than four ranks", .points = 1, .n = 3, .threads = STEPS_USUAL, .extra = 404},
    {.name = "no numbers on four ranks", .points = 1, .n = 0, .threads = 3, .extra = 404},
    {.name = "10,007 numbers on four ranks", .points = 2, .n = 10007, .threads = 10, .extra = 404},
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

static JudgeCause name_for(const JudgeCase *judged, const JudgeDecision *decision, const float *x) {
    const Expected *expected = judged->expected;
    const long n = judged->spec->n, steps = judged->spec->threads, at = decision->wrong_index;
    const long shares = expected->ranks > 0 ? expected->ranks : expected->devices;
    const char *whose = expected->ranks > 0 ? "rank" : "device";
    const float got = x[at], before = expected->x[at];
    if (is_near(got, (double)before) && n / shares * shares == at && at > 0)
        return judge_cause(judged->arena, "rounded-down",
                           "%ld / %ld rounds down, and the rest of %ld belongs to no %s", n, shares, n - at,
                           whose);
    if (is_near(got, (double)before))
        return judge_cause(judged->arena, "untouched",
                           "that is the number as it was: no %s worked on it, or its share did not come back",
                           whose);
    if (is_near(got, decayed_by(before, 2 * steps)))
        return judge_cause(judged->arena, "shares-overlap",
                           "that is %ld steps: it is in the shares of two %ss", 2 * steps, whose);
    if (is_near(got, decayed_by(before, steps - 1)))
        return judge_cause(judged->arena, "step-too-few", "that is one step too few");
    if (is_near(got, decayed_by(before, steps + 1)))
        return judge_cause(judged->arena, "step-too-many", "that is one step too many");
    for (long other = 0; other < n; other++)
        if (is_near(got, expected->decayed[other]))
            return judge_cause(judged->arena, "another-share", "that is x[%ld], of another share", other);
    return JUDGE_UNKNOWN;
}

/* The device that was current before the call must be current after it. */
static void compare_devices(const JudgeCase *judged, JudgeDecision *decision, float current) {
    const Expected *expected = judged->expected;
    decision->passed = current == (float)expected->callers_device;
    if (decision->passed) return;
    decision->message =
        arena_format(judged->arena,
                     "the numbers are right, but the caller's device was %d, and afterwards %.0f is current",
                     expected->callers_device, (double)current);
    decision->cause = "device-not-restored";
    decision->call = "cudaSetDevice";
    decision->advice = "The current device belongs to the host thread, and the caller goes on with it. Ask "
                       "cudaGetDevice first, and set that device again before you return.";
}

/* The numbers are read last: of two answers of one size, they are the one that kernels must have made. */
static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const size_t n = (size_t)judged->spec->n;
    const bool alone = expected->ranks == 0;
    const float *device = alone ? judge_answer_floats(judged, decision, "device_afterwards", 1) : NULL;
    const float *x = alone && device == NULL ? NULL : judge_answer_floats(judged, decision, "x", n);
    if (x == NULL) return;
    decision->passed = judge_compare(judged, decision, "x", x, expected->decayed, expected->tolerance, n);
    if (decision->passed) {
        if (alone) compare_devices(judged, decision, *device);
        return;
    }
    const JudgeCause cause = name_for(judged, decision, x);
    judge_explain(judged, decision, cause);
}

const Judge judge_18_multi_gpu = {
    .lesson = "18-multi-gpu",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .prepare = prepare,
    .decide = decide,
};
