/* arena.c - a list of growing chunks; see arena.h.
 *
 * Small pieces come from the newest chunk, a piece too large for it gets a chunk of its own. Chunks come
 * zeroed from calloc and are handed out once, so no piece needs clearing.
 */
#include "base/arena.h"
#include "base/text.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 16, FIRST_CHUNK = 4096, LARGEST_CHUNK = 1 << 20 };

typedef struct Chunk {
    struct Chunk *next;
    size_t used, capacity;
    _Alignas(ALIGNMENT) char bytes[];
} Chunk;

struct Arena {
    Chunk *chunks; /* small pieces come from the first one */
    size_t next_capacity;
};

/* The only mutable state in base, and only tests set it. */
static atomic_long allocations_until_failure;

void arena_fail_after(long count) {
    atomic_store(&allocations_until_failure, count);
}

static bool failure_is_due(void) {
    if (atomic_load_explicit(&allocations_until_failure, memory_order_relaxed) == 0) return false;
    return atomic_fetch_sub(&allocations_until_failure, 1) == 1;
}

Arena *arena_create(void) {
    if (failure_is_due()) return NULL;
    Arena *arena = calloc(1, sizeof *arena);
    if (arena) arena->next_capacity = FIRST_CHUNK;
    return arena;
}

void arena_destroy(Arena *arena) {
    if (!arena) return;
    for (Chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    free(arena);
}

static Chunk *chunk_create(size_t capacity) {
    if (capacity > SIZE_MAX - sizeof(Chunk)) return NULL;
    Chunk *chunk = calloc(1, sizeof(Chunk) + capacity);
    if (chunk) chunk->capacity = capacity;
    return chunk;
}

/* A piece that would waste most of a fresh chunk goes behind the current one, which stays in use. */
static void *alloc_alone(Arena *arena, size_t bytes) {
    Chunk *chunk = chunk_create(bytes);
    if (!chunk) return NULL;
    chunk->used = bytes;
    if (arena->chunks) {
        chunk->next = arena->chunks->next;
        arena->chunks->next = chunk;
    } else {
        arena->chunks = chunk;
    }
    return chunk->bytes;
}

static bool add_chunk(Arena *arena) {
    Chunk *chunk = chunk_create(arena->next_capacity);
    if (!chunk) return false;
    chunk->next = arena->chunks;
    arena->chunks = chunk;
    if (arena->next_capacity < LARGEST_CHUNK) arena->next_capacity *= 2;
    return true;
}

/* Small pieces follow each other in a chunk. A piece larger than a quarter of the next chunk gets memory of
 * its own, so that no chunk is left half empty for it. */
void *arena_alloc(Arena *arena, size_t bytes) {
    if (failure_is_due() || bytes > SIZE_MAX - ALIGNMENT) return NULL;
    size_t rounded = ALIGNMENT;
    if (bytes) rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    Chunk *chunk = arena->chunks;
    if (!chunk || chunk->capacity - chunk->used < rounded) {
        if (rounded > arena->next_capacity / 4) return alloc_alone(arena, rounded);
        if (!add_chunk(arena)) return NULL;
        chunk = arena->chunks;
    }
    void *piece = chunk->bytes + chunk->used;
    chunk->used += rounded;
    return piece;
}

void *arena_array(Arena *arena, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
    return arena_alloc(arena, bytes);
}

char *arena_copy(Arena *arena, const char *bytes, size_t length) {
    if (length == SIZE_MAX) return NULL;
    char *copy = arena_alloc(arena, length + 1);
    if (copy && length) memcpy(copy, bytes, length);
    return copy;
}

char *arena_string(Arena *arena, const char *text) {
    return arena_copy(arena, text, strlen(text));
}

char *arena_vformat(Arena *arena, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0) return NULL;
    char *text = arena_alloc(arena, (size_t)length + 1);
    if (text) vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

char *arena_format(Arena *arena, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = arena_vformat(arena, format, arguments);
    va_end(arguments);
    return text;
}

char *arena_number(Arena *arena, uint64_t number) {
    char digits[32]; /* 20 digits and 6 commas at most */
    size_t at = sizeof digits;
    digits[--at] = '\0';
    for (unsigned written = 0; written == 0 || number > 0; written++, number /= 10) {
        if (written > 0 && written % 3 == 0) digits[--at] = ',';
        digits[--at] = (char)('0' + number % 10);
    }
    return arena_string(arena, digits + at);
}

const char *arena_cut(Arena *arena, const char *text, size_t limit) {
    size_t length = strlen(text);
    if (length <= limit) return text;
    length = text_whole_characters(text, limit < 3 ? 0 : limit - 3);
    return arena_format(arena, "%.*s...", (int)length, text);
}

const char *arena_keep(Arena *arena, Text *text) {
    const char *kept = NULL;
    if (!text->failed) kept = arena_copy(arena, text->bytes, text->length);
    text_free(text);
    return kept;
}
