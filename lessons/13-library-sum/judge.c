/* judge.c - lesson 13: the sum of n numbers by CUB, and the time that a sum takes.
 *
 * `threads` of a case is how many calls are to be timed, 0 for none. Where the sum is SLOW it is the
 * driver's, which sleeps, and the mean of the times has a floor and a ceiling (driver.cu).
 */
#include "lessons/common/sums.h"

enum { SLOW = 16, CALLED_TWICE = 32 }; /* in `extra`, beside the SumFill */
enum { MEAN, CALLS, STRANGE, FLOOR, CEILING, TIME_COUNT };
static const char *const names[TIME_COUNT] = {"mean", "calls", "strange", "floor", "ceiling"};

static const JudgeCaseSpec cases[] = {
    {.name = "one number", .points = 1, .n = 1, .extra = SUM_WHOLE},
    {.name = "no numbers at all", .points = 1, .n = 0, .extra = SUM_WHOLE},
    {.name = "one more than a warp", .points = 1, .n = 33, .extra = SUM_LAST_COUNTS},
    {.name = "fractions", .points = 0, .n = 1009, .extra = SUM_FRACTIONS},
    {.name = "called twice in a row", .points = 1, .n = 2003, .extra = SUM_WHOLE | CALLED_TWICE},
    {.name = "the time of a sum that is slow at first",
     .points = 1,
     .n = 64,
     .threads = 5,
     .extra = SUM_WHOLE | SLOW,
     .copied = true},
    {.name = "the time of a single call",
     .points = 1,
     .n = 64,
     .threads = 1,
     .extra = SUM_WHOLE | SLOW,
     .copied = true},
    {.name = "100,003 numbers, and their time", .points = 1, .n = 100003, .threads = 1, .extra = SUM_WHOLE},
};

static bool prepare(JudgeCase *judged) {
    const float *in = NULL;
    const int extra = (int)judged->spec->extra;
    const bool slow = (extra & SLOW) != 0;
    int32_t calls = slow ? 0 : 1;
    if ((extra & CALLED_TWICE) != 0) calls = 2;
    SumExpected *expected = sums_prepare(judged, &in, (SumFill)(extra & ~(SLOW | CALLED_TWICE)));
    if (expected == NULL || !judge_input_int(judged, "repeats", (int32_t)judged->spec->threads) ||
        !judge_input_int(judged, "slow", slow) || !judge_input_int(judged, "calls", calls))
        return false;
    sums_suspect(expected, 0.0, judge_cause(judged->arena, "zero", "it is zero: nothing was added up"));
    return true;
}

/* What is wrong with the calls or their mean time; unknown when nothing is. */
static JudgeCause name_time(Arena *arena, const float *time, long repeats) {
    const double slack = 1.01, mean = (double)time[MEAN], floor = (double)time[FLOOR] / slack;
    const double ceiling = (double)time[CEILING] * slack;
    if (time[STRANGE] != 0.0F)
        return judge_cause(
            arena, "strange-arguments",
            "sum was called with the wrong array or the wrong n: pass on d_in and n as they are");
    if (time[CALLS] < (float)repeats)
        return judge_cause(arena, "too-few-calls", "sum was called %g times, but %ld calls are to be timed",
                           (double)time[CALLS], repeats);
    if (time[CALLS] < (float)repeats + 1.0F)
        return judge_cause(arena, "no-warm-up",
                           "sum was called %ld times, and all calls were timed: one call before them has to "
                           "warm up, since the first one is slower than all others",
                           repeats);
    if (!(mean >= floor) && time[FLOOR] > 0.0F)
        return judge_cause(arena, "time-too-short", "a call takes at least %g ms here, but the result is %g",
                           (double)time[FLOOR], mean);
    if (!(mean > 0.0))
        return judge_cause(arena, "no-time", "the result is %g ms, but every call takes some time", mean);
    if (!(mean <= ceiling))
        return judge_cause(
            arena, "time-too-long",
            "a call took at most %.3g ms here, and the result is %.3g: was the first call timed%s",
            (double)time[CEILING], mean,
            repeats == 1 ? "?" : " as well, or the time of all calls not divided by their number?");
    return JUDGE_UNKNOWN;
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    float time[TIME_COUNT];
    for (unsigned i = 0; i < TIME_COUNT; i++) {
        const float *value = judge_answer_floats(judged, decision, names[i], 1);
        if (value == NULL) return;
        time[i] = *value;
    }
    const long repeats = judged->spec->threads;
    JudgeCause wrong = JUDGE_UNKNOWN;
    if (repeats > 0) wrong = name_time(judged->arena, time, repeats);
    if ((judged->spec->extra & SLOW) == 0) {
        sums_decide(judged, decision);
        if (!decision->passed) return;
    }
    decision->passed = wrong.name == NULL;
    if (decision->passed) return;
    decision->message = wrong.words;
    decision->cause = wrong.name;
    decision->call = "cudaEventElapsedTime";
    decision->function = "milliseconds_of";
    decision->advice =
        "This time is not that of the calls. One call warms up. Then record an event, call sum as often "
        "as `repeats` says, record the other event, wait for it, and divide what lies between the two by "
        "`repeats`.";
}

const Judge judge_13_library_sum = {
    .lesson = "13-library-sum",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .prepare = prepare,
    .decide = decide,
};
