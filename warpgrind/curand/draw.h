/* draw.h - a generator, and the numbers that it gives one after the other. */
#pragma once

#include "curand/streams.h"

#include <cuda_runtime_api.h>
#include <curand.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { XORWOW_STREAMS = 4096, MRG_STREAMS = 81920, PHILOX_STREAMS = 65536, PHILOX_WORDS = 4 };

typedef enum Family { FAMILY_STREAMS, FAMILY_PHILOX, FAMILY_SOBOL } Family;

struct curandGenerator_st {
    Family family;
    StreamKind kind; /**< of streams */
    bool host, wide; /**< wide: Sobol's points have 64 bits */
    bool started;    /**< the streams stand where seed and offset say */
    uint64_t seed;
    uint64_t offset; /**< of the next number, in every dimension of quasirandom points */
    unsigned dimensions;
    Stream *streams;
    uint64_t *blocks;     /**< Philox: how many blocks of words each stream has used up */
    unsigned count, next; /**< how many streams, and whose turn it is */
    cudaStream_t stream;
};

/** What is drawn: words, or what is made of them. Pairs of normal numbers come from one stream. */
typedef enum Draw { DRAW_WORD, DRAW_LONG, DRAW_FLOAT, DRAW_DOUBLE, DRAW_NORMAL, DRAW_NORMAL_DOUBLE } Draw;

/** Bytes of one number, by Draw. */
extern const size_t draw_bytes[];

/** Makes the states of the generator's streams, unless they stand where seed and offset say. */
curandStatus_t draw_start(curandGenerator_t g);
/** The next numbers, in the order in which cuRAND writes them; an even count where pairs are drawn from
 * streams. */
void draw_fill(curandGenerator_t g, Draw draw, uint8_t *to, size_t count);
