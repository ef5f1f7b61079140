/* growable.h - arrays that grow by doubling.
 *
 * A user with a typed array, a count and a capacity of its own asks growable_grow for room and keeps what it
 * returns; the array is the user's to free(). A Growable has all of that in one, for arrays that are
 * gathered, copied to an arena and dropped. New items are zero.
 */
#pragma once

#include "base/arena.h"

/** The items with room for `wanted` of `size` bytes each, at another place if need be. NULL without memory:
 * then they are where they were, as before. */
void *growable_grow(void *items, size_t *capacity, size_t wanted, size_t size);

typedef struct Growable {
    size_t size; /**< of one item */
    size_t count, capacity;
    char *items;
} Growable;

#define GROWABLE(Type) ((Growable){.size = sizeof(Type)})
#define GROWABLE_AT(growable, Type, index) ((Type *)(void *)(growable)->items + (index))
/** A new item at the end; NULL without memory. */
void *growable_add(Growable *growable);
/** The items as an array in the arena; NULL without memory, and when there are none. */
void *growable_copy(const Growable *growable, Arena *arena);
void growable_free(Growable *growable);
