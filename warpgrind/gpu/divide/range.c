/* range.c - see range.h: who forks, who waits, and what is taken over.
 *
 * Only what a single process does block after block, each within its first turn, is divided (seed 0): then a
 * worker executes its blocks exactly as the single process would have.
 */
#include "gpu/divide/range.h"
#include "base/minmax.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- what observers put and take ---- */

void gpu_range_put(GpuRange *range, const void *bytes, uint64_t count) {
    if (count > RANGE_STREAM_BYTES - range->stream_bytes) {
        range->state = RANGE_REFUSED;
        return;
    }
    if (count) memcpy(range->stream + range->stream_bytes, bytes, count);
    range->stream_bytes += (count + 7) & ~UINT64_C(7);
}

const void *gpu_range_take(GpuRange *range, uint64_t count) {
    if (count > range->stream_bytes - range->taken) BUG("a range ends before its observers do");
    const void *bytes = range->stream + range->taken;
    range->taken += (count + 7) & ~UINT64_C(7);
    return bytes;
}

unsigned gpu_range_workers(const GpuRange *range) {
    return range->workers;
}

const GpuRangePage *gpu_range_page(const GpuRange *range, unsigned index) {
    if (index < range->page_count) return &range->pages[index];
    return NULL;
}

/* ---- memory that both sides see ---- */

static uint64_t range_bytes(void) {
    return 4096 + RANGE_MAX_PAGES * sizeof(GpuRangePage) +
           RANGE_MAX_PC_TABLES * RANGE_PAGE_WORDS * UINT64_C(4) +
           RANGE_MAX_ADDITIONS * sizeof(RangeAddition) + RANGE_STREAM_BYTES;
}

/** A range's memory, mapped so that worker and first process share it. The spaces behind the head are
 * reserved as large as they may become; pages come as they are touched. */
static GpuRange *range_make(void) {
    uint8_t *memory =
        mmap(NULL, range_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    GpuRange *range = (void *)memory;
    uint8_t *at = memory + 4096;
    range->stream = at;
    at += RANGE_STREAM_BYTES;
    range->pc_tables = (void *)at;
    at += RANGE_MAX_PC_TABLES * RANGE_PAGE_WORDS * UINT64_C(4);
    range->additions = (void *)at;
    at += RANGE_MAX_ADDITIONS * sizeof(RangeAddition);
    range->pages = (void *)at;
    return range;
}

static void range_free(GpuRange *range) {
    if (range) munmap(range, range_bytes());
}

/* ---- the worker ---- */

void range_refuse(GpuRun *run) {
    run->range->state = RANGE_REFUSED;
    run_end(run, GPU_HANG);
}

void range_look(GpuRun *run) {
    const Gpu *gpu = run->gpu;
    bool quiet = gpu->output.length == run->output_before && gpu->dropped == run->dropped_before &&
                 *run->crew_refused == 0;
    for (unsigned i = 0; i < gpu->observer_count; i++)
        if (gpu->observers[i].range_quiet)
            quiet = quiet && gpu->observers[i].range_quiet(gpu->observers[i].self, run->range);
    if (!quiet) range_refuse(run);
}

/** Adds a worker's totals to the launch's, or takes away what the launch had before the worker began. */
static void range_sum(GpuLaunch *total, const GpuLaunch *part, bool subtract) {
    uint64_t sign = 1;
    if (subtract) sign = UINT64_MAX;
    total->warp_instructions += sign * part->warp_instructions;
    total->thread_instructions += sign * part->thread_instructions;
    total->waited_warps += sign * part->waited_warps;
    total->waited_threads += sign * part->waited_threads;
    if (!subtract && part->longest_warp > total->longest_warp) total->longest_warp = part->longest_warp;
    total->barriers += sign * part->barriers;
    total->exchanges += sign * part->exchanges;
    total->matrix_products += sign * part->matrix_products;
    total->async_copies += sign * part->async_copies;
    total->idle_copies += sign * part->idle_copies;
    total->branches += sign * part->branches;
    total->divergent_branches += sign * part->divergent_branches;
    total->local.load_requests += sign * part->local.load_requests;
    total->local.load_sectors += sign * part->local.load_sectors;
    total->local.store_requests += sign * part->local.store_requests;
    total->local.store_sectors += sign * part->local.store_sectors;
}

static void range_put_all(GpuRun *run) {
    const Gpu *gpu = run->gpu;
    footprint_put_pages(run);
    for (unsigned i = 0; i < gpu->observer_count; i++)
        if (gpu->observers[i].range_put) gpu->observers[i].range_put(gpu->observers[i].self, run->range);
}

/** Never returns: the worker's whole life after the fork. */
static void range_work(GpuRun *run, GpuRange *range, uint32_t *crew_refused, RangeRunner *run_blocks) {
    Gpu *gpu = run->gpu;
    GpuLaunch before = run->launch;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    run->range = range;
    run->crew_refused = crew_refused;
    run->may_divide = false;
    run->next_block = range->first_block;
    run->block_end = range->end_block;
    run->output_before = gpu->output.length;
    run->dropped_before = gpu->dropped;
    for (unsigned i = 0; i < gpu->observer_count; i++)
        if (gpu->observers[i].range_begin) gpu->observers[i].range_begin(gpu->observers[i].self);
    if (!footprint_begin(run)) range_refuse(run);
    run_blocks(run);
    if (!run->ended) range_put_all(run);
    if (!run->ended && range->state == RANGE_RUNS) {
        range->totals = run->launch;
        range_sum(&range->totals, &before, true);
        range->state = RANGE_DONE;
    }
    if (range->state != RANGE_DONE) *(volatile uint32_t *)crew_refused = 1;
    _exit(0);
}

/* ---- the one that waits ---- */

typedef struct Crew {
    GpuRange *ranges[RANGE_MOST];
    pid_t workers[RANGE_MOST];
    unsigned count;
    uint32_t *refused; /**< one worker has given up: the others need not go on */
} Crew;

/** The ranges, of nearly equal numbers of blocks, and the flag by which one worker tells the others to
 * give up. */
static bool crew_make(Crew *crew, const GpuRun *run, unsigned count) {
    void *flag = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (flag == MAP_FAILED)
        crew->refused = NULL;
    else
        crew->refused = flag;
    uint64_t first = run->next_block, left = run->block_total - first;
    bool fine = crew->refused != NULL;
    for (unsigned i = 0; i < count && fine; i++) {
        GpuRange *range = range_make();
        crew->ranges[crew->count++] = range;
        fine = range != NULL;
        if (!fine) break;
        range->workers = count;
        range->first_block = first + left * i / count;
        range->end_block = first + left * (i + 1) / count;
    }
    return fine;
}

static void crew_free(Crew *crew) {
    for (unsigned i = 0; i < crew->count; i++)
        range_free(crew->ranges[i]);
    if (crew->refused) munmap(crew->refused, 4096);
}

/** All have to come back, also when one cannot be started. */
static bool crew_work(Crew *crew, GpuRun *run, RangeRunner *run_blocks) {
    unsigned started = 0;
    for (; started < crew->count; started++) {
        crew->workers[started] = fork();
        if (crew->workers[started] < 0) break;
        if (crew->workers[started] == 0) range_work(run, crew->ranges[started], crew->refused, run_blocks);
    }
    bool fine = started == crew->count;
    if (!fine) *(volatile uint32_t *)crew->refused = 1;
    for (unsigned i = 0; i < started; i++) {
        int status = 0;
        pid_t gone = waitpid(crew->workers[i], &status, 0);
        fine = fine && gone == crew->workers[i] && crew->ranges[i]->state == RANGE_DONE;
    }
    return fine;
}

static bool crew_within_budget(const Crew *crew, const GpuRun *run) {
    uint64_t steps = run->launch.warp_instructions;
    for (unsigned i = 0; i < crew->count; i++)
        steps += crew->ranges[i]->totals.warp_instructions;
    return steps <= run->budget;
}

static void crew_take_over(Crew *crew, GpuRun *run) {
    const Gpu *gpu = run->gpu;
    for (unsigned r = 0; r < crew->count; r++) {
        range_sum(&run->launch, &crew->ranges[r]->totals, false);
        for (unsigned i = 0; i < gpu->observer_count; i++)
            if (gpu->observers[i].range_take)
                gpu->observers[i].range_take(gpu->observers[i].self, crew->ranges[r]);
    }
    run->next_block = run->block_end;
}

/* ---- whether ---- */

static bool range_observers_agree(const Gpu *gpu) {
    for (unsigned i = 0; i < gpu->observer_count; i++)
        if (!gpu->observers[i].in_ranges) return false;
    return true;
}

/** What is left of the launch, if its blocks go on as they began, or as those of the kernel's last launch. */
static RangeWork range_rest(const GpuRun *run) {
    const GpuKernel *kernel = run->kernel;
    uint64_t done = run->next_block, blocks = run->block_end - done;
    uint64_t average;
    if (done)
        average = run->launch.warp_instructions / done;
    else
        average = kernel->steps_of_block;
    RangeWork rest = {.blocks = blocks,
                      .steps = average * blocks,
                      .memory = run->gpu->memory.used,
                      .watched = run->gpu->access_count > 0};
    const GpuSampled *sampled = &kernel->sampled;
    if (sampled->steps == 0) return rest;
    double times = (double)rest.steps / (double)sampled->steps;
    rest.accesses = (uint64_t)(times * (double)sampled->accesses);
    rest.global = (uint64_t)(times * (double)sampled->global);
    rest.pages = (uint64_t)(times * (double)sampled->segments / (double)RANGE_PAGE_SEGMENTS);
    return rest;
}

/** How many workers the rest of the launch is worth; 1: none. Who says what is worth dividing is believed. */
static unsigned range_workers(const GpuRun *run) {
    const GpuConfig *config = &run->gpu->config;
    RangeWork rest = range_rest(run);
    unsigned most = MIN(config->threads, RANGE_MOST);
    if (config->divide_from == 0) return range_worth(&rest, most);
    if (rest.steps < config->divide_from) return 1;
    if (rest.blocks < most) return (unsigned)rest.blocks;
    return most;
}

/** The whole attempt: if any step fails, nothing has been changed, this process runs the blocks itself,
 * and the kernel is not divided again. */
bool range_divide(GpuRun *run, RangeRunner *run_blocks) {
    if (!run->may_divide || range_sample_goes_on(run)) return false;
    unsigned workers = range_workers(run);
    if (workers < 2) return false;
    run->may_divide = false;
    Crew crew = {.count = 0};
    bool fine = range_observers_agree(run->gpu) && footprint_suits(run->kernel) &&
                crew_make(&crew, run, workers) && crew_work(&crew, run, run_blocks) &&
                crew_within_budget(&crew, run) && range_merge(run->gpu, crew.ranges, crew.count);
    if (fine)
        crew_take_over(&crew, run);
    else
        run->kernel->undividable = true;
    run->gpu->divided += fine;
    crew_free(&crew);
    return fine;
}
