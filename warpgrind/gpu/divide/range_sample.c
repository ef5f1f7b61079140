/* range_sample.c - how much memory a launch changes, seen in its first blocks; and whether that is worth the
 * processes that it would be divided among.
 *
 * What a division costs is pages: the kernel copies each page that a worker changes, the worker copies it to
 * where the first process sees it, and that one copies it once more. What it gains is instructions. So the
 * launch's first blocks run as always, and one more observer counts the places that they change: pages, and
 * segments of 128 bytes. Blocks side by side share pages (a block of 256 floats changes a quarter of one),
 * and so do blocks that walk through an array in steps of the whole grid, of which the first changes
 * something of nearly every page. So what counts is what is new in the second half of the sample.
 */
#include "gpu/divide/range.h"

#include <stdlib.h>

enum {
    SAMPLE_BLOCKS = 8,
    SAMPLE_SHARE = 16, /* no more of a launch's blocks than one of so many */
    SEGMENT_BYTES = RANGE_PAGE_BYTES / RANGE_PAGE_SEGMENTS,
    TABLE = 1 << 14,
    TABLE_ROOM = TABLE / 4 * 3
};

/** A set of numbers, as an open hash table; 0 is an empty cell. */
typedef struct Places {
    uint64_t numbers[TABLE];
    uint32_t count;
} Places;

/** What has been seen so far. */
typedef struct Tally {
    uint64_t steps, accesses, global;
    uint32_t pages, segments; /**< that were changed */
} Tally;

struct GpuSample {
    GpuRun *run;
    unsigned observers, access_observers, shared_observers; /**< the Gpu's, without the sample's own */
    uint64_t blocks;                                        /**< that are to be sampled */
    bool halved; /**< half of them are done, when there was this: */
    Tally half;
    uint64_t accesses, global;
    uint64_t full_steps; /**< not 0: so many instructions filled the tables */
    Places pages, segments;
};

/* ---- what is changed ---- */

static void places_add(Places *places, uint64_t number) {
    uint64_t at = number * UINT64_C(0x9e3779b97f4a7c15) >> 50;
    while (places->numbers[at] && places->numbers[at] != number + 1)
        at = (at + 1) % TABLE;
    if (places->numbers[at]) return;
    places->numbers[at] = number + 1;
    places->count++;
}

static void sample_add(GpuSample *sample, uint64_t address, uint64_t bytes) {
    uint64_t first = address / SEGMENT_BYTES, last = (address + bytes - 1) / SEGMENT_BYTES;
    for (uint64_t segment = first; segment <= last; segment++) {
        places_add(&sample->segments, segment);
        places_add(&sample->pages, segment / RANGE_PAGE_SEGMENTS);
    }
}

static void on_access(void *self, const GpuAccess *access) {
    GpuSample *sample = self;
    bool global = access->space == PTX_SPACE_GLOBAL;
    if (sample->full_steps) return; /* the block goes on, but the tables have room for no more of it */
    sample->accesses++;
    sample->global += global;
    if (!global || access->kind == GPU_READ) return;
    if (access->contiguous || access->uniform) {
        sample_add(sample, access->low, access->high - access->low + access->bytes);
    } else {
        for (uint32_t left = access->lanes; left; left &= left - 1)
            sample_add(sample, access->address[__builtin_ctz(left)], access->bytes);
    }
    /* One access adds 32 lanes of 16 bytes at most: the table's last quarter has room for it. */
    if (sample->segments.count > TABLE_ROOM) sample->full_steps = sample->run->launch.warp_instructions + 1;
}

/* ---- the sample's life ---- */

void range_sample_begin(GpuRun *run) {
    Gpu *gpu = run->gpu;
    const GpuConfig *config = &gpu->config;
    uint64_t blocks = run->block_total / SAMPLE_SHARE;
    bool wanted = run->may_divide && config->divide_from == 0 && run->kernel->sampled.steps == 0;
    if (run->launch.repeats) wanted = false; /* its observers rest in their places */
    if (!wanted || gpu->observer_count == GPU_MAX_OBSERVERS) return;
    GpuSample *sample = calloc(1, sizeof *sample);
    if (!sample) return;
    if (blocks > SAMPLE_BLOCKS) blocks = SAMPLE_BLOCKS;
    sample->run = run;
    if (blocks)
        sample->blocks = blocks;
    else
        sample->blocks = 1;
    sample->observers = gpu->observer_count;
    sample->access_observers = gpu->access_count;
    sample->shared_observers = gpu->shared_count;
    run->sample = sample;
    gpu_attach(gpu, &(GpuObserver){.self = sample, .access = on_access});
}

static Tally sample_now(const GpuSample *sample) {
    Tally now = {.steps = sample->run->launch.warp_instructions,
                 .accesses = sample->accesses,
                 .global = sample->global,
                 .pages = sample->pages.count,
                 .segments = sample->segments.count};
    if (sample->full_steps) now.steps = sample->full_steps;
    return now;
}

/** What is new in the second half. A page counts in full, as it is copied in full; but where blocks share
 * pages, as rows of tiles do, others have changed it before, and then the segments count. */
static GpuSampled sample_result(const GpuSample *sample) {
    const Tally *half = &sample->half;
    Tally now = sample_now(sample);
    uint64_t pages = now.pages - half->pages, segments = now.segments - half->segments;
    if (segments < pages * RANGE_PAGE_SEGMENTS) segments = pages * RANGE_PAGE_SEGMENTS;
    return (GpuSampled){.steps = now.steps - half->steps,
                        .accesses = now.accesses - half->accesses,
                        .global = now.global - half->global,
                        .segments = segments};
}

/** Called between blocks. At half of the sample its state is kept, since only what is new in the second
 * half counts; at its end the kernel gets the result. */
bool range_sample_goes_on(GpuRun *run) {
    GpuSample *sample = run->sample;
    if (!sample) return false;
    bool enough = run->next_block >= sample->blocks || (sample->full_steps && run->next_block);
    if (enough) {
        run->kernel->sampled = sample_result(sample);
        range_sample_end(run);
        return false;
    }
    if (!sample->halved && run->next_block * 2 >= sample->blocks) {
        sample->halved = true;
        sample->half = sample_now(sample);
    }
    return true;
}

void range_sample_end(GpuRun *run) {
    GpuSample *sample = run->sample;
    if (!sample) return;
    run->gpu->observer_count = sample->observers;
    run->gpu->access_count = sample->access_observers;
    run->gpu->shared_count = sample->shared_observers;
    free(sample);
    run->sample = NULL;
}

/* ---- whether it is worth it ---- */

/* Nanoseconds of the processor, as measured for docs/performance.md. They are rough, and only their ratios
 * count. What a fork takes grows with the memory whose pages it maps, and so does the end of what it made. */
enum {
    COST_OF_STEP = 6,
    COST_OF_ACCESS = 25, /* more than of another step, where nobody watches */
    COST_OF_WATCHED_ACCESS = 100,
    COST_OF_FOOTPRINT = 40, /* of a global one in a worker */
    COST_OF_FORK = 500000,
    COST_OF_FORKED_MIB = 25000,
    COST_OF_CHANGED_PAGE = 10000, /* for the worker that changes it */
    COST_OF_TAKEN_PAGE = 5000,    /* for the first process, which takes it over */
};

/** How long it takes when it is not divided. */
static uint64_t cost_alone(const RangeWork *work) {
    uint64_t access = COST_OF_ACCESS;
    if (work->watched) access = COST_OF_WATCHED_ACCESS;
    return work->steps * COST_OF_STEP + work->accesses * access;
}

/** How long it takes when it is divided: the first process forks one worker after the other and takes their
 * pages over alone; the rest happens side by side. */
static uint64_t cost_divided(const RangeWork *work, uint64_t workers) {
    uint64_t fork = COST_OF_FORK + (work->memory >> 20) * COST_OF_FORKED_MIB;
    uint64_t side_by_side =
        cost_alone(work) + work->global * COST_OF_FOOTPRINT + work->pages * COST_OF_CHANGED_PAGE;
    return side_by_side / workers + work->pages * COST_OF_TAKEN_PAGE + (workers + 1) * fork;
}

unsigned range_worth(const RangeWork *work, unsigned most) {
    uint64_t alone = cost_alone(work);
    uint64_t least = alone - alone / 8; /* a guess that promises less may well lose */
    unsigned best = 1;
    for (unsigned workers = 2; workers <= most && workers <= work->blocks; workers++) {
        uint64_t cost = cost_divided(work, workers);
        if (cost >= least) continue;
        least = cost;
        best = workers;
    }
    return best;
}
