/* watch.h - memory that the host must leave alone until it has waited: what an asynchronous copy still reads
 * or writes, and managed memory that a launched kernel was given.
 *
 * Pinned and managed memory is mapped by the client, so its pages can be protected meanwhile. A touch faults,
 * is told to the device (EARLY_TOUCH) with its line, and then goes ahead: it is a mistake, not a crash.
 * Ordinary host memory is never protected.
 */
#ifndef CUDART_WATCH_H
#define CUDART_WATCH_H

#include <stdbool.h>
#include <stdint.h>

enum { WATCH_MAX_REGIONS = 256, WATCH_MAX_RANGES = 128 };

/** A mapped piece of the shared pool. */
typedef struct WatchRegion {
    uint64_t address, bytes;
    bool managed;
} WatchRegion;

/** Bytes that are off limits: for writing, or altogether. */
typedef struct WatchRange {
    uint64_t address, bytes;
    bool reading_allowed;
    bool by_launch; /**< over with any wait; ranges of copies are over when the copy has been made */
} WatchRange;

typedef struct Watch {
    bool enabled; /**< our signal handler is installed */
    WatchRegion regions[WATCH_MAX_REGIONS];
    WatchRange ranges[WATCH_MAX_RANGES];
    unsigned region_count, range_count;
} Watch;

void watch_add_region(Watch *watch, uint64_t address, uint64_t bytes, bool managed);
void watch_remove_region(Watch *watch, uint64_t address);
/** An asynchronous copy between these was accepted. Only sides in a region count. */
void watch_copy(Watch *watch, uint64_t to, uint64_t from, uint64_t bytes);
/** A kernel was launched with this 8-byte value among its arguments. */
void watch_argument(Watch *watch, uint64_t value);
/** The device makes a copy that touches these bytes now. */
void watch_release(Watch *watch, uint64_t address, uint64_t bytes);
/** The host has waited: for launches, or for everything. */
void watch_release_launches(Watch *watch);
void watch_release_all(Watch *watch);
/** From the signal handler: whether the fault is ours and the access may go ahead; *mistake: whether those
 * very bytes are watched. */
bool watch_fault(Watch *watch, uint64_t address, bool *mistake);

#endif
