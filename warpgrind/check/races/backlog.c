/* backlog.c - the log of backlog.h. */
#include "check/races/backlog.h"
#include "base/minmax.h"
#include "check/races/races_plain.h"

#include <stdlib.h>
#include <string.h>

/* LIMIT: the log takes at most this and a quarter of the most device memory the program had: with the records
 * (RACE_BUDGET) and the memory itself that stays below what docs/performance.md allows. */
#define BACKLOG_BYTES (UINT64_C(8) << 20)
enum { CHUNK_BYTES = 64 << 10, LANES = GPU_WARP_LANES, OFFSET_BITS = 36 };
#define OFFSET_MASK ((UINT64_C(1) << OFFSET_BITS) - 1)
_Static_assert((GPU_GLOBAL_BASE & OFFSET_MASK) == 0 && GPU_GLOBAL_SPAN <= OFFSET_MASK + 1,
               "the low bits of an address are its offset");

/** One read. Where its lanes lie: lane l at offset + l % run * near + l / run * far, or for a run of 0 at
 * offset + further[l]. `run` is a power of two. */
typedef struct BacklogEntry {
    uint64_t record;                                                           /**< of lane 0 */
    uint64_t offset : OFFSET_BITS, barrier_time : RECORD_TIME_BITS, bytes : 5; /**< the time of its block */
    uint32_t lanes;
    int32_t near, far;
    uint32_t sync_time : RECORD_TIME_BITS, run : 6; /**< the time of its warp */
    uint32_t further[];                             /**< [LANES], only for a run of 0 */
} BacklogEntry;

struct BacklogChunk {
    BacklogChunk *next;
    size_t used;
    _Alignas(8) uint8_t bytes[CHUNK_BYTES];
};

/* ---- recording ---- */

static size_t bytes_of(const BacklogEntry *entry) {
    size_t bytes = sizeof *entry + (entry->run ? 0 : LANES * sizeof entry->further[0]);
    return (bytes + 7) / 8 * 8;
}

/* Lane 0 may lie before the beginning of memory when it does not take part. */
static void addresses_of(const BacklogEntry *entry, uint64_t address[LANES]) {
    const uint64_t start = entry->offset, near = (uint64_t)(int64_t)entry->near,
                   far = (uint64_t)(int64_t)entry->far;
    if (!entry->run) {
        for (unsigned lane = 0; lane < LANES; lane++)
            address[lane] = GPU_GLOBAL_BASE + start + entry->further[lane];
        return;
    }
    const unsigned run = entry->run, shift = (unsigned)__builtin_ctz(run);
    for (unsigned lane = 0; lane < LANES; lane++)
        address[lane] =
            GPU_GLOBAL_BASE + ((start + (lane & (run - 1)) * near + (lane >> shift) * far) & OFFSET_MASK);
}

/* The access without its warp, which may have ended: nobody asks for it where nothing races. */
static GpuAccess access_of(const Races *races, const BacklogEntry *entry, const uint64_t *address) {
    const uint32_t from_first = entry->lanes >> check_first_lane(entry->lanes);
    GpuAccess access = {
        .space = PTX_SPACE_GLOBAL, .kind = GPU_READ, .bytes = entry->bytes, .address = address};
    access.pc = (uint32_t)races->sites[record_site(entry->record)].at;
    access.lanes = access.wanted = entry->lanes;
    access.contiguous =
        entry->run == LANES && entry->near == entry->bytes && (from_first & (from_first + 1)) == 0;
    access.rows = entry->run >= 8 && entry->near == entry->bytes && entry->lanes == UINT32_MAX;
    access.low = UINT64_MAX;
    for (uint32_t lanes = entry->lanes; lanes; lanes &= lanes - 1) {
        uint64_t place = address[__builtin_ctz(lanes)];
        access.low = MIN(place, access.low);
        access.high = MAX(place, access.high);
    }
    return access;
}

/* Room is running out, and what is left is for those that write. */
static bool leaves_room(const Races *races) {
    enum { PAGES_OF_A_LAUNCH = 16 << 20 };
    return races->room_is_tight && races->room.left < PAGES_OF_A_LAUNCH + races->most_used;
}

/* Bytes side by side, by whole sectors; false leaves them to the exact detector. */
static bool record_sectors(Races *races, const BacklogEntry *entry, const GpuAccess *access) {
    SectorAccess sectors;
    sectors.access = access;
    sectors.shape = access_shape(access);
    if (CHECK_BOTH || sectors.shape != ACCESS_NARROW) return false;
    sectors.record = entry->record;
    sectors.barrier_time = entry->barrier_time;
    sectors.incoherent = false;
    if (!races_sectors_pass(races, &sectors)) return false;
    races_sectors_take(races, &sectors);
    return true;
}

/* As the exact detector would have seen it: the block, which may have ended, has its clock of that time. */
static void record_entry(Check *check, Domain *domain, const BacklogEntry *entry, BlockClock *block) {
    uint64_t address[LANES];
    addresses_of(entry, address);
    const GpuAccess access = access_of(check->races, entry, address);
    races_have_room(check->races, access.pc);
    if (leaves_room(check->races) && backlog_drops(check, &access)) return;
    if (record_sectors(check->races, entry, &access)) return;
    Actor actor = {.check = check, .races = check->races, .domain = domain, .access = &access};
    actor.block = block;
    actor.record = entry->record;
    actor.plain_read = actor.waited = true;
    actor.warp_index = record_thread(entry->record) / LANES;
    actor.warp = &block->warps[actor.warp_index];
    block->time = record_time(entry->record);
    block->barrier_time = entry->barrier_time;
    actor.warp->sync_time = entry->sync_time;
    race_cells_touch(&actor, GPU_GLOBAL_BASE);
}

static const BacklogEntry *entry_at(const BacklogChunk *chunk, size_t at) {
    if (at < chunk->used) return (const BacklogEntry *)(const void *)(chunk->bytes + at);
    return NULL;
}

static void record_chunk(Check *check, const BacklogChunk *chunk) {
    Races *races = check->races;
    Domain *domain;
    if (CHECK_BOTH)
        domain = races->backlog.twin;
    else
        domain = &races->global;
    BlockClock block;
    memset(&block, 0, sizeof block);
    const BacklogEntry *entry;
    for (size_t at = 0; (entry = entry_at(chunk, at)); at += bytes_of(entry))
        record_entry(check, domain, entry, &block);
}

/* ---- CHECK_BOTH: the exact detector has seen each read as well ---- */

/* With CHECK_BOTH each access also goes to a second set of records without delay, and the two are compared
 * when the backlog is written. */
static bool twin_make(Races *races) {
    if (!CHECK_BOTH) return true;
    Domain *twin = races->backlog.twin;
    if (!twin) {
        twin = races->backlog.twin = malloc(sizeof *twin);
        if (!twin) return false;
        races->backlog.twin_room.left = UINT64_MAX / 2;
        domain_init(twin, true, &races->backlog.twin_room);
    }
    twin->generation = races->global.generation;
    return true;
}

/* The records that came from the log are those that were made at once. */
static void verify_entry(const Races *races, const BacklogEntry *entry) {
    uint64_t address[LANES];
    addresses_of(entry, address);
    for (uint32_t lanes = entry->lanes; lanes; lanes &= lanes - 1)
        for (unsigned byte = 0; byte < entry->bytes; byte++) {
            uint64_t offset = address[__builtin_ctz(lanes)] + byte - GPU_GLOBAL_BASE;
            uint64_t here[SHADOW_MAX_WAYS], there[SHADOW_MAX_WAYS];
            domain_readers(&races->global, offset, here);
            domain_readers(races->backlog.twin, offset, there);
            if (memcmp(here, there, sizeof here) != 0)
                BUG("the log and the records differ at %llu", (unsigned long long)offset);
        }
}

static void verify_chunk(const Races *races, const BacklogChunk *chunk) {
    const BacklogEntry *entry;
    if (races->unwatched_at[UNWATCHED_ROOM] || races->room_is_tight)
        return; /* the log has records that there was no room for */
    for (size_t at = 0; (entry = entry_at(chunk, at)); at += bytes_of(entry))
        verify_entry(races, entry);
}

/* ---- the log ---- */

static void give_up_chunk(Backlog *backlog) {
    BacklogChunk *chunk = backlog->oldest;
    backlog->oldest = chunk->next;
    chunk->next = backlog->spare;
    chunk->used = 0;
    backlog->spare = chunk;
}

void backlog_flush(Check *check) {
    Backlog *backlog = &check->races->backlog;
    for (const BacklogChunk *chunk = backlog->oldest; chunk; chunk = chunk->next)
        record_chunk(check, chunk);
    for (const BacklogChunk *chunk = backlog->oldest; chunk && CHECK_BOTH; chunk = chunk->next)
        verify_chunk(check->races, chunk);
    while (backlog->oldest)
        give_up_chunk(backlog);
}

/* Something may race with the reads of the area from now on. */
static void stop_waiting(Races *races, BacklogArea *area) {
    bool dropped = area->waits && area->generation == races->global.generation && area->dropped_at;
    if (dropped) races_unwatched(races, UNWATCHED_ROOM, area->dropped_at);
    area->waits = false;
}

void backlog_end(Check *check) {
    backlog_flush(check);
    check->races->backlog.ended = true;
    for (unsigned i = 0; i < BACKLOG_AREAS; i++)
        stop_waiting(check->races, &check->races->backlog.areas[i]);
}

void backlog_forget(Backlog *backlog) {
    while (backlog->oldest)
        give_up_chunk(backlog);
    backlog->ended = false;
}

void backlog_free(Backlog *backlog) {
    backlog_forget(backlog);
    for (BacklogChunk *chunk = backlog->spare, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    domain_free(backlog->twin);
    free(backlog->twin);
    *backlog = (Backlog){0};
}

/* A chunk to write to: a spare one, else a new one while the limit allows, else the oldest, whose accesses
 * are recorded first. NULL when there is none. */
static BacklogChunk *spare_chunk(Check *check) {
    Backlog *backlog = &check->races->backlog;
    bool room = backlog->chunks * CHUNK_BYTES < BACKLOG_BYTES + check->races->most_used / 4;
    BacklogChunk *made = NULL;
    if (!backlog->spare && room) made = malloc(sizeof *made);
    if (made) {
        backlog->chunks++;
        made->next = NULL;
        made->used = 0;
        return made;
    }
    if (!backlog->spare && backlog->oldest) {
        record_chunk(check, backlog->oldest);
        give_up_chunk(backlog);
    }
    BacklogChunk *spare = backlog->spare;
    if (spare) backlog->spare = spare->next;
    return spare;
}

/* Room for the largest entry: entries have different lengths, so the end of a chunk may stay unused. A
 * chunk that has been written goes back to the spare ones. */
static BacklogEntry *entry_room(Check *check) {
    enum { MOST = sizeof(BacklogEntry) + LANES * sizeof(uint32_t) + 8 };
    Backlog *backlog = &check->races->backlog;
    if (!backlog->oldest || backlog->latest->used + MOST > CHUNK_BYTES) {
        BacklogChunk *chunk = spare_chunk(check);
        if (!chunk) return NULL;
        chunk->next = NULL;
        if (backlog->oldest)
            backlog->latest->next = chunk;
        else
            backlog->oldest = chunk;
        backlog->latest = chunk;
    }
    return (BacklogEntry *)(void *)(backlog->latest->bytes + backlog->latest->used);
}

/* ---- one read ---- */

static bool fits(uint64_t difference) {
    return difference + (UINT64_C(1) << 31) <= UINT32_MAX;
}

/* Whether all 32 lanes lie in rows that are equally far apart, and how. */
static bool find_rows(BacklogEntry *entry, const uint64_t *address) {
    const uint64_t near = address[1] - address[0];
    if (address[2] - address[1] != near || address[3] - address[2] != near) return false;
    unsigned run = 4;
    while (run < LANES && address[run] - address[run - 1] == near)
        run *= 2;
    uint64_t far = 0;
    if (run < LANES) far = address[run] - address[0];
    uint64_t differs = 0, row = address[0];
    for (unsigned lane = 0; lane < LANES; row += far)
        for (uint64_t place = row, end = lane + run; lane < end; lane++, place += near)
            differs |= address[lane] ^ place;
    entry->run = run & 0x3f;
    entry->near = (int32_t)near;
    entry->far = (int32_t)far;
    entry->offset = address[0] & OFFSET_MASK;
    return !differs && fits(near) && fits(far);
}

/* Where the lanes go, in as few bytes as their pattern allows: neighbours and one address need only a step,
 * rows two steps, and anything else a distance for each lane. False when the lanes lie more than 4 GiB
 * apart. */
static bool place_lanes(BacklogEntry *entry, const GpuAccess *access) {
    const unsigned first = check_first_lane(access->lanes);
    if (access->contiguous || access->uniform) {
        entry->run = LANES;
        if (access->contiguous)
            entry->near = access->bytes;
        else
            entry->near = 0;
        entry->far = 0;
        entry->offset = (access->address[first] - first * (uint64_t)entry->near) & OFFSET_MASK;
        return true;
    }
    if (access->lanes == UINT32_MAX && find_rows(entry, access->address)) return true;
    entry->run = 0;
    entry->offset = access->low & OFFSET_MASK;
    for (unsigned lane = 0; lane < LANES; lane++)
        entry->further[lane] = (uint32_t)(access->address[lane] - access->low);
    return access->high - access->low <= UINT32_MAX;
}

/* What the records need of an access is copied, since the clocks go on before the backlog is written. False
 * when there is no room: then the caller writes the records at once. */
static bool put_down(Check *check, const Actor *actor) {
    const GpuAccess *access = actor->access;
    BacklogEntry *entry = NULL;
    if (twin_make(actor->races)) entry = entry_room(check);
    if (!entry || !place_lanes(entry, access)) return false;
    entry->record = actor->record;
    entry->lanes = access->lanes;
    entry->barrier_time = actor->block->barrier_time & RECORD_TIME_MASK;
    entry->sync_time = actor->warp->sync_time & RECORD_TIME_MASK;
    entry->bytes = access->bytes & 0x1fu;
    actor->races->backlog.latest->used += bytes_of(entry);
    return true;
}

/* What orders it can be written down: barriers of the whole block and of the whole warp. */
static bool may_wait(const Actor *actor) {
    return actor->plain_read && !actor->flag && actor->access->semantics == PTX_SEM_WEAK &&
           !actor->warp->lanes && !actor->warp->known && !actor->races->clocks.fenced;
}

/* The place of the allocation; NULL when another one has it, so that nothing of this one waits. */
static BacklogArea *area_of(Races *races, const GpuAllocation *allocation) {
    BacklogArea *area = &races->backlog.areas[allocation->id % BACKLOG_AREAS];
    if (area->generation != races->global.generation)
        *area = (BacklogArea){allocation->id, races->global.generation, true, 0};
    if (area->allocation == allocation->id) return area;
    return NULL;
}

void backlog_passes_over(Check *check, const GpuAccess *access) {
    Races *races = check->races;
    const GpuAllocation *allocation = access->allocation;
    if (races->backlog.ended || !backlog_lies_in(access, allocation)) return;
    BacklogArea *area = &races->backlog.areas[allocation->id % BACKLOG_AREAS];
    if (area->generation != races->global.generation)
        *area = (BacklogArea){allocation->id, races->global.generation, false, 0};
}

bool backlog_takes(Check *check, const Actor *actor) {
    Races *races = actor->races;
    const GpuAccess *access = actor->access;
    if (races->backlog.ended) return false;
    if (!backlog_lies_in(access, access->allocation)) { /* in several */
        backlog_end(check);
        return false;
    }
    BacklogArea *area = area_of(races, access->allocation);
    if (!area || !area->waits) return false;
    if (may_wait(actor) && put_down(check, actor)) return true;
    backlog_flush(check);
    stop_waiting(races, area);
    return false;
}

bool backlog_drops(Check *check, const GpuAccess *access) {
    const GpuAllocation *allocation = gpu_memory_find(check->gpu, access->low);
    BacklogArea *area = NULL;
    if (allocation) area = area_of(check->races, allocation);
    if (!area || !area->waits) return false;
    if (!area->dropped_at) area->dropped_at = access->pc;
    return true;
}
