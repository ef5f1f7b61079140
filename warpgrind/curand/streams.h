/* streams.h - the pseudorandom generators of cuRAND's host library, number by number.
 *
 * XORWOW and MRG32k3a hand out their numbers from many streams in turn: element i comes from stream i modulo
 * their count. Stream s is what curand_init(seed, s, 0, ..) makes, so each stream is the one before it, moved
 * by 2^67 (XORWOW) or 2^76 (MRG32k3a) steps. Philox is a cipher of a counter, which needs no state.
 */
#pragma once

#include <stdint.h>

typedef enum StreamKind { STREAM_XORWOW, STREAM_MRG32K3A } StreamKind;

/** XORWOW: a xorshift of five words and a counter. MRG32k3a: two recurrences of three words. */
typedef struct Stream {
    uint32_t word[6];
} Stream;

/** The first `count` streams of a seed, each `steps` numbers on. */
void streams_start(StreamKind kind, uint64_t seed, uint64_t steps, Stream *streams, unsigned count);
uint32_t streams_word(StreamKind kind, Stream *stream);
float streams_uniform(StreamKind kind, Stream *stream);
double streams_uniform_double(StreamKind kind, Stream *stream);

/** The four words that Philox4_32_10 makes of a counter. */
void streams_philox(uint64_t seed, uint64_t low, uint64_t high, uint32_t words[4]);
