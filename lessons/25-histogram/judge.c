/* judge.c - lesson 25: how often each of the 256 values of a byte occurs among n bytes, n from 0 on.
 *
 * Counts are exact, so the answer must be equal. The bins hold an unlikely number before the call, and before
 * a second call the counts of other bytes. Some cases have bytes above 127 only, or one value only: those
 * that meet at one bin, and those that are negative as signed numbers. Wrong counts are compared with what
 * typical mistakes would count.
 */
#include "autograder/judge.h"
#include "base/poison.h"

#include <math.h>
#include <string.h>

enum { BINS = 256 };
typedef enum Fill { ANY, HIGH, SAME } Fill;

static const JudgeCaseSpec cases[] = {
    {.name = "one byte", .points = 1, .n = 1, .extra = HIGH},
    {.name = "no bytes at all", .points = 1, .n = 0, .extra = ANY},
    {.name = "one more than a block of 256", .points = 1, .n = 257, .extra = ANY},
    {.name = "bytes above 127", .points = 1, .n = 1009, .extra = HIGH},
    {.name = "called twice in a row", .points = 1, .n = 4099, .extra = ANY, .again = true},
    {.name = "one value only", .points = 1, .n = 10007, .extra = SAME},
    {.name = "100,003 bytes", .points = 1, .n = 100003, .extra = ANY},
};

typedef struct Expected {
    const uint8_t *data;
    size_t n;
    int32_t bins[BINS];
    const int32_t *before; /* of the call before, NULL */
} Expected;

static void count_bytes(int32_t *bins, const uint8_t *data, size_t n) {
    memset(bins, 0, BINS * sizeof *bins);
    for (size_t i = 0; i < n; i++)
        bins[data[i]]++;
}

static uint8_t *make_bytes(JudgeCase *judged, size_t n, Fill fill) {
    uint8_t *data = judge_input_bytes(judged, "data", n);
    float *values = ARENA_ARRAY(judged->arena, n + 1, float);
    if (data == NULL || values == NULL) return NULL;
    judge_fill(judged, values, n, 69811.0F, 0);
    for (size_t i = 0; i < n; i++) {
        const float value = values[fill == SAME ? 0 : i];
        const unsigned byte = (unsigned)fabsf(value) % BINS;
        data[i] = (uint8_t)(fill == HIGH ? byte | 128U : byte);
    }
    return data;
}

static bool prepare(JudgeCase *judged) {
    const size_t n = (size_t)judged->spec->n;
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    if (expected == NULL) return false;
    const uint8_t *data = make_bytes(judged, n, (Fill)judged->spec->extra);
    if (data == NULL) return false;
    expected->data = data;
    expected->n = n;
    if (judged->before != NULL) expected->before = ((const Expected *)judged->before->expected)->bins;
    count_bytes(expected->bins, data, n);
    judged->expected = expected;
    return true;
}

static bool are_equal(const int32_t *got, const int32_t *counts) {
    return memcmp(got, counts, BINS * sizeof *counts) == 0;
}

/* Causes that would give these bins, with room for JUDGE_UNKNOWN. */
enum { MOST_SUSPECTS = 32 };
typedef struct Suspects {
    JudgeCause *fit;
    unsigned count;
} Suspects;

static void suspect(Suspects *suspects, JudgeCause cause) {
    if (suspects->count < MOST_SUSPECTS) suspects->fit[suspects->count++] = cause;
}

static void suspect_last(Suspects *suspects, Arena *arena, const Expected *expected, const int32_t *got) {
    int32_t counts[BINS];
    if (expected->n == 0) return;
    count_bytes(counts, expected->data, expected->n - 1);
    if (are_equal(got, counts))
        suspect(suspects, judge_cause(arena, "last-lost", "the last byte was not counted"));
}

/* The last bytes of a length that is no multiple of a piece. A length is near the multiples of many numbers,
 * so that the piece belongs to the name: all wrong answers have to agree on it. */
static void suspect_pieces(Suspects *suspects, Arena *arena, const Expected *expected, const int32_t *got) {
    int32_t counts[BINS];
    for (size_t piece = 65536; piece >= 2; piece /= 2) {
        const size_t whole = expected->n / piece * piece;
        count_bytes(counts, expected->data, whole);
        if (whole == expected->n || !are_equal(got, counts)) continue;
        suspect(suspects,
                judge_cause(arena, arena_format(arena, "rest-lost-%zu", piece),
                            "the bytes from index %zu on were not counted: %zu is not a multiple of %zu, and "
                            "the rest was left out",
                            whole, expected->n, piece));
    }
}

/* The first bin that has what stood there before the call added to its counts, where all wrong ones do; or
 * BINS. Before a first call that is the pattern of fresh device memory, which is -1 as a number: a bin that
 * lacks one count looks the same. But no count can be lacking of a byte that does not occur, and hardly one
 * of each of many. */
static size_t first_kept(const Expected *expected, const int32_t *got) {
    enum { MANY = 32 };
    size_t first = BINS, kept = 0;
    bool sure = expected->before != NULL;
    for (size_t i = 0; i < BINS; i++) {
        uint32_t before = POISON_DEVICE_FLOAT;
        if (expected->before != NULL) before = (uint32_t)expected->before[i];
        if (got[i] == expected->bins[i]) continue;
        if ((uint32_t)got[i] != (uint32_t)expected->bins[i] + before) return BINS;
        if (first == BINS) first = i;
        sure = sure || expected->bins[i] == 0 || ++kept == MANY;
    }
    if (sure) return first;
    return BINS;
}

/* By how much every bin is too low, those of bytes that do not occur as well; or 0. Counts that got lost
 * differ. */
static int64_t common_lack(const Expected *expected, const int32_t *got) {
    const int64_t lack = (int64_t)expected->bins[0] - got[0];
    for (size_t i = 0; i < BINS; i++)
        if ((int64_t)expected->bins[i] - got[i] != lack) return 0;
    return lack;
}

/* Right but for bin 0, which has too many. */
static bool are_right_but_for_zeros(const Expected *expected, const int32_t *got) {
    return got[0] > expected->bins[0] && memcmp(got + 1, expected->bins + 1, (BINS - 1) * sizeof *got) == 0;
}

/* Right up to 127, and nothing above. */
static bool are_of_signed(const Expected *expected, const int32_t *got) {
    int32_t counts[BINS];
    memcpy(counts, expected->bins, sizeof counts);
    memset(counts + BINS / 2, 0, sizeof counts / 2);
    return are_equal(got, counts);
}

/* How many bytes were counted, where nothing more is known. */
static void suspect_total(Suspects *suspects, Arena *arena, const Expected *expected, const int32_t *got) {
    int64_t total = 0;
    for (size_t i = 0; i < BINS; i++)
        total += got[i];
    if (are_equal(got, (const int32_t[BINS]){0}))
        suspect(suspects,
                judge_cause(arena, "counts-lost", "the bins are all zero: no count has reached them"));
    else if (total >= 0 && total < (int64_t)expected->n)
        suspect(suspects,
                judge_cause(arena, "counts-lost", "the bins add up to %s, and n is %s: counts are missing",
                            arena_number(arena, (uint64_t)total), arena_number(arena, expected->n)));
    if (total > (int64_t)expected->n)
        suspect(suspects,
                judge_cause(arena, "counted-twice", "the bins add up to %s, and n is only %s",
                            arena_number(arena, (uint64_t)total), arena_number(arena, expected->n)));
}

/* Bins that did not start at 0, here or in shared memory. */
static void suspect_start(Suspects *suspects, Arena *arena, const Expected *expected, const int32_t *got) {
    const int64_t lack = common_lack(expected, got);
    const size_t kept = first_kept(expected, got);
    if (lack > 0)
        suspect(suspects, judge_cause(arena, "not-from-zero",
                                      "every bin is %s too low: the counts did not "
                                      "start at 0",
                                      arena_number(arena, (uint64_t)lack)));
    if (kept < BINS)
        suspect(suspects, judge_cause(arena, "not-zeroed",
                                      "what stood in bins[%zu] before the call is still in it: not every bin "
                                      "was set to 0",
                                      kept));
}

/* All that would give these bins, the surest first: what is told is the first that explains every wrong
 * answer of the program. */
static const JudgeCause *suspects_of(Arena *arena, const Expected *expected, const int32_t *got) {
    Suspects suspects = {.fit = ARENA_ARRAY(arena, MOST_SUSPECTS + 1, JudgeCause)};
    if (suspects.fit == NULL) return NULL;
    suspect_start(&suspects, arena, expected, got);
    if (are_right_but_for_zeros(expected, got))
        suspect(&suspects,
                judge_cause(arena, "zeros-counted",
                            "only bin 0 is wrong, with %s too many: threads without a byte counted a 0",
                            arena_number(arena, (uint64_t)(got[0] - expected->bins[0]))));
    suspect_last(&suspects, arena, expected, got);
    suspect_pieces(&suspects, arena, expected, got);
    if (are_of_signed(expected, got))
        suspect(
            &suspects,
            judge_cause(arena, "signed",
                        "no bin above 127 has a count. Is the byte unsigned where it becomes an index, and "
                        "are all 256 bins merged?"));
    suspect_total(&suspects, arena, expected, got);
    return suspects.fit;
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const int32_t *bins = judge_answer_ints(judged, decision, "bins", BINS);
    if (bins == NULL) return;
    decision->passed = judge_compare_ints(judged, decision, "bins", bins, expected->bins, BINS);
    if (decision->passed || decision->unwritten) return;
    decision->suspects = suspects_of(judged->arena, expected, bins);
}

/* Where the first bytes of the value are, and how many there are. */
static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    enum { FIRST_BYTES = 4 };
    const Expected *expected = judged->expected;
    const size_t bin = (size_t)wrong->wrong_index;
    const int32_t count = expected->bins[bin];
    int32_t found = 0;
    for (size_t i = 0; i < expected->n && found < FIRST_BYTES; i++) {
        if (expected->data[i] != bin) continue;
        judge_step(steps, "data[%zu] is %zu, and counts in bins[%zu]: %d", i, bin, bin, ++found);
    }
    if (count > found)
        judge_step(steps, "and so on, for %d more of the %zu bytes", count - found, expected->n);
    if (count == 0) judge_step(steps, "no byte is %zu: bins[%zu] stays 0", bin, bin);
}

const Judge judge_25_histogram = {
    .lesson = "25-histogram",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
