/* races.c - finds accesses to one place that nothing orders, in shared and in global memory.
 *
 * Each access is compared with the last ones to the same words (shadow.h) by what has happened before what
 * (clocks.h), then takes their place. Reads conflict with writes and atomics, writes with everything, atomics
 * with plain reads and writes. Of reads and atomics two are kept per word, from as different threads as
 * possible, so that whoever writes meets another one.
 *
 * The common access, 32 neighbouring words by 32 lanes, costs one comparison per table.
 */
#include "check/races.h"

#include <stdlib.h>
#include <string.h>

#define RACE_BUDGET (UINT64_C(3) << 30)

static void domain_init(Domain *domain, bool keeps_sites, uint64_t *budget) {
    shadow_init(&domain->writes, 1, keeps_sites, budget);
    shadow_init(&domain->reads, 2, false, budget);
    shadow_init(&domain->atomics, 2, keeps_sites, budget);
}

static void domain_free(Domain *domain) {
    if (!domain) return;
    shadow_free(&domain->writes);
    shadow_free(&domain->reads);
    shadow_free(&domain->atomics);
}

bool races_create(Check *check, bool detect) {
    Races *races = calloc(1, sizeof *races);
    check->races = races;
    if (!races) return false;
    races->detect = detect;
    races->budget = RACE_BUDGET;
    domain_init(&races->global, true, &races->budget);
    return sites_create(races) && clocks_init(&races->clocks);
}

void races_destroy(Races *races) {
    if (!races) return;
    domain_free(&races->global);
    for (unsigned i = 0; i < GPU_MAX_RESIDENT_BLOCKS; i++) {
        domain_free(races->shared[i]);
        free(races->shared[i]);
    }
    clocks_free(&races->clocks);
    free(races->sites);
    free(races->site_of_pc);
    free(races);
}

/* ---- order ---- */

static inline bool ordered(const Actor *actor, uint64_t record, unsigned lane) {
    uint32_t time = record_time(record);
    uint64_t me = actor->record + lane * RECORD_LANE;
    if (time == RECORD_TIME_OLD || ((record ^ me) & RECORD_WHO_MASK) == 0) return true;
    if (((record ^ me) & RECORD_BLOCK_MASK) == 0) {
        if (time < actor->block->barrier_time) return true;
        unsigned thread = record_thread(record), warp = thread / 32;
        if (warp == actor->warp_index) {
            if (time < actor->warp->sync_time) return true;
            if (actor->warp->lanes && time < actor->warp->lanes[lane][thread % 32]) return true;
        } else if (actor->warp->known && time < actor->warp->known[warp]) {
            return true;
        }
    }
    if (!actor->races->clocks.fenced) return false;
    return clocks_acquired(&actor->races->clocks, actor->block, actor->warp_index, record);
}

/* A read through volatile may look at what atomics change: that is how one waits for a flag. */
static bool excused(const Actor *actor, uint64_t record, RecordTable table) {
    const Site *site = &actor->races->sites[record_site(record)];
    return table == RECORD_READ && actor->atomic && site->is_volatile;
}

static inline bool conflicts(const Actor *actor, uint64_t record, unsigned lane, RecordTable table) {
    return record && !ordered(actor, record, lane) && !excused(actor, record, table);
}

/* ---- taking a place ---- */

static bool same_block(uint64_t a, uint64_t b) {
    return ((a ^ b) & RECORD_BLOCK_MASK) == 0;
}

static bool same_warp(uint64_t a, uint64_t b) {
    return same_block(a, b) && record_thread(a) / 32 == record_thread(b) / 32;
}

/* Keeps two readers that no later access can both be ordered after by luck: of different blocks, or else
 * different warps. */
static void keep_two(const Actor *actor, uint64_t *kept, uint64_t record, unsigned lane) {
    if (kept[0] == record || kept[1] == record) return;
    if (!kept[0] || ordered(actor, kept[0], lane)) {
        kept[0] = record;
        if (kept[1] && ordered(actor, kept[1], lane)) kept[1] = 0;
        return;
    }
    if (!kept[1] || ordered(actor, kept[1], lane)) {
        kept[1] = record;
        return;
    }
    if (same_block(kept[0], kept[1]) && !same_block(kept[0], record))
        kept[1] = record;
    else if (same_warp(kept[0], kept[1]) && !same_warp(kept[0], record))
        kept[1] = record;
}

static void take_place(const Actor *actor, uint64_t *kept, unsigned lane) {
    uint64_t record = actor->record + lane * RECORD_LANE;
    if (actor->plain_write)
        kept[0] = record;
    else
        keep_two(actor, kept, record, lane);
}

static Shadow *own_table(const Actor *actor) {
    if (actor->plain_write) return &actor->domain->writes;
    if (actor->plain_read) return &actor->domain->reads;
    return actor->atomic ? &actor->domain->atomics : NULL;
}

/* ---- whole segments: 32 lanes, 32 words ---- */

/* True when the segment needs no look at its cells: it has one record, and that one is dealt with. */
static bool segment_compare(const Actor *actor, const Shadow *shadow, uint64_t offset, RecordTable table) {
    const ShadowPage *page = shadow_peek(shadow, offset, actor->domain->generation);
    if (!page) return true;
    unsigned segment = (unsigned)(offset % SHADOW_PAGE_BYTES / SHADOW_SEGMENT_BYTES);
    if (page->exploded >> segment & 1) return false;
    for (unsigned way = 0; way < shadow->ways; way++)
        if (conflicts(actor, page->segments[segment][way], 0, table))
            tell_race(actor, 0, page->segments[segment][way], table, 32);
    return true;
}

static bool segment_take(const Actor *actor, Shadow *shadow, uint64_t offset) {
    ShadowPage *page = shadow_touch(shadow, offset, actor->domain->generation);
    if (!page) return true;
    unsigned segment = (unsigned)(offset % SHADOW_PAGE_BYTES / SHADOW_SEGMENT_BYTES);
    if (page->by_byte) return false;
    if (page->exploded >> segment & 1) {
        if (!actor->plain_write) return false;
        page->exploded &= ~(UINT32_C(1) << segment);
    }
    take_place(actor, page->segments[segment], 0);
    return true;
}

/* ---- single cells ---- */

/* The records of a byte offset. A folded segment is answered with a copy. */
static const uint64_t *cell_of(const Shadow *shadow, const ShadowPage *page, uint64_t offset,
                               uint64_t *copy) {
    unsigned at = (unsigned)(offset % SHADOW_PAGE_BYTES), segment = at / SHADOW_SEGMENT_BYTES;
    if (page->exploded >> segment & 1)
        return &page->cells[(size_t)(page->by_byte ? at : at / 4) * shadow->ways];
    for (unsigned way = 0; way < shadow->ways; way++) {
        uint64_t record = page->segments[segment][way];
        copy[way] = record ? record + at % SHADOW_SEGMENT_BYTES / 4 * RECORD_LANE : 0;
    }
    return copy;
}

/* A word of a page of byte cells has four of them. */
static void cell_compare(const Actor *actor, const Shadow *shadow, uint64_t offset, bool narrow,
                         unsigned lane, RecordTable table) {
    const ShadowPage *page = shadow_peek(shadow, offset, actor->domain->generation);
    if (!page) return;
    uint64_t copy[SHADOW_MAX_WAYS];
    const uint64_t *cell = cell_of(shadow, page, offset, copy);
    unsigned records = shadow->ways * (page->by_byte && !narrow ? 4 : 1);
    for (unsigned i = 0; i < records; i++) {
        if (!conflicts(actor, cell[i], lane, table)) continue;
        tell_race(actor, lane, cell[i], table, 1);
        return;
    }
}

static void cell_compare_all(const Actor *actor, uint64_t offset, bool narrow, unsigned lane) {
    Domain *domain = actor->domain;
    cell_compare(actor, &domain->writes, offset, narrow, lane, RECORD_WRITE);
    if (actor->plain_write || actor->atomic)
        cell_compare(actor, &domain->reads, offset, narrow, lane, RECORD_READ);
    if (actor->plain_write || actor->plain_read)
        cell_compare(actor, &domain->atomics, offset, narrow, lane, RECORD_ATOMIC);
}

static void cell_take(const Actor *actor, Shadow *shadow, uint64_t offset, bool narrow, unsigned lane) {
    ShadowPage *page = shadow_touch(shadow, offset, actor->domain->generation);
    if (!page) return;
    unsigned at = (unsigned)(offset % SHADOW_PAGE_BYTES);
    if (narrow && !shadow_split_bytes(shadow, page)) return;
    if (!shadow_explode(shadow, page, at / SHADOW_SEGMENT_BYTES)) return;
    if (!page->by_byte) {
        take_place(actor, &page->cells[(size_t)(at / 4) * shadow->ways], lane);
        return;
    }
    unsigned bytes = narrow ? 1 : 4;
    for (unsigned byte = 0; byte < bytes; byte++)
        take_place(actor, &page->cells[(size_t)(at + byte) * shadow->ways], lane);
}

/* A plain write is later than the atomics of launches before: they are not the last writers any more. */
static void outdate_atomics(const Actor *actor, uint64_t offset, uint64_t bytes) {
    Shadow *atomics = &actor->domain->atomics;
    const ShadowPage *page = shadow_any(atomics, offset);
    if (page && page->generation != actor->domain->generation) shadow_forget(atomics, offset, bytes);
}

/* One lane's piece of at most a word. */
static void touch_piece(const Actor *actor, uint64_t offset, bool narrow, unsigned lane) {
    if (actor->races->detect) cell_compare_all(actor, offset, narrow, lane);
    Shadow *own = own_table(actor);
    if (own) cell_take(actor, own, offset, narrow, lane);
    if (actor->plain_write) outdate_atomics(actor, offset, narrow ? 1 : 4);
}

static void touch_lane(const Actor *actor, uint64_t offset, unsigned lane) {
    unsigned bytes = actor->access->bytes;
    bool narrow = bytes < 4;
    for (unsigned at = 0; at < bytes; at += narrow ? 1 : 4)
        touch_piece(actor, offset + at, narrow, lane);
}

/* ---- one access ---- */

static bool whole_segment(const GpuAccess *access, uint64_t offset) {
    return access->contiguous && access->lanes == UINT32_MAX && access->bytes == 4 &&
           offset % SHADOW_SEGMENT_BYTES == 0;
}

static bool touch_segment(const Actor *actor, uint64_t offset) {
    Domain *domain = actor->domain;
    bool done = true;
    if (actor->races->detect) {
        done = segment_compare(actor, &domain->writes, offset, RECORD_WRITE);
        if (done && (actor->plain_write || actor->atomic))
            done = segment_compare(actor, &domain->reads, offset, RECORD_READ);
        if (done && (actor->plain_write || actor->plain_read))
            done = segment_compare(actor, &domain->atomics, offset, RECORD_ATOMIC);
    }
    if (!done) return false;
    Shadow *own = own_table(actor);
    if (actor->plain_write) outdate_atomics(actor, offset, SHADOW_SEGMENT_BYTES);
    return !own || segment_take(actor, own, offset);
}

/* A plain write of a whole segment folds its cells, whatever they were. */
static void touch_segment_cells(const Actor *actor, uint64_t offset) {
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
        cell_compare_all(actor, offset + 4u * lane, false, lane);
    Shadow *own = own_table(actor);
    if (!own || segment_take(actor, own, offset)) return;
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
        cell_take(actor, own, offset + 4u * lane, false, lane);
}

/* Many lanes that read one place: the first two stand for all. */
static uint32_t telling_lanes(const GpuAccess *access) {
    uint32_t lanes = access->lanes;
    if (!access->uniform || access->kind == GPU_WRITE) return lanes;
    uint32_t first = lanes & (0 - lanes), rest = lanes & ~first;
    return first | (rest & (0 - rest));
}

static void touch(const Actor *actor, uint64_t base) {
    const GpuAccess *access = actor->access;
    uint64_t offset = access->address[check_first_lane(access->lanes)] - base;
    if (whole_segment(access, offset)) {
        if (!touch_segment(actor, offset)) touch_segment_cells(actor, offset);
        return;
    }
    uint32_t lanes = telling_lanes(access);
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
        if (lanes >> lane & 1) touch_lane(actor, access->address[lane] - base, lane);
}

/* What the access counts as. Stronger than volatile is an atomic; a volatile read that meets atomics is one
 * too. */
static void classify(Actor *actor) {
    const GpuAccess *access = actor->access;
    bool strong = access->semantics != PTX_SEM_WEAK && access->semantics != PTX_SEM_VOLATILE;
    actor->atomic = access->kind == GPU_ATOMIC || (strong && access->kind == GPU_WRITE);
    actor->plain_write = access->kind == GPU_WRITE && !strong;
    actor->plain_read = access->kind == GPU_READ && !strong;
}

/* Only atomics have been there: then a volatile read is the way to wait for them, and learns what they
 * released. */
static bool polls_atomics(const Actor *actor, uint64_t base) {
    const GpuAccess *access = actor->access;
    if (access->kind != GPU_READ || access->semantics != PTX_SEM_VOLATILE) return false;
    uint64_t copy[SHADOW_MAX_WAYS];
    uint64_t offset = access->address[check_first_lane(access->lanes)] - base;
    const ShadowPage *page = shadow_peek(&actor->domain->atomics, offset, actor->domain->generation);
    const uint64_t *cell = page ? cell_of(&actor->domain->atomics, page, offset, copy) : NULL;
    return cell && (cell[0] || cell[1]);
}

static Domain *domain_of(Races *races, const GpuAccess *access, uint32_t slot) {
    if (access->space == PTX_SPACE_SHARED) return races->shared[slot];
    return access->space == PTX_SPACE_GLOBAL ? &races->global : NULL;
}

static bool make_actor(Actor *actor, Check *check, const GpuAccess *access) {
    Races *races = check->races;
    uint32_t slot = gpu_block_slot(gpu_warp_block(access->warp));
    *actor = (Actor){.check = check, .races = races, .access = access, .block = &races->clocks.blocks[slot]};
    actor->domain = domain_of(races, access, slot);
    actor->warp_index = gpu_warp_index(access->warp);
    if (!actor->domain || actor->warp_index >= CLOCK_WARPS || actor->block->exhausted) return false;
    actor->warp = &actor->block->warps[actor->warp_index];
    uint64_t site =
        site_of_pc(races, access->pc, access->kind == GPU_READ && access->semantics == PTX_SEM_VOLATILE);
    uint64_t block = actor->block->linear & ((UINT64_C(1) << RECORD_BLOCK_BITS) - 1);
    actor->record = site << RECORD_SITE_SHIFT | block << RECORD_BLOCK_SHIFT |
                    (uint64_t)(32 * actor->warp_index) << RECORD_THREAD_SHIFT | actor->block->time;
    actor->block->touched = true;
    return true;
}

static void on_access(void *self, GpuAccess *access) {
    Check *check = self;
    Actor actor;
    if (!make_actor(&actor, check, access)) return;
    uint64_t base = access->space == PTX_SPACE_GLOBAL ? GPU_GLOBAL_BASE : 0;
    classify(&actor);
    bool polls = actor.races->detect && polls_atomics(&actor, base);
    if (polls) actor.plain_read = false;
    if (actor.races->detect && (polls || (!actor.plain_read && !actor.plain_write)))
        clocks_atomic(&check->races->clocks, access);
    if (!actor.races->detect && !actor.plain_write && !actor.atomic) return;
    touch(&actor, base);
}

/* ---- synchronisation ---- */

static void on_barrier(void *self, const GpuBarrier *barrier) {
    clocks_barrier(&((Check *)self)->races->clocks, barrier);
}

static void on_warp_sync(void *self, const GpuWarp *warp, uint32_t lanes, uint32_t pc) {
    (void)pc;
    clocks_warp_sync(&((Check *)self)->races->clocks, warp, lanes);
}

static void on_fence(void *self, const GpuWarp *warp, uint32_t lanes, uint32_t pc, PtxScope scope,
                     PtxSemantics semantics) {
    (void)pc;
    (void)semantics;
    clocks_fence(&((Check *)self)->races->clocks, warp, lanes, scope);
}

static void on_launch_begin(void *self, const GpuLaunch *launch) {
    Races *races = ((Check *)self)->races;
    (void)launch;
    races->global.generation++;
    clocks_launch_begin(&races->clocks);
}

static void on_block_begin(void *self, const GpuBlock *block) {
    Races *races = ((Check *)self)->races;
    uint32_t slot = gpu_block_slot(block);
    clocks_block_begin(&races->clocks, block);
    const GpuLaunchSpec *spec = &gpu_block_launch(block)->spec;
    if (!races->detect || gpu_kernel_shared_span(spec->kernel, spec->dynamic_shared) == 0) return;
    if (!races->shared[slot]) {
        races->shared[slot] = malloc(sizeof(Domain));
        if (!races->shared[slot]) return;
        domain_init(races->shared[slot], false, &races->budget);
    }
    races->shared[slot]->generation = ++races->blocks_begun;
}

static bool in_global(uint64_t address) {
    return address >= GPU_GLOBAL_BASE && address - GPU_GLOBAL_BASE < GPU_GLOBAL_SPAN;
}

/* Memory that is given out again, perhaps in the middle of a launch, has no past. */
static void on_allocated(void *self, const GpuAllocation *allocation) {
    Races *races = ((Check *)self)->races;
    if (!in_global(allocation->address)) return;
    uint64_t offset = allocation->address - GPU_GLOBAL_BASE;
    shadow_forget(&races->global.writes, offset, allocation->bytes);
    shadow_forget(&races->global.reads, offset, allocation->bytes);
    shadow_forget(&races->global.atomics, offset, allocation->bytes);
}

static void host_wrote(Races *races, uint64_t address, uint64_t bytes, uint64_t site) {
    if (!in_global(address)) return;
    uint64_t record = (uint64_t)site_of_host(races, site) << RECORD_SITE_SHIFT | RECORD_TIME_OLD;
    shadow_fill(&races->global.writes, address - GPU_GLOBAL_BASE, bytes, record, races->global.generation);
    shadow_forget(&races->global.atomics, address - GPU_GLOBAL_BASE, bytes);
}

static void on_host_write(void *self, const GpuAllocation *allocation, uint64_t address, uint64_t bytes,
                          uint64_t site) {
    (void)allocation;
    host_wrote(((Check *)self)->races, address, bytes, site);
}

static void on_device_copy(void *self, uint64_t to, uint64_t from, uint64_t bytes, uint64_t site) {
    (void)from;
    host_wrote(((Check *)self)->races, to, bytes, site);
}

GpuObserver races_observer(Check *check) {
    GpuObserver observer = {.self = check,
                            .allocated = on_allocated,
                            .host_write = on_host_write,
                            .device_copy = on_device_copy,
                            .launch_begin = on_launch_begin,
                            .block_begin = on_block_begin,
                            .access = on_access};
    if (!check->races->detect) return observer;
    observer.barrier = on_barrier;
    observer.warp_sync = on_warp_sync;
    observer.fence = on_fence;
    return observer;
}
