/* watched.h - what is remembered of a program's calls until it shows whether they were mistakes, and for the
 * report.
 *
 * The parts are filled and read by the files that they are called after: asked.c, hints.c, hostside.c,
 * memsets.c and so on; HostLandings by copies.c.
 */
#pragma once

#include "device/state/codes.h"
#include <stdbool.h>

/** A copy or memset of exactly a quarter or an eighth of an allocation, from its start: elements taken for
 * bytes, unless the rest follows. */
typedef struct DeviceHint {
    uint32_t allocation; /**< id; 0: taken back */
    bool to_device;
    bool rows; /**< `bytes` and `whole` are of each row */
    uint64_t site, bytes, whole;
    const char *mark;
} DeviceHint;

/** What may be a mistake, kept until the program's end shows whether it was. */
typedef struct Hints {
    DeviceHint list[DEVICE_MAX_HINTS];
    unsigned count;
} Hints;

/** A function of CUB that was called without storage. */
typedef struct DeviceAsked {
    const char *function;
    unsigned times; /**< in a row; 0: it got storage since */
    uint64_t bytes_at, site;
    const char *mark;
} DeviceAsked;

enum { DEVICE_MAX_ASKED = 32 };

typedef struct AskedSizes {
    DeviceAsked list[DEVICE_MAX_ASKED];
    unsigned count;
} AskedSizes;

/** The host touched shared memory, or gave it back, while work was pending (hostside.h). */
typedef struct DeviceTouch {
    uint64_t address, bytes, site;
    uint64_t step;     /**< the touches of a loop: a byte in every so many; 0: all bytes */
    uint64_t sequence; /**< launches up to here were pending */
    unsigned again;    /**< how often the same bytes were touched after the first time */
    bool write, freed, told;
} DeviceTouch;

/** What the host did to shared memory while kernels were pending. */
typedef struct HostTouches {
    DeviceTouch list[DEVICE_MAX_TOUCHES];
    unsigned count;
    bool watched;
} HostTouches;

/** A copy that wrote to host memory: should the program die of it, its line is wanted. */
typedef struct DeviceLanding {
    uint64_t address, site;
} DeviceLanding;

/** The newest copies to the host, in a ring. */
typedef struct HostLandings {
    DeviceLanding list[DEVICE_MAX_LANDINGS]; /**< the newest at (count - 1) % DEVICE_MAX_LANDINGS */
    unsigned count;
} HostLandings;

enum { TIMING_LAUNCHES = 64 };

/** The last launches, in the order of the calls. */
typedef struct Timing {
    struct TimingLaunch {
        uint64_t sequence, site;
        unsigned stream;
    } last[TIMING_LAUNCHES];
    uint64_t launches; /**< all there were */
} Timing;

enum { REDUNDANT_SITES = 64 };

/** What the copies of one call did. */
typedef struct Redundant {
    struct RedundantSite {
        uint64_t site, writes, same, bytes;
        const char *mark;
    } sites[REDUNDANT_SITES];
    unsigned count;
} Redundant;

enum { MEMSETS_KEPT = 32 };

/** The last memsets of a byte that makes no sensible number. */
typedef struct Memsets {
    struct Memset {
        uint64_t address, bytes, site;
        const char *mark;
        uint8_t value;
        bool told;
    } kept[MEMSETS_KEPT];
    unsigned count; /**< all there were */
    bool watched;
} Memsets;

/** What the host has copied to variables, once that matters. */
typedef struct SymbolCopies {
    struct CopiedSymbol *first;
    bool watched;
} SymbolCopies;

enum { CALLS_ROWS = 1024 };

/** The rows of the report's `calls`. */
typedef struct Calls {
    struct CallsRow {
        const char *mark;
        uint64_t site, count;
        uint64_t held; /**< streams with copies to the host for which it waited by this call alone */
        uint32_t function;
    } rows[CALLS_ROWS];
    unsigned row_count;
    uint64_t total; /**< calls, those without a row included */
} Calls;
