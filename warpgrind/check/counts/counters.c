/* counters.c - counts per launch what the lessons' tables and the notes need (counters.def). */
#include "check/counts/notes.h"
#include "check/traffic.h"
#include "gpu/texture.h"

#include <stdlib.h>
#include <string.h>

bool counters_create(Check *check) {
    check->notes = calloc(1, sizeof *check->notes);
    return check->notes != NULL;
}

void counters_destroy(Notes *notes) {
    for (unsigned i = 0; notes && i < KEPT_COUNTS; i++)
        free(notes->kept[i].lines);
    free(notes);
}

/* The count of a pc. Two pcs that fall on one slot share it: the first one keeps it. */
static LineCount *line_of(Notes *notes, uint32_t pc) {
    unsigned slot = pc % LINE_SLOTS;
    LineCount *line = &notes->lines[slot];
    if (line->pc == pc) return line;
    if (line->pc) {
        notes->lost = true;
        return NULL;
    }
    notes->used[notes->used_count++] = slot;
    line->pc = pc;
    return line;
}

static inline AccessCost cost_of(const GpuAccess *access) {
    if (access->space == PTX_SPACE_SHARED)
        return (AccessCost){traffic_wavefronts(access), traffic_ideal_wavefronts(access)};
    return (AccessCost){traffic_sectors(access), traffic_ideal_sectors(access)};
}

/** The same, of a pattern that was met before as it was found then: if it begins as far into a sector, or in
 * shared memory into a word, since which bank is the first one does not matter. */
static AccessCost known_cost_of(Notes *notes, const GpuAccess *access) {
    if (!access->pattern) return cost_of(access);
    KnownCost *known = &notes->known[access->pattern % KNOWN_COSTS];
    unsigned unit = TRAFFIC_SECTOR_BYTES;
    if (access->space == PTX_SPACE_SHARED) unit = TRAFFIC_BANK_BYTES;
    const unsigned in_unit = (unsigned)(access->low % unit);
    const bool met =
        known->pattern == access->pattern && known->in_unit == in_unit && known->space == access->space;
    if (!met) *known = (KnownCost){access->pattern, in_unit, access->space, cost_of(access)};
    if (CHECK_BOTH && met) {
        const AccessCost now = cost_of(access);
        if (now.cost != known->cost.cost || now.ideal != known->cost.ideal)
            BUG("pc %u costs otherwise", access->pc);
    }
    return known->cost;
}

static void add_to_line(Notes *notes, const GpuAccess *access, unsigned cost, unsigned ideal) {
    LineCount *line = line_of(notes, access->pc);
    if (!line) return;
    if (line->requests++ + line->plain == 0) line->address = access->address[check_first_lane(access->lanes)];
    line->space = access->space;
    line->store = access->kind == GPU_WRITE;
    line->atomic = access->kind == GPU_ATOMIC;
    line->lanes += check_lane_count(access->lanes);
    line->cost += cost;
    line->ideal += ideal;
}

/* A request is one instruction of one warp. It costs the 32-byte sectors that it touches; ideal is what as
 * many bytes side by side would cost. */
static void count_global(Notes *notes, const GpuAccess *access) {
    const AccessCost cost = known_cost_of(notes, access);
    const unsigned lanes = check_lane_count(access->lanes);
    Counters *now = &notes->now;
    if (access->kind == GPU_READ) {
        now->global_load_requests++;
        now->global_load_sectors += cost.cost;
        now->global_load_sectors_ideal += cost.ideal;
        now->global_reads += lanes;
    } else {
        now->global_store_requests++;
        now->global_store_sectors += cost.cost;
        now->global_store_sectors_ideal += cost.ideal;
        now->global_writes += lanes;
    }
    add_to_line(notes, access, cost.cost, cost.ideal);
}

/* A request costs wavefronts: turns in which each of the 32 banks serves one word. */
static void count_shared(Notes *notes, const GpuAccess *access) {
    const AccessCost cost = known_cost_of(notes, access);
    const unsigned lanes = check_lane_count(access->lanes);
    Counters *now = &notes->now;
    if (access->kind == GPU_READ) {
        now->shared_load_requests++;
        now->shared_load_wavefronts += cost.cost;
        now->shared_load_wavefronts_ideal += cost.ideal;
        now->shared_reads += lanes;
    } else {
        now->shared_store_requests++;
        now->shared_store_wavefronts += cost.cost;
        now->shared_store_wavefronts_ideal += cost.ideal;
        now->shared_writes += lanes;
    }
    add_to_line(notes, access, cost.cost, cost.ideal);
}

/* Which atomic operation it is; one place is asked for many times in a row. */
static PtxAtomic operation_of(const Check *check, Notes *notes, uint32_t pc) {
    if (notes->atomic_pc != pc) {
        const PtxInstruction *instruction = gpu_place(check->gpu, pc).instruction;
        notes->atomic_pc = pc;
        if (instruction)
            notes->operation = instruction->modifiers.atomic;
        else
            notes->operation = PTX_ATOM_NONE;
    }
    return notes->operation;
}

/* Lanes that update one address take turns, in global and in shared memory; in shared memory some
 * operations are loops besides, which cost wavefronts of their own. */
static void count_atomic(const Check *check, Notes *notes, const GpuAccess *access) {
    unsigned turns = traffic_turns(access);
    if (access->space == PTX_SPACE_SHARED)
        notes->now.shared_atomic_wavefronts +=
            traffic_atomic_wavefronts(access, operation_of(check, notes, access->pc));
    notes->now.atomic_requests++;
    notes->now.atomic_operations += check_lane_count(access->lanes);
    if (access->space == PTX_SPACE_GLOBAL)
        notes->now.global_atomic_operations += check_lane_count(access->lanes);
    notes->now.atomic_turns += turns;
    add_to_line(notes, access, turns, 1);
}

static void count_filtered(Notes *notes, const GpuAccess *access) {
    LineCount *line = line_of(notes, access->pc);
    if (!line) return;
    line->fetch = true;
    line->requests++;
    line->cost += access->corners;
}

/* A plain access costs the same each time: as many sectors as a lane has bytes. So the line counts how many
 * there were, and they are added up when somebody wants to know. */
bool counters_count_plain(Check *check, const GpuAccess *access) {
    Notes *notes = check->notes;
    LineCount *line = NULL;
    if (!notes->rows.count) line = line_of(notes, access->pc);
    if (!line) return false;
    if (CHECK_BOTH &&
        (traffic_sectors(access) != access->bytes || traffic_ideal_sectors(access) != access->bytes))
        BUG("pc %u counts as plain", access->pc);
    if (!line->requests && !line->plain) line->address = access->low;
    line->space = PTX_SPACE_GLOBAL;
    line->store = access->kind == GPU_WRITE;
    line->atomic = false;
    line->bytes = access->bytes;
    line->plain++;
    return true;
}

/* Accesses of whole warps to neighbours were only counted when they came: each touches as many sectors as
 * an element has bytes (32 lanes, 32 bytes a sector), all of them ideal. */
static void add_plain(Counters *now, LineCount *line) {
    const uint64_t lanes = line->plain * GPU_WARP_LANES, sectors = line->plain * line->bytes;
    line->requests += line->plain;
    line->lanes += lanes;
    line->cost += sectors;
    line->ideal += sectors;
    if (line->store) {
        now->global_store_requests += line->plain;
        now->global_store_sectors += sectors;
        now->global_store_sectors_ideal += sectors;
        now->global_writes += lanes;
    } else {
        now->global_load_requests += line->plain;
        now->global_load_sectors += sectors;
        now->global_load_sectors_ideal += sectors;
        now->global_reads += lanes;
    }
    line->plain = 0;
}

static void add_all_plain(Notes *notes) {
    for (unsigned i = 0; i < notes->used_count; i++)
        add_plain(&notes->now, &notes->lines[notes->used[i]]);
}

void counters_on_access(Check *check, const GpuAccess *access) {
    Notes *notes = check->notes;
    if (access->texture) { /* the texture cache has rules of its own */
        notes->now.texture_requests += !access->further;
        if (access->filtered) count_filtered(notes, access);
        return;
    }
    if (notes->rows.count) rows_on_access(&notes->rows, access);
    if (access->kind == GPU_ATOMIC) {
        count_atomic(check, notes, access);
    } else if (access->space == PTX_SPACE_GLOBAL) {
        count_global(notes, access);
    } else if (access->space == PTX_SPACE_SHARED) {
        count_shared(notes, access);
    } else if (access->space == PTX_SPACE_CONST) {
        unsigned addresses = traffic_addresses(access);
        notes->now.constant_requests++;
        notes->now.constant_addresses += addresses;
        add_to_line(notes, access, addresses, 1);
    }
}

static void on_fetch(void *self, const GpuFetch *fetch) {
    LineCount *line = line_of(((Check *)self)->notes, fetch->pc);
    if (!line) return;
    line->fetch = true;
    coordinates_count(&line->fetched, fetch);
}

static void on_branch(void *self, const GpuWarp *warp, uint32_t pc, uint32_t taken, uint32_t not_taken) {
    LineCount *line = line_of(((Check *)self)->notes, pc);
    if (!line) return;
    line->branch = true;
    line->requests++;
    line->lanes += check_lane_count(taken | not_taken);
    if (!taken || !not_taken) return;
    line->divergent++;
    if (!edges_parts_neighbours(warp, taken, not_taken)) return;
    line->runs++;
    line->edges += edges_parts_whole_warp(warp, taken, not_taken);
}

/* ---- launches that are done again ---- */

static const KeptCounts *kept_of(const Notes *notes, uint32_t launch) {
    for (unsigned i = 0; i < KEPT_COUNTS; i++)
        if (notes->kept[i].launch == launch) return &notes->kept[i];
    return NULL;
}

static bool may_repeat(void *self, const GpuRepeat *earlier) {
    return kept_of(((const Check *)self)->notes, earlier->launch) != NULL;
}

/* Keeps a copy for the launches that will repeat this one, of the lines in use only. LIMIT: the oldest of
 * KEPT_COUNTS is forgotten; its repetition is then counted in full. */
static bool keep(void *self, const GpuLaunch *launch) {
    Notes *notes = ((Check *)self)->notes;
    KeptCounts *kept = &notes->kept[notes->next_kept++ % KEPT_COUNTS];
    free(kept->lines);
    kept->launch = 0;
    kept->lines = malloc((notes->used_count + 1) * sizeof *kept->lines);
    if (!kept->lines || notes->lost) return false;
    for (unsigned i = 0; i < notes->used_count; i++)
        kept->lines[i] = notes->lines[notes->used[i]];
    kept->line_count = notes->used_count;
    kept->counters = notes->now;
    kept->launch = launch->id;
    return true;
}

static void count_again(Notes *notes, uint32_t launch) {
    const KeptCounts *kept = kept_of(notes, launch);
    if (!kept) return;
    notes->now = kept->counters;
    for (unsigned i = 0; i < kept->line_count; i++) {
        LineCount *line = line_of(notes, kept->lines[i].pc);
        if (line) *line = kept->lines[i];
    }
}

static void on_launch_begin(void *self, const GpuLaunch *launch) {
    Notes *notes = ((Check *)self)->notes;
    memset(&notes->now, 0, sizeof notes->now);
    notes->atomic_pc = 0;
    for (unsigned i = 0; i < notes->used_count; i++)
        notes->lines[notes->used[i]] = (LineCount){0};
    notes->used_count = 0;
    rows_begin(self, launch);
    if (launch->repeats) count_again(notes, launch->repeats);
}

/* Waiting is no work, and how much there is of it depends on the order. A repeated launch is not watched, so
 * what it waits is that of the launch that it repeats. */
static void count_instructions(Notes *notes, const GpuLaunch *launch) {
    if (launch->repeats && notes->now.longest_warp) return;
    notes->now.warp_instructions = launch->warp_instructions - launch->waited_warps;
    notes->now.thread_instructions = launch->thread_instructions - launch->waited_threads;
    notes->now.longest_warp = launch->longest_warp;
}

/* What the machine has counted itself joins what was counted here; the sum goes into the launch's entry of
 * the report, and the notes are made of it. Notes are counted apart from what else was told, since a launch
 * that only gets notes may still be repeated. */
static void on_launch_end(void *self, const GpuLaunch *launch, GpuStatus status) {
    Check *check = self;
    Notes *notes = check->notes;
    add_all_plain(notes);
    notes->now.local_load_requests = launch->local.load_requests;
    notes->now.local_load_sectors = launch->local.load_sectors;
    notes->now.local_store_requests = launch->local.store_requests;
    notes->now.local_store_sectors = launch->local.store_sectors;
    notes->now.barriers = launch->barriers;
    notes->now.exchanges = launch->exchanges;
    notes->now.matrix_products = launch->matrix_products;
    notes->now.async_copies = launch->async_copies;
    notes->now.idle_copies = launch->idle_copies;
    notes->now.branches = launch->branches;
    notes->now.divergent_branches = launch->divergent_branches;
    count_instructions(notes, launch);
    LoggedLaunch *entry = NULL;
    if (check->log.launch_count) entry = &check->log.launches[check->log.launch_count - 1];
    if (entry && entry->id == launch->id) {
        entry->counters = ARENA_NEW(check->arena, Counters);
        if (entry->counters)
            *entry->counters = notes->now;
        else
            check_incomplete(check);
    }
    uint64_t told = check->told;
    if (status == GPU_OK && check->options.notes) notes_tell(check, launch, notes);
    if (status == GPU_OK && check->options.notes) rows_end(check, launch);
    check->notes_told += check->told - told;
    if (check->options.notes && status != GPU_HANG)
        notes_lonely(check, notes, launch); /* it would execute for ever */
}

void counters_end(Check *check) {
    notes_tell_lonely(check, check->notes);
}

/* ---- ranges ---- */

/* The slots stay with whom they belong to; the counts begin again. */
static void on_range_begin(void *self) {
    Notes *notes = ((Check *)self)->notes;
    memset(&notes->now, 0, sizeof notes->now);
    rows_begin_range(&notes->rows);
    notes->lost = false;
    for (unsigned i = 0; i < notes->used_count; i++) {
        LineCount *line = &notes->lines[notes->used[i]];
        *line = (LineCount){.pc = line->pc};
    }
}

static bool on_range_quiet(void *self, const GpuRange *range) {
    (void)range;
    return !((Check *)self)->notes->lost;
}

static void on_range_put(void *self, GpuRange *range) {
    Notes *notes = ((Check *)self)->notes;
    add_all_plain(notes);
    gpu_range_put(range, &notes->now, sizeof notes->now);
    gpu_range_put(range, &notes->rows, sizeof notes->rows);
    gpu_range_put(range, &notes->used_count, sizeof notes->used_count);
    for (unsigned i = 0; i < notes->used_count; i++)
        gpu_range_put(range, &notes->lines[notes->used[i]], sizeof notes->lines[0]);
}

/* A line of a worker's table joins the main one: sums add up, and what describes the instruction is the
 * same in both. */
static void take_line(Notes *notes, const LineCount *more) {
    LineCount *line = NULL;
    if (more->requests || more->fetched.lanes) line = line_of(notes, more->pc);
    if (!line) return;
    if (line->requests == 0) line->address = more->address;
    line->requests += more->requests;
    line->lanes += more->lanes;
    line->cost += more->cost;
    line->ideal += more->ideal;
    line->divergent += more->divergent;
    line->runs += more->runs;
    line->edges += more->edges;
    line->space = more->space;
    line->store = more->store;
    line->atomic = more->atomic;
    line->branch |= more->branch;
    line->fetch |= more->fetch;
    coordinates_add(&line->fetched, &more->fetched);
}

/* The order is that of on_range_put; ranges are joined in the order of their blocks, so the first address
 * of a line is that of one thread. */
static void on_range_take(void *self, GpuRange *range) {
    Notes *notes = ((Check *)self)->notes;
    add_all_plain(notes);
    const Counters *more = gpu_range_take(range, sizeof *more);
#define COUNTER(name, what) notes->now.name += more->name;
#include "check/counts/counters.def"
#undef COUNTER
    rows_add(&notes->rows, gpu_range_take(range, sizeof(RowsSeen)));
    const unsigned *count = gpu_range_take(range, sizeof *count);
    for (unsigned i = 0; i < *count; i++)
        take_line(notes, gpu_range_take(range, sizeof(LineCount)));
}

/* Counts depend on addresses alone, so a launch that repeats an earlier one may take that one's. */
GpuObserver counters_observer(Check *check) {
    return (GpuObserver){.self = check,
                         .launch_begin = on_launch_begin,
                         .launch_end = on_launch_end,
                         .fetch = on_fetch,
                         .branch = on_branch,
                         .in_repeats = true,
                         .keep = keep,
                         .repeats = may_repeat,
                         .in_ranges = true,
                         .range_begin = on_range_begin,
                         .range_quiet = on_range_quiet,
                         .range_put = on_range_put,
                         .range_take = on_range_take};
}
