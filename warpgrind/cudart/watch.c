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
    if (!watch->enabled || watch->range_count == WATCH_MAX_RANGES) return;
    watch->ranges[watch->range_count++] = range;
    protect_all(watch);
}

void watch_copy(Watch *watch, uint64_t address, uint64_t bytes, bool reading_allowed) {
    const WatchRegion *region = watch_find(watch, address);
    if (region == NULL || address - region->address >= region->bytes) return;
    if (bytes == 0 || bytes > region->address + region->bytes - address) return;
    add_range(watch, (WatchRange){.address = address, .bytes = bytes, .reading_allowed = reading_allowed});
}

static void watch_region(Watch *watch, const WatchRegion *region) {
    for (unsigned i = 0; i < watch->range_count; i++)
        if (watch->ranges[i].address == region->address && watch->ranges[i].by_launch) return;
    add_range(watch, (WatchRange){.address = region->address, .bytes = region->bytes, .by_launch = true});
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

/* ---- touches ---- */

bool watch_fault(Watch *watch, uint64_t address, bool *tell, bool *again) {
    bool ours = false;
    *tell = *again = false;
    for (unsigned i = watch->range_count; i-- > 0;) {
        WatchRange *range = &watch->ranges[i];
        if (address < first_page(range) || address >= end_page(range)) continue;
        ours = true;
        bool inside = overlaps(range, address, 1);
        *tell = *tell || inside;
        /* A copy's bytes are told of once, a launch's as long as it is worth while. */
        if ((inside && !range->by_launch) || ++range->touches > WATCH_MAX_TOUCHES) remove_range(watch, i);
    }
    if (!ours) return false;
    const WatchRange page = {.address = address, .bytes = 1};
    protect(&page, PROT_READ | PROT_WRITE);
    *again = watch->range_count > 0;
    return true;
}

void watch_again(const Watch *watch) {
    protect_all(watch);
}
