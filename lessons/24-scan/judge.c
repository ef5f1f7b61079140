/* judge.c - lesson 24: out[i] is the sum of in[0] to in[i], for n whole numbers, n from 0 on.
 *
 * Sums of whole numbers are exact, so the answer must be equal. `extra` says whether `in` and `out` are the
 * same array. The largest case has more blocks than one
 * block of 256 threads can scan, so that a second level alone is not enough. A wrong answer is compared
 * with those that typical mistakes make.
 */
#include "autograder/judge.h"

enum { IN_PLACE = 1 };

static const JudgeCaseSpec cases[] = {
    {.name = "one number", .points = 1, .n = 1},
    {.name = "no numbers at all", .points = 0, .n = 0},
    {.name = "one more than a warp", .points = 1, .n = 33},
    {.name = "exactly one block of 256", .points = 1, .n = 256},
    {.name = "one more than four blocks of 256", .points = 1, .n = 1025},
    {.name = "a prime number of numbers, called twice", .points = 1, .n = 4099, .again = true},
    {.name = "2,003 numbers, in place", .points = 0, .n = 2003, .extra = IN_PLACE},
    {.name = "100,003 numbers", .points = 2, .n = 100003},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

typedef struct Expected {
    size_t n;
    const int32_t *in;
    int32_t *out;
    int32_t *largest;     /* of the numbers up to each, for a wrong answer; as are */
    int32_t *every_other; /* sums of every other number up to each */
} Expected;

static bool prepare(JudgeCase *judged) {
    const size_t n = (size_t)judged->spec->n;
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    int32_t *in = judge_input_ints(judged, "in", n);
    float *values = ARENA_ARRAY(judged->arena, n + 1, float);
    if (expected == NULL || in == NULL || values == NULL ||
        !judge_input_int(judged, "in_place", (int32_t)judged->spec->extra))
        return false;
    *expected = (Expected){.n = n, .in = in, .out = ARENA_ARRAY(judged->arena, n + 1, int32_t)};
    if (expected->out == NULL) return false;
    judge_fill(judged, values, n, 999.0F, 0);
    int32_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        in[i] = (int32_t)values[i];
        if (in[i] == 0) in[i] = 1;
        sum += in[i];
        expected->out[i] = sum;
    }
    judged->expected = expected;
    return true;
}

/* The sum of the numbers before index `end`. */
static int64_t sum_before(const Expected *expected, size_t end) {
    if (end == 0) return 0;
    return expected->out[end - 1];
}

/* What element `index` would be by a mistake; `block` is how many numbers a block has, of those that know
 * blocks. NO_VALUE: that depends on how the blocks are joined, or on levels beyond the second. */
typedef int64_t Value(const Expected *expected, size_t index, size_t block);
#define NO_VALUE INT64_MAX

static int64_t value_exclusive(const Expected *expected, size_t index, size_t block) {
    (void)block;
    return sum_before(expected, index);
}

static int64_t value_unscanned(const Expected *expected, size_t index, size_t block) {
    (void)block;
    return expected->in[index];
}

static int64_t value_of_own_block(const Expected *expected, size_t index, size_t block) {
    return expected->out[index] - sum_before(expected, index / block * block);
}

/* A block that scans a few pieces one after the other begins each of them anew. */
static int64_t value_of_own_round(const Expected *expected, size_t index, size_t block, size_t rounds) {
    const size_t start = index / (block * rounds) * block * rounds;
    return value_of_own_block(expected, index, block) + sum_before(expected, start);
}

static int64_t value_of_2_rounds(const Expected *expected, size_t index, size_t block) {
    return value_of_own_round(expected, index, block, 2);
}

static int64_t value_of_4_rounds(const Expected *expected, size_t index, size_t block) {
    return value_of_own_round(expected, index, block, 4);
}

static int64_t value_of_8_rounds(const Expected *expected, size_t index, size_t block) {
    return value_of_own_round(expected, index, block, 8);
}

static int64_t value_with_own_sum(const Expected *expected, size_t index, size_t block) {
    const size_t start = index / block * block, end = start + block;
    return expected->out[index] + sum_before(expected, end < expected->n ? end : expected->n) -
           sum_before(expected, start);
}

static int64_t value_with_one_before(const Expected *expected, size_t index, size_t block) {
    const size_t start = index / block * block;
    return expected->out[index] - sum_before(expected, start >= block ? start - block : 0);
}

static size_t smaller(size_t a, size_t b) {
    if (a < b) return a;
    return b;
}

/* The sum of the numbers of its block, or of all, from the element's own to the last. */
static int64_t value_from_its_own(const Expected *expected, size_t index, size_t block) {
    if (index >= block) return NO_VALUE;
    return sum_before(expected, smaller(block, expected->n)) - sum_before(expected, index);
}

static int64_t value_from_its_own_of_all(const Expected *expected, size_t index, size_t block) {
    (void)block;
    return sum_before(expected, expected->n) - sum_before(expected, index);
}

static int64_t value_largest(const Expected *expected, size_t index, size_t block) {
    if (index < block) return expected->largest[index];
    return NO_VALUE;
}

/* Where nothing before it counts as 0. */
static int64_t value_largest_or_0(const Expected *expected, size_t index, size_t block) {
    if (index >= block) return NO_VALUE;
    if (expected->largest[index] > 0) return expected->largest[index];
    return 0;
}

static int64_t value_larger_of_two(const Expected *expected, size_t index, size_t block) {
    const int64_t before = sum_before(expected, index / block * block);
    const int64_t own = expected->out[index] - before;
    if (index >= block * block) return NO_VALUE;
    if (index >= block && before > own) return before;
    return own;
}

/* Exclusive in each block, and so are the blocks' sums: the last block before is missing. */
static int64_t value_exclusive_by_blocks(const Expected *expected, size_t index, size_t block) {
    const size_t start = index / block * block;
    if (index >= block * block) return NO_VALUE;
    return sum_before(expected, index) - sum_before(expected, start) +
           sum_before(expected, start > 0 ? start - block : 0);
}

static int64_t value_with_block_0(const Expected *expected, size_t index, size_t block) {
    return value_of_own_block(expected, index, block) + (index >= block ? sum_before(expected, block) : 0);
}

static int64_t value_with_all_blocks(const Expected *expected, size_t index, size_t block) {
    if (expected->n > block * block) return NO_VALUE;
    return value_of_own_block(expected, index, block) +
           (index >= block ? sum_before(expected, expected->n) : 0);
}

/* The blocks before its own count by one number each, the one at `place` of the block. */
static int64_t value_with_one_of_each(const Expected *expected, size_t index, size_t block, size_t place) {
    int64_t sum = value_of_own_block(expected, index, block);
    if (index >= block * block) return NO_VALUE;
    for (size_t start = 0; start + block <= index; start += block)
        sum += expected->in[start + place];
    return sum;
}

static int64_t value_with_firsts(const Expected *expected, size_t index, size_t block) {
    return value_with_one_of_each(expected, index, block, 0);
}

static int64_t value_with_lasts(const Expected *expected, size_t index, size_t block) {
    return value_with_one_of_each(expected, index, block, block - 1);
}

/* The first round is missing. */
static int64_t value_every_other(const Expected *expected, size_t index, size_t block) {
    if (index < block) return expected->every_other[index];
    return NO_VALUE;
}

/* The last half of a block's numbers up to it: the last round is missing. */
static int64_t value_half_a_block(const Expected *expected, size_t index, size_t block) {
    if (index >= block) return NO_VALUE;
    return expected->out[index] - sum_before(expected, index + 1 > block / 2 ? index + 1 - block / 2 : 0);
}

/* A thread as many places from the first as a round's distance adds nothing. */
static int64_t value_without_first(const Expected *expected, size_t index, size_t block) {
    if (index >= block) return NO_VALUE;
    return expected->out[index] - (index > 0 ? expected->in[0] : 0);
}

/* Products in place of sums, in int as they are made: of the block's own numbers up to each, to which the
 * product of all blocks before is added. */
static bool is_multiplied(const Expected *expected, const int32_t *out, size_t block) {
    uint32_t before = 1, own = 1;
    for (size_t i = 0; i < expected->n; i++) {
        if (i % block == 0) {
            before *= own;
            own = 1;
        }
        own *= (uint32_t)expected->in[i];
        if ((uint32_t)out[i] != (i < block ? own : before + own)) return false;
    }
    return true;
}

/* Whether the mistake makes all wrong elements what they are, as far as it is known what it makes. A right
 * one may be so by chance, or where the mistake changes nothing. */
static size_t explains(const Expected *expected, const int32_t *out, Value *value, size_t block) {
    size_t explained = 0;
    for (size_t i = 0; i < expected->n; i++) {
        if (out[i] == expected->out[i]) continue;
        const int64_t made = value(expected, i, block);
        if (made != NO_VALUE && out[i] != made) return 0;
        explained += made != NO_VALUE;
    }
    return explained;
}

#define EXCLUSIVE                                                                                            \
    "it is the sum of the numbers before it: an inclusive scan counts the element's own number as well"

#define ROUNDS_APART                                                                                         \
    {                                                                                                        \
        "rounds-apart", "the numbers that its own block has scanned in a round before are missing from it: " \
                        "what a round adds up is carried on to the next"                                     \
    }

/* Mistakes within a block, and in what is added to one. */
static const struct {
    Value *value;
    JudgeCause cause;
} mistakes[] = {
    {value_from_its_own,
     {"from-its-own", "it is the sum of its own number and those after it: an inclusive scan adds those "
                      "before it"}},
    {value_largest_or_0,
     {"largest", "it is the largest number up to it, or 0, where it should be their sum"}},
    {value_largest, {"largest", "it is the largest number up to it, where it should be their sum"}},
    {value_exclusive_by_blocks, {"exclusive", EXCLUSIVE}},
    {value_larger_of_two,
     {"larger-of-two", "it is the larger of its own block's sum up to it and the sum of the blocks before: "
                       "they should be added"}},
    {value_every_other,
     {"every-other",
      "only every other number up to it is in it: the first round, with distance 1, is missing"}},
    {value_half_a_block,
     {"half-a-block",
      "only the last half of a block's numbers is in it: the last round, with distance half a "
      "block, is missing"}},
    {value_without_first,
     {"first-of-block-lost", "the block's first number is missing from it: thread `distance` has something "
                             "before it, too, in place 0"}},
    {value_of_2_rounds, ROUNDS_APART},
    {value_of_4_rounds, ROUNDS_APART},
    {value_of_8_rounds, ROUNDS_APART},
    {value_with_block_0,
     {"block-0-added",
      "the sum of block 0 was added to it, where that of all blocks before its own should be"}},
    {value_with_firsts,
     {"firsts-added", "of each block before its own, the first number alone was added to it: the block's sum "
                      "is what its last thread has"}},
    {value_with_lasts,
     {"lasts-added", "of each block before its own, the last number alone was added to it, where the block's "
                     "sum should be"}},
    {value_with_all_blocks,
     {"all-blocks-added", "the sum of all blocks was added to it, where that of the blocks before its own "
                          "should be"}},
};

static JudgeCause name_for_block(Arena *arena, const Expected *expected, const int32_t *out, size_t wrong,
                                 size_t block) {
    if (is_multiplied(expected, out, block))
        return judge_cause(arena, "multiplied",
                           "it is the product of the numbers up to it, where it should be their sum");
    if (explains(expected, out, value_with_own_sum, block))
        return judge_cause(
            arena, "own-block-twice",
            "the sum of its own block was added to it, on top of the sums of the blocks before");
    const bool from_a_block_on = wrong % block == 0; /* the first number that misses them begins a block */
    if (from_a_block_on && explains(expected, out, value_of_own_block, block))
        return judge_cause(arena, "blocks-before-lost",
                           "it is the sum from index %zu on: what stands before that was not added",
                           wrong / block * block);
    if (explains(expected, out, value_with_one_before, block)) {
        const bool some_scanned = wrong / block > 2; /* block 2 is the first that needs the sum of two */
        const char *scan = "The blocks' sums need a scan, too";
        if (some_scanned)
            scan = arena_format(arena, "The scan of the blocks' sums ended with the first %s of them",
                                arena_number(arena, wrong / block - 1));
        return judge_cause(arena, "one-block-before",
                           "only the sum of the one block before its own, of %s numbers, was added to it. %s",
                           arena_number(arena, block), scan);
    }
    return JUDGE_UNKNOWN;
}

enum { SMALLEST_BLOCK = 32, LARGEST_BLOCK = 1 << 20 };

/* What is tried when no block is lost: as these know no value for some elements, they explain more. One
 * element may be so by chance. */
static JudgeCause name_mistake(const Expected *expected, const int32_t *out) {
    if (explains(expected, out, value_from_its_own_of_all, 0) > 1) return mistakes[0].cause;
    for (size_t block = LARGEST_BLOCK; block >= SMALLEST_BLOCK; block /= 2)
        for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
            if (explains(expected, out, mistakes[i].value, block) > 1) return mistakes[i].cause;
    return JUDGE_UNKNOWN;
}

/* A block's beginning is the beginning of smaller blocks as well, so the large ones are tried first. */
static JudgeCause name_for(Arena *arena, const Expected *expected, const int32_t *out, size_t wrong) {
    if (explains(expected, out, value_exclusive, 0)) return (JudgeCause){"exclusive", EXCLUSIVE};
    if (explains(expected, out, value_unscanned, 0))
        return judge_cause(arena, "unscanned", "it is the number itself, and nothing was added to it");
    for (size_t block = LARGEST_BLOCK; block >= SMALLEST_BLOCK; block /= 2) {
        const JudgeCause cause = name_for_block(arena, expected, out, wrong, block);
        if (cause.name != NULL) return cause;
    }
    return name_mistake(expected, out);
}

/* What takes as long as the sums, and only a wrong answer needs. */
static bool prepare_wrong(JudgeCase *judged, Expected *expected) {
    expected->largest = ARENA_ARRAY(judged->arena, expected->n, int32_t);
    expected->every_other = ARENA_ARRAY(judged->arena, expected->n, int32_t);
    if (expected->largest == NULL || expected->every_other == NULL) return false;
    for (size_t i = 0; i < expected->n; i++) {
        int32_t before = INT32_MIN;
        if (i > 0) before = expected->largest[i - 1];
        if (expected->in[i] > before)
            expected->largest[i] = expected->in[i];
        else
            expected->largest[i] = before;
        expected->every_other[i] = expected->in[i] + (i > 1 ? expected->every_other[i - 2] : 0);
    }
    return true;
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    Expected *expected = judged->expected;
    const size_t n = (size_t)judged->spec->n;
    const int32_t *out = judge_answer_ints(judged, decision, "out", n);
    if (out == NULL) return;
    decision->passed = judge_compare_ints(judged, decision, "out", out, expected->out, n);
    if (decision->passed || decision->unwritten || decision->wrong_index < 0) return;
    if (!prepare_wrong(judged, expected)) return;
    judge_explain(decision, name_for(judged->arena, expected, out, (size_t)decision->wrong_index));
}

static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    enum { BLOCK = 256 };
    const Expected *expected = judged->expected;
    const size_t i = (size_t)wrong->wrong_index, start = i / BLOCK * BLOCK;
    const JudgeFormula formula = {
        .result = "out[o]", .term = "in[i]", .count = i + 1, .places = {{'o', i, 0}, {'i', 0, 1}}};
    judge_step_formula(judged, &formula, (double)expected->out[i], steps);
    if (start == 0) return;
    judge_step(steps,
               "in blocks of %d: %lld from the blocks before its own, and %lld from its own up to here",
               BLOCK, (long long)sum_before(expected, start),
               (long long)(expected->out[i] - sum_before(expected, start)));
}

const Judge judge_24_scan = {
    .lesson = "24-scan",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
