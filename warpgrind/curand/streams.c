/* streams.c - see streams.h. Source: Marsaglia, Xorshift RNGs; L'Ecuyer, Good parameters and implementations
 * for combined multiple recursive random number generators; Salmon et al., Parallel random numbers: as easy
 * as 1, 2, 3. */
#include "curand/streams.h"

#include <math.h>
#include <string.h>

#define __device__ /* the table is made for kernels */
#include "curand_xorwow_jumps.h"

/* ---- XORWOW ---- */

enum { XORSHIFT = 5, COUNTER = 5, COUNTER_STEP = 362437 };

static void xorshift(uint32_t *v) {
    uint32_t t = v[0] ^ v[0] >> 2;
    memmove(v, v + 1, (XORSHIFT - 1) * sizeof *v);
    v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
}

/** The sum of those states on the way that the jump's polynomial names. */
static void xorshift_jump(uint32_t *v, const uint32_t *polynomial) {
    uint32_t sum[XORSHIFT] = {0};
    for (int bit = 0; bit < XORSHIFT * 32; bit++) {
        if (polynomial[bit / 32] >> bit % 32 & 1)
            for (int i = 0; i < XORSHIFT; i++)
                sum[i] ^= v[i];
        xorshift(v);
    }
    memcpy(v, sum, sizeof sum);
}

static void xorwow_start(Stream *stream, uint64_t seed) {
    uint32_t low = 1099087573u * ((uint32_t)seed ^ 0xaad26b49u);
    uint32_t high = 2591861531u * ((uint32_t)(seed >> 32) ^ 0xf7dcefddu);
    *stream = (Stream){{123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high,
                        5783321u + low, 6615241u + high + low}};
}

static void xorwow_skip(Stream *stream, uint64_t steps) {
    stream->word[COUNTER] += COUNTER_STEP * (uint32_t)steps;
    for (int digit = 0; steps > 0; digit++, steps >>= 4)
        if (steps & 15) xorshift_jump(stream->word, __warpgrind_xorwow_jumps[0][digit][(steps & 15) - 1]);
}

/* ---- MRG32k3a ---- */

enum { ORDER = 3, STREAM_DOUBLINGS = 76 };
static const uint32_t primes[2] = {4294967087u, 4294944443u};

typedef struct Matrix {
    uint32_t cell[ORDER][ORDER];
} Matrix;

static const Matrix steps_of[2] = {{{{0, 1, 0}, {0, 0, 1}, {4294967087u - 810728u, 1403580u, 0}}},
                                   {{{0, 1, 0}, {0, 0, 1}, {4294944443u - 1370589u, 0, 527612u}}}};

static Matrix squared(const Matrix *a, uint32_t prime) {
    Matrix product;
    for (int i = 0; i < ORDER; i++)
        for (int j = 0; j < ORDER; j++) {
            uint64_t sum = 0;
            for (int k = 0; k < ORDER; k++)
                sum += (uint64_t)a->cell[i][k] * a->cell[k][j] % prime;
            product.cell[i][j] = (uint32_t)(sum % prime);
        }
    return product;
}

static void multiply(uint32_t *s, const Matrix *a, uint32_t prime) {
    uint32_t to[ORDER];
    for (int i = 0; i < ORDER; i++) {
        uint64_t sum = 0;
        for (int k = 0; k < ORDER; k++)
            sum += (uint64_t)a->cell[i][k] * s[k] % prime;
        to[i] = (uint32_t)(sum % prime);
    }
    memcpy(s, to, sizeof to);
}

static void mrg_start(Stream *stream, uint64_t seed) {
    const uint64_t mix[2] = {(uint32_t)seed ^ 0x55555555u, (uint32_t)(seed >> 32) ^ 0xAAAAAAAAu};
    for (int i = 0; i < ORDER; i++) {
        stream->word[i] = (uint32_t)(12345 * (seed != 0 ? mix[i % 2] : 1) % primes[0]);
        stream->word[ORDER + i] = (uint32_t)(12345 * (seed != 0 ? mix[1 - i % 2] : 1) % primes[1]);
    }
}

static void mrg_skip(Stream *stream, uint64_t steps) {
    for (int half = 0; half < 2; half++) {
        Matrix power = steps_of[half];
        for (uint64_t rest = steps; rest > 0; rest >>= 1) {
            if (rest & 1) multiply(stream->word + half * ORDER, &power, primes[half]);
            power = squared(&power, primes[half]);
        }
    }
}

/** A number from 1 to the first prime. */
static uint32_t mrg_next(Stream *stream) {
    uint32_t *a = stream->word, *b = stream->word + ORDER;
    uint64_t one = (UINT64_C(1403580) * a[1] + UINT64_C(810728) * (primes[0] - a[0])) % primes[0];
    uint64_t two = (UINT64_C(527612) * b[2] + UINT64_C(1370589) * (primes[1] - b[0])) % primes[1];
    memmove(a, a + 1, (ORDER - 1) * sizeof *a);
    memmove(b, b + 1, (ORDER - 1) * sizeof *b);
    a[2] = (uint32_t)one;
    b[2] = (uint32_t)two;
    if (a[2] <= b[2]) return a[2] - b[2] + primes[0];
    return a[2] - b[2];
}

/* ---- both ---- */

/* Each stream begins a fixed number of steps (2^67 and 2^76) after the one before, so that they never
 * overlap: the first is skipped to, the others are jumps from their neighbour. */
void streams_start(StreamKind kind, uint64_t seed, uint64_t steps, Stream *streams, unsigned count) {
    Matrix jumps[2] = {steps_of[0], steps_of[1]};
    for (int i = 0; i < STREAM_DOUBLINGS && kind == STREAM_MRG32K3A; i++)
        for (int half = 0; half < 2; half++)
            jumps[half] = squared(&jumps[half], primes[half]);
    for (unsigned i = 0; i < count; i++) {
        if (i == 0 && kind == STREAM_XORWOW) {
            xorwow_start(&streams[0], seed);
            xorwow_skip(&streams[0], steps);
        } else if (i == 0) {
            mrg_start(&streams[0], seed);
            mrg_skip(&streams[0], steps);
        } else {
            streams[i] = streams[i - 1];
            if (kind == STREAM_XORWOW)
                xorshift_jump(streams[i].word, __warpgrind_xorwow_jumps[1][0][0]);
            else
                for (int half = 0; half < 2; half++)
                    multiply(streams[i].word + half * ORDER, &jumps[half], primes[half]);
        }
    }
}

uint32_t streams_word(StreamKind kind, Stream *stream) {
    if (kind == STREAM_MRG32K3A) return (uint32_t)((double)mrg_next(stream) * 1.000000048662);
    xorshift(stream->word);
    stream->word[COUNTER] += COUNTER_STEP;
    return stream->word[4] + stream->word[COUNTER];
}

float streams_uniform(StreamKind kind, Stream *stream) {
    if (kind == STREAM_MRG32K3A) return (float)((double)mrg_next(stream) * 2.3283065498378288e-10);
    return fmaf((float)streams_word(kind, stream), 0x1p-32f, 0x1p-33f);
}

double streams_uniform_double(StreamKind kind, Stream *stream) {
    if (kind == STREAM_MRG32K3A) return (double)mrg_next(stream) * 2.3283065498378288e-10;
    uint64_t low = streams_word(kind, stream), high = streams_word(kind, stream);
    return fma((double)(low ^ high << 21), 0x1p-53, 0x1p-54);
}

/* ---- Philox ---- */

/* Philox 4x32-10 (Salmon and others, "Parallel random numbers: as easy as 1, 2, 3", 2011): ten rounds, with
 * the paper's constants. */
void streams_philox(uint64_t seed, uint64_t low, uint64_t high, uint32_t words[4]) {
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    uint32_t c[4] = {(uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high, (uint32_t)(high >> 32)};
    for (int round = 0; round < 10; round++) {
        uint64_t first = UINT64_C(0xD2511F53) * c[0], second = UINT64_C(0xCD9E8D57) * c[2];
        const uint32_t next[4] = {(uint32_t)(second >> 32) ^ c[1] ^ key[0], (uint32_t)second,
                                  (uint32_t)(first >> 32) ^ c[3] ^ key[1], (uint32_t)first};
        memcpy(c, next, sizeof c);
        key[0] += 0x9E3779B9u;
        key[1] += 0xBB67AE85u;
    }
    memcpy(words, c, sizeof c);
}
