/* range.h - a launch divided into ranges of blocks, each run by a process of its own.
 *
 * A worker is a fork of the machine: it has everything that the blocks before have left, and whatever it
 * changes is its own. What it touched and what its observers saw goes into a GpuRange, which lies in memory
 * that both processes see. The ranges are taken over, in the order of blocks, only when nobody could tell the
 * result from that of one process; else they are thrown away and the launch goes on as if nothing had been.
 *
 *     range_divide (range.c)   forks, waits, and takes over or gives up
 *     range_sample.c           before: what the first blocks change, and whether a division is worth it
 *     footprint.c              in the worker: which words were read, written, updated atomically
 *     liveness.c              is the old value that an atomic gives ever looked at?
 *     range_merge.c            compares the footprints, and puts the words together
 */
#pragma once

#include "gpu/state/machine.h"

enum { RANGE_PAGE_BYTES = 4096, RANGE_PAGE_WORDS = 1024, RANGE_PAGE_SEGMENTS = 32, RANGE_MOST = 64 };
enum { RANGE_MAX_PAGES = 1 << 18, RANGE_MAX_PC_TABLES = 1 << 14, RANGE_MAX_ADDITIONS = 1 << 20 };
#define RANGE_STREAM_BYTES (UINT64_C(1) << 31)
#define RANGE_PC_MIXED UINT32_MAX /**< several instructions have updated the word */

/** An addition of floats, whose order shows. */
typedef struct RangeAddition {
    uint64_t address, operand;
    uint32_t pc;
} RangeAddition;

typedef enum RangeState { RANGE_RUNS, RANGE_DONE, RANGE_REFUSED } RangeState;

struct GpuRange {
    RangeState state;
    unsigned workers;
    uint64_t first_block, end_block; /**< places in the launch's order */
    GpuLaunch totals;                /**< what these blocks added to the launch's */
    unsigned page_count, pc_table_count, addition_count;
    uint64_t stream_bytes, taken;
    GpuRangePage *pages;
    uint32_t (*pc_tables)[RANGE_PAGE_WORDS]; /**< which instruction updated a word; 0: none */
    RangeAddition *additions;
    uint8_t *stream; /**< the bytes of changed pages, then what observers put */
};

/** Runs the blocks of a launch that are left: what a worker does with its range. */
typedef void RangeRunner(GpuRun *run);
/** Runs the rest of the launch in several processes. False: nothing has happened, go on. */
bool range_divide(GpuRun *run, RangeRunner *run_blocks);
/** A worker has met what one range cannot decide. */
void range_refuse(GpuRun *run);
/** After each block of a worker: is the result still that of one process? */
void range_look(GpuRun *run);

/** What is left of a launch, as far as its first blocks tell. */
typedef struct RangeWork {
    uint64_t blocks;
    uint64_t steps, accesses, global; /**< as in GpuSampled */
    uint64_t pages;                   /**< of global memory that are changed */
    uint64_t memory;                  /**< bytes that a fork has to map */
    bool watched;                     /**< observers look at each access */
} RangeWork;
/** Among how many processes, of so many at most, the work is done soonest; 1: it is not worth dividing. */
unsigned range_worth(const RangeWork *work, unsigned most);

/** Begins to count what the launch's first blocks change, where that is not known from an earlier launch. */
void range_sample_begin(GpuRun *run);
/** Between blocks: the sample needs more of them. Once it has enough, run->kernel->change has the result. */
bool range_sample_goes_on(GpuRun *run);
/** Takes the sample's observer away, before the launch's other observers are touched; none: nothing. */
void range_sample_end(GpuRun *run);

/** The kernel has nothing that rules out ranges from the start. */
bool footprint_suits(const GpuKernel *kernel);
/** Attaches the observer that fills run->range. False without memory. */
bool footprint_begin(GpuRun *run);
/** Adds the bytes of the pages that were changed. */
void footprint_put_pages(GpuRun *run);

/** Takes the words of all ranges over; false, and nothing done, when one depends on another. */
bool range_merge(Gpu *gpu, GpuRange *const *ranges, unsigned count);
