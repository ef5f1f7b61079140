/* lines.c - counts per source line (lines.def), for `warpgrind --annotate` and the report.
 *
 * During a launch everything is counted by pc. Executions come as runs of instructions: +1 at the first, -1
 * behind the last, and the sum up to a pc is its count. When the launch ends, pcs become lines: a line was
 * executed as often as the instruction of it that was executed most.
 */
#include "base/growable.h"
#include "check/counts/lines.h"
#include "check/traffic.h"

#include <stdlib.h>
#include <string.h>

/* Differences for warps and lanes (they wrap round and back), counts for the rest. */
typedef struct PcCount {
    uint64_t warps, lanes;
    uint64_t requests, cost, ideal, atomics, branches, divergent;
    bool shared;
} PcCount;

struct Lines {
    PcCount *pcs;
    size_t capacity;
    LineRow rows[LINES_MAX];
    uint64_t most[LINES_MAX][2]; /**< of this launch: warps and lanes of the busiest instruction */
    unsigned count;
    bool incomplete; /**< no memory for some pcs */
};

bool lines_create(Check *check) {
    check->lines = calloc(1, sizeof *check->lines);
    return check->lines != NULL;
}

void lines_destroy(Lines *lines) {
    if (!lines) return;
    free(lines->pcs);
    free(lines);
}

const LineRow *lines_row(const Lines *lines, unsigned index) {
    if (lines && index < lines->count) return &lines->rows[index];
    return NULL;
}

static PcCount *count_of(Lines *lines, uint32_t pc) {
    if (pc < lines->capacity) return &lines->pcs[pc];
    PcCount *pcs = growable_grow(lines->pcs, &lines->capacity, (size_t)pc + 1, sizeof *pcs);
    if (!pcs) {
        lines->incomplete = true;
        return NULL;
    }
    lines->pcs = pcs;
    return &lines->pcs[pc];
}

/* ---- events ---- */

static void on_executed(void *self, const GpuWarp *warp, uint32_t first_pc, uint32_t last_pc,
                        uint32_t lanes) {
    Lines *lines = ((Check *)self)->lines;
    (void)warp;
    if (!count_of(lines, last_pc + 1)) return;
    uint64_t count = check_lane_count(lanes);
    lines->pcs[first_pc].warps += 1;
    lines->pcs[first_pc].lanes += count;
    lines->pcs[last_pc + 1].warps -= 1;
    lines->pcs[last_pc + 1].lanes -= count;
}

void lines_on_access(Check *check, const GpuAccess *access) {
    bool shared = access->space == PTX_SPACE_SHARED;
    if (access->texture || (!shared && access->space != PTX_SPACE_GLOBAL)) return;
    PcCount *count = count_of(check->lines, access->pc);
    if (!count) return;
    count->shared = shared;
    count->requests++;
    count->cost += shared ? traffic_wavefronts(access) : traffic_sectors(access);
    count->ideal += shared ? traffic_ideal_wavefronts(access) : traffic_ideal_sectors(access);
    if (access->kind == GPU_ATOMIC) count->atomics += check_lane_count(access->lanes);
}

static void on_branch(void *self, const GpuWarp *warp, uint32_t pc, uint32_t taken, uint32_t not_taken) {
    PcCount *count = count_of(((Check *)self)->lines, pc);
    (void)warp;
    if (!count) return;
    count->branches++;
    count->divergent += taken && not_taken;
}

/* ---- from pcs to lines ---- */

/* One line of a template or an inlined function has a row for each function that it is in. LIMIT: LINES_MAX
 * rows; -1 for a line without one. */
static int row_of(Check *check, uint32_t pc) {
    Lines *lines = check->lines;
    GpuPlace place = gpu_place(check->gpu, pc);
    if (place.line <= 0 || !place.function) return -1;
    const char *file = check_intern(check, place.file),
               *function = check_intern(check, place.function->plain_name);
    for (unsigned i = 0; i < lines->count; i++)
        if (lines->rows[i].line == place.line && lines->rows[i].file == file &&
            lines->rows[i].function == function)
            return (int)i;
    if (lines->count == LINES_MAX) return -1;
    lines->rows[lines->count] = (LineRow){.file = file, .function = function, .line = place.line};
    return (int)lines->count++;
}

/* Requests add up, unlike executions, of which a line has as many as its busiest instruction. */
static void add_to_row(LineRow *row, const PcCount *count) {
    if (count->shared) {
        row->shared_requests += count->requests;
        row->shared_wavefronts += count->cost;
        row->shared_wavefronts_ideal += count->ideal;
    } else {
        row->global_requests += count->requests;
        row->global_sectors += count->cost;
        row->global_sectors_ideal += count->ideal;
    }
    row->atomics += count->atomics;
    row->branches += count->branches;
    row->divergent_branches += count->divergent;
}

static void fold_pc(Check *check, uint32_t pc, uint64_t warps, uint64_t lanes) {
    Lines *lines = check->lines;
    int row = row_of(check, pc);
    if (row < 0) return;
    add_to_row(&lines->rows[row], &lines->pcs[pc]);
    if (warps > lines->most[row][0]) lines->most[row][0] = warps;
    if (lanes > lines->most[row][1]) lines->most[row][1] = lanes;
}

/* Sums the differences that on_executed has left, pc by pc, and folds them into lines. The next launch
 * begins at zero; the rows go on. */
static void on_launch_end(void *self, const GpuLaunch *launch, GpuStatus status) {
    Check *check = self;
    Lines *lines = check->lines;
    (void)launch;
    (void)status;
    if (lines->incomplete) check_incomplete(check);
    uint64_t warps = 0, lanes = 0;
    for (uint32_t pc = 0; pc < lines->capacity; pc++) {
        warps += lines->pcs[pc].warps;
        lanes += lines->pcs[pc].lanes;
        if (warps) fold_pc(check, pc, warps, lanes);
    }
    for (unsigned i = 0; i < lines->count; i++) {
        lines->rows[i].warps += lines->most[i][0];
        lines->rows[i].lanes += lines->most[i][1];
    }
    memset(lines->most, 0, sizeof lines->most);
    if (lines->pcs) memset(lines->pcs, 0, lines->capacity * sizeof *lines->pcs);
}

/* ---- ranges ---- */

static void on_range_begin(void *self) {
    Lines *lines = ((Check *)self)->lines;
    if (lines->pcs) memset(lines->pcs, 0, lines->capacity * sizeof *lines->pcs);
}

static void on_range_put(void *self, GpuRange *range) {
    const Lines *lines = ((Check *)self)->lines;
    gpu_range_put(range, &lines->capacity, sizeof lines->capacity);
    gpu_range_put(range, lines->pcs, lines->capacity * sizeof *lines->pcs);
}

static void take_count(PcCount *count, const PcCount *more) {
    count->warps += more->warps;
    count->lanes += more->lanes;
    count->requests += more->requests;
    count->cost += more->cost;
    count->ideal += more->ideal;
    count->atomics += more->atomics;
    count->branches += more->branches;
    count->divergent += more->divergent;
    if (more->requests) count->shared = more->shared;
}

static void on_range_take(void *self, GpuRange *range) {
    Lines *lines = ((Check *)self)->lines;
    const size_t *capacity = gpu_range_take(range, sizeof *capacity);
    const PcCount *more = gpu_range_take(range, *capacity * sizeof *more);
    if (*capacity == 0 || !count_of(lines, (uint32_t)(*capacity - 1))) return;
    for (size_t pc = 0; pc < *capacity; pc++)
        take_count(&lines->pcs[pc], &more[pc]);
}

GpuObserver lines_observer(Check *check) {
    return (GpuObserver){.self = check,
                         .branch = on_branch,
                         .executed = on_executed,
                         .in_ranges = true,
                         .range_begin = on_range_begin,
                         .range_put = on_range_put,
                         .range_take = on_range_take,
                         .launch_end = on_launch_end};
}
