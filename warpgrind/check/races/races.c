/* races.c - finds accesses to one place that nothing orders, in shared and in global memory.
 *
 * Each access is compared with the last ones to the same words (shadow.h) by what has happened before what
 * (clocks.h), then takes their place. Reads conflict with writes and atomics, writes with everything, atomics
 * with plain reads and writes. Of reads and atomics two are kept per word, from as different threads as
 * possible, so that whoever writes meets another one.
 *
 * A load that an optimiser has moved out from under its condition counts for the lanes that want its value
 * alone (GpuAccess.wanted).
 *
 * This file takes the events and stamps accesses; race_cells.c compares, clocks.c knows the order,
 * race_story.c tells.
 */
#include "check/races/races.h"

#include <stdlib.h>
#include <string.h>

/* LIMIT: all records together take at most this and 2.5 times the most device memory the program had. When it
 * is used up, what has not been touched for a while is packed; what finds no room all the same is not
 * compared: much more than a few MiB that are touched all over the place. */
#define RACE_BUDGET (UINT64_C(48) << 20)

void domain_init(Domain *domain, bool keeps_sites, ShadowRoom *room) {
    shadow_init(&domain->writes, 1, keeps_sites, room);
    shadow_init(&domain->reads, 2, false, room);
    shadow_init(&domain->atomics, 2, keeps_sites, room);
}

void domain_free(Domain *domain) {
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
    races->room.left = RACE_BUDGET;
    races->flat_pass = flat_pass_for(gpu_processor_level());
    races->cells = cell_ways_for(gpu_processor_level());
    domain_init(&races->global, true, &races->room);
    return sites_create(races) && clocks_init(&races->clocks);
}

/* A block slot that never ran has no records of its own. */
void races_destroy(Races *races) {
    if (!races) return;
    domain_free(&races->global);
    for (unsigned i = 0; i < GPU_MAX_RESIDENT_BLOCKS; i++) {
        domain_free(races->shared[i]);
        free(races->shared[i]);
        flat_free(&races->flat[i]);
    }
    backlog_free(&races->backlog);
    clocks_free(&races->clocks);
    free(races->sites);
    free(races->site_of_pc);
    free(races);
}

/* ---- one access ---- */

/* What the access counts as. Stronger than volatile is an atomic; a volatile read that meets atomics is one
 * too. */
static void classify(Actor *actor) {
    const GpuAccess *access = actor->access;
    bool strong = access->semantics != PTX_SEM_WEAK && access->semantics != PTX_SEM_VOLATILE;
    actor->atomic = access->kind == GPU_ATOMIC || (strong && access->kind == GPU_WRITE);
    actor->in_block = access->kind == GPU_ATOMIC && access->scope == PTX_SCOPE_CTA;
    if (actor->in_block && access->space == PTX_SPACE_GLOBAL) actor->races->block_scoped = true;
    actor->plain_write = access->kind == GPU_WRITE && !strong;
    actor->plain_read = access->kind == GPU_READ && !strong;
}

/* Only atomics have been there: then a volatile read is the way to wait for them, and learns what they
 * released. */
static bool polls_atomics(const Actor *actor, uint64_t base) {
    const GpuAccess *access = actor->access;
    if (access->kind != GPU_READ || (access->semantics != PTX_SEM_VOLATILE && !actor->flag)) return false;
    uint64_t offset = access->address[check_first_lane(access->lanes)] - base;
    const Shadow *atomics = &actor->domain->atomics;
    return shadow_peek(atomics, offset, actor->domain->generation) && shadow_record(atomics, offset);
}

static Domain *domain_of(Races *races, const GpuAccess *access, uint32_t slot) {
    if (access->space == PTX_SPACE_SHARED) return races->shared[slot];
    if (access->space == PTX_SPACE_GLOBAL) return &races->global;
    return NULL;
}

/* What the system keeps in shared memory is not the program's: what is done there is right, and only its
 * order counts. */
static bool is_systems(const GpuAccess *access) {
    return access->space == PTX_SPACE_SHARED &&
           access->address[check_first_lane(access->lanes)] >= PTX_SYSTEM_SHARED;
}

/* Lanes that need a fence before they know what they were told: those that read, those whose atomic leaves
 * what it finds, as atomicAdd(&flag, 0), and those that compare or exchange, which is how a lock is taken. A
 * word past the first-level cache that has flag and value in it needs none. */
static Looks lanes_that_look(const Check *check, const GpuAccess *access) {
    enum { FLAG_AND_VALUE = 8 };
    Looks looks = {0};
    if (!check->races->clocks.fenced && !releases_is_release(access->semantics))
        return looks; /* nobody asks */
    GpuPlace place = gpu_place(check->gpu, access->pc);
    bool cached = place.instruction && place.instruction->modifiers.cg && access->bytes >= FLAG_AND_VALUE;
    if (access->kind == GPU_READ) return (Looks){.lanes = cached ? 0 : access->lanes};
    PtxAtomic operation = PTX_ATOM_NONE;
    if (place.instruction) operation = place.instruction->modifiers.atomic;
    bool adds = operation == PTX_ATOM_ADD || operation == PTX_ATOM_OR || operation == PTX_ATOM_XOR;
    bool sets = operation == PTX_ATOM_CAS || operation == PTX_ATOM_EXCH;
    static const uint8_t nothing[16];
    unsigned first = check_first_lane(access->lanes);
    for (uint32_t lanes = access->memory && (adds || sets) ? access->lanes : 0; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        const uint8_t *now = access->memory + (int64_t)(access->address[lane] - access->address[first]);
        const uint8_t *same = now;
        if (adds) same = nothing;
        bool keeps = memcmp(access->values + lane * access->bytes, same, access->bytes) == 0;
        looks.lanes |= (uint32_t)(keeps || sets) << lane;
        looks.take |= (uint32_t)(sets && !keeps) << lane;
    }
    return looks;
}

/* From the first fence of a launch on, the order is the exact detector's business. */
static void leave_for_fence(Check *check) {
    const Clocks *clocks = &check->races->clocks;
    for (uint32_t slot = 0; !clocks->fenced && slot < clocks->used; slot++)
        flat_leave(check, slot);
    if (!clocks->fenced) backlog_end(check);
}

/* The access arrives at an mbarrier; NULL: it does not. */
static const PtxInstruction *arrival_of(const Check *check, const GpuAccess *access) {
    bool maybe = access->kind == GPU_ATOMIC && access->space == PTX_SPACE_SHARED && access->bytes == 8;
    if (!maybe || !access->memory || !access->values) return NULL;
    const PtxInstruction *instruction = gpu_place(check->gpu, access->pc).instruction;
    if (gpu_is_arrival(instruction)) return instruction;
    return NULL;
}

static void access_strongly(Check *check, const GpuAccess *access, Looks looks) {
    if (releases_is_release(access->semantics)) leave_for_fence(check);
    releases_strong(&check->races->clocks, access, looks, arrival_of(check, access));
}

static void order_by_system(Check *check, const GpuAccess *access) {
    const Races *races = check->races;
    bool plain = access->semantics == PTX_SEM_WEAK && access->kind != GPU_ATOMIC;
    uint32_t slot = gpu_block_slot(gpu_warp_block(access->warp));
    if (races->detect && !plain && !races->clocks.blocks[slot].exhausted)
        access_strongly(check, access, (Looks){0});
}

/* The record that this access leaves, without the lane: site, block, thread and time in 64 bits. False
 * where races are not watched: local memory, or a block that has used up its times. */
static bool make_actor(Actor *actor, Check *check, const GpuAccess *access) {
    Races *races = check->races;
    uint32_t slot = gpu_block_slot(gpu_warp_block(access->warp));
    *actor = (Actor){.check = check, .races = races, .access = access, .block = &races->clocks.blocks[slot]};
    actor->domain = domain_of(races, access, slot);
    actor->warp_index = gpu_warp_index(access->warp);
    if (!actor->domain || actor->warp_index >= CLOCK_WARPS) return false;
    if (actor->block->exhausted) {
        races_unwatched(races, UNWATCHED_TIMES, access->pc);
        return false;
    }
    actor->warp = &actor->block->warps[actor->warp_index];
    uint64_t site = sites_of_pc(check, access);
    actor->flag = races->sites[site].is_flag;
    actor->incoherent = races_is_incoherent(&races->sites[site], access);
    uint64_t block = actor->block->linear & ((UINT64_C(1) << RECORD_BLOCK_BITS) - 1);
    actor->record = site << RECORD_SITE_SHIFT | block << RECORD_BLOCK_SHIFT |
                    (uint64_t)(32 * actor->warp_index) << RECORD_THREAD_SHIFT | actor->block->time;
    return true;
}

void races_replay(Check *check, const GpuAccess *access) {
    Actor actor;
    races_have_room(check->races, access->pc);
    if (!make_actor(&actor, check, access)) return;
    classify(&actor);
    race_cells_touch(&actor, 0);
}

/* The quick ways to see that there is nothing to find. */
static bool is_clean(Check *check, const Actor *actor) {
    if (!actor->races->detect) return false;
    if (actor->access->space == PTX_SPACE_SHARED) return flat_touch(check, actor);
    return backlog_takes(check, actor);
}

/* The exact detector's, unless a quick way has settled it. A build with CHECK_BOTH asks it all the same. */
static void compare(Check *check, const Actor *actor, uint64_t base) {
    bool clean = is_clean(check, actor);
    uint64_t told = check->told;
    if (!clean || CHECK_BOTH) race_cells_touch(actor, base);
    if (clean && check->told != told)
        BUG("pc %u races, and a quick look says that it does not", actor->access->pc);
}

/* A look through volatile asks the exact detector about the past. */
static void prepare_look(Check *check, const Actor *actor) {
    const GpuAccess *access = actor->access;
    bool looks = access->semantics != PTX_SEM_WEAK && access->kind != GPU_ATOMIC;
    if (access->space == PTX_SPACE_SHARED && actor->races->detect && (looks || actor->flag))
        flat_leave(check, gpu_block_slot(gpu_warp_block(access->warp)));
}

/* The order matters. A strong read (of a flag) learns before it is compared, since what it hears orders it;
 * a strong write tells after it has been compared and recorded, since what it tells includes itself. */
static void take_access(Check *check, const GpuAccess *access) {
    Actor actor;
    if (check->races->detect && !CHECK_BOTH && flat_takes(check, access)) return;
    races_have_room(check->races, access->pc);
    if (is_systems(access)) {
        order_by_system(check, access);
        return;
    }
    if (!make_actor(&actor, check, access)) return;
    uint64_t base = 0;
    if (access->space == PTX_SPACE_GLOBAL) base = GPU_GLOBAL_BASE;
    classify(&actor);
    prepare_look(check, &actor);
    bool polls = actor.races->detect && polls_atomics(&actor, base);
    if (polls) actor.plain_read = false;
    bool strong = actor.races->detect && (polls || actor.flag || (!actor.plain_read && !actor.plain_write));
    bool writes = access->kind == GPU_WRITE;
    actor.block->touched = true;
    actor.block->worked |= writes || !strong;
    if (strong && !writes) access_strongly(check, access, lanes_that_look(check, access));
    if (actor.races->detect || actor.plain_write || actor.atomic) compare(check, &actor, base);
    if (strong && writes) access_strongly(check, access, (Looks){0});
}

void races_on_access(Check *check, const GpuAccess *access) {
    if (access->wanted == access->lanes) {
        take_access(check, access);
    } else if (access->wanted) {
        GpuAccess narrowed = *access;
        narrowed.lanes = access->wanted;
        narrowed.contiguous = narrowed.rows = narrowed.steps = false;
        take_access(check, &narrowed);
    }
}

/* ---- synchronisation ---- */

/* What the exact detector is to be told happened before this. */
static void leave_flat(Check *check, const GpuBlock *block) {
    uint32_t slot = gpu_block_slot(block);
    if (check->races->flat[slot].logged) flat_leave(check, slot);
}

static void on_barrier(void *self, const GpuBarrier *barrier) {
    Races *races = ((Check *)self)->races;
    bool whole = clocks_is_whole(barrier);
    if (!whole) leave_flat(self, barrier->block);
    clocks_barrier(&races->clocks, barrier);
    if (whole) flat_next(races, gpu_block_slot(barrier->block));
}

static void on_warp_sync(void *self, const GpuWarp *warp, uint32_t lanes, uint32_t pc) {
    (void)pc;
    leave_flat(self, gpu_warp_block(warp));
    clocks_warp_sync(&((Check *)self)->races->clocks, warp, lanes);
}

static void on_fence(void *self, const GpuWarp *warp, uint32_t lanes, uint32_t pc, PtxScope scope,
                     PtxSemantics semantics) {
    (void)pc;
    (void)semantics;
    leave_for_fence(self);
    Clocks *clocks = &((Check *)self)->races->clocks;
    if (scope == PTX_SCOPE_CTA) clocks->near_fence = true;
    releases_fence(clocks, warp, lanes, scope);
}

static void on_launch_begin(void *self, const GpuLaunch *launch) {
    Races *races = ((Check *)self)->races;
    (void)launch;
    races->global.generation++;
    races->block_scoped = races->room_is_tight = false;
    races->room.unpacked = races->looks = 0;
    races->met_count = 0;
    flat_launch_begin(races);
    backlog_forget(&races->backlog);
    clocks_launch_begin(&races->clocks);
}

static void on_launch_end(void *self, const GpuLaunch *launch, GpuStatus status) {
    (void)status;
    backlog_forget(&((Check *)self)->races->backlog);
    under_way_tell(self, launch);
    unwatched_tell(self, launch);
}

/* Blocks follow each other in the slots of the machine. A new generation makes the records of the block
 * before worthless without clearing them. */
static void on_block_begin(void *self, const GpuBlock *block) {
    Races *races = ((Check *)self)->races;
    uint32_t slot = gpu_block_slot(block);
    clocks_block_begin(&races->clocks, block);
    const GpuLaunchSpec *spec = &gpu_block_launch(block)->spec;
    if (!races->detect || gpu_kernel_shared_span(spec->kernel, spec->dynamic_shared) == 0) return;
    if (!races->shared[slot]) {
        races->shared[slot] = malloc(sizeof(Domain));
        if (!races->shared[slot]) {
            check_incomplete(self);
            return;
        }
        domain_init(races->shared[slot], false, &races->room);
    }
    races->shared[slot]->generation = ++races->blocks_begun;
    flat_begin(races, slot, gpu_kernel_shared_span(spec->kernel, spec->dynamic_shared));
}

static bool in_global(uint64_t address) {
    return address >= GPU_GLOBAL_BASE && address - GPU_GLOBAL_BASE < GPU_GLOBAL_SPAN;
}

/* Packs until a good part of all room is left. Where that much cannot be had, or accesses all over the place
 * unpack again what has just been packed, it is not tried again in this launch. */
void races_make_room(Races *races, uint32_t pc) {
    enum { LOOKS_FOR_A_PAGE = 16, PAGES_FOR_NOTHING = 1024 };
    const uint64_t wanted = RACES_ONE_ACCESS + (RACE_BUDGET + races->most_used * 5 / 2) / 16;
    Domain *global = &races->global;
    if (races->room.lost) races_unwatched(races, UNWATCHED_ROOM, pc);
    races->room.lost = false;
    if (races->room.unpacked > PAGES_FOR_NOTHING + races->looks / LOOKS_FOR_A_PAGE)
        races->room_is_tight = true;
    if (races->room_is_tight) return;
    shadow_pack(&global->reads, global->generation, wanted);
    shadow_pack(&global->writes, global->generation, wanted);
    shadow_pack(&global->atomics, global->generation, wanted);
    races->room_is_tight = races->room.left < wanted;
}

static void raise_budget(Races *races, uint64_t used) {
    if (used <= races->most_used) return;
    races->room.left += (used - races->most_used) * 5 / 2;
    races->room_is_tight = false;
    races->most_used = used;
}

/* Memory that is given out again, perhaps in the middle of a launch, has no past. */
static void on_allocated(void *self, const GpuAllocation *allocation) {
    Races *races = ((Check *)self)->races;
    if (!in_global(allocation->address)) return;
    raise_budget(races, gpu_memory_used(((Check *)self)->gpu));
    uint64_t offset = allocation->address - GPU_GLOBAL_BASE;
    backlog_flush(self);
    shadow_forget(&races->global.writes, offset, allocation->bytes);
    shadow_forget(&races->global.reads, offset, allocation->bytes);
    shadow_forget(&races->global.atomics, offset, allocation->bytes);
}

static void host_wrote(Races *races, uint64_t address, uint64_t bytes, uint64_t site) {
    if (!in_global(address)) return;
    uint64_t record = (uint64_t)sites_of_host(races, site) << RECORD_SITE_SHIFT | RECORD_TIME_OLD;
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

/* The write may happen now, or at any moment until it comes as an access: so it must be in order with what
 * was before its start, too. */
static void on_copy_starts(void *self, const GpuAccess *access) {
    races_on_access(self, access);
}

/* Without detection the records are still kept, as the report names who wrote a wrong answer; nothing of
 * ordering is needed then. */
GpuObserver races_observer(Check *check) {
    GpuObserver observer = {.self = check,
                            .allocated = on_allocated,
                            .host_write = on_host_write,
                            .device_copy = on_device_copy,
                            .launch_begin = on_launch_begin,
                            .block_begin = on_block_begin,
                            .in_repeats = true,
                            .in_ranges = true,
                            .range_begin = races_range_begin,
                            .range_quiet = races_range_quiet,
                            .range_put = races_range_put,
                            .range_take = races_range_take};
    if (!check->races->detect) return observer;
    observer.launch_end = on_launch_end;
    observer.barrier = on_barrier;
    observer.warp_sync = on_warp_sync;
    observer.fence = on_fence;
    observer.copy_starts = on_copy_starts;
    observer.copy_changed = overtaken_on_copy;
    observer.copy_met = under_way_on_met;
    return observer;
}
