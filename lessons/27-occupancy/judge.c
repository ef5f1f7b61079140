/* judge.c - lesson 27: n numbers, each of one of `extra` groups, and the sum of each group.
 *
 * All numbers are whole and so small that every sum is exact in whatever order it is made; one case has
 * fractions, and the error bound. Each case has another number of groups, so that what was asked for one says
 * nothing of the next. From ONE_EMPTY groups on, group EMPTY has no number.
 */
#include "autograder/judge.h"
#include "lessons/common/sums.h"

enum { WITH_FRACTIONS = 12, ONE_EMPTY = 7, EMPTY = 4 };

static const JudgeCaseSpec cases[] = {
    {.name = "the ten numbers on the page", .points = 1, .n = 10, .extra = 3},
    {.name = "no numbers at all", .points = 0, .n = 0, .extra = 5, .copied = true},
    {.name = "one group", .points = 0, .n = 1000, .extra = 1},
    {.name = "7 groups, one of them empty, called twice", .points = 1, .n = 1003, .extra = 7, .again = true},
    {.name = "12 groups, with fractions", .points = 1, .n = 500, .extra = WITH_FRACTIONS},
    {.name = "40,000 numbers in 20 groups", .points = 2, .n = 40000, .extra = 20},
    {.name = "100 groups", .points = 1, .n = 12003, .extra = 100},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

typedef struct Expected {
    size_t n, count;
    const int32_t *groups;
    const float *values;
    double *sums, *tolerance;
} Expected;

/* Scattered, and every group of a few has numbers. */
static void fill_groups(int32_t *groups, size_t n, size_t count) {
    for (size_t i = 0; i < n; i++) {
        const uint32_t scattered = (uint32_t)i * 2654435761U >> 16;
        groups[i] = (int32_t)(i < count ? i : scattered % count);
        if (count >= ONE_EMPTY && groups[i] == EMPTY) groups[i] = 1;
    }
}

static void fill_expected(Expected *expected, bool whole) {
    for (size_t i = 0; i < expected->n; i++) {
        const double value = (double)expected->values[i];
        expected->sums[expected->groups[i]] += value;
        if (!whole) expected->tolerance[expected->groups[i]] += fabs(value);
    }
    for (size_t group = 0; group < expected->count; group++)
        expected->tolerance[group] *= (double)expected->n * (double)FLT_EPSILON;
}

static bool prepare(JudgeCase *judged) {
    const size_t n = (size_t)judged->spec->n, count = (size_t)judged->spec->extra;
    const bool whole = count != WITH_FRACTIONS;
    int32_t *groups = judge_input_ints(judged, "groups", n);
    float *values = judge_input_floats(judged, "values", n);
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    if (groups == NULL || values == NULL || expected == NULL) return false;
    judge_fill(judged, values, n, 99.0F, 0);
    if (whole) sums_make_whole(values, n);
    fill_groups(groups, n, count);
    *expected = (Expected){.n = n,
                           .count = count,
                           .groups = groups,
                           .values = values,
                           .sums = ARENA_ARRAY(judged->arena, count, double),
                           .tolerance = ARENA_ARRAY(judged->arena, count, double)};
    if (expected->sums == NULL || expected->tolerance == NULL) return false;
    fill_expected(expected, whole);
    judged->expected = expected;
    return judge_input_int(judged, "count", (int32_t)count);
}

/* ---- what a wrong answer is ---- */

/* How many numbers the group has. */
static double count_of(const Expected *expected, size_t group) {
    double count = 0.0;
    for (size_t i = 0; i < expected->n; i++)
        if ((size_t)expected->groups[i] == group) count += 1.0;
    return count;
}

static bool are_counts(const Expected *expected, const float *sums) {
    for (size_t group = 0; group < expected->count; group++)
        if ((double)sums[group] != count_of(expected, group)) return false;
    return true;
}

/* In a second call that only adds: the sums of both. */
static bool is_sum_of_both(const JudgeCase *judged, const float *sums) {
    if (judged->before == NULL) return false;
    const Expected *now = judged->expected, *before = judged->before->expected;
    for (size_t group = 0; group < now->count; group++)
        if ((double)sums[group] != now->sums[group] + before->sums[group]) return false;
    return true;
}

/* How many numbers from the first on these are the sums of; all of them when there is no such beginning. */
static size_t length_of_beginning(const JudgeCase *judged, const float *sums) {
    const Expected *expected = judged->expected;
    double *left = ARENA_ARRAY(judged->arena, expected->count, double);
    size_t wrong = 0, length = 0;
    if (left == NULL) return expected->n;
    for (size_t group = 0; group < expected->count; group++) {
        left[group] = (double)sums[group];
        wrong += left[group] != 0.0;
    }
    for (; length < expected->n && wrong > 0; length++) {
        double *of = &left[expected->groups[length]];
        wrong -= *of != 0.0;
        *of -= (double)expected->values[length];
        wrong += *of != 0.0;
    }
    if (wrong == 0) return length;
    return expected->n;
}

/* A grid is whole warps: what it leaves out begins behind one. */
static JudgeCause cause_of_beginning(size_t length, Arena *arena) {
    return judge_cause(
        arena, "beginning-only",
        "those are the sums of the first %zu numbers alone: when a grid has fewer threads than "
        "there are numbers, each thread has to go on by gridDim.x * blockDim.x",
        length);
}

static bool are_sums(const Expected *expected, const float *sums, const double *others) {
    for (size_t group = 0; group < expected->count; group++) {
        const double allowed = 64.0 * expected->tolerance[group];
        if (!(fabs((double)sums[group] - others[group]) <= allowed)) return false;
    }
    return true;
}

/* The sums of a grid whose threads step by those of a block: each block adds all numbers from its own first
 * one on. */
static bool is_stride_of_block(const Expected *expected, const float *sums, double *left, size_t threads) {
    for (size_t group = 0; group < expected->count; group++)
        left[group] = 0.0;
    for (size_t i = 0; i < expected->n; i++)
        left[expected->groups[i]] += (double)expected->values[i] * (double)(i / threads + 1);
    return are_sums(expected, sums, left);
}

/* Of which size the blocks were is not known: whole warps, and more than one block. */
static JudgeCause cause_of_stride(Arena *arena, const Expected *expected, const float *sums, double *left) {
    enum { WARP = 32, MOST = 1024 };
    for (size_t threads = WARP; threads <= MOST && threads < expected->n; threads += WARP)
        if (is_stride_of_block(expected, sums, left, threads))
            return judge_cause(
                arena, "stride-of-a-block",
                "that is what comes out when a thread goes on by %zu, the threads of a block, and "
                "not by those of the grid, gridDim.x * blockDim.x",
                threads);
    return JUDGE_UNKNOWN;
}

/* Of each `period` numbers the first `taken` alone, `times` each. Blocks are whole warps, so that a number's
 * place among 32 is its lane. */
typedef struct Lanes {
    JudgeCause cause;
    size_t period, taken;
    double times;
} Lanes;

static const Lanes lost_lanes[] = {
    {{"even-lanes",
      "every other number is missing from it: the last step of the shuffles, with distance 1, is "
      "left out"},
     2,
     1,
     1.0},
    {{"low-lanes",
      "what lanes 16 to 31 of each warp have is missing from it: the first step of the shuffles, "
      "with distance 16, is left out"},
     32,
     16,
     1.0},
    {{"first-lane",
      "that is what lane 0 of each warp has, without the other lanes: is what the shuffles return "
      "added to the sum?"},
     32,
     1,
     1.0},
    {{"upwards",
      "that is 32 times what lane 0 of each warp has: __shfl_up_sync brings values to higher lanes, "
      "and lane 0 doubled its own in each of the five steps"},
     32,
     1,
     32.0},
};

static bool has_lost(const Expected *expected, const float *sums, double *left, const Lanes *lanes) {
    for (size_t group = 0; group < expected->count; group++)
        left[group] = 0.0;
    for (size_t i = 0; i < expected->n; i++)
        if (i % lanes->period < lanes->taken)
            left[expected->groups[i]] += lanes->times * (double)expected->values[i];
    return are_sums(expected, sums, left);
}

/* What the first warp of each block has, of which size the blocks were is not known. */
static JudgeCause cause_of_first_warp(const Expected *expected, const float *sums, double *left) {
    enum { WARP = 32, MOST = 1024 };
    const JudgeCause first = {"first-warp",
                              "that is what the first warp of each block has added up: the columns "
                              "of the other warps' threads belong to the sum as well"};
    for (size_t threads = (size_t)2 * WARP; threads <= MOST; threads += WARP)
        if (has_lost(expected, sums, left, &(Lanes){first, threads, WARP, 1.0})) return first;
    return JUDGE_UNKNOWN;
}

/* How often the group's sum is in it; 0 where it is no whole multiple. */
static size_t times_of(const Expected *expected, const float *sums, size_t group) {
    const double right = expected->sums[group], times = round((double)sums[group] / right);
    const bool is_multiple = fabs((double)sums[group] - times * right) <= 64.0 * expected->tolerance[group];
    if (is_multiple && times >= 1.0) return (size_t)times;
    return 0;
}

/* Of groups with numbers: whether each comes out as often as the one before, or (`further`) once more, up to
 * some number of times, which is returned: more than 1, or 0. */
static size_t times_of_all(const Expected *expected, const float *sums, bool further) {
    size_t most = 0;
    bool ended = !further;
    for (size_t group = 0; group < expected->count; group++) {
        if (expected->sums[group] == 0.0) continue;
        const size_t times = times_of(expected, sums, group);
        if (further && times == group + 1 && !ended) {
            most = times;
            continue;
        }
        if (times == 0 || (most > 0 && times != most)) return 0;
        most = times;
        ended = true;
    }
    if (most > 1) return most;
    return 0;
}

/* Each of a warp's 32 lanes adding the same is told as such. */
static JudgeCause cause_of_times(Arena *arena, const Expected *expected, const float *sums) {
    enum { WARP = 32 };
    const size_t all = times_of_all(expected, sums, false);
    if (all > 0 && all != WARP)
        return judge_cause(
            arena, "added-often",
            "it is exactly %zu times what it should be, as are all groups in this case. Does a "
            "thread's first number depend on blockIdx.x? And does only one warp of a block add "
            "up a group?",
            all);
    if (all == 0 && expected->count > 2 && times_of_all(expected, sums, true) > 2)
        return (JudgeCause){"group-after-group",
                            "group 1 was added twice, group 2 three times, and so on: each warp went on with "
                            "the next group, which is the next warp's. It goes on by the number of warps"};
    return JUDGE_UNKNOWN;
}

/* In small cases these mistakes give the same: what is told explains all wrong answers of the program. */
static void suspect(const JudgeCase *judged, const float *sums, double *left, size_t length,
                    JudgeDecision *decision) {
    enum { LANES = sizeof lost_lanes / sizeof *lost_lanes, OTHERS = 3 };
    const Expected *expected = judged->expected;
    JudgeCause *fit = ARENA_ARRAY(judged->arena, LANES + OTHERS + 1, JudgeCause);
    if (fit == NULL) return;
    decision->suspects = fit;
    if (length > 0 && length < expected->n) *fit++ = cause_of_beginning(length, judged->arena);
    const JudgeCause others[] = {cause_of_times(judged->arena, expected, sums),
                                 cause_of_first_warp(expected, sums, left)};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].name != NULL) *fit++ = others[i];
    for (size_t i = 0; i < LANES; i++)
        if (has_lost(expected, sums, left, &lost_lanes[i])) *fit++ = lost_lanes[i].cause;
}

static bool are_lanes_lost(const Expected *expected, const float *sums, double *left) {
    for (size_t i = 0; i < sizeof lost_lanes / sizeof *lost_lanes; i++)
        if (has_lost(expected, sums, left, &lost_lanes[i])) return true;
    return false;
}

/* What no other mistake gives: an end that is no whole warps, and blocks that go on by their own threads. Of
 * a few numbers what some lanes have is a beginning as well. */
static JudgeCause cause_of_indices(const JudgeCase *judged, const float *sums, double *left, size_t length) {
    enum { WARP = 32 };
    const Expected *expected = judged->expected;
    if (length < expected->n && length % WARP != 0 && !are_lanes_lost(expected, sums, left))
        return judge_cause(judged->arena, "end-lost", "the numbers from index %zu on are missing from it",
                           length);
    return cause_of_stride(judged->arena, expected, sums, left);
}

static void explain(JudgeCase *judged, JudgeDecision *decision, const float *sums) {
    const Expected *expected = judged->expected;
    if (is_sum_of_both(judged, sums)) {
        judge_explain(decision, judge_cause(judged->arena, "not-zeroed",
                                            "that is the sum of both calls' numbers: start from zero in "
                                            "each call"));
        return;
    }
    double *left = ARENA_ARRAY(judged->arena, expected->count, double);
    const size_t length = length_of_beginning(judged, sums);
    if (left == NULL) return;
    const JudgeCause cause = cause_of_indices(judged, sums, left, length);
    if (cause.name != NULL)
        judge_explain(decision, cause);
    else
        suspect(judged, sums, left, length, decision);
    if (are_counts(expected, sums))
        judge_explain(decision,
                      judge_cause(judged->arena, "counts",
                                  "that is how many numbers the group has: add the numbers themselves"));
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const float *sums = judge_answer_floats(judged, decision, "sums", expected->count);
    if (sums == NULL) return;
    decision->passed =
        judge_compare(judged, decision, "sums", sums, expected->sums, expected->tolerance, expected->count);
    if (!decision->passed && !decision->unwritten) explain(judged, decision, sums);
}

/* The first numbers of the group one by one, then what all make together. */
static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    enum { SHOWN = 4 };
    const Expected *expected = judged->expected;
    const int32_t group = (int32_t)wrong->wrong_index;
    size_t shown = 0, count = 0;
    for (size_t i = 0; i < expected->n; i++) {
        if (expected->groups[i] != group) continue;
        count++;
        if (shown++ < SHOWN)
            judge_step(steps, "groups[%zu] is %d: values[%zu] = %.9g", i, group, i,
                       (double)expected->values[i]);
    }
    if (count > SHOWN) judge_step(steps, "and so on, %zu numbers in all", count);
    if (count == 0) judge_step(steps, "no number belongs to group %d", group);
    judge_step(steps, "together sums[%d] = %.9g", group, expected->sums[group]);
}

const Judge judge_27_occupancy = {
    .lesson = "27-occupancy",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
