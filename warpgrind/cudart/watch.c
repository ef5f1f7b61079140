/* watch.c - see watch.h. Everything here may run in a signal handler: no memory, no locks. */
#include "cudart/watch.h"
#include "cudart/protocol.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

/* ---- pages ---- */

static uint64_t first_page(const WatchRange *range) {
    return range->address / WIRE_PAGE * WIRE_PAGE;
}

static uint64_t end_page(const WatchRange *range) {
    return (range->address + range->bytes + WIRE_PAGE - 1) / WIRE_PAGE * WIRE_PAGE;
}

static void protect(const WatchRange *range, int how) {
    mprotect((void *)(uintptr_t)first_page(range), end_page(range) - first_page(range), how); /* NOLINT */
}

/** Protects what is watched; ranges that may not be read go last, as pages may be shared. */
static void protect_all(const Watch *watch) {
    const WatchRanges *now = &watch->now;
    for (unsigned i = 0; i < now->count; i++)
        if (now->list[i].reading_allowed) protect(&now->list[i], PROT_READ);
    for (unsigned i = 0; i < now->count; i++)
        if (!now->list[i].reading_allowed) protect(&now->list[i], PROT_NONE);
}

static void open_all(const WatchRanges *ranges) {
    for (unsigned i = 0; i < ranges->count; i++)
        protect(&ranges->list[i], PROT_READ | PROT_WRITE);
}

static void remove_range(Watch *watch, unsigned index) {
    protect(&watch->now.list[index], PROT_READ | PROT_WRITE);
    watch->now.list[index] = watch->now.list[--watch->now.count];
}

/* ---- regions ---- */

const WatchRegion *watch_find(const Watch *watch, uint64_t address) {
    for (unsigned i = 0; i < watch->region_count; i++) {
        const WatchRegion *region = &watch->regions[i];
        if (address - region->address < region->bytes) return region;
        if (region->alias != 0 && address - region->alias < region->bytes) return region;
    }
    return NULL;
}

void watch_add_region(Watch *watch, WatchRegion region) {
    if (watch->region_count < WATCH_MAX_REGIONS) watch->regions[watch->region_count++] = region;
}

void watch_remove_region(Watch *watch, uint64_t address) {
    for (unsigned i = 0; i < watch->region_count; i++) {
        if (watch->regions[i].address != address) continue;
        watch_release(watch, address, watch->regions[i].bytes);
        watch->regions[i] = watch->regions[--watch->region_count];
        return;
    }
}

/* ---- ranges ---- */

static void add_range(Watch *watch, WatchRange range) {
    if (!watch->enabled || watch->now.count == WATCH_MAX_RANGES) return;
    watch->now.list[watch->now.count++] = range;
    protect_all(watch);
}

void watch_copy(Watch *watch, uint64_t address, uint64_t bytes, bool reading_allowed) {
    const WatchRegion *region = watch_find(watch, address);
    if (region == NULL || address - region->address >= region->bytes) return;
    if (bytes == 0 || bytes > region->address + region->bytes - address) return;
    add_range(watch, (WatchRange){.address = address, .bytes = bytes, .reading_allowed = reading_allowed});
}

enum { MAX_POINTERS = 32 };

/** Words that lie in the first page of the region and point to others: the arrays of a structure, the next
 * node of a list. */
static unsigned find_pointers(const Watch *watch, const WatchRegion *region, uint64_t *found) {
    uint64_t value, bytes = region->bytes < WIRE_PAGE ? region->bytes : WIRE_PAGE;
    unsigned count = 0;
    watch_open(watch, region->address, bytes);
    for (uint64_t at = 0; at + sizeof value <= bytes && count < MAX_POINTERS; at += sizeof value) {
        memcpy(&value, (const void *)(uintptr_t)(region->address + at), sizeof value);
        const WatchRegion *other = watch_find(watch, value);
        if (other != NULL && other != region) found[count++] = value;
    }
    return count;
}

/** A kernel that was given the region may follow the pointers in it. What it does not touch is no mistake of
 * the host's: the device compares. */
static void watch_region(Watch *watch, const WatchRegion *region) {
    uint64_t pointers[MAX_POINTERS];
    for (unsigned i = 0; i < watch->now.count; i++)
        if (watch->now.list[i].address == region->address && watch->now.list[i].by_launch) return;
    if (!watch->enabled || watch->now.count == WATCH_MAX_RANGES) return;
    unsigned count = find_pointers(watch, region, pointers);
    add_range(watch, (WatchRange){.address = region->address, .bytes = region->bytes, .by_launch = true});
    for (unsigned i = 0; i < count; i++)
        watch_argument(watch, pointers[i]);
}

void watch_argument(Watch *watch, uint64_t value) {
    const WatchRegion *region = watch_find(watch, value);
    if (region != NULL) watch_region(watch, region);
}

void watch_variables(Watch *watch) {
    for (unsigned i = 0; i < watch->region_count; i++)
        if (watch->regions[i].variable) watch_region(watch, &watch->regions[i]);
}

static bool overlaps(const WatchRange *range, uint64_t address, uint64_t bytes) {
    return range->address < address + bytes && address < range->address + range->bytes;
}

void watch_release(Watch *watch, uint64_t address, uint64_t bytes) {
    bool changed = false;
    for (unsigned i = watch->now.count; i-- > 0;) {
        if (!overlaps(&watch->now.list[i], address, bytes)) continue;
        remove_range(watch, i);
        changed = true;
    }
    if (changed) protect_all(watch);
}

void watch_open(const Watch *watch, uint64_t address, uint64_t bytes) {
    for (unsigned i = 0; i < watch->now.count; i++) {
        const WatchRange *range = &watch->now.list[i];
        if (first_page(range) < address + bytes && address < end_page(range))
            protect(range, PROT_READ | PROT_WRITE);
    }
}

void watch_release_all(Watch *watch) {
    while (watch->now.count > 0)
        remove_range(watch, watch->now.count - 1);
}

void watch_begin_function(Watch *watch) {
    open_all(&watch->now);
    watch->aside = watch->now;
    watch->now.count = 0;
    watch->in_host_function = true;
}

void watch_end_function(Watch *watch) {
    open_all(&watch->now);
    watch->now = watch->aside;
    watch->aside.count = 0;
    watch->in_host_function = false;
    protect_all(watch);
}

/* ---- touches ---- */

/** A copy that is pending is a mistake at the first touch of its bytes, and need not be told of twice. What a
 * launch, or work beside a host function, does with the bytes is seen when it runs: every touch counts. */
static bool is_done_with(const Watch *watch, WatchRange *range, bool inside, WatchTouch *touch) {
    if (inside && !range->by_launch && !watch->in_host_function) return true;
    if (++range->touches <= WATCH_MAX_TOUCHES) return false;
    touch->last = true;
    return true;
}

bool watch_fault(Watch *watch, uint64_t address, WatchTouch *touch) {
    bool ours = false;
    *touch = (WatchTouch){0};
    for (unsigned i = watch->now.count; i-- > 0;) {
        WatchRange *range = &watch->now.list[i];
        if (address < first_page(range) || address >= end_page(range)) continue;
        ours = true;
        bool inside = overlaps(range, address, 1);
        touch->tell = touch->tell || inside;
        if (is_done_with(watch, range, inside, touch)) remove_range(watch, i);
    }
    if (!ours) return false;
    const WatchRange page = {.address = address, .bytes = 1};
    protect(&page, PROT_READ | PROT_WRITE);
    touch->again = watch->now.count > 0;
    return true;
}

void watch_again(const Watch *watch) {
    protect_all(watch);
}
