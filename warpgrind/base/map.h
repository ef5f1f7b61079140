/* map.h - a map from 64-bit keys to 32-bit numbers, which grows.
 *
 * The numbers are usually places in an array of the user's, which is what owns the items: one map serves
 * every type. Keys are spread by the map, so addresses and counters may be keys as they are; whoever has more
 * than 64 bits makes a key of them that no two of its items share.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct MapSlot {
    uint64_t key;
    uint32_t above; /**< the number and 1; 0: free */
} MapSlot;

/** All zero is an empty map. */
typedef struct Map {
    MapSlot *slots;
    size_t slot_count, count; /**< slots: a power of two, at most half of them are taken */
} Map;

/** The key's number, or MAP_NONE. */
uint32_t map_find(const Map *map, uint64_t key);
#define MAP_NONE UINT32_MAX
/** Gives the key a number below MAP_NONE, in place of one that it had. False without memory: then the map is
 * as before. */
bool map_put(Map *map, uint64_t key, uint32_t number);
/** Forgets all keys and keeps the memory. */
void map_clear(Map *map);
void map_free(Map *map);
