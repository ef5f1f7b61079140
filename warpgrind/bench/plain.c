/* plain.c - see plain.h: what a C programmer writes in place of each kernel of kernels.cu, patterns.cu and
 * product.cu, with the same algorithm, the same order of memory and -O3.
 *
 * Blocks and threads have become loops, and a barrier ends one. A sort is the same network of comparisons, a
 * call is a call. A product is three loops; by tiles, which help a C compiler too, it is a row of its own.
 */
#include "bench/plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* SIDE: of the matrix that is transposed. SUMS and ELEMENTS: of tree_sum and arithmetic, as their grids say.
 */
enum { WORDS = SHAPE_BYTES / 4, TILE = 16, SIDE = 2048, SUMS = 4096, ELEMENTS = 1 << 16 };
/* ---- patterns.cu ---- */

static void plain_floats(void *to, const void *from) {
    float *out = to;
    const float *in = from;
    for (size_t i = 0; i < WORDS; i++)
        out[i] = in[i] + 1.0f;
}

static void plain_vectors(void *to, const void *from) {
    float *out = to;
    const float *in = from;
    for (size_t i = 0; i < WORDS; i += 4) {
        float x = in[i], y = in[i + 1], z = in[i + 2], w = in[i + 3];
        out[i] = w, out[i + 1] = z, out[i + 2] = y, out[i + 3] = x;
    }
}

static void plain_doubles(void *to, const void *from) {
    double *out = to;
    const double *in = from;
    for (size_t i = 0; i < WORDS / 2; i++)
        out[i] = in[i] + 1.0;
}

static void plain_bytes(void *to, const void *from) {
    uint8_t *out = to;
    const uint8_t *in = from;
    for (size_t i = 0; i < SHAPE_BYTES; i++)
        out[i] = (uint8_t)(in[i] + 1);
}

static void plain_strided(void *to, const void *from) {
    uint32_t *out = to;
    const uint32_t *in = from;
    size_t rows = WORDS / 1024;
    for (size_t column = 0; column < 1024; column++)
        for (size_t row = 0; row < rows; row++)
            out[row * 1024 + column] = in[row * 1024 + column] + 1;
}

static void plain_scattered_floats(void *to, const void *from) {
    float *out = to;
    const float *in = from;
    for (size_t i = 0; i < WORDS; i++) {
        size_t k = i * 40503 % (WORDS);
        out[k] = in[k] + 1.0f;
    }
}

static void plain_scattered_bytes(void *to, const void *from) {
    uint8_t *out = to;
    const uint8_t *in = from;
    for (size_t i = 0; i < SHAPE_BYTES; i++)
        out[i * 40503 % SHAPE_BYTES] = (uint8_t)(in[i * 10007 % SHAPE_BYTES] + 1);
}

static void plain_histogram(void *to, const void *from) {
    uint32_t *out = to;
    const uint32_t *in = from;
    for (size_t i = 0; i < WORDS; i++)
        out[in[i] % (WORDS)]++;
}

static void plain_shared_histogram(void *to, const void *from) {
    uint32_t *out = to;
    const uint32_t *in = from;
    uint32_t counts[PLAIN_BLOCK] = {0};
    for (size_t i = 0; i < WORDS; i++)
        counts[in[i] % PLAIN_BLOCK]++;
    for (size_t t = 0; t < PLAIN_BLOCK; t++)
        out[t] += counts[t];
}

static void transpose_tile(float *out, const float *in, size_t row, size_t column) {
    float tile[TILE][TILE + 1];
    for (size_t y = 0; y < TILE; y++)
        for (size_t x = 0; x < TILE; x++)
            tile[y][x] = in[(row + y) * SIDE + column + x];
    for (size_t y = 0; y < TILE; y++)
        for (size_t x = 0; x < TILE; x++)
            out[(column + y) * SIDE + row + x] = tile[x][y];
}

static void plain_transpose(void *to, const void *from) {
    float *out = to;
    const float *in = from;
    for (size_t row = 0; row < SIDE; row += TILE)
        for (size_t column = 0; column < SIDE; column += TILE)
            transpose_tile(out, in, row, column);
}

static void sort_step(uint32_t *s, uint32_t size, uint32_t step) {
    for (uint32_t t = 0; t < PLAIN_BLOCK; t++) {
        uint32_t other = t ^ step, a = s[t], b = s[other];
        if (other > t && (a > b) == ((t & size) == 0)) {
            s[t] = b;
            s[other] = a;
        }
    }
}

/* Bitonic sort of each block's words, as the kernel does it: all of a step, then the next. */
static void plain_sort(void *to, const void *from) {
    uint32_t *out = to;
    const uint32_t *in = from;
    for (size_t base = 0; base < WORDS / 16; base += PLAIN_BLOCK) {
        uint32_t s[PLAIN_BLOCK];
        for (size_t t = 0; t < PLAIN_BLOCK; t++)
            s[t] = in[base + t] * 2654435761u;
        for (uint32_t size = 2; size <= PLAIN_BLOCK; size *= 2)
            for (uint32_t step = size / 2; step > 0; step /= 2)
                sort_step(s, size, step);
        memcpy(out + base, s, sizeof s);
    }
}

/* An index that is known only when it is needed keeps the array out of registers. */
static void plain_local_array(void *to, const void *from) {
    uint32_t *out = to;
    const uint32_t *in = from;
    for (size_t i = 0; i < WORDS / 16; i++) {
        uint32_t ring[16], sum = 0;
        for (uint32_t k = 0; k < 16; k++)
            ring[k] = in[i] + k;
        for (uint32_t k = 0; k < 64; k++)
            sum += ring[(sum + k) % 16];
        out[i] = sum;
    }
}

/* The steps of the Collatz sequence: neighbours take different ways, and not equally many. */
static void plain_divergent(void *to, const void *from) {
    uint32_t *out = to;
    const uint32_t *in = from;
    for (size_t i = 0; i < WORDS / 16; i++) {
        uint32_t value = in[i] % 97 + 2, steps = 0;
        while (value != 1 && steps < 100) {
            if (value % 2)
                value = 3 * value + 1;
            else
                value /= 2;
            steps++;
        }
        out[i] = steps;
    }
}

static __attribute__((noinline)) uint32_t fibonacci(uint32_t n) {
    if (n < 2) return n;
    return fibonacci(n - 1) + fibonacci(n - 2);
}

static void plain_calls(void *to, const void *from) {
    uint32_t *out = to;
    const uint32_t *in = from;
    for (size_t i = 0; i < WORDS / 64; i++)
        out[i] = fibonacci(in[i] % 2 + 8);
}

/* ---- kernels.cu ---- */

void plain_add_vectors(float *z, const float *x, const float *y, size_t n) {
    for (size_t i = 0; i < n; i++)
        z[i] = x[i] + y[i];
}

void plain_sum_blocks(float *sums, const float *x, size_t blocks) {
    for (size_t block = 0; block < blocks; block++) {
        float temp[PLAIN_BLOCK];
        memcpy(temp, x + block * PLAIN_BLOCK, sizeof temp);
        for (size_t d = PLAIN_BLOCK / 2; d > 0; d /= 2)
            for (size_t i = 0; i < d; i++)
                temp[i] += temp[i + d];
        sums[block] = temp[0];
    }
}

void plain_compute(float *y, const float *x, size_t n, int steps) {
    for (size_t i = 0; i < n; i++) {
        float value = x[i];
        for (int step = 0; step < steps; step++)
            value = value * 0.999f + 0.25f;
        y[i] = value;
    }
}

static void plain_vector_add(void *to, const void *from) {
    plain_add_vectors(to, from, (const float *)from + WORDS / 2, SHAPE_ADDED);
}

static void plain_tree_sum(void *to, const void *from) {
    plain_sum_blocks(to, from, SUMS);
}

static void plain_arithmetic(void *to, const void *from) {
    plain_compute(to, from, ELEMENTS, SHAPE_STEPS);
}

/* ---- product.cu ---- */

typedef float Tile[TILE][TILE];

static void copy_tile(Tile to, const float *from) {
    for (size_t y = 0; y < TILE; y++)
        for (size_t x = 0; x < TILE; x++)
            to[y][x] = from[y * SHAPE_SIDE + x];
}

/** One thread's sum after the other, as the kernel has it. */
static void multiply_tile(Tile sum, Tile as, Tile bs) {
    for (size_t y = 0; y < TILE; y++)
        for (size_t x = 0; x < TILE; x++)
            for (size_t k = 0; k < TILE; k++)
                sum[y][x] += as[y][k] * bs[k][x];
}

static void product_block(float *c, const float *a, const float *b, size_t row, size_t column) {
    Tile as, bs, sum = {{0}};
    for (size_t first = 0; first < SHAPE_SIDE; first += TILE) {
        copy_tile(as, a + row * SHAPE_SIDE + first);
        copy_tile(bs, b + first * SHAPE_SIDE + column);
        multiply_tile(sum, as, bs);
    }
    for (size_t y = 0; y < TILE; y++)
        memcpy(c + (row + y) * SHAPE_SIDE + column, sum[y], sizeof sum[y]);
}

void plain_product_by_tiles(void *to, const void *from) {
    const float *a = from, *b = a + WORDS / 2;
    for (size_t row = 0; row < SHAPE_SIDE; row += TILE)
        for (size_t column = 0; column < SHAPE_SIDE; column += TILE)
            product_block(to, a, b, row, column);
}

/** What every C programmer writes: tiles are for the memory of a GPU. */
static void plain_product(void *to, const void *from) {
    float *c = to;
    const float *a = from, *b = a + WORDS / 2;
    for (size_t row = 0; row < SHAPE_SIDE; row++)
        for (size_t column = 0; column < SHAPE_SIDE; column++) {
            float sum = 0.0f;
            for (size_t k = 0; k < SHAPE_SIDE; k++)
                sum += a[row * SHAPE_SIDE + k] * b[k * SHAPE_SIDE + column];
            c[row * SHAPE_SIDE + column] = sum;
        }
}

/* ---- by name ---- */

typedef void PlainWork(void *out, const void *in);

static PlainWork *const works[] = {
#define SHAPE(name, ...) plain_##name,
#include "bench/shapes.def"
#undef SHAPE
};

void plain_run(const Shape *shape, void *out, const void *in) {
    works[shape - shape_table](out, in);
}

static bool words_agree(const uint32_t *got, const uint32_t *want) {
    return memcmp(got, want, SHAPE_BYTES) == 0;
}

static bool floats_agree(const float *got, const float *want) {
    bool agree = true;
    for (size_t i = 0; i < WORDS; i++)
        agree = agree && fabsf(got[i] - want[i]) <= 1e-4f * (1.0f + fabsf(want[i]));
    return agree;
}

bool plain_verify(const Shape *shape, const void *got, const void *in) {
    void *want = malloc(SHAPE_BYTES);
    bool adds_up = strcmp(shape->group, "shapes") != 0, right = want != NULL;
    if (right) {
        shape_fill(want);
        plain_run(shape, want, in);
        if (adds_up)
            right = floats_agree(got, want);
        else
            right = words_agree(got, want);
    }
    free(want);
    return right;
}
