/* judge.c - lesson 10: the sum of n numbers by one block of n threads, n any number from 1 to 1024.
 *
 * Sizes at which halving loses elements in different steps, beside powers of two that must still work.
 */
#include "lessons/common/block_sums.h"

static const JudgeCaseSpec cases[] = {
    {.name = "192 threads: 128 and 64 more", .points = 1, .n = 192, .threads = 192, .extra = SUM_WHOLE},
    {.name = "one thread", .points = 1, .n = 1, .threads = 1, .extra = SUM_WHOLE},
    {.name = "three threads", .points = 1, .n = 3, .threads = 3, .extra = SUM_WHOLE},
    {.name = "31 threads, one less than a warp",
     .points = 1,
     .n = 31,
     .threads = 31,
     .extra = SUM_LAST_COUNTS},
    {.name = "33 threads, with fractions, called twice",
     .points = 1,
     .n = 33,
     .threads = 33,
     .extra = SUM_FRACTIONS,
     .again = true},
    {.name = "997 threads, a prime", .points = 1, .n = 997, .threads = 997, .extra = SUM_WHOLE},
    {.name = "1,024 threads, the largest block", .points = 1, .n = 1024, .threads = 1024, .extra = SUM_WHOLE},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

static bool prepare(JudgeCase *judged) {
    const float *in = NULL;
    const size_t count = (size_t)judged->spec->n;
    const size_t power = sums_power_of(count);
    SumExpected *expected = sums_prepare(judged, &in, (SumFill)judged->spec->extra);
    if (expected == NULL) return false;
    sums_suspect(expected, sums_tree(judged, in, count / 2, 2, sums_pass_with),
                 judge_cause(judged->arena, "halved",
                             "that is what halving %s gives: at an odd size the last element has no partner",
                             arena_number(judged->arena, count)));
    sums_suspect(expected, judge_sum(in, power),
                 judge_cause(judged->arena, "tail-lost",
                             "that is the sum of the first %s of %s numbers: the tail was not folded in",
                             arena_number(judged->arena, power), arena_number(judged->arena, count)));
    sums_suspect(expected, expected->want - judge_sum(in, count - power),
                 judge_cause(judged->arena, "fold-replaces",
                             "the first %s numbers are missing from it: the fold has to add to them, and not "
                             "replace them",
                             arena_number(judged->arena, count - power)));
    return true;
}

const Judge judge_10_any_block_size = {
    .lesson = "10-any-block-size",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .prepare = prepare,
    .decide = sums_decide_one_block,
    .work = sums_work_with_tree,
};
