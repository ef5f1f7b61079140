/* watch.h - memory that the host must leave alone until it has waited: what an asynchronous copy still reads
 * or writes, and what a launched kernel was given.
 *
 * Pinned, managed and registered memory is mapped by the client, so its pages can be protected meanwhile. A
 * touch faults, is told to the device (EARLY_TOUCH) with its line, and then goes ahead: it is at worst a
 * mistake, not a crash. The page is open for that one instruction only, which is single-stepped, so that the
 * next touch shows too. Ordinary host memory is never protected.
 *
 * While a host function runs, other memory is off limits: what work uses that nothing orders with it. The
 * device says what, and the rest is set aside until the function has returned.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    WATCH_MAX_REGIONS = 256,
    WATCH_MAX_RANGES = 128,
    WATCH_MAX_TOUCHES = 4096 /* as many as a page has bytes; each costs some microseconds */
};

/** A mapped piece of the shared pool. */
typedef struct WatchRegion {
    uint64_t address, bytes;
    uint64_t alias; /**< what kernels call it, when it has another address there */
    bool variable;  /**< a __managed__ variable: any kernel may use it */
} WatchRegion;

/** Bytes that are off limits: for writing, or altogether. */
typedef struct WatchRange {
    uint64_t address, bytes;
    bool reading_allowed;
    bool by_launch;   /**< over when the device is idle; ranges of copies are over when the copy has been made
                         as well */
    unsigned touches; /**< so far; past WATCH_MAX_TOUCHES it is left in peace, and the device is told so */
} WatchRange;

/** What is off limits, in no order. */
typedef struct WatchRanges {
    WatchRange list[WATCH_MAX_RANGES];
    unsigned count;
} WatchRanges;

/** What became of a touch. */
typedef struct WatchTouch {
    bool tell;  /**< those very bytes are watched */
    bool again; /**< the pages are to be protected again behind the access */
    bool last;  /**< a range has been touched too often: from now on it is left in peace */
} WatchTouch;

typedef struct Watch {
    bool enabled; /**< our signal handlers are installed */
    WatchRegion regions[WATCH_MAX_REGIONS];
    unsigned region_count;
    WatchRanges now;
    WatchRanges aside; /**< while a host function runs: what is off limits otherwise */
    bool in_host_function;
} Watch;

void watch_add_region(Watch *watch, WatchRegion region);
void watch_remove_region(Watch *watch, uint64_t address);
/** The region that contains the address, as the host or as kernels call it; NULL: none. */
const WatchRegion *watch_find(const Watch *watch, uint64_t address);
/** An asynchronous copy that reads or writes these bytes was accepted. They count when they are in a region.
 */
void watch_copy(Watch *watch, uint64_t address, uint64_t bytes, bool reading_allowed);
/** A kernel was launched with this word among its parameters. */
void watch_argument(Watch *watch, uint64_t value);
/** A kernel was launched: it may use all managed variables. */
void watch_variables(Watch *watch);
/** The device makes a copy that touches these bytes now. */
void watch_release(Watch *watch, uint64_t address, uint64_t bytes);
/** Nothing is pending. */
void watch_release_all(Watch *watch);
/** A host function begins: until it returns, only what is added now is off limits. */
void watch_begin_function(Watch *watch);
void watch_end_function(Watch *watch);
/** The device's copy of these bytes begins, and ends with watch_again(): pages that it shares with what is
 * still off limits are open meanwhile, since it is not the program that touches them. */
void watch_open(const Watch *watch, uint64_t address, uint64_t bytes);
/** From the signal handler: whether the fault is ours and the access may go ahead. */
bool watch_fault(Watch *watch, uint64_t address, WatchTouch *touch);
/** From the signal handler, behind the access; and behind the device's copy. */
void watch_again(const Watch *watch);
