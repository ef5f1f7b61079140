/* notes.h - counters of a launch, per line where a note may come of it; shared by counters.c (counts) and
 * notes.c (tells). */
#pragma once

#include "check/counts/counters.h"
#include "check/texts.h"

/** The coordinates that one instruction has fetched from textures with: x, y and z. */
typedef struct FetchCount {
    uint64_t lanes;
    float least[3], most[3];
    uint32_t extent[3];      /**< the most texels of a texture; 1 where there is no such coordinate */
    bool normalized, texels; /**< kinds of textures: from 0 to 1, or in texels */
    bool fractions;          /**< a coordinate is no multiple of one half, or no number */
    uint64_t clamped; /**< coordinates outside that count texels, though the texture asks to wrap or mirror */
    bool mirrors;
    unsigned clamped_axis;
} FetchCount;

/** What one instruction did in the launch. */
typedef struct LineCount {
    uint32_t pc; /**< 0: free */
    PtxSpace space;
    uint64_t requests, lanes;
    uint64_t cost, ideal;              /**< sectors, wavefronts, or turns of atomics */
    uint64_t divergent;                /**< branches */
    uint64_t runs;                     /**< of those: neighbours on one side */
    uint64_t edges;                    /**< of those: with all lanes there */
    bool store, atomic, branch, fetch; /**< fetch: of filtered texels, `cost` of them at corners */
    uint64_t address;                  /**< of the first lane of the first request */
    uint64_t plain;                    /**< plain accesses that are not in the counts yet, of */
    unsigned bytes;                    /**< so many a lane */
    FetchCount fetched;
} LineCount;

/** The launches that one place in the host's code has made so far. */
typedef struct LonelyLaunches {
    uint64_t instructions, launches;
    bool others; /**< one of them had more than one thread */
    CheckPlace place;
    const char *kernel;
    uint32_t launch; /**< the last one */
} LonelyLaunches;

enum { LINE_SLOTS = 1024, LONELY_PLACES = 256 };

/** What was counted in a launch that may be repeated. */
typedef struct KeptCounts {
    uint32_t launch; /**< 0: none */
    Counters counters;
    LineCount *lines;
    unsigned line_count;
} KeptCounts;

enum { KEPT_COUNTS = 32 };

/** Pitched memory that the launch was given, and what its threads touched of it: bytes from its start. */
typedef struct RowsArray {
    CheckRows rows;
    uint64_t low, high;
    uint32_t
        padding_pc; /**< of the first access between two rows; 0: there was none, and the rest is not set */
    uint32_t thread;
    uint64_t block, address;
    GpuAccessKind kind;
    unsigned element; /**< bytes of the last access */
} RowsArray;

enum { ROWS_WATCHED = 8 };

typedef struct RowsSeen {
    RowsArray arrays[ROWS_WATCHED];
    unsigned count;
} RowsSeen;

/** What an access costs: sectors or wavefronts. */
typedef struct AccessCost {
    unsigned cost, ideal;
} AccessCost;

enum { KNOWN_COSTS = 256 };

/** A pattern of lanes (GpuAccess.pattern) costs the same wherever it begins equally far into a sector or
 * word. */
typedef struct KnownCost {
    uint64_t pattern;
    unsigned in_unit; /**< of sectors, or of banks' words */
    PtxSpace space;
    AccessCost cost;
} KnownCost;

struct Notes {
    RowsSeen rows;
    Counters now;
    uint32_t atomic_pc;  /**< of the last atomic operation in shared memory, 0: none; and */
    PtxAtomic operation; /**< which one it is */
    LineCount lines[LINE_SLOTS];
    unsigned used[LINE_SLOTS], used_count;
    KnownCost known[KNOWN_COSTS]; /**< by the pattern's number */
    LonelyLaunches lonely[LONELY_PLACES];
    unsigned lonely_count;
    uint32_t
        no_queue[LINE_SLOTS]; /**< pcs of atomics, by their slot, at which lanes had addresses of their own */
    bool lost;                /**< an instruction found its slot taken */
    KeptCounts kept[KEPT_COUNTS];
    unsigned next_kept;
};

/* ---- edges.c ---- */

/** Are all lanes of the warp here? */
bool edges_parts_whole_warp(const GpuWarp *warp, uint32_t taken, uint32_t not_taken);
/** Are the lanes of one side neighbours along threadIdx.x? */
bool edges_parts_neighbours(const GpuWarp *warp, uint32_t taken, uint32_t not_taken);
/** Does one side of the branch have nothing to do until the kernel ends? */
bool edges_branch_ends(const Check *check, uint32_t pc);
/** Does the branch only go past a few instructions, which are for the lanes of one side alone? */
bool edges_branch_skips(const Check *check, uint32_t pc);
/* ---- rows.c: rows of pitched memory, found by their width ---- */

void rows_begin(Check *check, const GpuLaunch *launch);
void rows_begin_range(RowsSeen *seen);
void rows_on_access(RowsSeen *seen, const GpuAccess *access);
void rows_add(RowsSeen *seen, const RowsSeen *more);
void rows_end(Check *check, const GpuLaunch *launch);

/* ---- coordinates.c ---- */

void coordinates_count(FetchCount *count, const struct GpuFetch *fetch);
void coordinates_add(FetchCount *count, const FetchCount *more);

typedef enum CoordinatesMistake {
    COORDINATES_FINE,
    COORDINATES_NORMALIZED, /**< from 0 to 1 in a texture that counts texels */
    COORDINATES_IN_TEXELS   /**< texels counted in a texture that goes from 0 to 1 */
} CoordinatesMistake;
CoordinatesMistake coordinates_judge(const FetchCount *count);
CoordinatesFacts coordinates_facts(const FetchCount *count);

/* ---- notes.c ---- */

/** Says what is clear-cut about a launch that has ended. */
void notes_tell(Check *check, const GpuLaunch *launch, const Notes *notes);
/** Remembers the launch's shape. */
void notes_lonely(Check *check, Notes *notes, const GpuLaunch *launch);
/** At the end of the program: of places that launched a single thread only, which had much to do. */
void notes_tell_lonely(Check *check, const Notes *notes);
