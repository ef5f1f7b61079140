/* releases.c - see releases.h: places through which threads tell each other what they did.
 *
 * A place (Location) is a word that a thread with a fence behind it has written strongly. It keeps what every
 * block may learn there, and for blocks with fences of their own scope what that block may learn besides.
 */
#include "base/growable.h"
#include "base/map.h"
#include "check/order/releases.h"

#include <stdlib.h>
#include <string.h>

/* LIMIT: of one launch. A location takes about 250 bytes with its first witnesses; what is beyond is told as
 * "not watched" (locations), or left out (witnesses: a race with one of them is missed). */
enum { MOST_LOCATIONS = 1 << 18, MOST_WITNESSES = 1 << 16 };

/** What the threads of one block may learn besides. */
typedef struct Near {
    uint32_t block;
    Vector *told;
    struct Near *next;
} Near;

typedef struct Location {
    uint64_t stored;  /**< number of the last store; atomics only add to what it told */
    uint64_t written; /**< number of the last strong write */
    Vector *far;      /**< told to everybody */
    Vector *narrow;   /**< what was told to single blocks, by all of them */
    Near *near;
    Vector *arrived;     /**< what arrivals at an mbarrier have told in the phase that is not over */
    uint32_t teller;     /**< the block that told `far` */
    bool several;        /**< more than one did */
    uint64_t *witnesses; /**< records of who wrote last, and of those who have seen that */
    size_t witness_count, witness_capacity;
} Location;

struct Releases {
    Location *locations;
    size_t location_count, location_capacity;
    Map numbers;     /**< of the locations, by key */
    uint64_t writes; /**< numbers strong writes */
};

/* ---- locations ---- */

Releases *releases_create(void) {
    return calloc(1, sizeof(Releases));
}

/* Somebody stored another value, so nothing is learnt from the old one any more. */
static void location_forget(Vectors *vectors, Location *location) {
    vector_drop(vectors, location->far);
    vector_drop(vectors, location->narrow);
    vector_drop(vectors, location->arrived);
    while (location->near) {
        Near *near = location->near;
        location->near = near->next;
        vector_drop(vectors, near->told);
        free(near);
    }
    location->far = location->narrow = location->arrived = NULL;
    location->several = false;
}

static bool witness(Location *location, uint64_t record) {
    if (location->witness_count == MOST_WITNESSES) return true;
    uint64_t *witnesses = growable_grow(location->witnesses, &location->witness_capacity,
                                        location->witness_count + 1, sizeof *witnesses);
    if (!witnesses) return false;
    location->witnesses = witnesses;
    location->witnesses[location->witness_count++] = record;
    return true;
}

void releases_clear(Clocks *clocks) {
    Releases *releases = clocks->releases;
    for (size_t i = 0; i < releases->location_count; i++) {
        location_forget(&clocks->vectors, &releases->locations[i]);
        free(releases->locations[i].witnesses);
    }
    vectors_clear(&clocks->vectors);
    map_clear(&releases->numbers);
    releases->location_count = 0;
    clocks->vectors.lost = false;
}

void releases_destroy(Clocks *clocks) {
    Releases *releases = clocks->releases;
    if (!releases) return;
    releases_clear(clocks);
    free(releases->locations);
    map_free(&releases->numbers);
    free(releases);
}

static Location *location_find(const Releases *releases, uint64_t key) {
    uint32_t number = map_find(&releases->numbers, key);
    if (number != MAP_NONE) return &releases->locations[number];
    return NULL;
}

static bool locations_grow(Releases *releases) {
    if (releases->location_count == MOST_LOCATIONS) return false;
    Location *locations = growable_grow(releases->locations, &releases->location_capacity,
                                        releases->location_count + 1, sizeof *locations);
    if (locations) releases->locations = locations;
    return locations != NULL;
}

static Location *location_make(Clocks *clocks, uint64_t key) {
    Releases *releases = clocks->releases;
    Location *known = location_find(releases, key);
    if (known) return known;
    if (!locations_grow(releases) || !map_put(&releases->numbers, key, (uint32_t)releases->location_count)) {
        clocks->vectors.lost = true;
        return NULL;
    }
    releases->locations[releases->location_count] = (Location){.stored = ++releases->writes};
    return &releases->locations[releases->location_count++];
}

static uint64_t key_of(const GpuAccess *access, const BlockClock *clock, unsigned lane) {
    uint64_t word = access->address[lane] / 4;
    if (access->space == PTX_SPACE_SHARED) return check_key(clock->linear, word, 1) | UINT64_C(1) << 63;
    return word;
}

static Near **near_of(Location *location, uint32_t block) {
    Near **near = &location->near;
    while (*near && (*near)->block != block)
        near = &(*near)->next;
    return near;
}

/* ---- strong writes ---- */

/** One lane's part of a strong access. */
typedef struct Visit {
    Clocks *clocks;
    BlockClock *clock;
    const GpuAccess *access;
    unsigned warp, lane;
    bool far; /**< its scope is wider than the block */
} Visit;

static uint64_t visit_record(const Visit *visit) {
    return (uint64_t)clocks_record_block(visit->clock) << RECORD_BLOCK_SHIFT |
           (uint64_t)(32 * visit->warp + visit->lane) << RECORD_THREAD_SHIFT | visit->clock->time;
}

/** What the lane tells by a strong write; NULL: nothing. The caller drops it. A lane's own fence covers what
 * its warp and block told before. */
static Vector *told_by(const Visit *visit, LoreKind kind) {
    Vectors *vectors = &visit->clocks->vectors;
    const WarpLore *lore = visit->clock->warps[visit->warp].lore;
    uint32_t time = 0;
    if (lore) time = kind == LORE_TELLS ? lore->fenced[visit->lane] : lore->fenced_far[visit->lane];
    if (!time) return lore_of_lane(visit->clocks, visit->clock, visit->warp, visit->lane, kind);
    Vector *all = vector_keep(lore->lanes[visit->lane].of[kind]);
    VectorRow row = {.warp = visit->warp, .lanes = UINT32_C(1) << visit->lane, .time = time};
    vector_add(vectors, &all, clocks_record_block(visit->clock), 0, &row, 1);
    return all;
}

static void tell_far(const Visit *visit, Location *location, Vector *told) {
    if (!told) return;
    uint32_t block = clocks_record_block(visit->clock);
    location->several |= location->far && location->teller != block;
    location->teller = block;
    vector_join(&visit->clocks->vectors, &location->far, told);
}

/** What is told to the own block only. */
static void tell_near(const Visit *visit, Location *location, const Vector *far, Vector *told) {
    Vectors *vectors = &visit->clocks->vectors;
    if (!told) return;
    Vector *both = vector_keep(location->far);
    vector_join(vectors, &both, told);
    bool more = both != location->far || !far;
    vector_drop(vectors, both);
    if (!more) return;
    vector_join(vectors, &location->narrow, told);
    Near **near = near_of(location, clocks_record_block(visit->clock));
    if (!*near) *near = calloc(1, sizeof **near);
    if (!*near) {
        vectors->lost = true;
        return;
    }
    (*near)->block = clocks_record_block(visit->clock);
    vector_join(vectors, &(*near)->told, told);
}

/* A strong write after a fence leaves what the writer knew at the place that it wrote; who reads it there
 * strongly, and fences, knows it as well. A store replaces what the place told before, an atomic adds to
 * it, as it goes on from the value before (PTX ISA 8.8, release sequences). */
static void tell(const Visit *visit) {
    Vectors *vectors = &visit->clocks->vectors;
    bool shared = visit->access->space == PTX_SPACE_SHARED;
    uint64_t key = key_of(visit->access, visit->clock, visit->lane);
    WarpLore *lore = visit->clock->warps[visit->warp].lore;
    Vector *near = told_by(visit, LORE_TELLS);
    Location *location;
    if (near)
        location = location_make(visit->clocks, key);
    else
        location = location_find(visit->clocks->releases, key);
    if (location) {
        Vector *far = NULL;
        if (visit->far && !shared) far = told_by(visit, LORE_TELLS_FAR);
        location->written = ++visit->clocks->releases->writes;
        if (visit->access->kind == GPU_WRITE) {
            location_forget(vectors, location);
            location->stored = location->written;
        }
        tell_far(visit, location, shared ? near : far);
        if (lore && far && lore->fresh >> visit->lane & 1) lore->covers[visit->lane] = location->stored;
        if (!shared) tell_near(visit, location, far, near);
        location->witness_count = 0;
        if (!witness(location, visit_record(visit))) vectors->lost = true;
        vector_drop(vectors, far);
    }
    vector_drop(vectors, near);
}

/* ---- arrivals ---- */

/** What the object holds before the lane's arrival: an access tells it as it is before all of them. */
static uint64_t state_before(const GpuAccess *access, const PtxInstruction *arrival, unsigned lane) {
    const unsigned first = check_first_lane(access->lanes);
    uint64_t state, count;
    memcpy(&state, access->memory + (int64_t)(access->address[lane] - access->address[first]), sizeof state);
    for (unsigned other = first; other < lane; other++) {
        if (!(access->lanes >> other & 1) || access->address[other] != access->address[lane]) continue;
        memcpy(&count, access->values + other * access->bytes, sizeof count);
        gpu_arrive(arrival, &state, count);
    }
    return state;
}

/* An arrival at an mbarrier learns nothing, and tells those who find its phase over: nobody learns from
 * arrivals of a phase that goes on, whoever looks at the object (PTX ISA 9.7.13.15.3). Phases that are over
 * tell all that those before them told, as an atomic does. */
static void arrive(const Visit *visit, const PtxInstruction *arrival) {
    Vectors *vectors = &visit->clocks->vectors;
    const GpuAccess *access = visit->access;
    Vector *told = told_by(visit, LORE_TELLS);
    Location *location = location_make(visit->clocks, key_of(access, visit->clock, visit->lane));
    uint64_t state = state_before(access, arrival, visit->lane), count;
    memcpy(&count, access->values + visit->lane * access->bytes, sizeof count);
    const bool ends = gpu_arrive(arrival, &state, count);
    if (location) {
        vector_join(vectors, &location->arrived, told);
        location->written = ++visit->clocks->releases->writes;
        location->witness_count = 0;
        if (!witness(location, visit_record(visit))) vectors->lost = true;
    }
    if (location && ends) {
        tell_far(visit, location, location->arrived);
        vector_replace(vectors, &location->arrived, NULL);
    }
    vector_drop(vectors, told);
}

/* ---- strong reads ---- */

/** The lane has seen the last write; the look is stamped as what a fence would order (clocks_advance). */
static void see(const Visit *visit, WarpLore *lore, Location *location) {
    uint64_t record = visit_record(visit) - !visit->clock->worked;
    if (lore->saw[visit->lane] == location->written) return;
    lore->saw[visit->lane] = location->written;
    if (!witness(location, record)) visit->clocks->vectors.lost = true;
}

/** Who polls hears the same place again and again, and each time at least what it heard before. `at`: the
 * writing that *heard is of. */
static void hear_again(const Visit *visit, const Location *location, Vector **heard, uint64_t *at) {
    Vectors *vectors = &visit->clocks->vectors;
    if (!*heard || (*at == location->stored && *at)) {
        vector_replace(vectors, heard, location->far);
        *at = location->stored;
        return;
    }
    vector_join(vectors, heard, location->far);
    *at = 0;
}

/** Without a fence. */
static void learn_at(const Visit *visit, WarpLore *lore, const Location *location, bool all,
                     const Near *near) {
    unsigned lane = visit->lane;
    Vector **known = &lore->lanes[lane].of[LORE_KNOWN];
    bool covered = all && lore->covers[lane] == location->stored;
    if (covered) {
        vector_replace(&visit->clocks->vectors, known, location->far);
        lore->ahead |= UINT32_C(1) << lane;
        lore->known_at[lane] = location->stored;
    } else if (all) {
        hear_again(visit, location, known, &lore->known_at[lane]);
    }
    if (near) {
        vector_join(&visit->clocks->vectors, known, near->told);
        lore->known_at[lane] = 0;
    }
    if (!covered || near) lore->covers[lane] = 0;
    lore->fresh &= ~(UINT32_C(1) << lane);
}

/** `only_looks`: what it learns needs a fence to be known. */
static void hear(const Visit *visit, bool only_looks) {
    Location *location =
        location_find(visit->clocks->releases, key_of(visit->access, visit->clock, visit->lane));
    WarpLore *lore = NULL;
    if (location) lore = lore_of_warp(visit->clocks, visit->clock, visit->warp);
    if (!lore) return;
    Vectors *vectors = &visit->clocks->vectors;
    Vector **of = lore->lanes[visit->lane].of;
    const Near *near = *near_of(location, clocks_record_block(visit->clock));
    bool own = !location->several && location->teller == clocks_record_block(visit->clock);
    if (!only_looks) learn_at(visit, lore, location, own || visit->far, near);
    if (only_looks && own) vector_join(vectors, &of[LORE_HEARD], location->far);
    if (only_looks && near) vector_join(vectors, &of[LORE_HEARD], near->told);
    if (only_looks && !own && visit->far)
        hear_again(visit, location, &of[LORE_HEARD_FAR], &lore->heard_at[visit->lane]);
    vector_join(vectors, &of[LORE_TOO_NEAR], location->narrow);
    see(visit, lore, location);
}

/* ---- strong accesses ---- */

bool releases_is_release(PtxSemantics semantics) {
    return semantics == PTX_SEM_RELEASE || semantics == PTX_SEM_ACQ_REL || semantics == PTX_SEM_SC;
}

static bool is_acquire(PtxSemantics semantics) {
    return semantics == PTX_SEM_ACQUIRE || semantics == PTX_SEM_ACQ_REL || semantics == PTX_SEM_SC;
}

/** An atomic. What it learns here is told here already, so the lane's fence still covers all that it knows.
 */
static void update(const Visit *visit, bool only_looks) {
    const WarpLore *before = visit->clock->warps[visit->warp].lore;
    uint32_t fresh = 0;
    if (before) fresh = before->fresh;
    hear(visit, only_looks);
    WarpLore *lore = visit->clock->warps[visit->warp].lore;
    uint32_t learnt = 0;
    if (lore) learnt = fresh & ~lore->fresh;
    if (lore) lore->fresh = fresh;
    tell(visit);
    if (lore) lore->fresh &= ~learnt;
}

static void note_lock(const Visit *visit, uint32_t takes) {
    WarpLore *lore = visit->clock->warps[visit->warp].lore;
    const uint32_t lane = UINT32_C(1) << visit->lane;
    if (lore && visit->access->kind != GPU_WRITE) lore->takes = (lore->takes & ~lane) | (takes & lane);
}

static void note_flag(FirstFlags *flags, const GpuAccess *access) {
    uint32_t *first = NULL;
    if (releases_is_release(access->semantics) && access->scope == PTX_SCOPE_CTA)
        first = &flags->near_release;
    else if (access->kind == GPU_ATOMIC && access->semantics == PTX_SEM_RELAXED)
        first = &flags->relaxed_atomic;
    else if (access->kind == GPU_WRITE && access->semantics == PTX_SEM_RELAXED)
        first = &flags->relaxed;
    else if (access->kind == GPU_WRITE && access->semantics == PTX_SEM_VOLATILE)
        flags->volatile_store = access->pc;
    if (first && !*first) *first = access->pc;
}

/* One lane after the other, since one may hear what the lane before it has told. */
void releases_strong(Clocks *clocks, const GpuAccess *access, Looks looks, const PtxInstruction *arrival) {
    const GpuBlock *block = gpu_warp_block(access->warp);
    BlockClock *clock = &clocks->blocks[gpu_block_slot(block)];
    const bool global = access->space == PTX_SPACE_GLOBAL;
    clock->looked |= access->kind != GPU_WRITE && global;
    if (global) note_flag(&clocks->flags, access);
    if (arrival && clocks->flags.arrival == 0) clocks->flags.arrival = access->pc;
    if (releases_is_release(access->semantics))
        releases_fence(clocks, access->warp, access->lanes, access->scope);
    if (!clocks->fenced) return;
    Visit visit = {.clocks = clocks,
                   .clock = clock,
                   .access = access,
                   .warp = gpu_warp_index(access->warp),
                   .far = access->scope != PTX_SCOPE_CTA};
    for (unsigned lane = check_first_lane(access->lanes); lane < 32; lane++) {
        if (!(access->lanes >> lane & 1)) continue;
        visit.lane = lane;
        if (arrival)
            arrive(&visit, arrival);
        else if (access->kind == GPU_READ)
            hear(&visit, looks.lanes >> lane & 1 && !is_acquire(access->semantics));
        else if (access->kind == GPU_WRITE)
            tell(&visit);
        else
            update(&visit, looks.lanes >> lane & 1 && !is_acquire(access->semantics));
        note_lock(&visit, looks.take);
    }
}

/* ---- asking ---- */

static bool knows(const Lore *lore, LoreKind kind, uint64_t record) {
    return vector_knows(lore->of[kind], record_block(record), record_thread(record), record_time(record));
}

static bool lane_knows(const BlockClock *block, unsigned warp, unsigned lane, LoreKind kind,
                       uint64_t record) {
    const WarpLore *lore = block->warps[warp].lore;
    if (knows(&block->lore, kind, record)) return true;
    return lore && (knows(&lore->warp, kind, record) || knows(&lore->lanes[lane], kind, record));
}

static bool some_lane_knows(const BlockClock *block, unsigned warp, LoreKind kind, uint64_t record) {
    for (unsigned lane = 0; lane < 32; lane++)
        if (lane_knows(block, warp, lane, kind, record)) return true;
    return false;
}

Order releases_told(const Clocks *clocks, const BlockClock *block, unsigned warp, unsigned lane,
                    uint64_t record) {
    if (lane_knows(block, warp, lane, LORE_KNOWN, record)) return ORDER_KNOWN;
    if (clocks->vectors.lost) return ORDER_LOST;
    return ORDER_NONE;
}

bool releases_told_too_near(const BlockClock *block, unsigned warp, uint64_t record) {
    return some_lane_knows(block, warp, LORE_TOO_NEAR, record);
}

bool releases_only_heard(const BlockClock *block, unsigned warp, uint64_t record) {
    return some_lane_knows(block, warp, LORE_HEARD, record) ||
           some_lane_knows(block, warp, LORE_HEARD_FAR, record);
}

bool releases_takes_lock(const BlockClock *block, unsigned warp) {
    const WarpLore *lore = block->warps[warp].lore;
    return lore && lore->takes;
}

const uint64_t *releases_witnesses(const Clocks *clocks, const GpuAccess *access, unsigned lane,
                                   unsigned *count, bool *all) {
    const BlockClock *clock = &clocks->blocks[gpu_block_slot(gpu_warp_block(access->warp))];
    const Location *location = location_find(clocks->releases, key_of(access, clock, lane));
    if (location)
        *count = (unsigned)location->witness_count;
    else
        *count = 0;
    *all = *count == MOST_WITNESSES;
    if (location) return location->witnesses;
    return NULL;
}
