/* bits.h - one bit per byte of global memory, made where it is touched.
 *
 * Behind the bits of a chunk stands one for each of its pages of 4 KiB: all of that page is defined. It is
 * set when somebody has looked, and is what most questions end with: lanes that go all over the memory then
 * share a few lines of the cache. A page without it may be defined all the same.
 *
 * A set bit says "defined": fresh chunks are zero, so fresh memory is undefined without any work. Offsets
 * count from GPU_GLOBAL_BASE. Once a chunk could not be had, all that have not been made count as defined:
 * without memory nothing is reported wrongly.
 */
#pragma once

#include "check/check.h"

#define BITS_CHUNK_BYTES (UINT64_C(1) << 22) /* bytes of device memory per chunk */
#define BITS_CHUNKS (GPU_GLOBAL_SPAN / BITS_CHUNK_BYTES)
enum {
    BITS_PAGE_BYTES = 4096,
    BITS_PAGES_AT = BITS_CHUNK_BYTES / 64, /**< word of a chunk */
    BITS_PAGE_WORDS = BITS_CHUNK_BYTES / BITS_PAGE_BYTES / 64
};

typedef struct Bits {
    uint64_t *chunks[BITS_CHUNKS];
    bool failed; /**< a chunk could not be had */
} Bits;

Bits *bits_create(void);
void bits_destroy(Bits *bits);
/** Up to 64 bits from `offset` on, the first one lowest. */
uint64_t bits_get(const Bits *bits, uint64_t offset, unsigned count);
/** Those of up to 64 bits that are set in `mask` take their value from `values`. */
void bits_put(Bits *bits, uint64_t offset, uint64_t mask, uint64_t values);
void bits_fill(Bits *bits, uint64_t offset, uint64_t count, bool value);
/** All bytes of the offset's page are defined, and somebody has found that out. */
static inline bool bits_page_is_whole(const Bits *bits, uint64_t offset) {
    const uint64_t *chunk = NULL;
    if (offset < GPU_GLOBAL_SPAN) chunk = bits->chunks[offset / BITS_CHUNK_BYTES];
    uint64_t page = offset % BITS_CHUNK_BYTES / BITS_PAGE_BYTES;
    return chunk && chunk[BITS_PAGES_AT + page / 64] >> page % 64 & 1;
}
/** Finds out whether the offset's page is defined as a whole. */
void bits_look_at_page(Bits *bits, uint64_t offset);
bool bits_all(const Bits *bits, uint64_t offset, uint64_t count);
/** The first offset in [offset, end) whose bit is `value`, or end. */
uint64_t bits_find(const Bits *bits, uint64_t offset, uint64_t end, bool value);

/* The same on one plain array of words: shared memory. */
uint64_t bits_gather(const uint64_t *words, uint64_t offset, unsigned count);
void bits_scatter(uint64_t *words, uint64_t offset, uint64_t mask, uint64_t values);
/** The lowest `count` bits. */
static inline uint64_t bits_mask(unsigned count) {
    if (count >= 64) return ~UINT64_C(0);
    return (UINT64_C(1) << count) - 1;
}
