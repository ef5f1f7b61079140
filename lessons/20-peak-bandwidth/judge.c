/* judge.c - lesson 20: the sum of n numbers that begin anywhere in a larger array.
 *
 * `threads` of a case is where the numbers begin (`skip`). In the cases with NEIGHBOURS other numbers follow
 * them as well, so that a float4 too much is a wrong sum there, and elsewhere an access past the array's end.
 * Each neighbour outweighs all numbers together, so that a wrong sum says which of them are in it.
 */
#include "lessons/common/block_sums.h"

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

/* How many numbers lie before the first multiple of 16 bytes. */
static size_t head_of(size_t skip, size_t n) {
    const size_t wanted = (FOUR - skip % FOUR) % FOUR;
    if (wanted < n) return wanted;
    return n;
}

/* What comes out when the ends that do not fill a float4 are lost, or what lies beside them is added. */
static void suspect_ends(JudgeCase *judged, SumExpected *expected, const float *all, size_t skip, size_t n,
                         size_t after) {
    const size_t head = head_of(skip, n), rest = (n - head) % FOUR;
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

/* ---- what threads read by typical mistakes ---- */

enum { WARP = 32 };

/* The numbers as a right program takes them apart, and the grid that may have done so. Each of the first
 * threads has one number of either end. */
typedef struct Grid {
    const float *fours, *head, *rest;
    size_t count; /* of float4s */
    size_t head_count, rest_count;
    double ends;
    size_t threads, blocks;
} Grid;

/* Sums of float4s: of those that are read at one time, or by one part of the grid. */
typedef struct Reads {
    double round[FOUR]; /* by the first to the fourth load of each whole round of four */
    double left_first;  /* after these rounds: each thread's first */
    double left;        /* and all of them */
    double first;       /* each thread's first */
    double block_0;     /* by block 0 */
    double by_blocks;   /* by threads that go on by those of a block */
    double by_one;      /* by rounds of four that go on by one */
    double warp_0;      /* by warp 0 of each block */
    double thread_0;    /* by its thread 0 */
} Reads;

static double sum_of_four(const float *four) {
    return ((double)four[0] + (double)four[1]) + ((double)four[2] + (double)four[3]);
}

/* How often a thread reads float4 number `step` of its `steps`, where a round of four begins at each that has
 * three more behind it, and the loop for the rest begins at the first that has not. */
static double times_by_one(size_t step, size_t steps) {
    const size_t rounds = steps < FOUR ? 0 : steps - FOUR + 1;
    const size_t first = step < FOUR ? 0 : step - FOUR + 1, end = step + 1 < rounds ? step + 1 : rounds;
    size_t in_rounds = 0;
    if (end > first) in_rounds = end - first;
    return (double)(in_rounds + (step >= rounds));
}

/* Adds float4 number q to the sums of those that it is one of. */
static void read_four(const Grid *grid, size_t q, Reads *reads) {
    const size_t all = grid->threads * grid->blocks, thread = q % all, step = q / all;
    const size_t steps = (grid->count - thread + all - 1) / all, in_rounds = steps / FOUR * FOUR;
    const size_t blocks = q / grid->threads + 1, in_block = q % grid->threads;
    const double sum = sum_of_four(grid->fours + FOUR * q);
    if (step < in_rounds)
        reads->round[step % FOUR] += sum;
    else
        reads->left += sum;
    if (step == in_rounds) reads->left_first += sum;
    if (step == 0) reads->first += sum;
    if (thread < grid->threads) reads->block_0 += sum;
    if (in_block < WARP) reads->warp_0 += sum;
    if (in_block == 0) reads->thread_0 += sum;
    reads->by_blocks += (double)(blocks < grid->blocks ? blocks : grid->blocks) * sum;
    reads->by_one += times_by_one(step, steps) * sum;
}

/* One number of each float4 is left out, and perhaps another one is added twice. */
static void suspect_components(SumExpected *expected, const Grid *grid) {
    double component[FOUR] = {0};
    for (size_t i = 0; i < FOUR * grid->count; i++)
        component[i % FOUR] += (double)grid->fours[i];
    for (size_t lost = 0; lost < FOUR; lost++) {
        const double others = expected->want - component[lost];
        sums_suspect(expected, others,
                     (JudgeCause){"component-lost",
                                  "one number of each float4 is missing from it: .x, .y, .z "
                                  "and .w should all be added"});
        for (size_t twice = 0; twice < FOUR; twice++)
            sums_suspect(expected, others + component[twice],
                         (JudgeCause){"component-twice", "one number of each float4 is in it twice, and "
                                                         "another is missing: .x, .y, .z and .w should "
                                                         "each be added once"});
    }
}

/* The ends that lanes of a kind read: each a number, or the first of them all. */
static void suspect_with_ends(SumExpected *expected, const Grid *grid, SumTakes *takes, double fours,
                              JudgeCause cause) {
    double ends = 0.0;
    for (size_t i = 0; i < grid->head_count || i < grid->rest_count; i++) {
        if (!takes((SumPlace){.place = i})) continue;
        if (i < grid->head_count) ends += (double)grid->head[i];
        if (i < grid->rest_count) ends += (double)grid->rest[i];
    }
    sums_suspect(expected, fours + ends, cause);
    sums_suspect(expected, fours + grid->ends, cause);
}

static bool takes_lane_0(SumPlace at) {
    return at.place % WARP == 0;
}

static bool takes_low_lanes(SumPlace at) {
    return at.place % WARP < WARP / 2;
}

static const SumPlacesRow lane_rows[] = {
    {takes_lane_0,
     {"lane-0-alone",
      "only what lane 0 of each warp has read is in it: the shuffles' values are not added, or "
      "lane 0 stored its own before them"}},
    {sums_takes_even,
     {"last-step-lost", "what the odd lanes of each warp have read is missing from it: the last step of the "
                        "shuffles, with distance 1, is left out"}},
    {takes_low_lanes,
     {"first-step-lost", "what lanes 16 to 31 of each warp have read is missing from it: the first step of "
                         "the shuffles, with distance 16, is left out"}},
};

/* Blocks are whole warps, so that the lane of a float4 does not depend on the grid. */
static void suspect_lanes(SumExpected *expected, const Grid *grid) {
    for (size_t row = 0; row < sizeof lane_rows / sizeof *lane_rows; row++) {
        double fours = 0.0;
        for (size_t q = 0; q < grid->count; q++)
            if (lane_rows[row].takes((SumPlace){.place = q})) fours += sum_of_four(grid->fours + FOUR * q);
        suspect_with_ends(expected, grid, lane_rows[row].takes, fours, lane_rows[row].cause);
    }
}

/* Mistakes in the rounds of four, and in the loop for the rest. */
static void suspect_rounds(SumExpected *expected, const Grid *grid, const Reads *reads) {
    for (size_t lost = 0; lost < FOUR; lost++) {
        const double others = expected->want - reads->round[lost];
        sums_suspect(expected, others,
                     (JudgeCause){"load-lost", "of the four float4s that a thread reads in a round, one is "
                                               "missing from it"});
        for (size_t twice = 0; twice < FOUR; twice++)
            sums_suspect(expected, others + reads->round[twice],
                         (JudgeCause){"load-twice",
                                      "of the four float4s that a thread reads in a round, one is "
                                      "in it twice, and another is missing"});
    }
    sums_suspect(expected, expected->want - reads->left,
                 (JudgeCause){"rounds-alone",
                              "the float4s that are left after the rounds of four are missing "
                              "from it"});
    sums_suspect(expected, expected->want - reads->left + reads->left_first,
                 (JudgeCause){"one-left",
                              "after the rounds of four, only one more float4 of each thread is in "
                              "it. Up to three may be left: a loop must take them"});
    sums_suspect(expected, reads->by_one + grid->ends,
                 (JudgeCause){"rounds-overlap",
                              "each round of four begins one float4 after the round before, so "
                              "that most are in it several times: go on by four times the "
                              "threads of the grid"});
}

/* Mistakes in which blocks, and threads of them, there are. */
static void suspect_blocks(SumExpected *expected, const Grid *grid, const Reads *reads) {
    const double blocks = (double)grid->blocks;
    sums_suspect(expected, reads->by_blocks + grid->ends,
                 (JudgeCause){"stride-of-a-block",
                              "numbers are in it several times, as several blocks have read "
                              "them: a thread should go on by the threads of the whole "
                              "grid, gridDim.x * blockDim.x"});
    sums_suspect(expected, reads->first + grid->ends,
                 (JudgeCause){"first-alone",
                              "only the first float4 of each thread is in it: a loop must go on by "
                              "the threads of the grid"});
    sums_suspect(expected, reads->block_0 + grid->ends,
                 (JudgeCause){"block-0-alone",
                              "that is what block 0 has read: what the other blocks should read, "
                              "or add, is missing"});
    sums_suspect(expected, blocks * (reads->block_0 + grid->ends), sums_first_block_repeated);
    sums_suspect(expected, blocks * expected->want,
                 (JudgeCause){"every-block-all",
                              "each number is in it once for each block: every block reads all "
                              "of them. They should share them"});
    sums_suspect(expected, expected->want + (blocks - 1.0) * grid->ends,
                 (JudgeCause){"ends-repeated",
                              "the numbers that fill no float4, at either end, are in it once for "
                              "each block. The first threads of the grid should read them, and "
                              "not those of each block"});
    sums_suspect(expected, reads->warp_0 + grid->ends,
                 (JudgeCause){"warp-0-alone",
                              "only what warp 0 of each block has read is in it: the sums of the "
                              "other warps are missing"});
    suspect_with_ends(expected, grid, sums_takes_first_places, reads->thread_0,
                      (JudgeCause){"thread-0-alone",
                                   "only what thread 0 of each block has read is in it: the "
                                   "block's sum was never made, or not used"});
}

/* Each thread of a block adds the block's sum: so many times the right one, with that many roundings. */
static void suspect_every_thread(SumExpected *expected, size_t threads) {
    const double times = (double)threads, all = times * expected->want, got = (double)*expected->got;
    if (fabs(got - all) <= times * (double)FLT_EPSILON * fabs(all))
        sums_suspect(
            expected, got,
            (JudgeCause){"every-thread-adds",
                         "each thread of a block has added the block's sum to it: one of them should"});
}

/* The loop for the rest begins where it would without a head. */
static void suspect_early_rest(SumExpected *expected, const Grid *grid) {
    sums_suspect(expected, expected->want + judge_sum(grid->rest - grid->head_count, grid->head_count),
                 (JudgeCause){"rest-too-early",
                              "numbers before the rest are in it twice: the rest begins after "
                              "the head and the float4s, at head + 4 * fours"});
}

/* Of all grids that one would launch. */
static void suspect_reads(const JudgeCase *judged) {
    enum { FEWEST = 128, MOST = 1024, LEAST_EACH = 1, MOST_EACH = 64 };
    SumExpected *expected = (SumExpected *)judged->expected;
    const size_t n = (size_t)judged->spec->n;
    const float *in = expected->in + expected->first;
    Grid grid = {.head = in, .head_count = head_of(expected->first, n)};
    grid.fours = in + grid.head_count;
    grid.count = (n - grid.head_count) / FOUR;
    grid.rest = grid.fours + FOUR * grid.count;
    grid.rest_count = n - grid.head_count - FOUR * grid.count;
    grid.ends = judge_sum(grid.head, grid.head_count) + judge_sum(grid.rest, grid.rest_count);
    suspect_components(expected, &grid);
    suspect_lanes(expected, &grid);
    suspect_early_rest(expected, &grid);
    for (grid.threads = FEWEST; grid.threads <= MOST; grid.threads *= 2) {
        suspect_every_thread(expected, grid.threads);
        for (size_t each = LEAST_EACH; each <= MOST_EACH; each *= 2) {
            Reads reads = {0};
            grid.blocks = (n - 1) / (grid.threads * each) + 1;
            for (size_t q = 0; q < grid.count; q++)
                read_four(&grid, q, &reads);
            suspect_rounds(expected, &grid, &reads);
            suspect_blocks(expected, &grid, &reads);
        }
    }
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    sums_decide_with(judged, decision, suspect_reads);
}

static bool prepare(JudgeCase *judged) {
    const int extra = (int)judged->spec->extra;
    const size_t n = (size_t)judged->spec->n, skip = (size_t)judged->spec->threads;
    size_t after = 0;
    if ((extra & NEIGHBOURS) != 0) after = FOUR - 1;
    const SumFill fill = (SumFill)(extra & ~NEIGHBOURS);
    SumExpected *expected = ARENA_NEW(judged->arena, SumExpected);
    float *all = judge_input_floats(judged, "in", skip + n + after);
    if (expected == NULL || all == NULL || !judge_input_int(judged, "skip", (int32_t)skip) ||
        !judge_input_int(judged, "n", (int32_t)n))
        return false;
    expected->in = all;
    expected->first = skip;
    judged->expected = expected;
    for (size_t i = 0; i < skip + n + after; i++)
        all[i] = (float)(1048576 * (i % FOUR + 1));
    if (n == 0) return true;
    sums_fill(judged, all + skip, n, fill);
    expected->want = judge_sum(all + skip, n);
    if (fill == SUM_FRACTIONS) expected->tolerance = judge_sum_tolerance(all + skip, n);
    sums_suspect(expected, 0.0,
                 judge_cause(judged->arena, "zero",
                             "it is zero, as if no block had added its sum. Is it added by the thread that "
                             "has it?"));
    sums_suspect_before(judged, expected);
    suspect_ends(judged, expected, all, skip, n, after);
    return true;
}

const Judge judge_20_peak_bandwidth = {
    .lesson = "20-peak-bandwidth",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = sums_work_numbers,
};
