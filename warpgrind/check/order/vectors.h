/* vectors.h - vector clocks: of each block, which of its accesses are known to have happened before.
 *
 * A vector says of a block up to which time the accesses of all its threads are known (`base`), and of single
 * lanes up to which later time. NULL knows nothing. Vectors never change once they are shared: to join one
 * with another gives a new vector that shares with both whatever is alike, so a thousand blocks that wait for
 * each other in a chain need room for a thousand entries and not for a million.
 *
 * Each vector counts who holds it: vector_keep and vector_drop come in pairs. When memory ends (or
 * VECTORS_MOST_BYTES), `lost` is set and vectors know less than they should: whoever asks must then take
 * everything for known.
 *
 * Source of the idea: big-endian Patricia trees (Okasaki and Gill, Fast Mergeable Integer Maps, 1998).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define VECTORS_MOST_BYTES (UINT64_C(128) << 20)

enum { VECTORS_CACHED = 64 };

typedef struct Vector Vector;

/** A join that was made: blocks that wait for all others make the same ones. */
typedef struct VectorJoin {
    Vector *a, *b, *both;
} VectorJoin;

typedef struct Vectors {
    uint64_t bytes;
    bool lost;
    VectorJoin cache[VECTORS_CACHED];
} Vectors;

/** Lanes of one warp whose accesses before `time` are known. */
typedef struct VectorRow {
    uint32_t warp, lanes, time;
} VectorRow;

Vector *vector_keep(Vector *vector);
void vector_drop(Vectors *vectors, Vector *vector);
/** *old becomes the vector, which is kept. */
static inline void vector_replace(Vectors *vectors, Vector **old, Vector *vector) {
    vector_keep(vector);
    vector_drop(vectors, *old);
    *old = vector;
}
/** *to learns what `from` knows. */
void vector_join(Vectors *vectors, Vector **to, Vector *from);
/** *to learns of one block: everything before `base`, and what the rows say, in any order. */
void vector_add(Vectors *vectors, Vector **to, uint32_t block, uint32_t base, const VectorRow *rows,
                unsigned count);
/** Lets go of everything that is kept to be quick. */
void vectors_clear(Vectors *vectors);
/** Whether an access of the thread at that time is known. */
bool vector_knows(const Vector *vector, uint32_t block, uint32_t thread, uint32_t time);
