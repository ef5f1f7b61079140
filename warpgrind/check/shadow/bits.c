/* bits.c - the lazily made bitmap of bits.h. */
#include "check/shadow/bits.h"

#include <stdlib.h>
#include <string.h>

Bits *bits_create(void) {
    return calloc(1, sizeof(Bits));
}

void bits_destroy(Bits *bits) {
    if (!bits) return;
    for (size_t i = 0; i < BITS_CHUNKS; i++)
        free(bits->chunks[i]);
    free(bits);
}

static const uint64_t *chunk_to_read(const Bits *bits, uint64_t offset) {
    if (offset < GPU_GLOBAL_SPAN) return bits->chunks[offset / BITS_CHUNK_BYTES];
    return NULL;
}

/* calloc of this size comes from fresh pages, which cost nothing before they are touched. */
static uint64_t *chunk_to_write(Bits *bits, uint64_t offset) {
    if (offset >= GPU_GLOBAL_SPAN) return NULL;
    uint64_t *chunk = bits->chunks[offset / BITS_CHUNK_BYTES];
    if (chunk) return chunk;
    chunk = calloc(BITS_PAGES_AT + BITS_PAGE_WORDS, sizeof *chunk);
    if (!chunk)
        bits->failed = true;
    else if (bits->failed) /* it may have been wanted before */
        memset(chunk, 0xff, BITS_CHUNK_BYTES / 8);
    bits->chunks[offset / BITS_CHUNK_BYTES] = chunk;
    return chunk;
}

uint64_t bits_gather(const uint64_t *words, uint64_t offset, unsigned count) {
    unsigned shift = (unsigned)(offset % 64);
    uint64_t value = words[offset / 64] >> shift;
    if (shift + count > 64) value |= words[offset / 64 + 1] << (64 - shift);
    return value & bits_mask(count);
}

void bits_scatter(uint64_t *words, uint64_t offset, uint64_t mask, uint64_t values) {
    unsigned shift = (unsigned)(offset % 64);
    uint64_t *word = &words[offset / 64];
    *word = (*word & ~(mask << shift)) | ((values & mask) << shift);
    if (shift == 0 || mask >> (64 - shift) == 0) return;
    word[1] = (word[1] & ~(mask >> (64 - shift))) | ((values & mask) >> (64 - shift));
}

/* ---- pages ---- */

/* Bytes of the 64 from `at` on in a chunk have become undefined; these lie in two pages at most. */
static void forget_pages(uint64_t *chunk, uint64_t at) {
    uint64_t last = at;
    if (at + 63 < BITS_CHUNK_BYTES) last = at + 63;
    for (uint64_t page = at / BITS_PAGE_BYTES; page <= last / BITS_PAGE_BYTES; page++)
        chunk[BITS_PAGES_AT + page / 64] &= ~(UINT64_C(1) << page % 64);
}

void bits_look_at_page(Bits *bits, uint64_t offset) {
    enum { WORDS = BITS_PAGE_BYTES / 64 };
    uint64_t *chunk = NULL;
    if (offset < GPU_GLOBAL_SPAN) chunk = bits->chunks[offset / BITS_CHUNK_BYTES];
    uint64_t page = offset % BITS_CHUNK_BYTES / BITS_PAGE_BYTES;
    if (!chunk) return;
    for (unsigned i = 0; i < WORDS; i++)
        if (~chunk[page * WORDS + i]) return;
    chunk[BITS_PAGES_AT + page / 64] |= UINT64_C(1) << page % 64;
}

/* How many of the bits lie in the chunk of the first one. */
static unsigned in_chunk(uint64_t offset, unsigned count) {
    uint64_t room = BITS_CHUNK_BYTES - offset % BITS_CHUNK_BYTES;
    if (room < count) return (unsigned)room;
    return count;
}

uint64_t bits_get(const Bits *bits, uint64_t offset, unsigned count) {
    unsigned here = in_chunk(offset, count);
    const uint64_t *chunk = chunk_to_read(bits, offset);
    uint64_t missing = 0;
    if (bits->failed) missing = bits_mask(here);
    uint64_t value = missing;
    if (chunk) value = bits_gather(chunk, offset % BITS_CHUNK_BYTES, here);
    if (here < count) value |= bits_get(bits, offset + here, count - here) << here;
    return value;
}

void bits_put(Bits *bits, uint64_t offset, uint64_t mask, uint64_t values) {
    unsigned here = in_chunk(offset, 64);
    uint64_t *chunk = chunk_to_write(bits, offset);
    if (chunk) bits_scatter(chunk, offset % BITS_CHUNK_BYTES, mask & bits_mask(here), values);
    if (chunk && mask & ~values) forget_pages(chunk, offset % BITS_CHUNK_BYTES);
    if (here < 64 && mask >> here) bits_put(bits, offset + here, mask >> here, values >> here);
}

/* Goes by words of 64 bits. Bits that are all clear have no chunk, so clearing them allocates nothing; in a
 * range of 2^36 bytes only the parts with a chunk are touched. */
void bits_fill(Bits *bits, uint64_t offset, uint64_t count, bool value) {
    while (count > 0) {
        unsigned step = (unsigned)(64 - offset % 64);
        if (step > count) step = (unsigned)count;
        uint64_t *chunk = NULL;
        if (value) chunk = chunk_to_write(bits, offset);
        if (!value && chunk_to_read(bits, offset)) chunk = chunk_to_write(bits, offset);
        if (chunk && !value) forget_pages(chunk, offset % BITS_CHUNK_BYTES);
        if (chunk)
            bits_scatter(chunk, offset % BITS_CHUNK_BYTES, bits_mask(step), value ? ~UINT64_C(0) : 0);
        else if (offset >= GPU_GLOBAL_SPAN)
            return;
        offset += step;
        count -= step;
    }
}

uint64_t bits_find(const Bits *bits, uint64_t offset, uint64_t end, bool value) {
    while (offset < end) {
        unsigned step = (unsigned)(64 - offset % 64);
        if (step > end - offset) step = (unsigned)(end - offset);
        uint64_t word = bits_get(bits, offset, step);
        if (!value) word = ~word & bits_mask(step);
        if (word) return offset + (unsigned)__builtin_ctzll(word);
        offset += step;
    }
    return end;
}

bool bits_all(const Bits *bits, uint64_t offset, uint64_t count) {
    return bits_find(bits, offset, offset + count, false) == offset + count;
}
