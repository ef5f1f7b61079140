/* growable.c - arrays that grow; see internal.h. */
#include "ptx/internal.h"

#include <stdlib.h>
#include <string.h>

void *growable_add(Growable *growable) {
    if (growable->count == growable->capacity) {
        size_t capacity = growable->capacity ? growable->capacity * 2 : 16, bytes;
        if (__builtin_mul_overflow(capacity, growable->size, &bytes)) return NULL;
        char *items = realloc(growable->items, bytes);
        if (!items) return NULL;
        growable->items = items;
        growable->capacity = capacity;
    }
    void *item = growable->items + growable->count++ * growable->size;
    return memset(item, 0, growable->size);
}

void *growable_copy(const Growable *growable, Arena *arena) {
    if (!growable->count) return NULL;
    void *copy = arena_array(arena, growable->count, growable->size);
    if (copy) memcpy(copy, growable->items, growable->count * growable->size);
    return copy;
}

void growable_free(Growable *growable) {
    free(growable->items);
    growable->items = NULL;
    growable->count = growable->capacity = 0;
}
