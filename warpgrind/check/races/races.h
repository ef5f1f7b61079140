/* races.h - the race detector's data; shared by races.c (finds), race_story.c (tells) and writers.c (who
 * wrote this last). For report/ the observer: races_create, races_on_access and the like. */
#pragma once

#include "check/findings/parts.h"
#include "check/order/clocks.h"
#include "check/races/backlog.h"
#include "check/races/flat.h"
#include "check/shadow/access_shape.h"
#include "check/shadow/cells.h"
#include "check/shadow/shadow.h"

/** Those before SITE_FIRST are of no pc, so `at` is 0 there. */
enum { SITE_NONE, SITE_LOST /* too many */, SITE_FIRST, SITE_MAX = 65535 };

/** Where in kernel or host code something was touched: what the 16 bits of a record stand for. */
typedef struct Site {
    uint64_t at; /**< pc, or call site of the host */
    bool host, is_volatile;
    bool in_block;   /**< an atomic of block scope, as atomicAdd_block */
    bool is_flag;    /**< volatile, and no mere data (flags.c) */
    bool incoherent; /**< a load past the caches that see writes: ld.global.nc */
} Site;

/** One memory: global, or the shared memory of one resident block. An atomic leaves no record among writes:
 * it must not hide a plain write from the atomics of others. */
typedef struct Domain {
    Shadow writes, reads, atomics;
    uint32_t generation;
} Domain;

/** Why races may go unnoticed (unwatched.c). */
typedef enum Unwatched {
    UNWATCHED_TIMES,  /**< a block synchronised more often than there are times */
    UNWATCHED_ROOM,   /**< no memory for more records */
    UNWATCHED_BLOCKS, /**< more blocks than there are numbers for */
    UNWATCHED_FLAGS,  /**< no room for more that flags order */
    UNWATCHED_REASONS
} Unwatched;

/** Somebody has touched what a copy under way may fill: told when the launch has ended. */
typedef struct MetCopy {
    uint64_t key;
    bool undefined; /**< some of it had no value, which is told as that */
    CheckFinding finding;
    CheckParty toucher, copier;
    GpuAccessKind kind;
    bool same; /**< one thread does both */
} MetCopy;
enum { MET_COPIES = 8 };

struct Races {
    bool detect;       /**< otherwise only writers are kept */
    bool block_scoped; /**< this launch has atomics of block scope: atomics are compared with each other */
    Domain global;
    Domain *shared[GPU_MAX_RESIDENT_BLOCKS];
    Flat flat[GPU_MAX_RESIDENT_BLOCKS]; /**< what keeps most accesses from `shared` */
    FlatPass *flat_pass;
    const CellWays *cells;
    uint64_t flat_intervals, flat_left; /**< of this launch; those that ended in doubt */
    Backlog backlog;                    /**< what keeps most reads from `global` */
    uint32_t blocks_begun;
    ShadowRoom room;    /**< for records */
    bool room_is_tight; /**< in this launch packing gains nothing more */
    bool records_lost;  /**< for want of room: memory without a record may have a writer */
    uint64_t looks;     /**< accesses of this launch */
    uint64_t most_used; /**< bytes of device memory at its peak */
    Clocks clocks;
    Site *sites;
    uint32_t site_count;
    size_t site_capacity;
    uint16_t *site_of_pc;
    size_t pc_capacity;
    MetCopy met[MET_COPIES]; /**< of this launch. LIMIT: more are left out */
    unsigned met_count;
    uint32_t unwatched_at[UNWATCHED_REASONS]; /**< pc of the first such access of this launch; 0: none */
    uint32_t range_sites;                     /**< in a worker: what was there when its range began */
    uint64_t range_room;
    uint32_t range_unwatched[UNWATCHED_REASONS];
};

enum { RACES_ONE_ACCESS = 6 << 20 }; /**< bytes: pages of bytes for each lane, of writers and of readers */

/** Races at this pc may go unnoticed. */
static inline void races_unwatched(Races *races, Unwatched reason, uint32_t pc) {
    races->records_lost |= reason == UNWATCHED_ROOM;
    if (!races->unwatched_at[reason]) races->unwatched_at[reason] = pc;
}
/** Packs records that are not in use. */
void races_make_room(Races *races, uint32_t pc);
/** Before an access is looked at, while no page is in use: has room for the records of one. */
static inline void races_have_room(Races *races, uint32_t pc) {
    races->looks++;
    bool short_of_room = races->room.left < RACES_ONE_ACCESS && !races->room_is_tight;
    if (short_of_room || races->room.lost) races_make_room(races, pc);
}
/** Says, when a launch has ended, what was not watched in it. */
void unwatched_tell(Check *check, const GpuLaunch *launch);

/** The access that is being compared. */
typedef struct Actor {
    Check *check;
    Races *races;
    Domain *domain;
    const GpuAccess *access;
    BlockClock *block;
    WarpClock *warp;
    unsigned warp_index;
    uint64_t record;                      /**< of lane 0 */
    bool plain_read, plain_write, atomic; /**< what it counts as; none: it only looks */
    bool in_block;                        /**< an atomic of block scope */
    bool flag;                            /**< a volatile access to a flag: relaxed */
    bool incoherent;                      /**< a read that no order makes see a write of this launch */
    bool waited;                          /**< a read that is recorded from the log */
} Actor;

typedef enum RecordTable { RECORD_WRITE, RECORD_READ, RECORD_ATOMIC } RecordTable;

/* ---- races.c, races_plain.c: the observer ---- */

bool races_create(Check *check, bool detect);
void races_destroy(Races *races);
GpuObserver races_observer(Check *check);
void races_on_access(Check *check, const GpuAccess *access);
/** The short way, for accesses of another shape than ACCESS_ANY: it cannot race, and has been recorded; else
 * false, and nothing has been changed. */
bool races_pass_plain(Check *check, const GpuAccess *access, AccessShape shape);

/* ---- sites.c ---- */

bool sites_create(Races *races);
uint16_t sites_of_pc(Check *check, const GpuAccess *access);
/** The number of a site that another process has made. */
uint16_t sites_of(Races *races, const Site *site);
uint16_t sites_of_host(Races *races, uint64_t site);

/** A read through a cache that is not kept coherent with what the same kernel writes: ld.global.nc, which is
 * "read-only for the lifetime of the kernel" (Programming Guide, __ldg), and textures and surfaces ("any
 * texture fetch ... to an address that has been written to ... in the same kernel call returns undefined
 * data"). Of a fetch that blends texels the first one counts: the others may have no weight. */
static inline bool races_is_incoherent(const Site *site, const GpuAccess *access) {
    return site->incoherent || (access->texture && access->kind == GPU_READ && !access->further);
}

/** flags.c: a volatile store, or a volatile load whose value decides where the thread goes. */
bool flags_is_flag(const Check *check, const GpuAccess *access);

/* range_writers.c: members of the observer */
void races_range_begin(void *self);
bool races_range_quiet(void *self, const GpuRange *range);
void races_range_put(void *self, GpuRange *range);
void races_range_take(void *self, GpuRange *range);

/* ---- what the files of races*.c and race_*.c ask of each other ---- */

/** Compares the access with what is recorded for its words, tells races, and records it. Offsets are
 * addresses less `base`. */
void race_cells_touch(const Actor *actor, uint64_t base);
/** Does the same for an access that was found not to race when it happened. */
void races_replay(Check *check, const GpuAccess *access);
/** tile_scratch.c: a lane's place is a slot through which NVIDIA's tiles of several warps exchange values. */
bool tile_scratch_contains(const Actor *actor, unsigned lane);
/** What the record stands for happened before the access of the lane for certain. */
bool race_cells_ordered(const Actor *actor, uint64_t record, unsigned lane);
/** The reads of the word at the address that are kept; 0: none. */
void race_cells_readers(const Actor *actor, uint64_t address, uint64_t readers[SHADOW_MAX_WAYS]);
/** The last plain write of the word at the address; 0: none. */
uint64_t race_cells_writer(const Actor *actor, uint64_t address);
/** The reads, for an offset. */
void domain_readers(const Domain *domain, uint64_t offset, uint64_t readers[SHADOW_MAX_WAYS]);
void domain_init(Domain *domain, bool keeps_sites, ShadowRoom *room);
void domain_free(Domain *domain);
/** The source of an asynchronous copy was written before the wait. */
void overtaken_on_copy(void *self, const GpuChangedCopy *copy);
/** under_way.c: a place is touched while a copy to it is under way. */
void under_way_on_met(void *self, const GpuMetCopy *met);
void under_way_tell(Check *check, const GpuLaunch *launch);
/** Files (or counts) the race between the lane of the actor and an earlier access. `count`: how many lanes
 * alike. */
void race_story_tell(const Actor *actor, unsigned lane, uint64_t record, RecordTable table, unsigned count);
