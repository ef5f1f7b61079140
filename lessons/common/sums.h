/* sums.h - what the judges of the summing lessons share: inputs, the expected sum, and what a wrong sum gives
 * away.
 *
 * An error bound for floats added in any order grows with n, and for a large n would forgive a lost element.
 * So the inputs are whole numbers so small that every partial sum, in whatever order, is exact: then the
 * answer must be equal. One case a lesson has fractions, few and small ones, and the error bound: less than
 * what rounding the sum of a block to a whole number changes.
 *
 * A wrong sum is compared with those that typical mistakes give (`suspects`); the first that fits all wrong
 * sums of a program explains them.
 */
#pragma once

#include <float.h>
#include <math.h>
#include <string.h>

#include "autograder/judge.h"
#include "base/poison.h"

enum { SUMS_MAX_SUSPECTS = 24 };

typedef enum SumFill { SUM_WHOLE, SUM_FRACTIONS, SUM_LAST_COUNTS, SUM_CANCELS } SumFill;

typedef struct SumExpected {
    const float *in;
    size_t first; /* where in the input the numbers begin */
    double want;
    double tolerance;
    bool places_suspected; /* by block_sums.h */
    const float *got;      /* with it, what comes to another sum is no suspect any more */
    unsigned suspect_count;
    struct {
        double value;
        JudgeCause cause;
        bool leads; /* it is the index that is written wrongly */
    } suspects[SUMS_MAX_SUSPECTS];
} SumExpected;

/** Rounds to whole numbers, none of them zero. */
static inline void sums_make_whole(float *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        values[i] = roundf(values[i]);
        if (!(fabsf(values[i]) >= 1.0F)) values[i] = 1.0F;
    }
}

/** Two large numbers that cancel, one in each half. With the small ones beside them all partial sums stay
 * below 2^24, and so exact in floats; in whole numbers of a fixed scale they overflow. */
static inline void sums_add_large_pair(float *values, size_t count) {
    const float large = 6291456.0F; /* 3 * 2^21: twice that, and 4 M of small ones, are below 2^24 */
    if (count < 2) return;
    values[count / 4] = large;
    values[count - 1 - count / 4] = -large;
}

/** Fills `values`; with SUM_LAST_COUNTS the last number outweighs all others together, with SUM_CANCELS two
 * that outweigh the others cancel. Exact but for SUM_FRACTIONS. */
static inline void sums_fill(const JudgeCase *judged, float *values, size_t count, SumFill fill) {
    const float exact = 8.0e6F / (float)(count + 1); /* sum of magnitudes below 2^23 */
    float limit = 999.0F;
    if (exact < 999.0F) limit = exact;
    const bool small = fill != SUM_WHOLE;
    judge_fill(judged, values, count, small ? 9.0F : limit, 0);
    if (fill == SUM_FRACTIONS) return;
    sums_make_whole(values, count);
    if (fill == SUM_LAST_COUNTS) values[count - 1] = 1048576.0F;
    if (fill == SUM_CANCELS) sums_add_large_pair(values, count);
}

/** Whether a sum is the value of a suspect. A large one is rounded more often than the right sum. */
static inline bool sums_is_value(const SumExpected *expected, float got, double value) {
    double rounding = 0.0;
    if (expected->tolerance > 0.0) rounding = 4.0 * (double)FLT_EPSILON * fabs(value);
    return fabs((double)got - value) <= expected->tolerance + rounding;
}

/** A sum that a typical mistake would give; one that cannot be told from the right sum is left out. */
static inline void sums_suspect(SumExpected *expected, double value, JudgeCause cause) {
    if (expected->suspect_count == SUMS_MAX_SUSPECTS || cause.name == NULL) return;
    if (fabs(value - expected->want) <= expected->tolerance) return;
    if (expected->got != NULL && !sums_is_value(expected, *expected->got, value)) return;
    expected->suspects[expected->suspect_count].value = value;
    expected->suspects[expected->suspect_count].cause = cause;
    expected->suspect_count++;
}

/** A sum that comes of an index that is written wrongly: threads may meet in what they read and write, and
 * that follows from it. */
static inline void sums_suspect_index(SumExpected *expected, double value, JudgeCause cause) {
    const unsigned before = expected->suspect_count;
    sums_suspect(expected, value, cause);
    if (expected->suspect_count > before) expected->suspects[before].leads = true;
}

/** In a second call: the sum of both calls' numbers. */
static inline void sums_suspect_before(JudgeCase *judged, SumExpected *expected) {
    if (judged->before == NULL) return;
    sums_suspect(
        expected, expected->want + ((const SumExpected *)judged->before->expected)->want,
        judge_cause(
            judged->arena, "not-zeroed",
            "that is the sum of both calls' numbers. The second call added to what the first had left: "
            "start from zero in each call"));
}

/** The case's numbers, the input "in", and what is right; NULL without memory. */
static inline SumExpected *sums_prepare(JudgeCase *judged, const float **values, SumFill fill) {
    size_t count = (size_t)judged->spec->n;
    SumExpected *expected = ARENA_NEW(judged->arena, SumExpected);
    float *in = judge_input_floats(judged, "in", count);
    if (expected == NULL || (in == NULL && count > 0)) return NULL;
    if (count > 0) {
        sums_fill(judged, in, count, fill);
        expected->want = judge_sum(in, count);
        if (fill == SUM_FRACTIONS) expected->tolerance = judge_sum_tolerance(in, count);
    }
    expected->in = in;
    sums_suspect_before(judged, expected);
    judged->expected = expected;
    *values = in;
    return expected;
}

/** The same as sums_prepare, for a sum that a grid makes: the input "threads" is the case's block size. */
static inline SumExpected *sums_prepare_grid(JudgeCase *judged, const float **values, SumFill fill) {
    SumExpected *expected = sums_prepare(judged, values, fill);
    if (expected == NULL || !judge_input_int(judged, "threads", (int32_t)judged->spec->threads)) return NULL;
    return expected;
}

static const JudgeCause sums_first_block_repeated = {
    "first-block-repeated",
    "that is block 0's sum, once for each block. Does the index into the numbers depend "
    "on blockIdx.x, and is each block's own sum added?"};

/** What comes out when blocks, or the last number, are lost. */
static inline void sums_suspect_lost(JudgeCase *judged, SumExpected *expected, const float *in) {
    const size_t count = (size_t)judged->spec->n, threads = (size_t)judged->spec->threads;
    if (count == 0) return;
    const size_t full = count - count % threads;
    const size_t first = count < threads ? count : threads, blocks = (count + threads - 1) / threads;
    sums_suspect(expected, (double)blocks * judge_sum(in, first), sums_first_block_repeated);
    sums_suspect(expected, judge_sum(in, full),
                 judge_cause(judged->arena, "rounded-down",
                             "the numbers from index %zu on are missing: %zu / %zu rounds down, and the "
                             "block that is only partly full was never launched",
                             full, count, threads));
    sums_suspect(expected, judge_sum(in, (blocks - 1) * threads),
                 judge_cause(judged->arena, "last-block-lost", "the last block's sum is missing from it"));
    sums_suspect(expected, expected->want - (double)in[count - 1],
                 judge_cause(judged->arena, "last-lost", "the last number is missing from it"));
}

/** A pass of a block's tree, of threads 0 to d - 1, in floats as they are added. */
typedef void SumPass(float *temp, size_t d);

static inline void sums_pass_with(float *temp, size_t d) {
    for (size_t i = 0; i < d; i++)
        temp[i] += temp[i + d];
}

/** All threads of the pass add the same partner. */
static inline void sums_pass_one_partner(float *temp, size_t d) {
    for (size_t i = 0; i < d; i++)
        temp[i] += temp[d];
}

/** All threads of the pass add what is next to them. A warp reads before it writes. */
static inline void sums_pass_neighbour(float *temp, size_t d) {
    for (size_t i = 0; i < d; i++)
        temp[i] += temp[i + 1];
}

/** What is in temp[0] after passes from `first` on, each at `1 / divisor` of the distance before, or (0) at
 * one less. */
static inline double sums_tree(const JudgeCase *judged, const float *in, size_t first, size_t divisor,
                               SumPass *pass) {
    const size_t count = (size_t)judged->spec->n;
    float *temp = ARENA_ARRAY(judged->arena, count, float);
    if (temp == NULL) return judge_sum(in, count);
    memcpy(temp, in, count * sizeof *temp);
    for (size_t d = first; d > 0; d = divisor > 0 ? d / divisor : d - 1)
        pass(temp, d);
    return (double)temp[0];
}

/** What is in temp[0] when the distance is doubled from 1 on, and threads below it add. */
static inline double sums_tree_upwards(const JudgeCase *judged, const float *in) {
    const size_t count = (size_t)judged->spec->n;
    float *temp = ARENA_ARRAY(judged->arena, count, float);
    if (temp == NULL) return judge_sum(in, count);
    memcpy(temp, in, count * sizeof *temp);
    for (size_t d = 1; 2 * d <= count; d *= 2)
        sums_pass_with(temp, d);
    return (double)temp[0];
}

/** A tree that adds neighbours: all threads below the distance, or (thread 0's part of it) each whose index
 * is a multiple of twice the distance. */
static inline void sums_suspect_neighbours(const JudgeCase *judged, SumExpected *expected, const float *in) {
    const size_t count = (size_t)judged->spec->n;
    const JudgeCause cause = {"neighbours", "that is what comes out when each pass adds temp[tid + 1], the "
                                            "neighbour. The partner of thread tid is temp[tid + d]"};
    double multiples = (double)in[0];
    for (size_t d = 1; 2 * d <= count; d *= 2)
        multiples += (double)in[1];
    sums_suspect_index(expected, sums_tree(judged, in, count / 2, 2, sums_pass_neighbour), cause);
    sums_suspect_index(expected, multiples, cause);
}

/** What typical mistakes in the tree of one block give. */
static inline void sums_suspect_tree(JudgeCase *judged, SumExpected *expected, const float *in) {
    enum { HALF = 2, BY_ONE = 0 };
    const size_t count = (size_t)judged->spec->n, half = count / HALF;
    sums_suspect(expected, (double)in[0],
                 judge_cause(judged->arena, "no-pass",
                             "that is the first number alone, as if no pass of the tree had run"));
    sums_suspect(
        expected, (double)in[count - 1],
        judge_cause(judged->arena, "not-added",
                    "that is the last number alone. Does each pass add to temp[tid], and not replace "
                    "it? And is it thread 0 that stores the result?"));
    sums_suspect(expected, sums_tree(judged, in, half, BY_ONE, sums_pass_with),
                 judge_cause(judged->arena, "by-one",
                             "that is the sum of a tree whose distance gets smaller by 1 in each pass. It "
                             "should be halved"));
    sums_suspect_neighbours(judged, expected, in);
    if (half > 1)
        sums_suspect(
            expected, (double)in[0] + (double)in[half],
            judge_cause(judged->arena, "one-pass",
                        "that is the first number and its partner %zu further on: only the first pass of "
                        "the tree has run",
                        half));
    sums_suspect(
        expected, sums_tree_upwards(judged, in),
        judge_cause(judged->arena, "upwards-tree",
                    "that is what comes out when the distance begins at 1 and is doubled, while threads "
                    "below it add. It should begin at half of the threads, and be halved"));
    sums_suspect(expected, sums_tree(judged, in, half, HALF, sums_pass_one_partner),
                 judge_cause(judged->arena, "one-partner",
                             "that is what comes out when all threads of a pass add temp[d]. The partner of "
                             "thread tid is temp[tid + d]"));
}

/** A pass of block 0's tree over the first `end` places: what thread 0 adds. Past the numbers there are
 * zeros, and a pass that adds nothing else is left out. */
static inline void sums_work_pass(float *temp, size_t d, size_t end, size_t count, Text *steps) {
    if (d < count)
        judge_step(steps, "distance %zu: temp[0] + temp[%zu] = %.9g + %.9g = %.9g", d, d, (double)temp[0],
                   (double)temp[d], (double)(temp[0] + temp[d]));
    for (size_t i = 0; i + d < end; i++)
        temp[i] += temp[i + d];
}

/** Steps of block 0's tree, one for each pass. Where the block size is no power of two, the numbers from the
 * largest one below it on come first. */
static inline void sums_work_tree(const JudgeCase *judged, const float *in, size_t threads, Text *steps) {
    const size_t count = (size_t)judged->spec->n;
    float *temp = ARENA_ARRAY(judged->arena, threads, float);
    size_t power = 1;
    if (temp == NULL) return;
    for (size_t i = 0; i < threads && i < count; i++)
        temp[i] = in[i];
    while (power <= threads / 2)
        power *= 2;
    if (power < threads) sums_work_pass(temp, power, threads, count, steps);
    for (size_t d = power / 2; d > 0; d /= 2)
        sums_work_pass(temp, d, 2 * d, count, steps);
}

/** The first numbers and the last, and their sum: for Judge.work. */
static inline void sums_work_numbers(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    const SumExpected *expected = (const SumExpected *)judged->expected;
    const JudgeFormula formula = {.result = wrong->answer,
                                  .term = "in[i]",
                                  .count = (size_t)judged->spec->n,
                                  .places = {{'i', expected->first, 1}}};
    if (formula.count == 0)
        judge_step(steps, "the sum of no numbers is 0");
    else
        judge_step_formula(judged, &formula, expected->want, steps);
}

/** The sums of the first few pieces of `size` numbers: of blocks, or of the warps of one. */
static inline void sums_work_pieces(const float *in, size_t count, size_t size, const char *piece,
                                    Text *steps) {
    enum { MOST = 4 };
    const size_t pieces = (count + size - 1) / size;
    for (size_t i = 0; i < pieces && i < MOST; i++) {
        const size_t first = i * size, end = first + size < count ? first + size : count;
        const double sum = judge_sum(in + first, end - first);
        if (end - first > 1)
            judge_step(steps, "%s %zu: in[%zu] to in[%zu] add up to %.9g", piece, i, first, end - 1, sum);
        else
            judge_step(steps, "%s %zu: in[%zu] alone, %.9g", piece, i, first, sum);
    }
    if (pieces > MOST) judge_step(steps, "and so on, for %zu more %ss", pieces - MOST, piece);
}

static inline void sums_work_blocks(const JudgeCase *judged, const float *in, size_t threads, Text *steps) {
    const size_t count = (size_t)judged->spec->n;
    sums_work_pieces(in, count, threads, "block", steps);
    if (count > threads)
        judge_step(steps, "all blocks together: %.9g", ((const SumExpected *)judged->expected)->want);
}

/** How the sum comes about, for Judge.work: number by number where no block size is given, else by blocks. */
static inline void sums_work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    const SumExpected *expected = (const SumExpected *)judged->expected;
    const size_t count = (size_t)judged->spec->n, threads = (size_t)judged->spec->threads;
    if (threads > 0 && count > threads)
        sums_work_blocks(judged, expected->in, threads, steps);
    else
        sums_work_numbers(judged, wrong, steps);
}

/** By the tree of the first block, too. */
static inline void sums_work_with_tree(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    const SumExpected *expected = (const SumExpected *)judged->expected;
    const size_t count = (size_t)judged->spec->n, threads = (size_t)judged->spec->threads;
    if (count > 0) sums_work_tree(judged, expected->in, threads > 0 ? threads : count, steps);
    sums_work(judged, wrong, steps);
}

/** Memory that nobody has written, on the host or the device: its content explains nothing. */
static inline bool sums_is_poison(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits == POISON_HOST_FLOAT || bits == POISON_DEVICE_FLOAT;
}

/** Whether the sum of fractions is a whole number, and less than 1 for each of its numbers away from what it
 * should be. Of the cases one alone has fractions. */
static inline bool sums_is_made_whole(const JudgeCase *judged, float got) {
    const double largest = 1048576.0; /* larger floats have few digits left */
    const SumExpected *expected = (const SumExpected *)judged->expected;
    const double sum = (double)got;
    if (!(expected->tolerance > 0.0) || !(fabs(sum) < largest) || sum == 0.0) return false;
    return sum == rint(sum) && fabs(sum - expected->want) < (double)judged->spec->n;
}

/** The suspects that would give this sum. One number may be met by chance, so that all wrong sums of a
 * program must agree on a cause before it is told (JudgeDecision). Something undefined that went in, as from
 * past an array's end, makes NaN, which would hide what the program added besides: of such a sum nothing is
 * said. */
static inline void sums_name_suspects(const JudgeCase *judged, float got, JudgeDecision *decision) {
    const SumExpected *expected = (const SumExpected *)judged->expected;
    if (isnan(got) && !sums_is_poison(got)) return;
    JudgeCause *fit = ARENA_ARRAY(judged->arena, SUMS_MAX_SUSPECTS + 2, JudgeCause);
    unsigned count = 0;
    bool leads = true;
    for (unsigned i = 0; fit != NULL && i < expected->suspect_count; i++) {
        if (!sums_is_value(expected, got, expected->suspects[i].value) || sums_is_poison(got)) continue;
        fit[count++] = expected->suspects[i].cause;
        leads = leads && expected->suspects[i].leads;
    }
    if (fit != NULL && count == 0 && sums_is_made_whole(judged, got)) {
        fit[count++] =
            (JudgeCause){"made-whole", "that is a whole number, and the sum is none: somewhere on the "
                                       "way a float or a double becomes an int. std::accumulate, "
                                       "too, adds in the type of the value that it begins with: "
                                       "0.0, not 0"};
        leads = false;
    }
    decision->suspects = fit;
    decision->leads = leads && count > 0;
}

/** Compares the one-element answer "sum". Where it is wrong, that sum; otherwise NULL. */
static inline const float *sums_compare(JudgeCase *judged, JudgeDecision *decision) {
    const SumExpected *expected = (const SumExpected *)judged->expected;
    const float *got = judge_answer_floats(judged, decision, "sum", 1);
    if (got == NULL) return NULL;
    decision->passed = judge_compare(judged, decision, "sum", got, &expected->want, &expected->tolerance, 1);
    if (decision->passed) return NULL;
    return got;
}

static inline void sums_decide(JudgeCase *judged, JudgeDecision *decision) {
    const float *got = sums_compare(judged, decision);
    if (got != NULL) sums_name_suspects(judged, *got, decision);
}
