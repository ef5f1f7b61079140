/* map.c - open addressing with the next slot as the second choice; see map.h. */
#include "base/map.h"

#include <stdlib.h>
#include <string.h>

enum { FEWEST_SLOTS = 64 };

/* Multiplied by 2^64 divided by the golden ratio, neighbouring keys lie far apart, and the high bits are the
 * best mixed. */
static size_t first_slot(const Map *map, uint64_t key) {
    return (size_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (map->slot_count - 1);
}

/* The key's slot, or the free one where it belongs: there is one, since half of them are free. */
static MapSlot *slot_of(const Map *map, uint64_t key) {
    for (size_t at = first_slot(map, key);; at = (at + 1) & (map->slot_count - 1)) {
        MapSlot *slot = &map->slots[at];
        if (slot->above == 0 || slot->key == key) return slot;
    }
}

uint32_t map_find(const Map *map, uint64_t key) {
    if (map->count == 0) return MAP_NONE;
    return slot_of(map, key)->above - 1;
}

static bool grow(Map *map) {
    Map larger = {.slot_count = FEWEST_SLOTS, .count = map->count};
    if (map->slot_count != 0) larger.slot_count = 2 * map->slot_count;
    larger.slots = calloc(larger.slot_count, sizeof *larger.slots);
    if (!larger.slots) return false;
    for (size_t i = 0; i < map->slot_count; i++)
        if (map->slots[i].above != 0) *slot_of(&larger, map->slots[i].key) = map->slots[i];
    free(map->slots);
    *map = larger;
    return true;
}

bool map_put(Map *map, uint64_t key, uint32_t number) {
    if (2 * map->count >= map->slot_count && !grow(map)) return false;
    MapSlot *slot = slot_of(map, key);
    map->count += slot->above == 0;
    *slot = (MapSlot){key, number + 1};
    return true;
}

void map_clear(Map *map) {
    if (map->count != 0) memset(map->slots, 0, map->slot_count * sizeof *map->slots);
    map->count = 0;
}

void map_free(Map *map) {
    free(map->slots);
    *map = (Map){.slots = NULL};
}
