/* judge.c - lesson 20: the sum of n numbers that begin anywhere in a larger array.
 *
 * `threads` of a case is where the numbers begin (`skip`). In the cases with NEIGHBOURS other numbers follow
 * them as well, so that a float4 too much is a wrong sum there, and elsewhere an access past the array's end.
 * Each neighbour outweighs all numbers together, so that a wrong sum says which of them are in it.
 */
#include "lessons/common/sums.h"

enum { NEIGHBOURS = 32, FOUR = 4 }; /* NEIGHBOURS in `extra`, beside the SumFill */

static const JudgeCaseSpec cases[] = {
    {.name = "one number", .points = 0, .n = 1, .extra = SUM_WHOLE},
    {.name = "no numbers at all", .points = 1, .n = 0, .extra = SUM_WHOLE},
    {.name = "two numbers, fewer than a float4",
     .points = 1,
     .n = 2,
     .threads = 1,
     .extra = SUM_WHOLE | NEIGHBOURS},
    {.name = "one more than 4,096", .points = 1, .n = 4097, .extra = SUM_LAST_COUNTS},
    {.name = "a start that is not aligned to 16 bytes",
     .points = 1,
     .n = 1009,
     .threads = 1,
     .extra = SUM_WHOLE | NEIGHBOURS},
    {.name = "fractions, starting two numbers in",
     .points = 1,
     .n = 301,
     .threads = 2,
     .extra = SUM_FRACTIONS},
    {.name = "called twice in a row",
     .points = 1,
     .n = 10007,
     .threads = 3,
     .extra = SUM_WHOLE,
     .again = true},
    {.name = "200,003 numbers, starting one number in",
     .points = 1,
     .n = 200003,
     .threads = 1,
     .extra = SUM_WHOLE},
};

/* What comes out when the ends that do not fill a float4 are lost, or what lies beside them is added. */
static void suspect_ends(JudgeCase *judged, SumExpected *expected, const float *all, size_t skip, size_t n,
                         size_t after) {
    const size_t wanted = (FOUR - skip % FOUR) % FOUR, head = wanted < n ? wanted : n;
    const size_t rest = (n - head) % FOUR;
    const double first = judge_sum(all + skip, head), last = judge_sum(all + skip + n - rest, rest);
    sums_suspect(expected, expected->want - first - last,
                 judge_cause(judged->arena, "ends-lost",
                             "numbers that do not fill a float4 are missing from it: %zu at the beginning "
                             "and %zu at the end",
                             head, rest));
    sums_suspect(expected, expected->want - first,
                 judge_cause(judged->arena, "head-lost",
                             "numbers before the first multiple of 16 bytes are missing from it: %zu", head));
    sums_suspect(expected, expected->want - last,
                 judge_cause(judged->arena, "rest-lost",
                             "numbers at the end that do not fill a float4 are missing from it: %zu", rest));
    const double before = judge_sum(all, skip);
    sums_suspect(expected, expected->want + before,
                 judge_cause(judged->arena, "reads-before",
                             "what lies before the first number is in it, as if the address had been rounded "
                             "down by %zu",
                             skip * sizeof(float)));
    for (size_t more = 1; more <= after; more++)
        sums_suspect(expected, expected->want + judge_sum(all + skip + n, more),
                     judge_cause(judged->arena, "reads-past",
                                 "what lies past the last number is in it: %zu too many", more));
}

static bool prepare(JudgeCase *judged) {
    const int extra = (int)judged->spec->extra;
    const size_t n = (size_t)judged->spec->n, skip = (size_t)judged->spec->threads;
    const size_t after = (extra & NEIGHBOURS) != 0 ? FOUR - 1 : 0;
    const SumFill fill = (SumFill)(extra & ~NEIGHBOURS);
    SumExpected *expected = ARENA_NEW(judged->arena, SumExpected);
    float *all = judge_input_floats(judged, "in", skip + n + after);
    if (expected == NULL || all == NULL || !judge_input_int(judged, "skip", (int32_t)skip) ||
        !judge_input_int(judged, "n", (int32_t)n))
        return false;
    expected->first = skip;
    judged->expected = expected;
    for (size_t i = 0; i < skip + n + after; i++)
        all[i] = (float)(1048576 * (i % FOUR + 1));
    if (n == 0) return true;
    sums_fill(judged, all + skip, n, fill);
    expected->want = judge_sum(all + skip, n);
    if (fill == SUM_FRACTIONS) expected->tolerance = judge_sum_tolerance(all + skip, n);
    sums_suspect(expected, 0.0,
                 judge_cause(judged->arena, "zero", "it is zero, as if no block had added its sum"));
    sums_suspect_before(judged, expected);
    suspect_ends(judged, expected, all, skip, n, after);
    return true;
}

const Judge judge_20_peak_bandwidth = {
    .lesson = "20-peak-bandwidth",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .prepare = prepare,
    .decide = sums_decide,
    .work = sums_work_numbers,
};
