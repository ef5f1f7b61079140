/* growable.c - arrays that grow by doubling; see growable.h. */
#include "base/growable.h"

#include <stdlib.h>
#include <string.h>

enum { FEWEST_ITEMS = 16 };

/* Doubling makes the cost of each item constant. The new part is zero; the old one stays valid when there
 * is no memory. */
void *growable_grow(void *items, size_t *capacity, size_t wanted, size_t size) {
    if (wanted <= *capacity) return items;
    size_t more = *capacity != 0 ? *capacity : FEWEST_ITEMS, bytes;
    while (more < wanted)
        if (__builtin_mul_overflow(more, 2, &more)) return NULL;
    if (__builtin_mul_overflow(more, size, &bytes)) return NULL;
    char *larger = realloc(items, bytes);
    if (!larger) return NULL;
    memset(larger + *capacity * size, 0, (more - *capacity) * size);
    *capacity = more;
    return larger;
}

void *growable_add(Growable *growable) {
    char *items = growable_grow(growable->items, &growable->capacity, growable->count + 1, growable->size);
    if (!items) return NULL;
    growable->items = items;
    /* The user may have lowered the count to fill the array again. */
    return memset(items + growable->count++ * growable->size, 0, growable->size);
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
