/* arguments.c - a growing argv. It lives in an arena, so that grown-out arrays simply stay behind. */
#include "warpcc/warpcc.h"

#include <string.h>

void arguments_init(Arguments *arguments, Arena *arena) {
    *arguments = (Arguments){.arena = arena, .capacity = 32};
    arguments->items = ARENA_ARRAY(arena, arguments->capacity, const char *);
    arguments->failed = !arguments->items;
}

static bool arguments_grow(Arguments *arguments) {
    size_t capacity = 2 * arguments->capacity;
    const char **items = ARENA_ARRAY(arguments->arena, capacity, const char *);
    if (!items) return false;
    memcpy(items, arguments->items, arguments->count * sizeof *items);
    arguments->items = items;
    arguments->capacity = capacity;
    return true;
}

void arguments_add(Arguments *arguments, const char *item) {
    if (arguments->failed) return;
    bool full = arguments->count + 1 == arguments->capacity;
    if (!item || (full && !arguments_grow(arguments))) {
        arguments->failed = true;
        return;
    }
    arguments->items[arguments->count++] = item;
}

void arguments_add_list(Arguments *arguments, const char *const *items) {
    for (; *items; items++)
        arguments_add(arguments, *items);
}

void arguments_add_all(Arguments *arguments, const Arguments *other) {
    if (other->failed) arguments->failed = true;
    for (size_t i = 0; i < other->count; i++)
        arguments_add(arguments, other->items[i]);
}
