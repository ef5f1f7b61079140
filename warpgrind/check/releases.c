/* releases.c - orders through memory: a fence and then an atomic (or a volatile store to a flag, flags.c)
 * release, an atomic or a look at the flag acquires.
 *
 * A place (Location) keeps, for each block and warp that released to it, up to which time its accesses are
 * released; and for each block up to which whole barrier: what a block did before a barrier is released by
 * any of its threads (PTX ISA 8.8, causality order is cumulative). Releases to a place are numbered; who
 * acquires knows those up to the number it saw.
 *
 * The acquiring side needs no fence of its own here: CUDA's own examples have none between the atomic and the
 * reads (threadFenceReduction). LIMIT: an entry remembers its last two releases; older ones count as known.
 */
#include "check/releases.h"

#include <stdlib.h>
#include <string.h>

/* Besides the times of what was released, by scope: the time behind the atomic itself. */
enum { CLOCK_OF_ATOMIC = CLOCK_SCOPES, CLOCK_TIMES };
enum {
    MAX_LOCATIONS = 1 << 15,
    LOCATION_SLOTS = 2 * MAX_LOCATIONS,
    WHOLE_BLOCK = CLOCK_WARPS,
    MAX_DEPTH = 4
};

typedef struct Location {
    uint64_t key;
    uint32_t sequence; /**< number of the last release */
    Knowledge links;   /**< what those who released here knew of other places */
    bool far;          /**< a release here had a fence that reaches other blocks */
    bool shared;       /**< more than one block has released here */
    uint64_t block;    /**< that did so first */
} Location;

typedef struct Entry {
    uint64_t key; /**< location, block, warp (or WHOLE_BLOCK); 0 free */
    uint32_t sequence, before_sequence, updates;
    uint32_t time[CLOCK_TIMES], before_time[CLOCK_TIMES];
} Entry;

struct Releases {
    Location *locations;
    uint32_t location_count, location_capacity;
    uint16_t *slots; /**< open addressing by key: 1 and the location's number */
    Entry *entries;  /**< open addressing, a power of two */
    uint32_t entry_count, entry_capacity;
    bool overflow; /**< no memory: everything counts as ordered */
};

Releases *releases_create(void) {
    Releases *releases = calloc(1, sizeof(Releases));
    if (!releases) return NULL;
    releases->slots = calloc(LOCATION_SLOTS, sizeof *releases->slots);
    if (releases->slots) return releases;
    free(releases);
    return NULL;
}

void releases_destroy(Releases *releases) {
    if (!releases) return;
    free(releases->locations);
    free(releases->slots);
    free(releases->entries);
    free(releases);
}

void releases_clear(Releases *releases) {
    if (releases->entry_count)
        memset(releases->entries, 0, releases->entry_capacity * sizeof *releases->entries);
    if (releases->location_count) memset(releases->slots, 0, LOCATION_SLOTS * sizeof *releases->slots);
    releases->location_count = releases->entry_count = 0;
    releases->overflow = false;
}

/* ---- locations ---- */

_Static_assert(MAX_LOCATIONS < UINT16_MAX, "slots have 16 bits");

static uint16_t *location_slot(const Releases *releases, uint64_t key) {
    for (uint64_t at = check_key(key, 1, 0);; at++) {
        uint16_t *slot = &releases->slots[at % LOCATION_SLOTS];
        if (!*slot || releases->locations[*slot - 1].key == key) return slot;
    }
}

static int64_t location_find(const Releases *releases, uint64_t key) {
    return (int64_t)*location_slot(releases, key) - 1;
}

static bool locations_grow(Releases *releases) {
    if (releases->location_count < releases->location_capacity) return true;
    uint32_t capacity = releases->location_capacity ? 2 * releases->location_capacity : 16;
    Location *larger =
        capacity <= MAX_LOCATIONS ? realloc(releases->locations, capacity * sizeof *larger) : NULL;
    if (!larger) return false;
    releases->locations = larger;
    releases->location_capacity = capacity;
    return true;
}

/* -1 without room. */
static int64_t location_make(Releases *releases, uint64_t key) {
    uint16_t *slot = location_slot(releases, key);
    if (*slot) return *slot - 1;
    if (!locations_grow(releases)) return -1;
    releases->locations[releases->location_count] = (Location){.key = key};
    *slot = (uint16_t)++releases->location_count;
    return *slot - 1;
}

/* ---- entries ---- */

static uint64_t entry_key(uint32_t location, uint64_t block, unsigned warp) {
    return (uint64_t)(location + 1) << 32 | (block & ((1u << RECORD_BLOCK_BITS) - 1)) << 6 | warp;
}

static Entry *entry_slot(const Releases *releases, uint64_t key) {
    uint64_t at = check_key(key, 0, 0);
    for (;; at++) {
        Entry *entry = &releases->entries[at & (releases->entry_capacity - 1)];
        if (entry->key == key || entry->key == 0) return entry;
    }
}

static bool entries_grow(Releases *releases) {
    uint32_t old_capacity = releases->entry_capacity;
    Entry *old = releases->entries, *larger = calloc(old_capacity ? 2 * old_capacity : 256, sizeof *larger);
    if (!larger) return false;
    releases->entries = larger;
    releases->entry_capacity = old_capacity ? 2 * old_capacity : 256;
    for (uint32_t i = 0; i < old_capacity; i++)
        if (old[i].key) *entry_slot(releases, old[i].key) = old[i];
    free(old);
    return true;
}

/* Whether the release reaches further than those before it at this place: if not, whoever knows it knows
 * them. */
static bool reaches_further(const Entry *entry, const uint32_t *time) {
    for (unsigned s = 0; s < CLOCK_TIMES; s++)
        if (time[s] > entry->time[s]) return true;
    return false;
}

static void entry_update(Releases *releases, uint64_t key, uint32_t sequence, const uint32_t *time) {
    if (2 * releases->entry_count >= releases->entry_capacity && !entries_grow(releases)) {
        releases->overflow = true;
        return;
    }
    Entry *entry = entry_slot(releases, key);
    if (entry->key && !reaches_further(entry, time)) return;
    if (!entry->key) releases->entry_count++;
    entry->key = key;
    entry->before_sequence = entry->sequence;
    memcpy(entry->before_time, entry->time, sizeof entry->time);
    entry->sequence = sequence;
    entry->updates++;
    for (unsigned s = 0; s < CLOCK_TIMES; s++)
        if (time[s] > entry->time[s]) entry->time[s] = time[s];
}

/* Whether the entry's releases up to `sequence` reach the time. Those that are not kept any more reached no
 * further than the last but one. */
static Order entry_order(const Releases *releases, uint64_t key, Acquired known, uint32_t time,
                         unsigned scope) {
    if (!releases->entry_capacity) return ORDER_NONE;
    const Entry *entry = entry_slot(releases, key);
    if (!entry->key) return ORDER_NONE;
    if (entry->sequence <= known.sequence) return time < entry->time[scope] ? ORDER_KNOWN : ORDER_NONE;
    if (entry->updates > 1 && entry->before_sequence <= known.sequence)
        return time < entry->before_time[scope] ? ORDER_KNOWN : ORDER_NONE;
    return entry->updates > 2 && time < entry->before_time[scope] ? ORDER_LOST : ORDER_NONE;
}

/* ---- asking ---- */

static Order stronger(Order a, Order b) {
    return a == ORDER_KNOWN || b == ORDER_NONE ? a : b;
}

static Order knows(const Releases *releases, const Knowledge *knowledge, uint64_t record, unsigned scope,
                   unsigned depth) {
    uint32_t block = record_block(record), time = record_time(record);
    unsigned warp = record_thread(record) / 32;
    Order order = knowledge->everything ? ORDER_LOST : ORDER_NONE;
    for (unsigned i = 0; i < knowledge->count && order != ORDER_KNOWN; i++) {
        Acquired known = knowledge->list[i];
        uint64_t whole = entry_key(known.location, block, WHOLE_BLOCK),
                 own = entry_key(known.location, block, warp);
        order = stronger(order, entry_order(releases, whole, known, time, scope));
        order = stronger(order, entry_order(releases, own, known, time, scope));
        const Knowledge *links = &releases->locations[known.location].links;
        if (order == ORDER_KNOWN || (!links->count && !links->everything)) continue;
        order = stronger(order,
                         depth < MAX_DEPTH ? knows(releases, links, record, scope, depth + 1) : ORDER_NONE);
    }
    return order;
}

static Order acquired(const Clocks *clocks, const BlockClock *block, unsigned warp, uint64_t record,
                      unsigned scope) {
    const Releases *releases = clocks->releases;
    Order order = knows(releases, &block->knowledge, record, scope, 0);
    if (order != ORDER_KNOWN)
        order = stronger(order, knows(releases, &block->warps[warp].knowledge, record, scope, 0));
    return order == ORDER_NONE && releases->overflow ? ORDER_LOST : order;
}

Order clocks_acquired(const Clocks *clocks, const BlockClock *block, unsigned warp, uint64_t record) {
    bool same_block = record_block(record) == (block->linear & ((1u << RECORD_BLOCK_BITS) - 1));
    return acquired(clocks, block, warp, record, same_block ? CLOCK_SCOPE_BLOCK : CLOCK_SCOPE_GPU);
}

Order clocks_acquired_in_block(const Clocks *clocks, const BlockClock *block, unsigned warp,
                               uint64_t record) {
    return clocks->fenced ? acquired(clocks, block, warp, record, CLOCK_SCOPE_BLOCK) : ORDER_NONE;
}

static bool knows_atomic(const Releases *releases, const Knowledge *knowledge, int64_t location,
                         uint64_t record) {
    for (unsigned i = 0; i < knowledge->count; i++) {
        if (knowledge->list[i].location != location) continue;
        uint64_t key = entry_key((uint32_t)location, record_block(record), record_thread(record) / 32);
        return entry_order(releases, key, knowledge->list[i], record_time(record), CLOCK_OF_ATOMIC) !=
               ORDER_NONE;
    }
    return knowledge->everything;
}

/* ---- fences and atomics ---- */

void clocks_fence(Clocks *clocks, const GpuWarp *warp, uint32_t lanes, PtxScope scope) {
    BlockClock *clock = &clocks->blocks[gpu_block_slot(gpu_warp_block(warp))];
    WarpClock *mine = &clock->warps[gpu_warp_index(warp)];
    uint32_t time = clocks_advance(clock);
    unsigned widest = scope == PTX_SCOPE_CTA ? CLOCK_SCOPE_BLOCK : CLOCK_SCOPE_GPU;
    clocks->fenced = true;
    for (unsigned s = 0; s <= widest; s++) {
        mine->release_time[s] = time;
        mine->release_base[s] = clock->barrier_time;
        mine->release_lanes[s] |= lanes;
    }
}

static void link_knowledge(Location *location, uint32_t self, const Knowledge *from) {
    location->links.everything |= from->everything;
    for (unsigned i = 0; i < from->count; i++)
        if (from->list[i].location != self) clocks_learn(&location->links, from->list[i]);
}

/* Where there is no room for another place, all counts as ordered; but what only the block's own threads may
 * acquire, and through global memory, is left out: look-back scans have many flags and a fence for other
 * purposes. */
static int64_t release_place(Releases *releases, const BlockClock *clock, uint64_t key, bool far) {
    int64_t index = location_make(releases, key);
    if (index < 0) {
        releases->overflow |= far || key >> 63;
        return -1;
    }
    Location *location = &releases->locations[index];
    if (location->sequence++ == 0) location->block = clock->linear;
    location->shared |= location->block != clock->linear;
    location->far |= far;
    return index;
}

static void release_to(Clocks *clocks, const BlockClock *clock, unsigned warp, unsigned lane, uint64_t key) {
    const WarpClock *mine = &clock->warps[warp];
    uint32_t time[CLOCK_TIMES] = {0}, base[CLOCK_TIMES] = {0};
    for (unsigned s = 0; s < CLOCK_SCOPES; s++) {
        if (!(mine->release_lanes[s] >> lane & 1)) continue;
        time[s] = mine->release_time[s];
        base[s] = mine->release_base[s];
    }
    if (!time[CLOCK_SCOPE_BLOCK]) return;
    time[CLOCK_OF_ATOMIC] = clock->time + 1;
    Releases *releases = clocks->releases;
    int64_t index = release_place(releases, clock, key, time[CLOCK_SCOPE_GPU] != 0);
    if (index < 0) return;
    Location *location = &releases->locations[index];
    uint32_t sequence = location->sequence;
    entry_update(releases, entry_key((uint32_t)index, clock->linear, warp), sequence, time);
    entry_update(releases, entry_key((uint32_t)index, clock->linear, WHOLE_BLOCK), sequence, base);
    link_knowledge(location, (uint32_t)index, &mine->knowledge);
    link_knowledge(location, (uint32_t)index, &clock->knowledge);
}

static void acquire_from(Clocks *clocks, BlockClock *clock, unsigned warp, uint64_t key) {
    int64_t index = location_find(clocks->releases, key);
    if (index < 0) return;
    const Location *location = &clocks->releases->locations[index];
    if (!location->far && !location->shared && location->block != clock->linear) return;
    Acquired acquired = {(uint32_t)index, location->sequence};
    clocks_learn(&clock->warps[warp].knowledge, acquired);
}

static uint64_t location_key(const GpuAccess *access, const BlockClock *clock, unsigned lane) {
    uint64_t word = access->address[lane] / 4;
    return access->space == PTX_SPACE_SHARED ? check_key(clock->linear, word, 1) | UINT64_C(1) << 63 : word;
}

bool clocks_after_atomic(const Clocks *clocks, const GpuAccess *access, unsigned lane, uint64_t record) {
    const BlockClock *clock = &clocks->blocks[gpu_block_slot(gpu_warp_block(access->warp))];
    int64_t location = location_find(clocks->releases, location_key(access, clock, lane));
    if (location < 0) return false;
    return knows_atomic(clocks->releases, &clock->knowledge, location, record) ||
           knows_atomic(clocks->releases, &clock->warps[gpu_warp_index(access->warp)].knowledge, location,
                        record);
}

void clocks_atomic(Clocks *clocks, const GpuAccess *access) {
    const GpuBlock *block = gpu_warp_block(access->warp);
    BlockClock *clock = &clocks->blocks[gpu_block_slot(block)];
    unsigned warp = gpu_warp_index(access->warp);
    PtxSemantics semantics = access->semantics;
    if (semantics == PTX_SEM_RELEASE || semantics == PTX_SEM_ACQ_REL || semantics == PTX_SEM_SC)
        clocks_fence(clocks, access->warp, access->lanes, access->scope);
    if (!clocks->fenced) return;
    for (unsigned lane = check_first_lane(access->lanes); lane < 32; lane++) {
        if (!(access->lanes >> lane & 1)) continue;
        uint64_t key = location_key(access, clock, lane);
        if (access->kind != GPU_WRITE) acquire_from(clocks, clock, warp, key);
        if (access->kind != GPU_READ) release_to(clocks, clock, warp, lane, key);
        if (access->uniform && access->kind == GPU_READ) return;
    }
}
