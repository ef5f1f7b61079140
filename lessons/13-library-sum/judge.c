/* judge.c - lesson 13: the sum of n numbers by CUB, and the time that a sum takes.
 *
 * `threads` of a case is how many calls are to be timed, 0 for none. Where the sum is SLOW it is the
 * driver's, which sleeps, and what the last calls took has a floor and a ceiling (driver.cu). A mean that
 * lies outside is compared with those of typical mistakes.
 */
#include "lessons/common/block_sums.h"

enum { SLOW = 16 }; /* in `extra`, beside the SumFill */
enum { MEAN, CALLS, STRANGE, LEAST, MOST, LEAST_MORE, MOST_MORE, LEAST_ALL, MOST_ALL, TIME_COUNT };
static const char *const names[TIME_COUNT] = {"mean",       "calls",     "strange",   "least",   "most",
                                              "least_more", "most_more", "least_all", "most_all"};

static const JudgeCaseSpec cases[] = {
    {.name = "one number", .points = 1, .n = 1, .extra = SUM_WHOLE},
    {.name = "no numbers at all", .points = 1, .n = 0, .extra = SUM_WHOLE},
    {.name = "one more than a warp", .points = 1, .n = 33, .extra = SUM_LAST_COUNTS},
    {.name = "fractions", .points = 0, .n = 1009, .extra = SUM_FRACTIONS},
    {.name = "called twice in a row", .points = 1, .n = 2003, .extra = SUM_WHOLE, .again = true},
    {.name = "timing a sum whose first call is slow",
     .points = 1,
     .n = 64,
     .threads = 5,
     .extra = SUM_WHOLE | SLOW,
     .copied = true},
    {.name = "timing a single call",
     .points = 1,
     .n = 64,
     .threads = 1,
     .extra = SUM_WHOLE | SLOW,
     .copied = true},
    {.name = "100,003 numbers, timed", .points = 1, .n = 100003, .threads = 1, .extra = SUM_WHOLE},
};

/* The library was asked for the largest number, which of no numbers is the least float, or for the smallest,
 * which of no numbers is the largest float. */
static const JudgeCause largest = {"other-operation", "that is the largest of the numbers, not their sum: "
                                                      "cub::DeviceReduce::Max in place of Sum?"};
static const JudgeCause smallest = {"other-operation", "that is the smallest of the numbers, not their sum: "
                                                       "cub::DeviceReduce::Min in place of Sum?"};

static double smallest_of(const float *in, size_t n) {
    double least = (double)FLT_MAX;
    for (size_t i = 0; i < n; i++)
        least = fmin(least, (double)in[i]);
    return least;
}

/* The library was given another count: the sum is that of a beginning. Of many numbers some beginning fits by
 * chance, but not in all cases. */
static void suspect_count(const JudgeCase *judged, SumExpected *expected) {
    const size_t n = (size_t)judged->spec->n;
    double sum = 0.0;
    for (size_t count = 0; count < n; count++) {
        if (sums_is_value(expected, *expected->got, sum)) {
            sums_suspect(expected, sum,
                         judge_cause(judged->arena, "wrong-count",
                                     "that is the sum of the first %zu number%s alone: was n passed on to "
                                     "the library as it is?",
                                     count, count == 1 ? "" : "s"));
            return;
        }
        sum += (double)expected->in[count];
    }
}

static void suspect_operation(const JudgeCase *judged) {
    SumExpected *expected = judged->expected;
    const size_t n = (size_t)judged->spec->n;
    sums_suspect(expected, sums_of_largest(judged, n, false), largest);
    sums_suspect(expected, smallest_of(expected->in, n), smallest);
    suspect_count(judged, expected);
}

static bool prepare(JudgeCase *judged) {
    const float *in = NULL;
    const int extra = (int)judged->spec->extra;
    const bool slow = (extra & SLOW) != 0;
    SumExpected *expected = sums_prepare(judged, &in, (SumFill)(extra & ~SLOW));
    if (expected == NULL || !judge_input_int(judged, "repeats", (int32_t)judged->spec->threads) ||
        !judge_input_int(judged, "slow", slow))
        return false;
    sums_suspect(expected, 0.0, judge_cause(judged->arena, "zero", "it is zero: nothing was added up"));
    if (judged->spec->n == 0) {
        sums_suspect(expected, (double)-FLT_MAX, largest);
        sums_suspect(expected, (double)FLT_MAX, smallest);
    }
    return true;
}

/* ---- the time ---- */

static bool is_within(double all, const float *bounds) {
    const double slack = 1.01;
    return all >= (double)bounds[0] / slack && all <= (double)bounds[1] * slack;
}

/* How often sum was called, and with what. Calls that warm up may be several. */
static JudgeCause name_calls(Arena *arena, const float *time, long repeats) {
    const long calls = (long)time[CALLS];
    if (time[STRANGE] != 0.0F)
        return judge_cause(
            arena, "strange-arguments",
            "sum was called with the wrong array or the wrong n: pass on d_in and n as they are");
    if (calls > repeats) return JUDGE_UNKNOWN;
    if (calls == repeats && time[LEAST_ALL] > 0.0F &&
        is_within((double)time[MEAN] * (double)repeats, &time[LEAST_ALL]))
        return judge_cause(arena, "no-warm-up",
                           "sum was called %ld time%s, and all of that was timed: one call before has to "
                           "warm up, since the first is slower than all others",
                           calls, calls == 1 ? "" : "s");
    return judge_cause(arena, "too-few-calls",
                       "sum was called %ld time%s: one call warms up, and %ld %s timed", calls,
                       calls == 1 ? "" : "s", repeats, repeats == 1 ? "is" : "are");
}

/* Whose mean it is, when it is not that of the last `repeats` calls. */
static JudgeCause name_mean(Arena *arena, const float *time, long repeats) {
    const double mean = (double)time[MEAN], all = mean * (double)repeats;
    const bool one_more = (long)time[CALLS] > repeats + 1;
    if (!(mean > 0.0))
        return judge_cause(arena, "no-time", "the result is %g ms, but every call takes some time", mean);
    if (is_within(1000.0 * all, &time[LEAST]))
        return judge_cause(arena, "in-seconds", "the result is %.3g: that is in seconds, not milliseconds",
                           mean);
    if (repeats > 1 && is_within(mean, &time[LEAST]))
        return judge_cause(arena, "not-divided",
                           "the result is %.3g ms: that is the time of all %ld calls together", mean,
                           repeats);
    if (one_more && is_within(all, &time[LEAST_MORE]))
        return judge_cause(arena, "call-too-many",
                           "sum was called %ld times between the events, and the time divided by %ld",
                           repeats + 1, repeats);
    if (!one_more && is_within(all, &time[LEAST_ALL]))
        return judge_cause(arena, "warm-up-timed",
                           "the result is %.3g ms: the first call, which warms up, was timed as well", mean);
    if (all < (double)time[LEAST])
        return judge_cause(arena, "time-too-short",
                           "a call takes at least %.3g ms here, and the result is %.3g",
                           (double)time[LEAST] / (double)repeats, mean);
    return judge_cause(arena, "time-too-long", "a call took at most %.3g ms here, and the result is %.3g",
                       (double)time[MOST] / (double)repeats, mean);
}

/* What is wrong with the calls or their mean time; no cause when nothing is. */
static JudgeCause name_time(const JudgeCase *judged, const float *time) {
    const long repeats = judged->spec->threads;
    const bool slow = (judged->spec->extra & SLOW) != 0;
    const JudgeCause calls = name_calls(judged->arena, time, repeats);
    if (calls.name != NULL) return calls;
    if (slow ? is_within((double)time[MEAN] * (double)repeats, &time[LEAST]) : time[MEAN] > 0.0F)
        return JUDGE_UNKNOWN;
    return name_mean(judged->arena, time, repeats);
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    float time[TIME_COUNT];
    for (unsigned i = 0; i < TIME_COUNT; i++) {
        const float *value = judge_other_floats(judged, decision, names[i], 1);
        if (value == NULL) return;
        time[i] = *value;
    }
    if ((judged->spec->extra & SLOW) == 0) {
        sums_decide_with(judged, decision, suspect_operation);
        if (!decision->passed) return;
    }
    if (judged->spec->threads == 0) return;
    const JudgeCause wrong = name_time(judged, time);
    decision->passed = wrong.name == NULL;
    if (decision->passed) return;
    decision->message = wrong.words;
    decision->cause = wrong.name;
    decision->call = "cudaEventElapsedTime";
    decision->function = "milliseconds_of";
    decision->advice =
        "One call warms up. Then record an event, call sum as often as `repeats` says, record the "
        "other event, wait for it, and divide the milliseconds between the two by `repeats`.";
}

const Judge judge_13_library_sum = {
    .lesson = "13-library-sum",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = sums_work_numbers,
};
