/* flat.c - the cells and the log of flat.h. */
#include "base/growable.h"
#include "check/races/flat.h"
#include "check/races/races.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LOGGED = 1024, WORD = 4, EIGHT = 8 };

#ifdef __x86_64__
#define LEVELS(X) X(v2) X(v3) X(v4)
#else
#define LEVELS(X) X(generic)
#endif
#define DECLARE(level) FlatPass flat_pass_##level;
#define PASS(level) flat_pass_##level,
LEVELS(DECLARE)

FlatPass *flat_pass_for(unsigned level) {
    static FlatPass *const passes[] = {LEVELS(PASS)};
    return passes[level];
}

void flat_free(Flat *flat) {
    free(flat->room);
    free(flat->log);
    *flat = (Flat){0};
}

/* ---- intervals ---- */

/* A launch whose intervals mostly end in doubt; it is tried again when enough have passed without. */
static bool is_hopeless(const Races *races) {
    enum { FEW = 8 };
    return races->flat_left > FEW && 2 * races->flat_left > races->flat_intervals;
}

/* Where atomics have been before this interval, who looks through volatile waits for them: that they have
 * been there is all that anybody wants to know. */
static void recall_atomics(Races *races, uint32_t slot) {
    Flat *flat = &races->flat[slot];
    Domain *domain = races->shared[slot];
    uint64_t block = races->clocks.blocks[slot].linear & ((UINT64_C(1) << RECORD_BLOCK_BITS) - 1);
    uint64_t record =
        (uint64_t)SITE_LOST << RECORD_SITE_SHIFT | block << RECORD_BLOCK_SHIFT | RECORD_TIME_OLD;
    for (uint32_t word = 0; flat->atomics && word < flat->words; word++) {
        uint64_t offset = (uint64_t)word * WORD;
        if (!(flat->cells[word] & FLAT_EVER_ATOMIC)) continue;
        bool known = shadow_peek(&domain->atomics, offset, domain->generation) &&
                     shadow_record(&domain->atomics, offset);
        if (!known) shadow_fill(&domain->atomics, offset, WORD, record, domain->generation);
    }
    flat->atomics = false;
}

static void begin_interval(Races *races, uint32_t slot) {
    Flat *flat = &races->flat[slot];
    flat->logged = 0;
    flat->changed = false;
    races->flat_intervals++;
    flat->exact = !flat->cells || races->clocks.fenced || is_hopeless(races);
    if (flat->exact) recall_atomics(races, slot);
}

void flat_launch_begin(Races *races) {
    races->flat_intervals = races->flat_left = 0;
    for (uint32_t slot = 0; slot < races->clocks.used; slot++) {
        races->flat[slot].logged = 0;
        races->flat[slot].exact = true; /* until its next block begins */
    }
}

/* The room is used again by the next block in this slot and only grows. Margins on both sides let the
 * vector code read past the ends. */
void flat_begin(Races *races, uint32_t slot, uint32_t span) {
    Flat *flat = &races->flat[slot];
    uint32_t words = span / WORD + 1;
    if (words > flat->capacity) {
        free(flat->room);
        flat->room = calloc(words + 2 * FLAT_MARGIN, sizeof *flat->room);
        if (flat->room)
            flat->cells = flat->room + FLAT_MARGIN;
        else
            flat->cells = NULL;
        if (flat->cells)
            flat->capacity = words;
        else
            flat->capacity = 0;
    }
    if (flat->cells)
        flat->words = words;
    else
        flat->words = 0;
    flat->atomics = false;
    if (flat->cells) memset(flat->cells, 0, words * sizeof *flat->cells);
    begin_interval(races, slot);
}

void flat_next(Races *races, uint32_t slot) {
    if (races->flat[slot].cells) begin_interval(races, slot);
}

/* ---- the log ---- */

static FlatEntry *log_entry(Flat *flat) {
    if (flat->logged < flat->log_capacity) return &flat->log[flat->logged];
    if (flat->logged == MOST_LOGGED) return NULL;
    FlatEntry *log = growable_grow(flat->log, &flat->log_capacity, flat->logged + 1, sizeof *log);
    if (!log) return NULL;
    flat->log = log;
    return &flat->log[flat->logged];
}

static FlatShape shape_of(const GpuAccess *access) {
    if (access->uniform) return FLAT_UNIFORM;
    if (access->steps) return FLAT_STEPS;
    if (access->bytes != WORD) return FLAT_ANYWHERE;
    if (access->contiguous) return FLAT_ADJACENT;
    if (access->rows) return FLAT_ROWS;
    return FLAT_ANYWHERE;
}

/* All 32 only where it must be: this is done for each access to shared memory. */
static void fill_offsets(FlatEntry *entry, const GpuAccess *access) {
    const unsigned first = check_first_lane(access->lanes);
    entry->offset[first] = (uint32_t)access->address[first];
    if (access->bytes != WORD || entry->shape == FLAT_ANYWHERE)
        for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
            entry->offset[lane] = (uint32_t)access->address[lane];
    else if (entry->shape == FLAT_STEPS || entry->shape == FLAT_ROWS)
        for (unsigned lane = 0; lane < GPU_WARP_LANES; lane += EIGHT)
            entry->offset[lane] = (uint32_t)access->address[lane];
}

/* All that the exact detector needs to see this access again, should the interval turn out not to be
 * simple. */
static void fill_entry(FlatEntry *entry, const GpuAccess *access) {
    entry->warp = access->warp;
    entry->pc = access->pc;
    entry->lanes = access->lanes;
    entry->kind = access->kind;
    entry->semantics = access->semantics;
    entry->scope = access->scope;
    entry->bytes = access->bytes;
    entry->contiguous = access->contiguous;
    entry->uniform = access->uniform;
    entry->shape = shape_of(access);
    fill_offsets(entry, access);
}

/* Where a lane is, from the few offsets that the shape needs. */
static uint32_t offset_of(const FlatEntry *entry, unsigned lane) {
    const unsigned first = check_first_lane(entry->lanes);
    if (entry->bytes != WORD) return entry->offset[lane];
    switch (entry->shape) {
    case FLAT_UNIFORM:
        return entry->offset[first];
    case FLAT_ADJACENT:
        return entry->offset[first] + WORD * (lane - first);
    case FLAT_STEPS:
        return entry->offset[lane / EIGHT * EIGHT];
    case FLAT_ROWS:
        return entry->offset[lane / EIGHT * EIGHT] + WORD * (lane % EIGHT);
    case FLAT_ANYWHERE:
        break;
    }
    return entry->offset[lane];
}

/* Makes the access again from its log entry. Values are not kept: who wrote the same value cannot be told
 * of these, which only concerns accesses that race. */
static void replay_entry(Check *check, const FlatEntry *entry) {
    uint64_t address[GPU_WARP_LANES];
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
        address[lane] = offset_of(entry, lane);
    GpuAccess access = {.warp = entry->warp, .pc = entry->pc, .space = PTX_SPACE_SHARED};
    access.kind = entry->kind;
    access.semantics = entry->semantics;
    access.scope = entry->scope;
    access.bytes = entry->bytes;
    access.contiguous = entry->contiguous;
    access.uniform = entry->uniform;
    access.lanes = access.wanted = entry->lanes;
    access.address = address;
    races_replay(check, &access);
}

void flat_leave(Check *check, uint32_t slot) {
    Races *races = check->races;
    Flat *flat = &races->flat[slot];
    if (flat->exact || !flat->cells) return;
    flat->exact = true;
    races->flat_left += flat->logged > 0;
    recall_atomics(races, slot);
    for (size_t i = 0; i < flat->logged && !CHECK_BOTH; i++)
        replay_entry(check, &flat->log[i]);
    flat->logged = 0;
}

/* ---- one access ---- */

static uint32_t use_of(const Actor *actor) {
    if (actor->plain_write) return FLAT_OWN;
    if (actor->atomic && actor->access->kind == GPU_ATOMIC) return FLAT_ATOMIC;
    if (actor->plain_read) return FLAT_READ;
    return 0;
}

/* Whole words, and nothing that has to do with flags and fences. */
static bool is_ordinary(const Actor *actor) {
    const GpuAccess *access = actor->access;
    return use_of(actor) && access->bytes >= WORD && access->semantics != PTX_SEM_VOLATILE && !actor->flag &&
           !actor->races->clocks.fenced;
}

/* Who touches what, and how: what the cells need to know of an access. */
typedef struct FlatUse {
    const GpuAccess *access;
    BlockClock *block;
    uint32_t use;
} FlatUse;

/* Whether all words of the access pass the flat table; otherwise the exact records decide. Elements of 4
 * bytes are looked at once; longer ones word by word, at the lanes' offsets plus 4, 8 and 12. */
static inline bool passes(const Races *races, Flat *flat, const BlockClock *block, uint32_t use,
                          const FlatEntry *entry) {
    FlatTouch touch = {.cells = flat->cells,
                       .offset = entry->offset,
                       .lanes = entry->lanes,
                       .me = block->time << FLAT_TIME_SHIFT | 32 * gpu_warp_index(entry->warp),
                       .use = use,
                       .shape = entry->shape};
    if (use == FLAT_ATOMIC) flat->atomics = true;
    if (entry->bytes == WORD) return races->flat_pass(&touch);
    uint32_t offset[GPU_WARP_LANES];
    touch.offset = offset;
    for (unsigned at = 0; at < entry->bytes; at += WORD) {
        for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
            offset[lane] = entry->offset[lane] + at;
        if (!races->flat_pass(&touch)) return false;
    }
    return true;
}

/* The reads before the first change of the interval, with which it is compared. */
static bool judge_reads(const Races *races, Flat *flat, const BlockClock *block) {
    flat->changed = true;
    for (size_t i = 0; i < flat->logged; i++)
        if (!passes(races, flat, block, FLAT_READ, &flat->log[i])) return false;
    return true;
}

/* Puts the access down if it is beyond doubt. */
static bool put_down(const Races *races, Flat *flat, const FlatUse *who) {
    const GpuAccess *access = who->access;
    if (access->high / WORD + access->bytes / WORD > flat->words) return false;
    const bool first_change = who->use != FLAT_READ && !flat->changed;
    if (first_change && !judge_reads(races, flat, who->block)) return false;
    FlatEntry *entry = log_entry(flat);
    if (!entry) return false;
    fill_entry(entry, access);
    if (flat->changed && !passes(races, flat, who->block, who->use, entry)) return false;
    flat->logged++;
    return true;
}

bool flat_touch(Check *check, const Actor *actor) {
    Races *races = actor->races;
    uint32_t slot = gpu_block_slot(gpu_warp_block(actor->access->warp));
    FlatUse who = {actor->access, actor->block, use_of(actor)};
    if (races->flat[slot].exact) return false;
    if (is_ordinary(actor) && put_down(races, &races->flat[slot], &who)) return true;
    flat_leave(check, slot);
    return false;
}

/* The instruction has been met, and is no look at a flag. */
static bool is_known(const Races *races, uint32_t pc) {
    return pc < races->pc_capacity && races->site_of_pc[pc] && !races->sites[races->site_of_pc[pc]].is_flag;
}

/* The quick way is for plain accesses to shared memory of at least a word, where nothing but barriers
 * orders threads. Everything else ends it for the interval: the log is replayed and the exact records go on
 * until the next barrier of the whole block. */
bool flat_takes(Check *check, const GpuAccess *access) {
    Races *races = check->races;
    if (access->space != PTX_SPACE_SHARED || access->semantics != PTX_SEM_WEAK) return false;
    uint32_t slot = gpu_block_slot(gpu_warp_block(access->warp));
    FlatUse who = {access, &races->clocks.blocks[slot], FLAT_READ};
    if (access->kind == GPU_WRITE) who.use = FLAT_OWN;
    if (races->flat[slot].exact || access->kind == GPU_ATOMIC || access->bytes < WORD ||
        gpu_warp_index(access->warp) >= CLOCK_WARPS || who.block->exhausted || races->clocks.fenced ||
        access->high >= PTX_SYSTEM_SHARED || !is_known(races, access->pc))
        return false;
    who.block->touched = who.block->worked = true;
    if (put_down(races, &races->flat[slot], &who)) return true;
    flat_leave(check, slot);
    return false;
}
