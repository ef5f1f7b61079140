/* test_causes.c - what a judge says a wrong answer comes from. Each row of causes.def is a mistake in one
 * lesson: its answers to all cases are made here, as a program with that mistake would make them, and of
 * these the judge must tell the row's cause, and no other. A right answer must pass, which shows that it is
 * the mistake alone that is told.
 */
#include "autograder/check/cases.h"
#include "autograder/verdict/suspects.h"
#include "base/marks.h"
#include "base/poison.h"
#include "lessons/judges.h"
#include "tests/autograder/temporary.h"

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { SEED = 1, MOST_CASES = 32, LARGEST = 2100, LARGEST_OF_READS = 12000 };

typedef enum Partner { AT_DISTANCE, NEIGHBOUR, NEIGHBOUR_OF_MULTIPLES, PREVIOUS } Partner;
typedef enum Fold { ADDED, LARGER, ONE_PARTNER, ITSELF, LESS, HALF_OF_IT } Fold;
typedef enum RowsOfC { OF_N, OF_K, OF_M, ONE_MORE } RowsOfC;
typedef enum Rest { ALL_OF_IT, NO_REST, ONE_OF_IT } Rest;
typedef enum ScanWay {
    INCLUSIVE,
    FROM_ITS_OWN,
    FROM_ITS_OWN_OF_ALL,
    EXCLUSIVE_BY_BLOCKS,
    LARGEST_SO_FAR,
    LARGEST_OR_0,
    LARGER_OF_TWO,
    EVERY_OTHER,
    EVERY_THIRD,
    HALF_A_BLOCK,
    WITHOUT_FIRST,
    BLOCK_0_ADDED,
    ALL_BLOCKS_ADDED,
    FIRSTS_ADDED,
    LASTS_ADDED,
    SMALLEST
} ScanWay;

typedef bool Takes(size_t place, size_t count);

/* What a program does wrongly; all 0: nothing. */
typedef struct Mistake {
    Partner partner;
    size_t passes, stored;
    bool upwards, doubled;
    int first_power;
    bool late_power, no_powers, replaces;
    Fold fold;
    size_t component_lost, component_twice, load_lost, load_twice, block, times;
    Rest rest;
    bool by_one, by_block, first_alone, block_0, no_block, ends_of_blocks, early_rest;
    Takes *takes, *sums;
    size_t tile, of_a, of_b, begin, less;
    RowsOfC c_rows;
    size_t share;
    bool x_in_order, first_row, short_rows;
    bool moved, a_by_y, b_by_x, a_first, b_first, added, turned;
    ScanWay way;
    float offset;
    bool all_lanes, all_warps, half_of_warps, further;
    size_t period, taken;
    size_t a_width, a_length;
    bool first_of_a, first_of_b;
    int other;
    int neighbour;
} Mistake;

/* One call of the student's function: a case has one or two. */
typedef struct Call {
    Arena *arena;
    const JudgeFiles *files;
    const char *prefix; /* of the call's inputs, and its answers' folder */
    const char *folder;
} Call;

static const NpyArray *input(const Call *call, const char *name) {
    const char *full = arena_format(call->arena, "%s%s", call->prefix, name);
    for (const CaseInput *one = call->files->first; one != NULL; one = one->next)
        if (strcmp(one->name, full) == 0) return &one->array;
    fail_msg("no input %s", full);
    return NULL;
}

static const float *floats(const Call *call, const char *name) {
    return input(call, name)->data;
}

static size_t number(const Call *call, const char *name) {
    return (size_t) * (const int32_t *)input(call, name)->data;
}

/* An answer of that many elements; written by answer_write. */
static NpyArray *answer(const Call *call, NpyType type, size_t count) {
    NpyArray *array = ARENA_NEW(call->arena, NpyArray);
    assert_true(npy_make(array, call->arena, type, count));
    return array;
}

/* As npy_write does, which waits for the disk each time. */
static void answer_write(const Call *call, const char *name, const NpyArray *array) {
    char header[128];
    const char *type = array->type == NPY_I32 ? "i4" : "f4";
    const int length =
        snprintf(header, sizeof header,
                 "\x93NUMPY\x01%c%c%c{'descr': '<%s', 'fortran_order': False, 'shape': (%zu,), }", 0,
                 (int)sizeof header - 10, 0, type, array->count);
    memset(header + length, ' ', sizeof header - (size_t)length);
    header[sizeof header - 1] = '\n';
    FILE *file = fopen(arena_format(call->arena, "%s/%s%s.npy", call->folder, call->prefix, name), "wb");
    assert_non_null(file);
    fwrite(header, 1, sizeof header, file);
    if (array->count > 0) fwrite(array->data, npy_type_bytes(array->type), array->count, file);
    assert_int_equal(fclose(file), 0);
}

static void answer_sum(const Call *call, double sum) {
    NpyArray *array = answer(call, NPY_F32, 1);
    *(float *)array->data = (float)sum;
    answer_write(call, "sum", array);
}

/* ---- lessons 07, 08 and 10: the tree of a block ---- */

static void pass(float *temp, size_t count, size_t d, Partner partner) {
    float before[1024];
    memcpy(before, temp, count * sizeof *temp);
    for (size_t i = 0; i < count; i++) {
        const bool in_pass = partner == NEIGHBOUR_OF_MULTIPLES ? i % (2 * (count / 2 / d)) == 0 : i < d;
        if (!in_pass) continue;
        if (partner == AT_DISTANCE) temp[i] += before[i + d];
        if (partner == NEIGHBOUR || partner == NEIGHBOUR_OF_MULTIPLES) temp[i] += before[i + 1];
        if (partner == PREVIOUS) temp[i] += before[i + d - 1];
    }
}

static void tree(const Call *call, const Mistake *mistake) {
    const NpyArray *in = input(call, "in");
    float temp[1024];
    size_t passes = 0;
    memcpy(temp, in->data, in->count * sizeof *temp);
    for (size_t d = in->count / 2; d > 0 && (mistake->passes == 0 || passes < mistake->passes);
         d /= 2, passes++)
        pass(temp, in->count, mistake->upwards ? in->count / 2 / d : d, mistake->partner);
    answer_sum(call,
               (double)temp[mistake->stored % in->count] * (mistake->doubled && in->count > 2 ? 7.0 : 1.0));
}

static double folded(const float *in, size_t i, size_t power, Fold how) {
    const double own = (double)in[i], partner = (double)in[i + power];
    switch (how) {
    case ADDED:
        return own + partner;
    case LARGER:
        return fmax(own, partner);
    case ONE_PARTNER:
        return own + (double)in[power];
    case ITSELF:
        return own + own;
    case LESS:
        return own - partner;
    case HALF_OF_IT:
        return own + partner / 2.0;
    }
    return 0.0;
}

static void fold(const Call *call, const Mistake *mistake) {
    const NpyArray *in = input(call, "in");
    size_t power = 1;
    double sum = 0.0;
    while (power <= in->count / 2)
        power *= 2;
    for (size_t i = 0; i < power; i++) {
        const float *numbers = in->data;
        sum += i + power < in->count ? folded(numbers, i, power, mistake->fold) : (double)numbers[i];
    }
    answer_sum(call, sum);
}

/* ---- lesson 09: the curve ---- */

static double curve_at(const float *c, size_t terms, double x, const Mistake *mistake) {
    double y = 0.0, power = pow(x, mistake->first_power);
    for (size_t k = 0; k < terms; k++) {
        if (mistake->no_powers) power = k == 0 ? 1.0 : x;
        y = (double)c[k] * power + (mistake->replaces ? 0.0 : y);
        if (!mistake->late_power || k > 0) power *= x;
    }
    return mistake->doubled ? y + (double)c[terms - 1] * power : y;
}

static void curve(const Call *call, const Mistake *mistake) {
    const NpyArray *x = input(call, "x");
    const size_t terms = number(call, "terms"), sensors = number(call, "sensors");
    NpyArray *y = answer(call, NPY_F32, x->count);
    for (size_t i = 0; i < x->count; i++)
        ((float *)y->data)[i] =
            (float)(curve_at(floats(call, "c"), terms, (double)((const float *)x->data)[i], mistake) +
                    (double)floats(call, "offset")[i % sensors]);
    answer_write(call, "y", y);
}

/* ---- lesson 20: what threads read ---- */

static bool takes_warp_0(size_t thread, size_t count) {
    (void)count;
    return thread < 32;
}

static bool takes_thread_0(size_t thread, size_t count) {
    (void)count;
    return thread == 0;
}

static bool takes_lane_0(size_t thread, size_t count) {
    (void)count;
    return thread % 32 == 0;
}

static bool takes_even(size_t thread, size_t count) {
    (void)count;
    return thread % 2 == 0;
}

static bool takes_odd(size_t thread, size_t count) {
    (void)count;
    return thread % 2 == 1;
}

static bool takes_low_lanes(size_t thread, size_t count) {
    (void)count;
    return thread % 32 < 16;
}

static double four(const float *numbers, const Mistake *mistake) {
    double sum = 0.0;
    for (size_t i = 0; i < 4; i++) {
        if (i + 1 != mistake->component_lost) sum += (double)numbers[i];
        if (i + 1 == mistake->component_twice) sum += (double)numbers[i];
    }
    return sum;
}

/* A thread's float4s, `stride` apart, of which a round has four. */
static double read_fours(const float *fours, size_t count, size_t i, size_t stride, const Mistake *mistake) {
    double own = 0.0;
    if (mistake->first_alone) return i < count ? four(fours + 4 * i, mistake) : 0.0;
    for (; i + 3 * stride < count; i += mistake->by_one ? stride : 4 * stride)
        for (size_t load = 0; load < 4; load++) {
            const double sum = four(fours + 4 * (i + load * stride), mistake);
            if (load + 1 != mistake->load_lost) own += sum;
            if (load + 1 == mistake->load_twice) own += sum;
        }
    for (; i < count && mistake->rest != NO_REST; i += stride) {
        own += four(fours + 4 * i, mistake);
        if (mistake->rest == ONE_OF_IT) break;
    }
    return own;
}

static void reads(const Call *call, const Mistake *mistake) {
    const size_t n = number(call, "n"), skip = number(call, "skip");
    const float *in = floats(call, "in") + skip;
    const size_t wanted = (4 - skip % 4) % 4, head = wanted < n ? wanted : n, count = (n - head) / 4;
    const size_t rest = mistake->early_rest ? 4 * count : head + 4 * count;
    const size_t threads = mistake->block > 0 ? mistake->block : 256,
                 blocks = n > 0 ? (n - 1) / (threads * 16) + 1 : 0;
    double all = 0.0;
    for (size_t block = 0; block < (mistake->block_0 && blocks > 0 ? 1 : blocks); block++)
        for (size_t tid = 0; tid < threads; tid++) {
            const size_t thread = mistake->no_block ? tid : block * threads + tid;
            const size_t of_ends = mistake->ends_of_blocks ? tid : thread;
            double own = 0.0;
            if (of_ends < head) own += (double)in[of_ends];
            if (of_ends < n - rest) own += (double)in[rest + of_ends];
            own +=
                read_fours(in + head, count, thread, mistake->by_block ? threads : threads * blocks, mistake);
            if (mistake->takes == NULL || mistake->takes(tid, threads)) all += own;
        }
    answer_sum(call, mistake->times > 0 ? all * (double)mistake->times : all);
}

/* ---- lesson 22: tiles that are not turned ---- */

static void moved(const Call *call, const Mistake *mistake) {
    const float *in = floats(call, "in");
    const size_t rows = number(call, "rows"), cols = number(call, "cols"), tile = mistake->tile;
    NpyArray *out = answer(call, NPY_F32, rows * cols);
    for (size_t i = 0; i < rows * cols; i++) {
        size_t row = i / rows, col = i % rows;
        if (mistake->moved && tile > 0) {
            row = i / rows / tile * tile + i % rows % tile;
            col = i % rows / tile * tile + i / rows % tile;
        }
        if (row >= cols || col >= rows) row = i / rows, col = i % rows;
        ((float *)out->data)[i] = mistake->moved && tile == 0 ? in[i] : in[col * cols + row];
    }
    answer_write(call, "out", out);
}

/* ---- lesson 23: the product ---- */

static double at(const float *matrix, size_t rows, size_t columns, size_t row, size_t column) {
    return row < rows && column < columns ? (double)matrix[row * columns + column] : 0.0;
}

typedef struct Factors {
    const float *a, *b;
    size_t m, n, k;
} Factors;

static double product_at(const Factors *factors, size_t row, size_t column, const Mistake *mistake) {
    enum { TILE = 16 };
    double sum = 0.0;
    for (size_t start = 0; start < factors->k; start += TILE)
        for (size_t i = mistake->begin; i + mistake->less < TILE; i++) {
            const size_t of_a =
                (mistake->a_first ? 0 : start) + (mistake->a_by_y ? row % TILE : i) + mistake->of_a;
            const size_t of_b =
                (mistake->b_first ? 0 : start) + (mistake->b_by_x ? column % TILE : i) + mistake->of_b;
            const double a = at(factors->a, factors->m, factors->k, row, of_a);
            const double b = at(factors->b, factors->k, factors->n, of_b, column);
            sum += mistake->added ? a + b : a * b;
        }
    return sum;
}

static void product(const Call *call, const Mistake *mistake) {
    enum { TILE = 16 };
    const size_t m = number(call, "m"), n = number(call, "n");
    const Factors factors = {floats(call, "a"), floats(call, "b"), m, n, number(call, "k")};
    NpyArray *c = answer(call, NPY_F32, m * n);
    const size_t lengths[] = {[OF_N] = n, [OF_K] = factors.k, [OF_M] = m, [ONE_MORE] = n + 1};
    for (size_t i = 0; i < m * n; i++)
        ((uint32_t *)c->data)[i] = POISON_DEVICE_FLOAT;
    for (size_t i = 0; i < m * n; i++) {
        size_t row = i / n, column = i % n;
        const size_t down = row / TILE * TILE + column % TILE, right = column / TILE * TILE + row % TILE;
        const bool turned = mistake->turned && down < m && right < n;
        const size_t place = i / n * lengths[mistake->c_rows] + i % n;
        if (place >= m * n) continue;
        ((float *)c->data)[place] =
            (float)product_at(&factors, turned ? down : row, turned ? right : column, mistake);
    }
    answer_write(call, "c", c);
}

/* ---- lesson 24: the scan, by blocks ---- */

typedef struct Numbers {
    const int32_t *in;
    const int64_t *sums; /* sums[i] is that of the first i */
    size_t count;
} Numbers;

/* The sum of every `step`th number down from `last`, as far as `first`. */
static int64_t sum_down(Numbers numbers, size_t first, size_t last, size_t step) {
    int64_t sum = 0;
    for (size_t i = last + 1; i > first; i -= i - first > step ? step : i - first)
        sum += numbers.in[i - 1];
    return sum;
}

static int64_t sum_up_to(Numbers numbers, size_t first, size_t end) {
    if (end > numbers.count) end = numbers.count;
    return numbers.sums[end] - numbers.sums[first];
}

static int64_t extreme(Numbers numbers, size_t first, size_t last, int64_t sign) {
    int64_t most = sign * numbers.in[first];
    for (size_t i = first; i <= last; i++)
        if (sign * numbers.in[i] > most) most = sign * numbers.in[i];
    return sign * most;
}

enum { BLOCK = 256 };

/* One number of each block before the one that begins at `start`. */
static int64_t sum_of_each(Numbers numbers, size_t start, size_t place) {
    int64_t sum = 0;
    for (size_t first = 0; first < start; first += BLOCK)
        sum += numbers.in[first + place];
    return sum;
}

static int64_t scan_at(Numbers numbers, size_t i, ScanWay way) {
    const size_t start = i / BLOCK * BLOCK, half = i + 1 > start + BLOCK / 2 ? i + 1 - BLOCK / 2 : start;
    const int64_t before = sum_up_to(numbers, 0, start), own = sum_up_to(numbers, start, i + 1);
    const int64_t most = extreme(numbers, start, i, 1);
    switch (way) {
    case INCLUSIVE:
        return before + own;
    case FROM_ITS_OWN:
        return before + sum_up_to(numbers, i, start + BLOCK);
    case FROM_ITS_OWN_OF_ALL:
        return sum_up_to(numbers, i, numbers.count);
    case EXCLUSIVE_BY_BLOCKS:
        return sum_up_to(numbers, start, i) + sum_up_to(numbers, 0, start > 0 ? start - BLOCK : 0);
    case LARGEST_SO_FAR:
        return most;
    case LARGEST_OR_0:
        return before + (most > 0 ? most : 0);
    case LARGER_OF_TWO:
        return start > 0 && before > own ? before : own;
    case EVERY_OTHER:
        return before + sum_down(numbers, start, i, 2);
    case EVERY_THIRD:
        return before + sum_down(numbers, start, i, 3);
    case HALF_A_BLOCK:
        return before + sum_up_to(numbers, half, i + 1);
    case WITHOUT_FIRST:
        return before + own - (i > start ? numbers.in[start] : 0);
    case BLOCK_0_ADDED:
        return own + (start > 0 ? sum_up_to(numbers, 0, BLOCK) : 0);
    case ALL_BLOCKS_ADDED:
        return own + (start > 0 ? sum_up_to(numbers, 0, numbers.count) : 0);
    case FIRSTS_ADDED:
        return own + sum_of_each(numbers, start, 0);
    case LASTS_ADDED:
        return own + sum_of_each(numbers, start, BLOCK - 1);
    case SMALLEST:
        return extreme(numbers, start, i, -1);
    }
    return 0;
}

static void scan(const Call *call, const Mistake *mistake) {
    const NpyArray *in = input(call, "in");
    NpyArray *out = answer(call, NPY_I32, in->count);
    int64_t *sums = ARENA_ARRAY(call->arena, in->count + 1, int64_t);
    const Numbers numbers = {in->data, sums, in->count};
    for (size_t i = 0; i < in->count; i++)
        sums[i + 1] = sums[i] + numbers.in[i];
    for (size_t i = 0; i < in->count; i++)
        ((int32_t *)out->data)[i] = (int32_t)scan_at(numbers, i, mistake->way);
    answer_write(call, "out", out);
}

/* ---- lesson 19: warps, by shuffles down ---- */

static double shuffled(const float *in, size_t count, size_t warps, const Mistake *mistake) {
    double lanes[32] = {0.0}, sum = 0.0;
    for (size_t i = 0; i < count; i++)
        if (!mistake->half_of_warps || i / 32 < warps / 2) lanes[i / 32] += (double)in[i];
    for (size_t apart = 16; apart > 0; apart /= 2)
        for (size_t lane = 0; lane < 32; lane++)
            lanes[lane] += lanes[lane + apart < 32 ? lane + apart : lane];
    for (size_t lane = 0; lane < (mistake->all_lanes ? 32 : 1); lane++)
        sum += lanes[lane];
    return mistake->all_warps ? sum * (double)warps : sum;
}

static void shuffles(const Call *call, const Mistake *mistake) {
    const size_t n = input(call, "in")->count, warps = (number(call, "threads") + 31) / 32;
    double sum = 0.0;
    for (size_t first = 0; first < n; first += warps * 32)
        sum += shuffled(floats(call, "in") + first, n - first < warps * 32 ? n - first : warps * 32, warps,
                        mistake);
    answer_sum(call, sum);
}

/* ---- lesson 21: another cell in place of a neighbour ---- */

static void stencil(const Call *call, const Mistake *mistake) {
    const NpyArray *in = input(call, "in");
    const long nx = (long)number(call, "nx"), ny = (long)number(call, "ny"), nz = (long)number(call, "nz");
    const long steps[] = {-1, 1, -nx, nx, -nx * ny, nx * ny};
    const float *cells = in->data;
    NpyArray *out = answer(call, NPY_F32, in->count);
    for (long i = 0; i < (long)in->count; i++) {
        const long x = i % nx, y = i / nx % ny, z = i / nx / ny;
        float *cell = (float *)out->data + i, sum = cells[i];
        *cell = cells[i];
        if (x == 0 || x + 1 == nx || y == 0 || y + 1 == ny || z == 0 || z + 1 == nz) continue;
        for (int k = 0; k < 6; k++)
            if (k + 1 != mistake->neighbour) sum += cells[i + steps[k]];
        if (mistake->neighbour > 0 && mistake->other != 0) sum += cells[i + steps[mistake->other - 1]];
        *cell = sum / 7.0F;
    }
    answer_write(call, "out", out);
}

/* ---- lesson 27: the sums of groups ---- */

static void group_sums(const Call *call, const Mistake *mistake) {
    const size_t n = input(call, "values")->count, count = number(call, "count");
    const int32_t *groups = input(call, "groups")->data;
    NpyArray *sums = answer(call, NPY_F32, count);
    for (size_t group = 0; group < count; group++) {
        const size_t turns = mistake->further && group < 8 ? group + 1 : mistake->further ? 8 : 1;
        double sum = 0.0;
        for (size_t i = 0; i + mistake->less < n; i++)
            if ((size_t)groups[i] == group && (mistake->period == 0 || i % mistake->period < mistake->taken))
                sum += (double)floats(call, "values")[i];
        ((float *)sums->data)[group] =
            (float)(sum * (double)turns * (double)(mistake->times > 0 ? mistake->times : 1));
    }
    answer_write(call, "sums", sums);
}

/* ---- lesson 32: pieces of C in a tile ---- */

/* Of the halves with these bits, none of them infinite or too small for its leading bit. */
static const float *halves(const Call *call, const char *name) {
    const NpyArray *bytes = input(call, name);
    float *numbers = ARENA_ARRAY(call->arena, bytes->count / 2 + 1, float);
    for (size_t i = 0; i < bytes->count / 2; i++) {
        uint16_t bits;
        memcpy(&bits, (const uint8_t *)bytes->data + 2 * i, sizeof bits);
        const double size = ldexp(1024 + bits % 1024, bits / 1024 % 32 - 25);
        numbers[i] = (float)(bits >= 0x8000 ? -size : size);
    }
    return numbers;
}

/* An element of a warp's piece, whose A is loaded from a tile with rows of a_width numbers as if they had
 * a_length, and which begins with all other warps' at the upper or left piece. */
static double piece_element(const Factors *factors, size_t top, size_t left, const Mistake *mistake) {
    const size_t width = mistake->a_width;
    size_t row = top, column = left;
    if (mistake->first_of_a) row = top / 32 * 32 + top % 16;
    if (mistake->first_of_b) column = left / 32 * 32 + left % 16;
    if (width == 0) return product_at(factors, row, column, mistake);
    double sum = 0.0;
    for (size_t k = 0; k < factors->k; k++) {
        const size_t in_tile = row % 32 / 16 * 16 * width + row % 16 * mistake->a_length + k % width;
        sum += at(factors->a, factors->m, factors->k, row / 32 * 32 + in_tile / width,
                  k / width * width + in_tile % width) *
               at(factors->b, factors->k, factors->n, k, column);
    }
    return sum;
}

/* A block's tile, 32 rows of 32, in which four warps store pieces of 16 rows of 16, one after the other. */
static void store_pieces(const Factors *factors, size_t top, size_t left, float *tile,
                         const Mistake *mistake) {
    for (size_t piece = 0; piece < 4; piece++)
        for (size_t i = 0; i < 256; i++) {
            const size_t row = piece / 2 * 16, column = piece % 2 * 16,
                         length = mistake->short_rows ? 16 : 32;
            tile[row * 32 + column + i / 16 * length + i % 16] =
                (float)piece_element(factors, top + row + i / 16, left + column + i % 16, mistake);
        }
}

static void pieces(const Call *call, const Mistake *mistake) {
    const size_t m = number(call, "m"), n = number(call, "n");
    const Factors factors = {halves(call, "a"), halves(call, "b"), m, n, number(call, "k")};
    NpyArray *c = answer(call, NPY_F32, m * n);
    for (size_t top = 0; top < m; top += 32)
        for (size_t left = 0; left < n; left += 32) {
            float tile[1024];
            for (size_t i = 0; i < 1024; i++)
                tile[i] = nanf(""); /* what nobody has stored */
            store_pieces(&factors, top, left, tile, mistake);
            for (size_t i = 0; i < 1024; i++)
                if (top + i / 32 < m && left + i % 32 < n)
                    ((float *)c->data)[(top + i / 32) * n + left + i % 32] = tile[i];
        }
    answer_write(call, "c", c);
}

/* ---- lesson 33: the numbers of a row, which lanes take in turns ---- */

/* How many of the row's numbers come before this one for the warp that has it, which may have a share of all
 * places. */
static size_t sparse_turn(const Mistake *mistake, size_t row, size_t k, size_t at_number) {
    const size_t in_share = mistake->share > 0 ? (at_number + row + 1) % mistake->share : k;
    return k < in_share ? k : in_share;
}

static void sparse(const Call *call, const Mistake *mistake) {
    const size_t rows = number(call, "rows");
    const int32_t *starts = input(call, "row_starts")->data, *columns = input(call, "columns")->data;
    const float *values = floats(call, "values"), *x = floats(call, "x");
    NpyArray *y = answer(call, NPY_F32, rows);
    for (size_t i = 0; i < rows; i++) {
        const size_t row = mistake->first_row ? 0 : i, count = (size_t)(starts[row + 1] - starts[row]);
        double sum = 0.0;
        for (size_t k = mistake->begin; k < count; k++) {
            const size_t at_number = (size_t)starts[row] + k, turn = sparse_turn(mistake, row, k, at_number);
            const size_t column = mistake->x_in_order ? k : (size_t)columns[at_number];
            if (mistake->takes == NULL || mistake->takes(turn, count))
                sum += (double)values[at_number] * (double)x[column];
        }
        ((float *)y->data)[i] = (float)sum;
    }
    answer_write(call, "y", y);
}

/* ---- lesson 34: the columns that a row's sum is of ---- */

static bool sums_first_half(size_t column, size_t cols) {
    return column < cols / 2;
}

static bool sums_low_lanes(size_t column, size_t cols) {
    return takes_low_lanes(column, cols);
}

static bool sums_even(size_t column, size_t cols) {
    return takes_even(column, cols);
}

static bool sums_first_warp(size_t column, size_t cols) {
    (void)cols;
    return column % 256 < 32;
}

static bool sums_but_last(size_t column, size_t cols) {
    return column + 1 < cols;
}

static bool sums_but_first(size_t column, size_t cols) {
    (void)cols;
    return column > 0;
}

static bool sums_every_third(size_t column, size_t cols) {
    (void)cols;
    return column % 3 == 0;
}

static void softmax_row(const float *x, float *y, size_t cols, const Mistake *mistake) {
    double max = -INFINITY, sum = 0.0;
    for (size_t i = 0; i < cols; i++)
        max = fmax(max, (double)x[i]);
    for (size_t i = 0; i < cols; i++)
        if (mistake->sums == NULL || mistake->sums(i, cols)) sum += exp((double)x[i] - max);
    for (size_t i = 0; i < cols; i++)
        y[i] = (float)(exp((double)x[i] - max) / sum) + mistake->offset;
}

static void softmax(const Call *call, const Mistake *mistake) {
    const NpyArray *x = input(call, "x");
    const size_t rows = number(call, "rows"), cols = number(call, "cols");
    NpyArray *y = answer(call, NPY_F32, x->count);
    for (size_t row = 0; row < rows; row++)
        softmax_row((const float *)x->data + row * cols, (float *)y->data + row * cols, cols, mistake);
    answer_write(call, "y", y);
}

/* ---- what is told ---- */

typedef void Answers(const Call *call, const Mistake *mistake);

typedef struct Row {
    const char *lesson, *cause;
    Answers *answers;
    Mistake mistake;
} Row;

static const Row rows[] = {
#define TOLD(lesson, cause, answers, ...) {lesson, cause, answers, {__VA_ARGS__}},
#include "tests/autograder/causes.def"
#undef TOLD
};

/* The answers of all, one after the other: each replaces those of the same name. */
static Temporary temporary;

static int temporary_open(void **state) {
    (void)state;
    temporary_make(&temporary);
    temporary_folder(&temporary, CASE_FIRST_CALL);
    return 0;
}

static int temporary_close(void **state) {
    (void)state;
    temporary_remove(&temporary);
    return 0;
}

static JudgeDecision decide(JudgeCase *judged, const Judge *judge, const Row *row) {
    const Call call = {judged->arena, judged->files, "", temporary.folder};
    const Call first = {judged->arena, judged->files, CASE_FIRST_CALL "/", temporary.folder};
    if (judged->before != NULL) row->answers(&first, &row->mistake);
    row->answers(&call, &row->mistake);
    const int answers = open(temporary.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const JudgeDecision decision = cases_decide(judged, judge, answers);
    close(answers);
    return decision;
}

/* The decisions of all cases that are not too large, which take long; how many there are. A grid of lesson 20
 * has rounds of four from 10,000 numbers on. */
static unsigned decide_all(Arena *arena, const Row *row, JudgeDecision *decisions, long *sizes) {
    const Judge *judge = judges_find(lessons_judges, row->lesson);
    const long largest = row->answers == reads ? LARGEST_OF_READS : LARGEST;
    unsigned count = 0;
    assert_non_null(judge);
    assert_true(judge->case_count <= MOST_CASES);
    for (unsigned i = 0; i < judge->case_count; i++) {
        JudgeCase *judged = ARENA_NEW(arena, JudgeCase);
        if (judge->cases[i].n > largest) continue;
        assert_true(cases_prepare(judged, judge, i, SEED, arena));
        decisions[count] = decide(judged, judge, row);
        sizes[count++] = judge->cases[i].n;
    }
    return count;
}

static void check_row(const Row *row) {
    JudgeDecision decisions[MOST_CASES];
    long sizes[MOST_CASES];
    Arena *arena = arena_create();
    const unsigned count = decide_all(arena, row, decisions, sizes);
    unsigned wrong = 0, told = 0;
    Suspects suspects = {0};
    WrongAnswer *list = NULL;
    for (unsigned i = 0; i < count; i++) {
        wrong += !decisions[i].passed;
        suspects_add(&suspects, &decisions[i]);
        suspects_note(arena, &list, &decisions[i], sizes[i]);
    }
    const Check check = {.suspect = suspects_left(&suspects)};
    assert_true(wrong > 0);
    for (unsigned i = 0; i < count; i++) {
        suspects_doubt(list, sizes[i], &decisions[i]);
        suspects_tell(&check, &decisions[i]);
        if (row->mistake.partner == NEIGHBOUR && !decisions[i].passed) assert_true(decisions[i].leads);
        const char *cause = decisions[i].cause;
        if (cause == NULL) continue;
        told++;
        if (row->cause == NULL || strcmp(cause, row->cause) != 0)
            fail_msg("row %zu, %s: told %s, not %s", (size_t)(row - rows), row->lesson, cause,
                     row->cause == NULL ? "nothing" : row->cause);
    }
    if (row->cause != NULL && told == 0)
        fail_msg("row %zu, %s: %s is not told", (size_t)(row - rows), row->lesson, row->cause);
    arena_destroy(arena);
}

static void test_each_mistake_is_told_by_its_name_alone(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(&rows[i]);
}

static void check_right(const Row *row) {
    JudgeDecision decisions[MOST_CASES];
    long sizes[MOST_CASES];
    Arena *arena = arena_create();
    const Row right = {.lesson = row->lesson, .answers = row->answers};
    const unsigned count = decide_all(arena, &right, decisions, sizes);
    for (unsigned i = 0; i < count; i++)
        if (!decisions[i].passed)
            fail_msg("%s, a case of %ld: %s", row->lesson, sizes[i], decisions[i].message);
    arena_destroy(arena);
}

/* The same functions without a mistake. */
static void test_without_a_mistake_all_is_right(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (i == 0 || rows[i].answers != rows[i - 1].answers) check_right(&rows[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_a_mistake_all_is_right),
        cmocka_unit_test(test_each_mistake_is_told_by_its_name_alone),
    };
    return cmocka_run_group_tests(tests, temporary_open, temporary_close);
}
