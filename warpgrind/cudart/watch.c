/* watch.c - see watch.h. Everything here may run in a signal handler: no memory, no locks. */
#include "cudart/watch.h"
#include "cudart/protocol.h"

#include <stddef.h>
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
    for (unsigned i = 0; i < watch->range_count; i++)
        if (watch->ranges[i].reading_allowed) protect(&watch->ranges[i], PROT_READ);
    for (unsigned i = 0; i < watch->range_count; i++)
        if (!watch->ranges[i].reading_allowed) protect(&watch->ranges[i], PROT_NONE);
}

static void remove_range(Watch *watch, unsigned index) {
    protect(&watch->ranges[index], PROT_READ | PROT_WRITE);
    watch->ranges[index] = watch->ranges[--watch->range_count];
}

/* ---- regions ---- */

static const WatchRegion *find_region(const Watch *watch, uint64_t address) {
    for (unsigned i = 0; i < watch->region_count; i++)
        if (address - watch->regions[i].address < watch->regions[i].bytes) return &watch->regions[i];
    return NULL;
}

void watch_add_region(Watch *watch, uint64_t address, uint64_t bytes, bool managed) {
    if (watch->region_count < WATCH_MAX_REGIONS)
        watch->regions[watch->region_count++] = (WatchRegion){address, bytes, managed};
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
    const WatchRegion *region = find_region(watch, range.address);
    if (!watch->enabled || region == NULL || range.bytes == 0) return;
    if (range.bytes > region->address + region->bytes - range.address) return;
    if (watch->range_count == WATCH_MAX_RANGES) return;
    watch->ranges[watch->range_count++] = range;
    protect_all(watch);
}

void watch_copy(Watch *watch, uint64_t to, uint64_t from, uint64_t bytes) {
    add_range(watch, (WatchRange){.address = to, .bytes = bytes});
    add_range(watch, (WatchRange){.address = from, .bytes = bytes, .reading_allowed = true});
}

void watch_argument(Watch *watch, uint64_t value) {
    const WatchRegion *region = find_region(watch, value);
    if (region == NULL || !region->managed) return;
    for (unsigned i = 0; i < watch->range_count; i++)
        if (watch->ranges[i].address == region->address && watch->ranges[i].by_launch) return;
    add_range(watch, (WatchRange){.address = region->address, .bytes = region->bytes, .by_launch = true});
}

static bool overlaps(const WatchRange *range, uint64_t address, uint64_t bytes) {
    return range->address < address + bytes && address < range->address + range->bytes;
}

void watch_release(Watch *watch, uint64_t address, uint64_t bytes) {
    bool changed = false;
    for (unsigned i = watch->range_count; i-- > 0;) {
        if (!overlaps(&watch->ranges[i], address, bytes)) continue;
        remove_range(watch, i);
        changed = true;
    }
    if (changed) protect_all(watch);
}

void watch_release_launches(Watch *watch) {
    bool changed = false;
    for (unsigned i = watch->range_count; i-- > 0;) {
        if (!watch->ranges[i].by_launch) continue;
        remove_range(watch, i);
        changed = true;
    }
    if (changed) protect_all(watch);
}

void watch_release_all(Watch *watch) {
    while (watch->range_count > 0)
        remove_range(watch, watch->range_count - 1);
}

bool watch_fault(Watch *watch, uint64_t address, bool *mistake) {
    bool ours = false;
    *mistake = false;
    for (unsigned i = watch->range_count; i-- > 0;) {
        const WatchRange *range = &watch->ranges[i];
        if (address < first_page(range) || address >= end_page(range)) continue;
        ours = true;
        if (overlaps(range, address, 1)) *mistake = true;
        remove_range(watch, i);
    }
    /* Neighbours on the same page are no longer watched either: the access must go ahead. */
    return ours;
}
