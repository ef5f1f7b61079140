/* launch.c - a launch: blocks in the seed's order, a few resident at a time, each in a slot whose memory is
 * used again.
 *
 * A block runs until it is done, stuck or has used up its slice; only then does another one get its turn, so
 * that a block's data stay in the cache. Blocks that only spin make room for more residents, so that the one
 * they wait for comes in.
 */
#include "base/minmax.h"
#include "gpu/dataflow/progress.h"
#include "gpu/decode/kernel.h"
#include "gpu/divide/range.h"
#include "gpu/launch/launch.h"
#include "gpu/launch/repeat.h"
#include "gpu/memory/memory.h"
#include "gpu/warp/children.h"
#include "gpu/warp/warp.h"

#include <stdlib.h>

enum {
    FIRST_LOOK = 1 << 24, /* steps: less than a second */
    FIRST_QUESTION = 1 << 20,
    MANY_BLOCKS = 64,
    SHORTEST_LOOK = 1 << 18,
    MOST_LOOK = 1 << 23, /* for everybody to have turns enough */
    WATCHED_SLICE = 2048,
    WARP_SLICE = 4096,
    BLOCK_SLICE = 65536,
    BLOCKS_IN_A_ROW = 32,
    STACK_WITH_CALLS = 32768, /* frames of unoptimised code take up to OWN_TO_CARD times a card's */
    MOST_STACK = 524288,
    OWN_TO_CARD = 8,
    USUAL_DEPTH = 1024,
    LEAST_FRAME = 24, /* a card's */
    MIXED_BLOCKS = 4
};

/** Of the clocks: more than 20 seconds, and no multiple of what a 32-bit clock counts. */
static const uint64_t LONG_TIME = (UINT64_C(5) << 32) + (1 << 30);

/* ---- order ---- */

static uint64_t greatest_divisor(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/** Blocks come as (factor * i + offset) mod total: in order for seed 0, backwards for seed 1. */
static void run_choose_order(GpuRun *run) {
    uint64_t seed = run->gpu->config.seed, total = run->block_total;
    run->random = seed;
    run->random = run_random(run) ^ run->launch.id;
    run->order_factor = 1;
    run->order_offset = 0;
    if (seed == 0) return;
    run->order_factor = total - 1;
    run->order_offset = total - 1;
    if (seed == 1 || total < 3) return;
    do
        run->order_factor = run_random(run) % total;
    while (greatest_divisor(run->order_factor, total) != 1);
    run->order_offset = run_random(run) % total;
}

static uint64_t run_next_block(GpuRun *run) {
    __extension__ typedef unsigned __int128 Wide;
    return (uint64_t)(((Wide)run->order_factor * run->next_block++ + run->order_offset) % run->block_total);
}

/* ---- blocks ---- */

/** The next block of the order moves into the slot: fresh shared memory, no barriers, all warps at the
 * kernel's beginning. */
static void block_start(GpuRun *run, GpuBlock *block) {
    GpuDim grid = run->launch.spec.grid;
    uint64_t linear = run_next_block(run);
    block->linear = linear;
    block->index = (GpuDim){(uint32_t)(linear % grid.x), (uint32_t)(linear / grid.x % grid.y),
                            (uint32_t)(linear / grid.x / grid.y)};
    slot_fill_row(block->uniforms, GPU_BLOCK_CTAID, block->index.x);
    slot_fill_row(block->uniforms, GPU_BLOCK_CTAID + 1, block->index.y);
    slot_fill_row(block->uniforms, GPU_BLOCK_CTAID + 2, block->index.z);
    memset(block->shared, POISON_DEVICE_BYTE, block->shared_span);
    memset(block->shared + block_system_shared(block), 0, PTX_SYSTEM_SHARED_BYTES);
    memset(block->barriers, 0, sizeof block->barriers);
    block->barriers_used = 0;
    block->generation = 0;
    block->copied = false;
    block->idle_copies = 0;
    block->bypassed = block->bypass_told = block->stuck = false;
    block->busy = true;
    block->live_warps = block->warp_count;
    block->alive_threads = block->threads;
    GPU_SEND(run->gpu, block_begin, block);
    for (uint32_t w = 0; w < block->warp_count; w++) {
        warp_start(&block->warps[w]);
        block->warps[w].watched_from = block->warps[w].steps;
    }
    run->running++;
}

static bool block_release_parked(GpuBlock *block) {
    bool any = false;
    for (uint32_t w = 0; w < block->warp_count; w++)
        any = warp_release_parked(&block->warps[w]) || any;
    return any;
}

/** The i-th warp of a round: in order for seed 0, backwards for seed 1, else a random rotation, forwards or
 * backwards. */
static uint32_t block_warp_at(const GpuBlock *block, uint32_t i, uint64_t turn) {
    uint64_t seed = block->run->gpu->config.seed;
    if (seed == 0) return i;
    if (seed == 1) return block->warp_count - 1 - i;
    uint32_t rotated = (uint32_t)((i + (turn >> 1)) % block->warp_count);
    if (turn & 1) return block->warp_count - 1 - rotated;
    return rotated;
}

/** Runs the block for about `slice` warp instructions, until it is done, until nobody in it can go on, or
 * until one of its warps lets others go first. */
static void block_run(GpuBlock *block, int64_t slice) {
    GpuRun *run = block->run;
    bool many = run->resident > GPU_USUAL_RESIDENT_BLOCKS;
    int64_t slice_of_warp = WARP_SLICE;
    if (many && slice < WARP_SLICE) slice_of_warp = slice;
    while (block->live_warps && slice > 0 && !run->ended) {
        uint64_t turn = 0;
        if (run->gpu->config.seed > 1) turn = run_random(run) >> 1;
        bool ran = false, gave_way = false;
        for (uint32_t i = 0; i < block->warp_count && !run->ended; i++) {
            GpuWarp *warp = &block->warps[block_warp_at(block, i, turn)];
            if (!warp->runnable) continue;
            slice -= warp_run(warp, slice_of_warp);
            gave_way |= run->gives_way;
            run->gives_way = false;
            ran = true;
        }
        if (!ran && !block_release_parked(block)) {
            block->stuck = true;
            return;
        }
        if (gave_way || run->launch.warp_instructions > run->pause) return;
    }
}

static void block_note_longest(GpuRun *run, GpuBlock *block) {
    for (uint32_t i = 0; i < block->warp_count; i++) {
        GpuWarp *warp = &block->warps[i];
        uint64_t worked = warp->steps - warp->waiting.steps;
        if (worked > run->launch.longest_warp) run->launch.longest_warp = worked;
        run->launch.waited_warps += warp->waiting.steps;
        run->launch.waited_threads += warp->waiting.thread_steps;
        warp->steps = warp->looked = 0;
        warp->waiting = (GpuWaiting){0};
    }
}

static void block_finish(GpuRun *run, GpuBlock *block) {
    block_note_longest(run, block);
    if (block->copied) copy_interval(block);
    GPU_SEND(run->gpu, block_end, block);
    block->busy = false;
    run->running--;
    run->finished_at = run->launch.warp_instructions;
}

/* ---- the launch ---- */

/** Lets blocks in until `wanted` are running, or none is left. */
static void run_admit(GpuRun *run, uint32_t wanted) {
    for (uint32_t slot = 0; slot < run->resident && run->running < wanted; slot++) {
        if (run->next_block == run->block_end) return;
        GpuBlock *block = run->gpu->slots[slot];
        if (block && block->launch == run->launch.id && block->busy) continue;
        block = slot_take(run, slot);
        if (!block) {
            run_end(run, GPU_OUT_OF_MEMORY);
            return;
        }
        block_start(run, block);
    }
}

/** How many instructions a turn has. The more blocks wait for each other, the shorter: those that have
 * nothing to do but look must not eat up the budget. */
static int64_t run_slice(GpuRun *run) {
    int64_t slice = BLOCK_SLICE;
    if (run->gpu->config.seed) slice = 512 + (int64_t)(run_random(run) % 8192);
    if (run->watch && slice > WATCHED_SLICE) slice = WATCHED_SLICE; /* all are to be seen */
    if (run->resident <= GPU_USUAL_RESIDENT_BLOCKS) return slice;
    return 1 + slice * GPU_USUAL_RESIDENT_BLOCKS / run->resident;
}

/** Watches the next so many steps; false without memory. */
static bool watch_again(GpuRun *run, uint64_t steps) {
    progress_end(run);
    run->watch_steps = steps;
    run->pause = run->launch.warp_instructions + steps;
    return progress_begin(run);
}

/** Everybody waits and looks at the time: a wait that has an end in time shall find
 * it, so the clocks go forward, once, by more than any wait of use takes. */
static bool run_lets_time_pass(GpuRun *run) {
    if (run->clock_ahead || !progress_only_time_passes(run)) return false;
    run->clock_ahead = LONG_TIME;
    return watch_again(run, SHORTEST_LOOK);
}

static void run_put_off(GpuRun *run) {
    run->pause = MIN(2 * run->launch.warp_instructions, run->budget);
}

/** Many blocks have finished, the last one a moment ago: who hangs from here on still does so at the next
 * look. A launch that mostly waits is asked for that before its time. */
static bool run_gets_on(const GpuRun *run) {
    const uint64_t steps = run->launch.warp_instructions, done = run->next_block - run->running;
    return steps > run->pause && !run->watch && done >= MANY_BLOCKS &&
           steps - run->finished_at < steps / MANY_BLOCKS;
}

/** The launch has taken many steps: watches the next ones, and ends it when nothing changes any more, or when
 * they are all it has. A launch of many steps is watched again after twice as many. */
static void run_look(GpuRun *run) {
    bool over = run->launch.warp_instructions > run->budget;
    if (run->range && !over) { /* only the launch as a whole is watched */
        run->pause = run->budget;
        return;
    }
    if (!over && run_gets_on(run)) {
        run_put_off(run);
        return;
    }
    if (!run->watch && !run->range && watch_again(run, SHORTEST_LOOK)) return;
    if (progress_is_open(run) && run->watch_steps < MOST_LOOK && watch_again(run, 2 * run->watch_steps))
        return;
    if (run_lets_time_pass(run)) return;
    if (over || progress_is_stuck(run) || progress_waits_in_vain(run)) {
        launch_tell_hang(run, GPU_SYNC_BUDGET);
        run_end(run, GPU_HANG);
    }
    progress_end(run);
    run_put_off(run);
}

/** Whether half of the steps since the last question were rounds of waiting: such a launch is looked at long
 * before one that works. Where it gets on all the same, it is asked again after twice as many steps. */
static bool run_mostly_waits(GpuRun *run) {
    const uint64_t steps = run->launch.warp_instructions;
    if (steps < run->ask_next || run->watch || run->range) return false;
    const bool waits = 2 * (run->waited - run->waited_by_then) > steps - run->asked_at;
    run->asked_at = steps;
    run->waited_by_then = run->waited;
    if (waits)
        run->ask_next = 2 * steps;
    else
        run->ask_next = steps + FIRST_QUESTION;
    return waits;
}

static void run_halt(GpuRun *run) {
    launch_tell_hang(run, GPU_SYNC_HALTED);
    run_end(run, GPU_HALTED);
}

/** One turn for a block; true when it finished. */
static bool run_block(GpuRun *run, GpuBlock *block) {
    block_run(block, run_slice(run));
    if (!run->ended && (run->launch.warp_instructions > run->pause || run_mostly_waits(run))) run_look(run);
    if (!run->ended && run->gpu->config.halt && *run->gpu->config.halt) run_halt(run);
    if (run->range && block->live_warps && !run->ended) range_refuse(run);
    if (run->ended || block->live_warps) return false;
    block_finish(run, block);
    if (run->range) range_look(run);
    return true;
}

/** One turn for each resident block; one that finishes makes room for the next at once, so that short blocks
 *  run one after the other while a long one waits. True when one finished or was stuck. */
static bool run_round(GpuRun *run) {
    bool moved = false;
    for (uint32_t slot = 0; slot < run->resident && !run->ended; slot++) {
        GpuBlock *block = run->gpu->slots[slot];
        if (!block || block->launch != run->launch.id || !block->busy || block->stuck) continue;
        unsigned in_a_row = BLOCKS_IN_A_ROW;
        if (run->may_divide) in_a_row = 1;
        for (unsigned row = 0; run_block(run, block) && row < in_a_row; row++) {
            moved = true;
            if (run->next_block == run->block_end || row + 1 == in_a_row || run->ended) break;
            block_start(run, block);
        }
        moved |= !block->busy || block->stuck;
    }
    return moved;
}

static uint32_t run_stuck(const GpuRun *run) {
    uint32_t stuck = 0;
    for (uint32_t slot = 0; slot < run->resident; slot++) {
        const GpuBlock *block = run->gpu->slots[slot];
        stuck += block && block->launch == run->launch.id && block->busy && block->stuck;
    }
    return stuck;
}

/** Runs what is left of the launch's blocks, or of a worker's range of them. */
static void launch_run_blocks(GpuRun *run) {
    bool together = run->launch.spec.cooperative;
    uint32_t wanted = 1;
    if (run->gpu->config.seed) wanted = MIXED_BLOCKS;
    if (together) wanted = run->resident;
    while (!run->ended) {
        uint32_t stuck = run_stuck(run);
        if (run->running == 0 && range_divide(run, launch_run_blocks)) return;
        if (stuck == 0) run_admit(run, MIN(wanted, run->resident));
        if (run->running == 0 || run->ended) return;
        if (stuck == run->running) {
            launch_tell_hang(run, GPU_SYNC_DEADLOCK);
            run_end(run, GPU_HANG);
            return;
        }
        if (run_round(run)) continue;
        run->may_divide = false; /* from here on blocks take turns */
        if (wanted < run->resident) wanted *= 2;
    }
}

static void run_init(GpuRun *run, Gpu *gpu, const GpuLaunchSpec *spec) {
    run->gpu = gpu;
    gpu->memory.epoch++; /* dynamic shared memory has another size, and what lies behind it another place */
    run->launch = (GpuLaunch){.spec = *spec, .id = ++gpu->launches, .module = spec->kernel->module};
    run->kernel = spec->kernel;
    run->parameters = spec->parameters;
    run->track = gpu->config.track_undefined;
    run->budget = gpu->config.step_budget;
    run->pause = MIN(run->budget, FIRST_LOOK);
    run->ask_next = FIRST_QUESTION;
    run->block_total = (uint64_t)spec->grid.x * spec->grid.y * spec->grid.z;
    run->resident = gpu->config.resident_blocks;
    if (spec->cooperative)
        run->resident =
            run->block_total < GPU_MAX_RESIDENT_BLOCKS ? (uint32_t)run->block_total : GPU_MAX_RESIDENT_BLOCKS;
    run->block_end = run->block_total;
    run->may_divide =
        gpu->config.threads > 1 && gpu->config.seed == 0 && !spec->cooperative && !spec->kernel->undividable;
    run_choose_order(run);
}

/** Blocks of this launch that are still there when it has ended early. */
static void run_clear(GpuRun *run) {
    run->gpu->running = NULL;
    for (uint32_t slot = 0; slot < run->resident; slot++)
        if (run->gpu->slots[slot]) run->gpu->slots[slot]->busy = false;
}

/** The caller has promised these; the machine's arrays rely on them. */
static void launch_check(const GpuLaunchSpec *spec) {
    uint64_t threads = (uint64_t)spec->block.x * spec->block.y * spec->block.z;
    bool small = spec->block.x <= GPU_MAX_BLOCK_THREADS && spec->block.y <= GPU_MAX_BLOCK_THREADS &&
                 spec->block.z <= GPU_MAX_BLOCK_THREADS;
    if (!small || threads == 0 || threads > GPU_MAX_BLOCK_THREADS)
        BUG("a block of %llu threads", (unsigned long long)threads);
    if (!spec->grid.x || !spec->grid.y || !spec->grid.z) BUG("an empty grid");
    if (spec->dynamic_shared > GPU_WINDOW_SPAN / 2) BUG("%u bytes of shared memory", spec->dynamic_shared);
}

/** What the blocks of a cooperative launch count their meetings in: a size and a counter of 32 bits each, the
 * counter 0 at first. */
static bool run_make_workspace(GpuRun *run) {
    static const uint32_t fresh[2] = {sizeof fresh, 0};
    Gpu *gpu = run->gpu;
    if (!gpu->workspace) {
        gpu->workspace = gpu_memory_place(gpu, sizeof fresh, sizeof fresh, GPU_ALLOC_GLOBAL_VARIABLE, 0);
        if (gpu->workspace) GPU_SEND(gpu, allocated, gpu->workspace);
    }
    return gpu->workspace && gpu_memory_write(gpu, gpu->workspace->address, fresh, sizeof fresh, 0);
}

/** Room for a lane's calls: what is usual, and more where the program has asked for more stack. */
static void run_size_stack(GpuRun *run) {
    uint32_t own = run->kernel->entry->stack_bytes, calls = STACK_WITH_CALLS;
    uint64_t limit = run->gpu->limits[GPU_LIMIT_STACK];
    if (limit > MOST_STACK / OWN_TO_CARD) limit = MOST_STACK / OWN_TO_CARD;
    if (limit * OWN_TO_CARD > calls) calls = (uint32_t)limit * OWN_TO_CARD;
    run->stack_bytes = (run->kernel->calls ? own + calls : own) + 16;
    if (limit / LEAST_FRAME > USUAL_DEPTH)
        run->most_depth = (uint32_t)limit / LEAST_FRAME;
    else
        run->most_depth = USUAL_DEPTH;
}

/** Runs what the launch has launched, and what that launches; the first status that is not GPU_OK. */
static GpuStatus launch_children(GpuRun *run, GpuStatus status) {
    children_drop(run);
    for (GpuChild *child = children_take(run); child; child = children_take(run)) {
        if (status == GPU_OK) status = gpu_launch(run->gpu, &child->spec);
        children_free(child);
    }
    return status;
}

/** Observers hear of launch_begin before anything can fail, and of launch_end whatever happened; in
 * between they hear nothing of a launch that repeats an earlier one. Children run last, when the parent
 * has ended for everybody. */
GpuStatus gpu_launch(Gpu *gpu, const GpuLaunchSpec *spec) {
    launch_check(spec);
    GpuRun *run = calloc(1, sizeof *run);
    if (!run) return GPU_OUT_OF_MEMORY;
    run_init(run, gpu, spec);
    repeat_look(run);
    bool decoded = decode_kernel(run->kernel, NULL); /* of a child nobody has asked for it before */
    GPU_SEND(gpu, launch_begin, &run->launch);
    repeat_rest(run);
    if (!decoded) {
        run_end(run, GPU_ILLEGAL_INSTRUCTION);
    } else if (spec->cooperative && !run_make_workspace(run)) {
        run_end(run, GPU_OUT_OF_MEMORY);
    } else if (!repeat_stands(run)) {
        run->launch.meets_grid = run->kernel->meets_grid;
        if (run->kernel->launches) run->may_divide = false;
        run_size_stack(run);
        range_sample_begin(run);
        launch_run_blocks(run);
        range_sample_end(run);
        if (!run->ended && run->launch.warp_instructions > run->budget) {
            launch_tell_hang(run, GPU_SYNC_BUDGET);
            run_end(run, GPU_HANG);
        }
        progress_end(run);
        run->kernel->steps_of_block = run->launch.warp_instructions / run->block_total;
    }
    run_clear(run);
    repeat_wake(run);
    if (run->fault != GPU_OK) run->status = run->fault;
    GpuStatus status = run->status;
    GPU_SEND(gpu, launch_end, &run->launch, status);
    repeat_keep(run);
    status = launch_children(run, status);
    free(run);
    return status;
}
