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
    return wrong == 0 ? length : expected->n;
}

/* A grid is whole warps: what it leaves out begins behind one. */
static JudgeCause cause_of_beginning(Arena *arena, size_t length) {
    enum { WARP = 32 };
    if (length % WARP != 0)
        return judge_cause(arena, "end-lost", "the numbers from index %zu on are missing from it", length);
    return judge_cause(
        arena, "beginning-only",
        "those are the sums of the first %zu numbers alone: when a grid has fewer threads than "
        "there are numbers, each thread has to go on by gridDim.x * blockDim.x",
        length);
}

/* The sums of a grid whose threads step by those of a block: each block adds all numbers from its own first
 * one on. */
static bool is_stride_of_block(const Expected *expected, const float *sums, double *left, size_t threads) {
    for (size_t group = 0; group < expected->count; group++)
        left[group] = 0.0;
    for (size_t i = 0; i < expected->n; i++)
        left[expected->groups[i]] += (double)expected->values[i] * (double)(i / threads + 1);
    for (size_t group = 0; group < expected->count; group++) {
        const double allowed = 64.0 * expected->tolerance[group];
        if (!(fabs((double)sums[group] - left[group]) <= allowed)) return false;
    }
    return true;
}

/* Of which size the blocks were is not known: whole warps, and more than one block. */
static JudgeCause cause_of_stride(Arena *arena, const Expected *expected, const float *sums) {
    enum { WARP = 32, MOST = 1024 };
    double *left = ARENA_ARRAY(arena, expected->count, double);
    for (size_t threads = WARP; left != NULL && threads <= MOST && threads < expected->n; threads += WARP)
        if (is_stride_of_block(expected, sums, left, threads))
            return judge_cause(
                arena, "stride-of-a-block",
                "that is what comes out when a thread goes on by %zu, the threads of a block, and "
                "not by those of the grid, gridDim.x * blockDim.x",
                threads);
    return JUDGE_UNKNOWN;
}

static void explain(JudgeCase *judged, JudgeDecision *decision, const float *sums) {
    const Expected *expected = judged->expected;
    const size_t length = length_of_beginning(judged, sums);
    if (is_sum_of_both(judged, sums)) {
        judge_explain(decision, judge_cause(judged->arena, "not-zeroed",
                                            "that is the sum of both calls' numbers: start from zero in "
                                            "each call"));
        return;
    }
    if (length > 0 && length < expected->n) {
        judge_explain(decision, cause_of_beginning(judged->arena, length));
        return;
    }
    judge_explain(decision, cause_of_stride(judged->arena, expected, sums));
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
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
