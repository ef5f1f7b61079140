/* client_pages.c - pages that host and device both use: where they are mapped, and what the host must leave
 * alone while the device is at work.
 */
#include "cudart/session.h"

#include <string.h>
#include <sys/mman.h>

/* ---- shared pool ---- */

bool client_is_mapped(uint64_t address, size_t bytes) {
    uint64_t first = address / WIRE_PAGE * WIRE_PAGE;
    return bytes <= WIRE_POOL_BYTES && msync(client_pointer(first), address - first + bytes, MS_ASYNC) == 0;
}

static bool map_at(uint64_t address, uint64_t offset, uint64_t bytes, int how) {
    void *wanted = client_pointer(address);
    return mmap(wanted, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | how, client_session.window_file,
                (off_t)offset) == wanted;
}

static void add_region(WatchRegion region) {
    client_lock();
    watch_add_region(&client_session.watch, region);
    client_unlock();
}

static void remove_region(uint64_t address) {
    client_lock();
    watch_remove_region(&client_session.watch, address);
    client_unlock();
}

bool client_map_pool(WatchRegion region, uint64_t offset) {
    if (region.bytes == 0) return true;
    if (!map_at(region.address, offset, region.bytes, MAP_FIXED_NOREPLACE)) return false;
    add_region(region);
    return true;
}

void client_unmap_pool(uint64_t address, uint64_t bytes) {
    if (bytes == 0) return;
    remove_region(address);
    munmap(client_pointer(address), bytes);
}

bool client_replace_pages(WatchRegion region, uint64_t offset) {
    if (region.bytes == 0) return true;
    void *piece = mmap(NULL, region.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, client_session.window_file,
                       (off_t)offset);
    if (piece == MAP_FAILED) return false;
    memcpy(piece, client_pointer(region.address), region.bytes);
    bool mapped = map_at(region.address, offset, region.bytes, MAP_FIXED);
    munmap(piece, region.bytes);
    if (mapped) add_region(region);
    return mapped;
}

bool client_restore_pages(uint64_t address, uint64_t bytes) {
    if (bytes == 0) return true;
    remove_region(address);
    void *own = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (own == MAP_FAILED) return false;
    memcpy(own, client_pointer(address), bytes);
    return mremap(own, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, client_pointer(address)) != MAP_FAILED;
}

/* ---- what the host must leave alone ---- */

void client_watch_copy(const void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                       size_t height) {
    if (width == 0 || height == 0) return;
    client_lock();
    watch_copy(&client_session.watch, client_word(to), (height - 1) * to_pitch + width, false);
    watch_copy(&client_session.watch, client_word(from), (height - 1) * from_pitch + width, true);
    client_unlock();
}

void client_watch_parameters(const uint8_t *block, size_t bytes) {
    client_lock();
    uint64_t value;
    for (size_t at = 0; client_session.watch.region_count > 0 && at + sizeof value <= bytes;
         at += sizeof value) {
        memcpy(&value, block + at, sizeof value);
        watch_argument(&client_session.watch, value);
    }
    watch_variables(&client_session.watch);
    client_unlock();
}

void client_protect_ranges(const WireRange *ranges, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (ranges[i].use == WIRE_USED_BY_LAUNCH)
            watch_argument(&client_session.watch, ranges[i].address);
        else
            watch_copy(&client_session.watch, ranges[i].address, ranges[i].bytes,
                       ranges[i].use == WIRE_READ_BY_COPY);
}

void client_watch_ranges(const WireRange *ranges, size_t count) {
    client_lock();
    client_protect_ranges(ranges, count);
    client_unlock();
}
