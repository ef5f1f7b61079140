/* draw.c - from the states of a generator to its numbers; see draw.h.
 *
 * They are NVIDIA's, in NVIDIA's order: whole and uniform numbers bit by bit, normal ones but for their last
 * bits.
 */
#include "curand/draw.h"

#include "curand/sobol.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const size_t draw_bytes[] = {
    [DRAW_WORD] = sizeof(uint32_t), [DRAW_LONG] = sizeof(uint64_t), [DRAW_FLOAT] = sizeof(float),
    [DRAW_DOUBLE] = sizeof(double), [DRAW_NORMAL] = sizeof(float),  [DRAW_NORMAL_DOUBLE] = sizeof(double)};

/** One number of any kind. */
typedef union Number {
    uint32_t word;
    uint64_t wide;
    float single;
    double twice;
} Number;

/* ---- normal numbers ---- */

static void pair_single(uint32_t radius, uint32_t angle, Number pair[2]) {
    const float turn = 0x1p-32f * 6.2831855f;
    float length = sqrtf(-2.0f * logf(fmaf((float)radius, 0x1p-32f, 0x1p-33f)));
    float at = fmaf((float)angle, turn, turn / 2);
    pair[0].single = sinf(at) * length;
    pair[1].single = cosf(at) * length;
}

static void pair_uniform(float radius, float angle, Number pair[2]) {
    float length = sqrtf(-2.0f * logf(radius));
    pair[0].single = sinf(angle * 6.2831855f) * length;
    pair[1].single = cosf(angle * 6.2831855f) * length;
}

/** The angle in turns. */
static void pair_double(double radius, double angle, Number pair[2]) {
    double length = sqrt(-2.0 * log(radius)), at = angle * 2 * M_PI;
    pair[0].twice = sin(at) * length;
    pair[1].twice = cos(at) * length;
}

/** The number that the share p, at most 1/2, of all normal ones is below: Newton's method from a rough start.
 */
static double normal_below(double p) {
    long double t = sqrtl(-2 * logl((long double)p)),
                x = t - (2.30753L + 0.27061L * t) / (1 + (0.99229L + 0.04481L * t) * t);
    for (int i = 0; i < 6; i++) {
        long double error = erfcl(x / sqrtl(2)) / 2 - (long double)p;
        x += error * sqrtl(2 * (long double)M_PI) * expl(x * x / 2);
    }
    return (double)-x;
}

/* A normal number from a quasi-random one by the inverse of the distribution's function, to keep the
 * points' order. It is computed for the lower half, and the upper one mirrored, since small numbers have
 * more bits. */
static double normal_of(uint64_t number, bool wide, bool twice) {
    uint64_t half = UINT64_C(0x80000000), all = UINT32_MAX;
    double unit = 0x1p-32;
    if (wide && !twice) number >>= 32;
    if (wide && twice) {
        number >>= 11;
        half = UINT64_C(1) << 52;
        all = (UINT64_C(1) << 53) - 1;
        unit = 0x1p-53;
    }
    double sign = 1;
    if (number > half) sign = -1;
    if (number > half) number = all - number;
    if (twice) return sign * normal_below(fma((double)number, unit, unit / 2));
    return sign * normal_below((double)fmaf((float)number, (float)unit, (float)unit / 2));
}

/* ---- generators ---- */

static void start_philox(curandGenerator_t g) {
    uint64_t group = g->offset / PHILOX_WORDS, row = group / g->count;
    for (unsigned i = 0; i < g->count; i++)
        g->blocks[i] = row + (i < group % g->count);
}

static void start_streams(curandGenerator_t g) {
    streams_start(g->kind, g->seed, g->offset / g->count, g->streams, g->count);
    g->next = (unsigned)(g->offset % g->count);
    for (unsigned i = 0; i < g->next; i++)
        (void)streams_word(g->kind, &g->streams[i]);
}

/* The states are made at the first use, as cuRAND does: seed and offset may be set until then. */
curandStatus_t draw_start(curandGenerator_t g) {
    if (g->started || g->family == FAMILY_SOBOL) return CURAND_STATUS_SUCCESS;
    bool philox = g->family == FAMILY_PHILOX;
    if (philox && g->blocks == NULL) g->blocks = malloc(g->count * sizeof *g->blocks);
    if (!philox && g->streams == NULL) g->streams = malloc(g->count * sizeof *g->streams);
    if (philox ? g->blocks == NULL : g->streams == NULL) return CURAND_STATUS_ALLOCATION_FAILED;
    if (philox)
        start_philox(g);
    else
        start_streams(g);
    g->started = true;
    return CURAND_STATUS_SUCCESS;
}

/* The streams take turns, which is the order in which the threads of cuRAND's own kernel write. Normal
 * numbers come in pairs (Box and Muller). */
static void draw_streams(curandGenerator_t g, Draw draw, Number numbers[2]) {
    Stream *stream = &g->streams[g->next];
    g->next = (g->next + 1) % g->count;
    bool mrg = g->kind == STREAM_MRG32K3A;
    switch (draw) {
    case DRAW_WORD:
        numbers->word = streams_word(g->kind, stream);
        return;
    case DRAW_FLOAT:
        numbers->single = streams_uniform(g->kind, stream);
        return;
    case DRAW_DOUBLE:
        numbers->twice = streams_uniform_double(g->kind, stream);
        return;
    case DRAW_NORMAL_DOUBLE: {
        double radius = streams_uniform_double(g->kind, stream);
        pair_double(radius, streams_uniform_double(g->kind, stream), numbers);
        return;
    }
    case DRAW_NORMAL:
        if (mrg) {
            float radius = streams_uniform(g->kind, stream);
            pair_uniform(radius, streams_uniform(g->kind, stream), numbers);
        } else {
            uint32_t radius = streams_word(g->kind, stream);
            pair_single(radius, streams_word(g->kind, stream), numbers);
        }
        return;
    case DRAW_LONG:
        return;
    }
}

/** Each stream hands out four numbers at a time: of one block of words, or of two where a number takes two.
 */
static Number draw_philox(curandGenerator_t g, Draw draw) {
    unsigned place = (unsigned)(g->offset % PHILOX_WORDS);
    uint64_t stream = g->offset++ / PHILOX_WORDS % g->count, block = g->blocks[stream];
    bool twice = draw == DRAW_DOUBLE || draw == DRAW_NORMAL_DOUBLE;
    if (place == PHILOX_WORDS - 1) g->blocks[stream] += twice ? 2 : 1;
    uint32_t w[PHILOX_WORDS];
    streams_philox(g->seed, twice ? block + place / 2 : block, stream, w);
    Number pair[2] = {{.word = w[place]}};
    double a = fma((double)(w[0] ^ (uint64_t)w[1] << 21), 0x1p-53, 0x1p-54);
    double b = fma((double)(w[2] ^ (uint64_t)w[3] << 21), 0x1p-53, 0x1p-54);
    if (draw == DRAW_FLOAT) pair[0].single = fmaf((float)w[place], 0x1p-32f, 0x1p-33f);
    if (draw == DRAW_DOUBLE) pair[0].twice = place % 2 == 0 ? a : b;
    if (draw == DRAW_NORMAL) pair_single(w[place / 2 * 2], w[place / 2 * 2 + 1], pair);
    if (draw == DRAW_NORMAL_DOUBLE) pair_double(a, b, pair);
    if (draw == DRAW_NORMAL || draw == DRAW_NORMAL_DOUBLE) return pair[place % 2];
    return pair[0];
}

/* Numbers between 0 and 1, never 0: half a step is added to each. */
static Number draw_sobol(const curandGenerator_t g, Draw draw, uint64_t number) {
    Number made = {.wide = number};
    if (draw == DRAW_WORD) made.word = (uint32_t)number;
    if (draw == DRAW_FLOAT)
        made.single = fmaf((float)(uint32_t)(g->wide ? number >> 32 : number), 0x1p-32f, 0x1p-33f);
    if (draw == DRAW_DOUBLE)
        made.twice =
            g->wide ? fma((double)(number >> 11), 0x1p-53, 0x1p-54) : fma((double)number, 0x1p-32, 0x1p-32);
    if (draw == DRAW_NORMAL) made.single = (float)normal_of(number, g->wide, false);
    if (draw == DRAW_NORMAL_DOUBLE) made.twice = normal_of(number, g->wide, true);
    return made;
}

/** Dimension by dimension, each as long as the others. */
static void fill_sobol(curandGenerator_t g, Draw draw, uint8_t *to, size_t count) {
    size_t each = count / g->dimensions, bytes = draw_bytes[draw];
    for (unsigned dimension = 0; dimension < g->dimensions; dimension++) {
        uint64_t directions[64];
        sobol_directions64(dimension, directions);
        for (size_t i = 0; i < each; i++, to += bytes) {
            uint64_t number = sobol_number(directions, g->offset + i);
            Number made = draw_sobol(g, draw, g->wide ? number : number >> 32);
            memcpy(to, &made, bytes);
        }
    }
    g->offset += each;
}

/* Streams give pairs of normal numbers; the other generators one number at a time. An odd count never comes
 * here for normal numbers of streams. */
void draw_fill(curandGenerator_t g, Draw draw, uint8_t *to, size_t count) {
    size_t bytes = draw_bytes[draw], pairs = draw == DRAW_NORMAL || draw == DRAW_NORMAL_DOUBLE ? 2 : 1;
    if (g->family == FAMILY_SOBOL) {
        fill_sobol(g, draw, to, count);
        return;
    }
    for (size_t i = 0; i < count; i += g->family == FAMILY_STREAMS ? pairs : 1) {
        Number made[2];
        if (g->family == FAMILY_STREAMS)
            draw_streams(g, draw, made);
        else
            made[0] = draw_philox(g, draw);
        for (size_t k = 0; k < (g->family == FAMILY_STREAMS ? pairs : 1); k++)
            memcpy(to + (i + k) * bytes, &made[k], bytes);
    }
}
