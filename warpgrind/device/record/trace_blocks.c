/* trace_blocks.c - the inside of a launch: a track for each of its first blocks and for each of their warps.
 *
 * A warp's track has a slice from one barrier to the next, and in it what the warp really ran, in the turns
 * that the model gave it: where lanes part, the slices say how many ran, and an instant stands at the branch
 * and where they meet again. The machine counts a run of instructions when it is over, so a run is told when
 * the next one begins, or whatever else comes.
 */
#include "base/minmax.h"
#include "device/record/trace_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/** Of a launch's room, runs and instants may take the first 6, slices between barriers 7 of 8 parts; blocks
 * are always told. */
enum { RUN_EIGHTHS = 6, PHASE_EIGHTHS = 7, BLOCK_EIGHTHS = 16 };

/** LIMIT: launches whose blocks are shown; each is a group of tracks, and a viewer has to keep up. */
enum { LAUNCHES_SHOWN = 100 };

static bool has_room(Trace *trace, unsigned eighths) {
    uint64_t limit = (uint64_t)TRACE_LAUNCH_BYTES / 8 * eighths;
    bool fits = trace->file.detail - trace->detail_start < limit;
    if (!fits) trace->file.left_out++;
    fits = fits && trace_file_has_room(&trace->file, eighths == BLOCK_EIGHTHS ? TRACE_FINDING : TRACE_DETAIL);
    if (!fits) trace->left_out++;
    return fits;
}

static TraceBlock *block_shown(Trace *trace, const GpuBlock *block) {
    uint8_t at = trace->by_slot[gpu_block_slot(block)];
    if (at != 0 && trace->blocks[at - 1].block == block) return &trace->blocks[at - 1];
    return NULL;
}

static TraceTrack track_of(const Trace *trace, const TraceBlock *block, int warp) {
    return (TraceTrack){TRACE_LAUNCHES + trace->launch->id, block->track + (uint32_t)(warp + 1)};
}

static void begin_slice(Trace *trace, const char *name, const char *category, TraceTrack track,
                        uint64_t start) {
    TraceEvent event = {.phase = 'X',
                        .name = name,
                        .category = category,
                        .process = track.process,
                        .thread = track.thread,
                        .time = start,
                        .duration = trace_now(trace) - start};
    trace_file_event(&trace->file, TRACE_DETAIL, &event);
}

static void begin_instant(Trace *trace, const char *name, const char *category, TraceTrack track) {
    TraceEvent event = {.phase = 'i',
                        .name = name,
                        .category = category,
                        .process = track.process,
                        .thread = track.thread,
                        .time = trace_now(trace)};
    trace_file_event(&trace->file, TRACE_DETAIL, &event);
}

static int line_of(const Trace *trace, uint32_t pc) {
    if (pc != 0) return gpu_place(trace->device->gpu, pc).line;
    return 0;
}

static void add_line(Trace *trace, uint32_t pc) {
    int line = line_of(trace, pc);
    if (line > 0) trace_file_number(&trace->file, "line", (uint64_t)line);
}

/* ---- what a warp runs ---- */

static void name_run(const TraceRun *run, unsigned alive, Text *name) {
    unsigned lanes = (unsigned)__builtin_popcount(run->lanes);
    if (run->first_line == 0)
        text_add(name, "runs");
    else if (run->first_line == run->last_line)
        text_format(name, "line %d", run->first_line);
    else
        text_format(name, "lines %d-%d", run->first_line, run->last_line);
    if (lanes < alive) text_format(name, ", %u of %u lanes", lanes, alive);
}

static void tell_run(Trace *trace, const TraceBlock *block) {
    const TraceRun *run = &trace->run;
    if (trace_now(trace) == run->begin || !has_room(trace, RUN_EIGHTHS)) return;
    /* lanes that have just exited ran here as well */
    uint32_t alive = gpu_warp_alive(run->warp) | run->lanes;
    Text name = text_new();
    char mask[16];
    name_run(run, (unsigned)__builtin_popcount(alive), &name);
    snprintf(mask, sizeof mask, "0x%08" PRIx32, run->lanes);
    begin_slice(trace, name.bytes, "run", track_of(trace, block, (int)gpu_warp_index(run->warp)), run->begin);
    trace_file_number(&trace->file, "lanes", (unsigned)__builtin_popcount(run->lanes));
    trace_file_text(&trace->file, "mask", mask);
    if (run->reads > 0) trace_file_number(&trace->file, "reads", run->reads);
    if (run->writes > 0) trace_file_number(&trace->file, "writes", run->writes);
    if (run->atomics > 0) trace_file_number(&trace->file, "atomics", run->atomics);
    bool usual = run->file == NULL || trace->source == NULL || strcmp(run->file, trace->source) == 0;
    if (!usual) trace_file_text(&trace->file, "file", run->file);
    trace_file_close(&trace->file);
    text_free(&name);
}

static void tell_parting(Trace *trace, const TraceBlock *block, const GpuWarp *warp) {
    const TraceParting *parting = &trace->parting;
    if (parting->pc == 0 || !has_room(trace, RUN_EIGHTHS)) return;
    begin_instant(trace, "diverge", "branch", track_of(trace, block, (int)gpu_warp_index(warp)));
    trace_file_number(&trace->file, "taken", (unsigned)__builtin_popcount(parting->taken));
    trace_file_number(&trace->file, "not_taken", (unsigned)__builtin_popcount(parting->not_taken));
    add_line(trace, parting->pc);
    trace_file_close(&trace->file);
}

/** Tells what has been running, which ends now. */
static void end_run(Trace *trace) {
    TraceRun *run = &trace->run;
    if (run->warp == NULL) return;
    const TraceBlock *block = block_shown(trace, gpu_warp_block(run->warp));
    if (block != NULL) {
        tell_run(trace, block);
        tell_parting(trace, block, run->warp);
    }
    trace->parting.pc = 0;
    *run = (TraceRun){0};
}

/** A run is a stretch of instructions of one warp with the same lanes, shown as one slice: its lines are the
 * least and the greatest of one file, and its counts those of the accesses since the last event. */
static void add_to_run(Trace *trace, uint32_t first_pc, uint32_t last_pc) {
    TraceRun *run = &trace->run;
    for (uint32_t pc = first_pc; pc <= last_pc; pc++) {
        GpuPlace place = gpu_place(trace->device->gpu, pc);
        if (place.line <= 0) continue;
        if (run->file == NULL) run->file = place.file;
        if (strcmp(run->file, place.file) != 0) continue;
        if (run->first_line == 0 || place.line < run->first_line) run->first_line = place.line;
        if (place.line > run->last_line) run->last_line = place.line;
    }
    run->reads += trace->coming.reads;
    run->writes += trace->coming.writes;
    run->atomics += trace->coming.atomics;
}

static void start_run(Trace *trace, const TraceBlock *block, TraceWarp *state, const GpuWarp *warp,
                      uint32_t lanes) {
    trace->run = (TraceRun){.warp = warp, .lanes = lanes, .begin = trace_now(trace)};
    bool more = state->lanes != 0 && (lanes & state->lanes) == state->lanes && lanes != state->lanes;
    state->lanes = lanes;
    if (!more || !has_room(trace, RUN_EIGHTHS)) return;
    begin_instant(trace, "reconverge", "branch", track_of(trace, block, (int)gpu_warp_index(warp)));
    trace_file_number(&trace->file, "lanes", (unsigned)__builtin_popcount(lanes));
    trace_file_close(&trace->file);
}

/** The machine tells accesses before the instructions that made them, so these are gathered in `coming` and
 * counted here. Another warp, or other lanes, end the run. */
static void on_executed(void *self, const GpuWarp *warp, uint32_t first_pc, uint32_t last_pc,
                        uint32_t lanes) {
    Trace *trace = self;
    if (trace->run.warp != warp || trace->run.lanes != lanes) end_run(trace);
    TraceBlock *block = block_shown(trace, gpu_warp_block(warp));
    if (block != NULL) {
        TraceWarp *state = &block->warps[gpu_warp_index(warp)];
        if (trace->run.warp == NULL) start_run(trace, block, state, warp, lanes);
        add_to_run(trace, first_pc, last_pc);
        trace->parting = trace->coming_parting;
    }
    trace->coming = (TraceRun){0};
    trace->coming_parting.pc = 0;
}

/** Counted without asking for its block, since whether that is shown is asked once for each stretch of
 * instructions. */
static void on_access(void *self, const GpuAccess *access) {
    TraceRun *coming = &((Trace *)self)->coming;
    switch (access->kind) {
    case GPU_READ:
        coming->reads++;
        break;
    case GPU_WRITE:
        coming->writes++;
        break;
    case GPU_ATOMIC:
        coming->atomics++;
        break;
    }
}

static void on_branch(void *self, const GpuWarp *warp, uint32_t pc, uint32_t taken, uint32_t not_taken) {
    Trace *trace = self;
    if (taken == 0 || not_taken == 0 || block_shown(trace, gpu_warp_block(warp)) == NULL) return;
    trace->coming_parting = (TraceParting){pc, taken, not_taken};
}

/* ---- from barrier to barrier ---- */

static void end_phase(Trace *trace, const TraceBlock *block, TraceWarp *state, int warp, const char *name) {
    if (has_room(trace, PHASE_EIGHTHS)) {
        begin_slice(trace, name, "phase", track_of(trace, block, warp), state->phase);
        trace_file_close(&trace->file);
    }
    state->phase = trace_now(trace);
}

static void tell_barrier(Trace *trace, const TraceBlock *block, const GpuBarrier *barrier, uint32_t warps) {
    uint32_t waiting = 0;
    for (uint32_t w = 0; w < warps; w++)
        waiting += (unsigned)__builtin_popcount(barrier->waiting[w]);
    if (!has_room(trace, PHASE_EIGHTHS)) return;
    begin_instant(trace, "barrier", "barrier", track_of(trace, block, -1));
    add_line(trace, barrier->pc);
    trace_file_number(&trace->file, "threads", waiting);
    trace_file_number(&trace->file, "number", (uint64_t)barrier->number);
    trace_file_close(&trace->file);
}

/** Everybody has arrived: the phase of each warp that waited ends here, and the next one begins. */
static void on_barrier(void *self, const GpuBarrier *barrier) {
    Trace *trace = self;
    TraceBlock *block = block_shown(trace, barrier->block);
    if (block == NULL) return;
    end_run(trace);
    uint32_t warps = (gpu_block_threads(barrier->block) + GPU_WARP_LANES - 1) / GPU_WARP_LANES;
    char name[48];
    int line = line_of(trace, barrier->pc);
    if (line > 0)
        snprintf(name, sizeof name, "to the barrier at line %d", line);
    else
        snprintf(name, sizeof name, "to the barrier");
    for (uint32_t w = 0; w < warps; w++)
        if (barrier->waiting[w] != 0) end_phase(trace, block, &block->warps[w], (int)w, name);
    tell_barrier(trace, block, barrier, warps);
}

static void on_exited(void *self, const GpuWarp *warp, uint32_t lanes, uint32_t pc) {
    Trace *trace = self;
    (void)pc;
    TraceBlock *block = block_shown(trace, gpu_warp_block(warp));
    if (block == NULL) return;
    if (trace->run.warp == warp) end_run(trace);
    if ((gpu_warp_alive(warp) & ~lanes) != 0) return;
    TraceWarp *state = &block->warps[gpu_warp_index(warp)];
    end_phase(trace, block, state, (int)gpu_warp_index(warp), "to the end");
    state->gone = true;
}

/* ---- blocks ---- */

static void name_block(Trace *trace, const TraceBlock *shown, const char *label, uint32_t warps,
                       uint32_t threads) {
    trace_name(trace, 't', track_of(trace, shown, -1), label);
    for (uint32_t w = 0; w < warps; w++) {
        char name[128];
        uint32_t last = MIN((w + 1) * GPU_WARP_LANES, threads);
        snprintf(name, sizeof name, "%s, warp %" PRIu32 " (threads %" PRIu32 "-%" PRIu32 ")", label, w,
                 w * GPU_WARP_LANES, last - 1);
        trace_name(trace, 't', track_of(trace, shown, (int)w), name);
    }
}

static void label_block(const GpuBlock *block, char *label, size_t capacity) {
    GpuDim grid = gpu_block_launch(block)->spec.grid, index = gpu_block_index(block);
    if (grid.y == 1 && grid.z == 1)
        snprintf(label, capacity, "block %" PRIu32, index.x);
    else
        snprintf(label, capacity, "block (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", index.x, index.y, index.z);
}

/** A launch whose blocks are shown is a process of the trace; it is named by its first block, so that
 * launches without shown blocks have no process. */
static void name_launch(Trace *trace) {
    const GpuLaunchSpec *spec = &trace->launch->spec;
    Text name = text_new();
    text_format(&name, "launch %" PRIu32 ": %s<<<", trace->launch->id,
                gpu_kernel_function(spec->kernel)->plain_name);
    trace_spell_shape(&name, spec->grid);
    text_add(&name, ", ");
    trace_spell_shape(&name, spec->block);
    text_add(&name, ">>>, the first blocks to run");
    trace_name(trace, 'p', (TraceTrack){TRACE_LAUNCHES + trace->launch->id, 0}, name.bytes);
    text_free(&name);
}

/** Shows the first blocks to run, as many as were asked for. Blocks are found again by their slot of the
 * machine, which no other block has while this one runs. */
static void on_block_begin(void *self, const GpuBlock *block) {
    Trace *trace = self;
    if (trace->blocks_shown >= trace->blocks_wanted || trace->launch->id > LAUNCHES_SHOWN) return;
    if (!has_room(trace, RUN_EIGHTHS)) return;
    end_run(trace);
    if (trace->blocks_shown == 0) name_launch(trace);
    TraceBlock *shown = &trace->blocks[trace->blocks_shown];
    *shown = (TraceBlock){
        .block = block, .track = trace->blocks_shown++ * TRACE_BLOCK_TRACKS, .begin = trace_now(trace)};
    trace->by_slot[gpu_block_slot(block)] = (uint8_t)trace->blocks_shown;
    uint32_t threads = gpu_block_threads(block), warps = (threads + GPU_WARP_LANES - 1) / GPU_WARP_LANES;
    for (uint32_t w = 0; w < warps; w++)
        shown->warps[w].phase = shown->begin;
    char label[64];
    label_block(block, label, sizeof label);
    name_block(trace, shown, label, warps, threads);
}

/** A block becomes a slice when it ends, as its duration is known only then. */
static void end_block(Trace *trace, TraceBlock *shown, bool stopped) {
    const GpuBlock *block = shown->block;
    uint32_t warps = (gpu_block_threads(block) + GPU_WARP_LANES - 1) / GPU_WARP_LANES;
    for (uint32_t w = 0; stopped && w < warps; w++)
        if (!shown->warps[w].gone)
            end_phase(trace, shown, &shown->warps[w], (int)w, "until the launch was stopped");
    if (has_room(trace, BLOCK_EIGHTHS)) {
        char label[64];
        label_block(block, label, sizeof label);
        begin_slice(trace, label, "block", track_of(trace, shown, -1), shown->begin);
        trace_file_number(&trace->file, "threads", gpu_block_threads(block));
        if (stopped) trace_file_text(&trace->file, "ended", "with the launch, which was stopped");
        trace_file_close(&trace->file);
    }
    shown->block = NULL;
}

static void on_block_end(void *self, const GpuBlock *block) {
    Trace *trace = self;
    TraceBlock *shown = block_shown(trace, block);
    if (shown == NULL) return;
    end_run(trace);
    end_block(trace, shown, false);
}

/** The track of a finding's thread, when its block is shown: the warp's, or the block's own for a thread that
 * the block does not have. */
bool trace_block_track(const Trace *trace, GpuDim block, GpuDim thread, TraceTrack *track) {
    GpuDim extent = trace->launch->spec.block;
    uint64_t linear = thread.x + (uint64_t)extent.x * (thread.y + (uint64_t)extent.y * thread.z);
    for (unsigned i = 0; i < trace->blocks_shown; i++) {
        const TraceBlock *shown = &trace->blocks[i];
        if (shown->block == NULL) continue;
        GpuDim index = gpu_block_index(shown->block);
        if (index.x != block.x || index.y != block.y || index.z != block.z) continue;
        bool inside = linear < gpu_block_threads(shown->block);
        *track = track_of(trace, shown, inside ? (int)(linear / GPU_WARP_LANES) : -1);
        return true;
    }
    return false;
}

/* ---- launches ---- */

/** The launch's slice in its stream names the same file: slices need only name others. */
static const char *source_of(const Trace *trace, const GpuLaunch *launch) {
    CheckPlace place;
    if (symbols_place(trace->device->symbols, launch->spec.site, &place)) return place.file;
    return NULL;
}

static void on_launch_begin(void *self, const GpuLaunch *launch) {
    Trace *trace = self;
    trace->launch = launch;
    trace->blocks_shown = 0;
    trace->left_out = 0;
    trace->detail_start = trace->file.detail;
    trace->run = trace->coming = (TraceRun){0};
    trace->parting.pc = trace->coming_parting.pc = 0;
    trace->source = source_of(trace, launch);
}

static void on_launch_end(void *self, const GpuLaunch *launch, GpuStatus status) {
    Trace *trace = self;
    (void)status;
    end_run(trace);
    for (unsigned i = 0; i < trace->blocks_shown; i++)
        if (trace->blocks[i].block != NULL) end_block(trace, &trace->blocks[i], true);
    trace->clock += launch->warp_instructions;
    trace->launch = NULL;
}

/** Everything that a trace wants to hear of launches; the host's part is called directly. */
GpuObserver trace_observer(Trace *trace) {
    return (GpuObserver){.self = trace,
                         .launch_begin = on_launch_begin,
                         .launch_end = on_launch_end,
                         .block_begin = on_block_begin,
                         .block_end = on_block_end,
                         .access = on_access,
                         .branch = on_branch,
                         .executed = on_executed,
                         .barrier = on_barrier,
                         .exited = on_exited};
}
