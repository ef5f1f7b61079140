/* judge.c - lesson 19: the sum of n numbers by many blocks, whose warps add by shuffles.
 *
 * n is any number from 0, the block size any number from 1 to 1024: not only multiples of a warp. The result
 * holds a NaN before the call, and before a second call the sum of other numbers.
 */
#include "lessons/common/block_sums.h"

enum { WARP = 32 };

static const JudgeCaseSpec cases[] = {
    {.name = "one number", .points = 0, .n = 1, .threads = 32, .extra = SUM_WHOLE},
    {.name = "no numbers at all", .points = 1, .n = 0, .threads = 64, .extra = SUM_WHOLE},
    {.name = "exactly two warps", .points = 1, .n = 64, .threads = 64, .extra = SUM_WHOLE},
    {.name = "blocks of 33: one more than a warp",
     .points = 1,
     .n = 67,
     .threads = 33,
     .extra = SUM_LAST_COUNTS},
    {.name = "fractions, in blocks of 100", .points = 1, .n = 301, .threads = 100, .extra = SUM_FRACTIONS},
    {.name = "blocks of a single thread", .points = 1, .n = 37, .threads = 1, .extra = SUM_WHOLE},
    {.name = "called twice in a row",
     .points = 1,
     .n = 1009,
     .threads = 256,
     .extra = SUM_WHOLE,
     .again = true},
    {.name = "100,003 numbers, blocks of 1,000",
     .points = 1,
     .n = 100003,
     .threads = 1000,
     .extra = SUM_WHOLE},
};

/* Blocks are whole warps. */
static size_t threads_of(const JudgeCase *judged) {
    return ((size_t)judged->spec->threads + WARP - 1) / WARP * WARP;
}

/* The sum of the numbers whose place in their block is below `limit`. */
static double sum_of_places(const JudgeCase *judged, const float *in, size_t limit) {
    double sum = 0.0;
    for (size_t i = 0; i < (size_t)judged->spec->n; i++)
        if (i % threads_of(judged) < limit) sum += (double)in[i];
    return sum;
}

/* The sum of the even lanes of the even warps: the last step is missing where lanes are added, and where
 * warps are. */
static double sum_of_even(const JudgeCase *judged, const float *in) {
    double sum = 0.0;
    for (size_t i = 0; i < (size_t)judged->spec->n; i++)
        if (i % 2 == 0 && i % threads_of(judged) / WARP % 2 == 0) sum += (double)in[i];
    return sum;
}

/* What comes out when the sum of a warp is none. */
static void suspect_warp_sums(JudgeCase *judged, SumExpected *expected, const float *in) {
    sums_suspect(
        expected, sum_of_places(judged, in, 1),
        judge_cause(
            judged->arena, "first-numbers-alone",
            "that is the first number of each block alone: no warp has added up its lanes. Is what the "
            "shuffles return added to something?"));
    sums_suspect(
        expected, 4.0 * expected->want,
        judge_cause(
            judged->arena, "four-times",
            "it is exactly 4 times that: each warp's sum was doubled, and doubled again with the "
            "warps' sums. A lane 32 places above is in no warp, and such a shuffle returns the lane's "
            "own value"));
}

static bool prepare(JudgeCase *judged) {
    const float *in = NULL;
    SumExpected *expected = sums_prepare_grid(judged, &in, (SumFill)judged->spec->extra);
    if (expected == NULL) return false;
    sums_suspect(expected, 0.0,
                 judge_cause(judged->arena, "zero", "it is zero, as if no block had added its sum"));
    sums_suspect(
        expected, sum_of_places(judged, in, WARP),
        judge_cause(judged->arena, "first-warps-alone",
                    "that is the sum of the first warp of each block: the other warps' sums are missing"));
    sums_suspect(expected, sum_of_even(judged, in),
                 judge_cause(judged->arena, "last-step-lost",
                             "every other lane is missing, and every other warp: the last step of the "
                             "shuffles, with distance 1, is left out"));
    suspect_warp_sums(judged, expected, in);
    const JudgeCaseSpec whole = {.n = judged->spec->n, .threads = (long)threads_of(judged)};
    JudgeCase of_whole_warps = *judged;
    of_whole_warps.spec = &whole;
    sums_suspect_lost(&of_whole_warps, expected, in);
    return true;
}

static bool takes_lower_half(SumPlace at) {
    return at.place % WARP < WARP / 2 && at.place / WARP < WARP / 2;
}

static bool takes_all_warps_but_last(SumPlace at) {
    return at.place / WARP + 1 < at.threads / WARP;
}

static bool takes_last_lanes(SumPlace at) {
    return at.place % WARP == WARP - 1;
}

static bool takes_first_half_of_warps(SumPlace at) {
    return at.place / WARP < at.threads / WARP / 2;
}

static const SumPlacesRow warp_rows[] = {
    {takes_lower_half,
     {"first-step-lost", "lanes 16 to 31 of each warp are missing from it, and warps 16 to 31 of each block: "
                         "the first step of the shuffles, with distance 16, is left out"}},
    {takes_all_warps_but_last, {"last-warp-lost", "the last warp of each block is missing from it"}},
    {takes_first_half_of_warps,
     {"half-of-warps",
      "only the first half of each block's warps is in it. The first warp adds up the sums of "
      "all of them, blockDim.x / 32"}},
};

/* What the other lanes of a warp have when lane 0 has its sum. A shuffle that finds no lane returns the
 * lane's own value, so that the lane doubles it in each of the five steps. */
static void suspect_other_lanes(const JudgeCase *judged, SumExpected *expected, size_t threads) {
    const double doubled = 32.0;
    sums_suspect(expected, doubled * sums_of_places(judged, takes_last_lanes, threads),
                 (JudgeCause){"last-lane", "that is 32 times the number of the last lane of each warp, which "
                                           "doubled its own in each step. After __shfl_down_sync lane 0 has "
                                           "the sum"});
    sums_suspect(expected, doubled * doubled * sums_of_places(judged, sums_takes_first_places, threads),
                 (JudgeCause){"upwards",
                              "that is 1,024 times the first number of each block: lane 0 doubled "
                              "its own in each step. __shfl_up_sync brings values to higher lanes"});
}

/* What all lanes of the first warp have together after the shuffles down that add up the warps' sums. A lane
 * that asks for one past the last gets its own value, and so has a part of the sum twice. */
static double sum_of_all_lanes(const SumExpected *expected, size_t first, size_t end) {
    double lanes[WARP] = {0.0}, sum = 0.0;
    for (size_t i = first; i < end; i++)
        lanes[(i - first) / WARP] += (double)expected->in[i];
    for (size_t apart = WARP / 2; apart > 0; apart /= 2)
        for (size_t lane = 0; lane < WARP; lane++)
            lanes[lane] += lanes[lane + apart < WARP ? lane + apart : lane];
    for (size_t lane = 0; lane < WARP; lane++)
        sum += lanes[lane];
    return sum;
}

/* More than one thread of a block adds what it has to the result. */
static void suspect_everybody(const JudgeCase *judged, SumExpected *expected, size_t threads) {
    const size_t n = (size_t)judged->spec->n, warps = threads / WARP;
    double all = 0.0;
    for (size_t first = 0; first < n; first += threads)
        all += sum_of_all_lanes(expected, first, first + threads < n ? first + threads : n);
    sums_suspect(expected, all,
                 (JudgeCause){"all-lanes-add",
                              "that is what comes out when all lanes of the first warp add to "
                              "the result. Only lane 0 has the block's sum: if (lane == 0)"});
    sums_suspect(expected, (double)warps * all,
                 (JudgeCause){"all-threads-add",
                              "that is what comes out when all threads of a block add to the "
                              "result. Only lane 0 of one warp should"});
    sums_suspect(expected, (double)warps * expected->want,
                 judge_cause(judged->arena, "each-warp-adds",
                             "that is %zu times the sum: each of a block's %zu warps added the block's sum. "
                             "One warp alone should",
                             warps, warps));
}

static void suspect_places(const JudgeCase *judged) {
    const size_t threads = threads_of(judged);
    suspect_everybody(judged, judged->expected, threads);
    sums_suspect_between(judged, threads);
    sums_suspect_rows(judged, warp_rows, sizeof warp_rows / sizeof *warp_rows, threads);
    suspect_other_lanes(judged, judged->expected, threads);
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    sums_decide_with(judged, decision, suspect_places);
}

/* The warps of block 0, and then the blocks. */
static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    const SumExpected *expected = (const SumExpected *)judged->expected;
    const size_t n = (size_t)judged->spec->n, threads = threads_of(judged);
    if (n == 0) {
        sums_work_numbers(judged, wrong, steps);
        return;
    }
    if (n > WARP && threads > WARP)
        sums_work_pieces(expected->in, n < threads ? n : threads, WARP, "block 0, warp", steps);
    sums_work_blocks(judged, expected->in, threads, steps);
}

const Judge judge_19_warp_shuffle = {
    .lesson = "19-warp-shuffle",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
