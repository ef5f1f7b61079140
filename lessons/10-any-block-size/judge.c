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

/* What the fold makes of a number that has a partner past the power of two. */
typedef double Fold(const float *in, size_t i, size_t power);

static double fold_largest(const float *in, size_t i, size_t power) {
    return fmax((double)in[i], (double)in[i + power]);
}

static double fold_one_partner(const float *in, size_t i, size_t power) {
    return (double)in[i] + (double)in[power];
}

static double fold_itself(const float *in, size_t i, size_t power) {
    (void)power;
    return (double)in[i] + (double)in[i];
}

static double fold_away(const float *in, size_t i, size_t power) {
    return (double)in[i] - (double)in[i + power];
}

static const struct {
    Fold *fold;
    JudgeCause cause;
} folds[] = {
    {fold_largest,
     {"fold-largest",
      "that is what comes out when the fold keeps the larger of two numbers: it should add them"}},
    {fold_one_partner,
     {"fold-one-partner",
      "that is what comes out when each thread of the fold adds the same number, temp[power]. "
      "The partner of thread tid is temp[tid + power]"}},
    {fold_itself,
     {"fold-itself",
      "that is what comes out when each thread of the fold adds its own number again. Its partner "
      "is temp[tid + power]"}},
    {fold_away,
     {"fold-subtracts", "the numbers past the power of two were subtracted: the fold should add them"}},
};

static void suspect_folds(SumExpected *expected, const float *in, size_t count, size_t power) {
    for (size_t f = 0; f < sizeof folds / sizeof *folds; f++) {
        double sum = 0.0;
        for (size_t i = 0; i < power; i++)
            sum += i + power < count ? folds[f].fold(in, i, power) : (double)in[i];
        sums_suspect(expected, sum, folds[f].cause);
    }
}

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
    suspect_folds(expected, in, count, power);
    return true;
}

const Judge judge_10_any_block_size = {
    .lesson = "10-any-block-size",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = sums_decide_one_block,
    .work = sums_work_with_tree,
};
