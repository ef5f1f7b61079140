/* block_sums.h - for judges of sums that blocks make, each as a tree or by warps: what a wrong sum says of
 * the numbers that are in it.
 *
 * A typical mistake loses the numbers at certain places of each block, or certain blocks. So each suspect
 * here is the sum of the numbers at some places. They are worked out for a wrong sum only, as they take
 * longer than the right one.
 */
#pragma once

#include "lessons/common/sums.h"

/** Where a number lies: `place` in its block of `threads`, the last of which may be partly full. */
typedef struct SumPlace {
    size_t place, threads, block, blocks;
} SumPlace;

typedef bool SumTakes(SumPlace at);

/** The block is as large as a tree's first distance, twice: a larger one is folded first. */
static inline size_t sums_power_of(size_t threads) {
    size_t power = 1;
    while (power <= threads / 2)
        power *= 2;
    return power;
}

static inline bool sums_takes_even(SumPlace at) {
    return at.place % 2 == 0;
}

static inline bool sums_takes_odd(SumPlace at) {
    return at.place % 2 == 1;
}

static inline bool sums_takes_first_half(SumPlace at) {
    const size_t power = sums_power_of(at.threads);
    return at.place % power < (power + 1) / 2;
}

static inline bool sums_takes_first_places(SumPlace at) {
    return at.place == 0;
}

static inline bool sums_takes_block_0(SumPlace at) {
    return at.block == 0;
}

static inline bool sums_takes_last_block(SumPlace at) {
    return at.block + 1 == at.blocks;
}

static inline bool sums_takes_later_blocks(SumPlace at) {
    return at.block > 0;
}

/** The sum of the numbers at those places. */
static inline double sums_of_places(const JudgeCase *judged, SumTakes *takes, size_t threads) {
    const float *in = ((const SumExpected *)judged->expected)->in;
    const size_t count = (size_t)judged->spec->n;
    SumPlace at = {.threads = threads, .blocks = (count + threads - 1) / threads};
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        at.place = i % threads;
        at.block = i / threads;
        if (takes(at)) sum += (double)in[i];
    }
    return sum;
}

/** The sum of each block's largest number. Where `padded`, threads past the last number have a 0. */
static inline double sums_of_largest(const JudgeCase *judged, size_t threads, bool padded) {
    const float *in = ((const SumExpected *)judged->expected)->in;
    const size_t count = (size_t)judged->spec->n;
    double sum = 0.0;
    for (size_t first = 0; first < count; first += threads) {
        const bool full = first + threads <= count;
        double largest = padded && !full ? 0.0 : (double)in[first];
        for (size_t i = first; i < first + threads && i < count; i++)
            largest = fmax(largest, (double)in[i]);
        sum += largest;
    }
    return sum;
}

/** The largest of the blocks' sums, or of these and 0. */
static inline double sums_largest_block(const JudgeCase *judged, size_t threads) {
    const float *in = ((const SumExpected *)judged->expected)->in;
    const size_t count = (size_t)judged->spec->n;
    double largest = 0.0;
    for (size_t first = 0; first < count; first += threads)
        largest = fmax(largest, judge_sum(in + first, first + threads < count ? threads : count - first));
    return largest;
}

typedef struct SumPlacesRow {
    SumTakes *takes;
    JudgeCause cause;
} SumPlacesRow;

/** Of one block, or of each: what its tree leaves out. */
static const SumPlacesRow sums_tree_rows[] = {
    {sums_takes_even,
     {"last-pass-lost",
      "only the numbers at even places are in it: the last pass of the tree, with distance 1, "
      "is missing"}},
    {sums_takes_first_half,
     {"first-pass-lost", "only the first half of a block's numbers is in it: the pass with the largest "
                         "distance, half of the threads, is missing"}},
    {sums_takes_odd,
     {"from-element-1", "only the numbers at odd places are in it. That is what the tree leaves in temp[1]: "
                        "the sum of all is in temp[0]"}},
};

/** Of several blocks. */
static const SumPlacesRow sums_block_rows[] = {
    {sums_takes_block_0,
     {"block-0-alone", "that is block 0's sum alone: those of the other blocks should be added to it"}},
    {sums_takes_first_places,
     {"first-of-each-block",
      "that is the first number of each block alone: the block's sum was never made, or "
      "not used"}},
    {sums_takes_last_block,
     {"last-block-alone", "that is the last block's sum alone: each sum replaced the one before, and was not "
                          "added to it"}},
    {sums_takes_later_blocks, {"block-0-lost", "block 0's sum is missing from it"}},
};

static inline void sums_suspect_rows(const JudgeCase *judged, const SumPlacesRow *rows, size_t count,
                                     size_t threads) {
    SumExpected *expected = (SumExpected *)judged->expected;
    for (size_t i = 0; i < count; i++)
        sums_suspect(expected, sums_of_places(judged, rows[i].takes, threads), rows[i].cause);
}

/** The larger of two numbers in place of their sum. */
static inline void sums_suspect_largest(const JudgeCase *judged, size_t threads, bool padded) {
    sums_suspect((SumExpected *)judged->expected, sums_of_largest(judged, threads, padded),
                 (JudgeCause){"largest", "that is what comes out when the larger of two numbers is kept, in "
                                         "place of their sum"});
}

/** What the tree leaves at other places than the first, whichever of them it is. */
static inline void sums_suspect_other_places(const JudgeCase *judged) {
    SumExpected *expected = (SumExpected *)judged->expected;
    const size_t count = (size_t)judged->spec->n, power = sums_power_of(count);
    float *temp = ARENA_ARRAY(judged->arena, count, float);
    if (temp == NULL) return;
    memcpy(temp, expected->in, count * sizeof *temp);
    for (size_t i = power; i < count; i++)
        temp[i - power] += temp[i];
    for (size_t d = power / 2; d > 0; d /= 2)
        sums_pass_with(temp, d);
    for (size_t i = 1; i < count; i++)
        sums_suspect(expected, (double)temp[i],
                     (JudgeCause){"other-place",
                                  "that is what the tree leaves at another place than temp[0]. Thread 0 "
                                  "should store temp[0], and no other thread anything"});
}

/** What typical mistakes in one block of all the numbers leave. */
static inline void sums_suspect_one_block(const JudgeCase *judged) {
    const size_t count = (size_t)judged->spec->n;
    sums_suspect_rows(judged, sums_tree_rows, sizeof sums_tree_rows / sizeof *sums_tree_rows, count);
    sums_suspect_largest(judged, count, false);
    sums_suspect_other_places(judged);
}

/** And between blocks of so many threads, whatever a block does. */
static inline void sums_suspect_between(const JudgeCase *judged, size_t threads) {
    sums_suspect_rows(judged, sums_block_rows, sizeof sums_block_rows / sizeof *sums_block_rows, threads);
    sums_suspect_largest(judged, threads, true);
    sums_suspect((SumExpected *)judged->expected, sums_largest_block(judged, threads),
                 (JudgeCause){"largest-block", "that is the largest of the blocks' sums, or 0 where all are "
                                               "negative. They should be added"});
}

/** And in blocks that add by trees. */
static inline void sums_suspect_blocks(const JudgeCase *judged) {
    const size_t threads = (size_t)judged->spec->threads;
    sums_suspect_between(judged, threads);
    sums_suspect_rows(judged, sums_tree_rows, sizeof sums_tree_rows / sizeof *sums_tree_rows, threads);
}

typedef void SumSuspect(const JudgeCase *judged);

/** As sums_decide does, with suspects that are worked out once, for the first wrong sum. */
static inline void sums_decide_with(JudgeCase *judged, JudgeDecision *decision, SumSuspect *suspect) {
    SumExpected *expected = (SumExpected *)judged->expected;
    const float *got = sums_compare(judged, decision);
    if (got == NULL) return;
    expected->got = got;
    if (judged->spec->n > 0 && !expected->places_suspected) suspect(judged);
    expected->places_suspected = true;
    sums_name_suspects(judged, *got, decision);
}

static inline void sums_decide_one_block(JudgeCase *judged, JudgeDecision *decision) {
    sums_decide_with(judged, decision, sums_suspect_one_block);
}

static inline void sums_decide_blocks(JudgeCase *judged, JudgeDecision *decision) {
    sums_decide_with(judged, decision, sums_suspect_blocks);
}
