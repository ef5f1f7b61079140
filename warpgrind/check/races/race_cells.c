/* race_cells.c - compares one access with the records of its words and puts it in their place.
 *
 * Three tables: plain writes, plain reads, atomics. Who is compared with what: a read with writes and
 * atomics, a write with all, an atomic with plain reads and writes. A warp that touches whole segments is
 * one comparison for each table and segment; all other accesses go cell by cell.
 */
#include "base/minmax.h"
#include "check/races/races.h"

#include <string.h>

/* ---- order ---- */

/* Whether what the record stands for happened before this access for certain. The cheap questions come
 * first: the same thread, an earlier barrier of the block, __syncwarp(), a barrier of some warps; flags and
 * fences last, and only in launches that have any. */
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
    Order order = releases_told(&actor->races->clocks, actor->block, actor->warp_index, lane, record);
    if (order == ORDER_LOST) races_unwatched(actor->races, UNWATCHED_FLAGS, actor->access->pc);
    return order != ORDER_NONE;
}

/* `old = *place; do { seen = old; old = atomicCAS(place, seen, ...); } while (old != seen)`: the read is a
 * first guess only, and the compare-and-swap that follows it in the same function finds out if it was stale.
 */
static bool guesses_for_swap(const Actor *actor, uint32_t reader, uint32_t atomic) {
    GpuPlace read = gpu_place(actor->check->gpu, reader), swap = gpu_place(actor->check->gpu, atomic);
    bool called = read.function != swap.function; /* nvcc -G keeps atomicCAS a function of its own */
    if (called ? read.line >= swap.line : reader >= atomic) return false;
    return read.written_in && read.written_in == swap.written_in && swap.instruction &&
           swap.instruction->modifiers.atomic == PTX_ATOM_CAS;
}

/* The place was last written strongly before this access, as far as the lane knows or has seen: the last
 * block may set the counter back that all have counted on. */
static bool after_last_strong(const Actor *actor, unsigned lane) {
    if (!actor->races->clocks.fenced) return false;
    unsigned count;
    bool seen;
    const uint64_t *records = releases_witnesses(&actor->races->clocks, actor->access, lane, &count, &seen);
    for (unsigned i = 0; i < count && !seen; i++)
        seen = ordered(actor, records[i], lane);
    return seen;
}

/* Atomics of block scope are atomic among the threads of one block only (PTX ISA 8.5, scope). */
static bool scopes_apart(const Actor *actor, const Site *site, uint64_t record) {
    return (actor->in_block || site->in_block) && ((record ^ actor->record) & RECORD_BLOCK_MASK) != 0;
}

/* What is strong itself, an atomic or a look, is compared with atomics where these may be too narrow. */
static inline bool meets_atomics(const Actor *actor) {
    return actor->plain_write || actor->plain_read || actor->races->block_scoped;
}

/* Who sets a flag, who waits for it, and atomics on it do not race (flags.c). Two that set it do, unless the
 * second knows of the first: else what the first one stored may be lost. */
static bool is_flag(const Actor *actor, const Site *site, uint64_t record, unsigned lane, RecordTable table) {
    if (!actor->flag && !actor->atomic) return false;
    if (scopes_apart(actor, site, record) || (!site->is_flag && table != RECORD_ATOMIC)) return false;
    if (table != RECORD_WRITE || !actor->plain_write) return true;
    return after_last_strong(actor, lane);
}

/* A read through volatile may look at what atomics change: that is how one waits for a flag. */
static bool excused(const Actor *actor, uint64_t record, unsigned lane, RecordTable table) {
    const Site *site = &actor->races->sites[record_site(record)];
    if (actor->access->space == PTX_SPACE_SHARED && tile_scratch_contains(actor, lane)) return true;
    if (is_flag(actor, site, record, lane, table)) return true;
    if (table == RECORD_WRITE) return false;
    if (record_site(record) == SITE_LOST) { /* who knows what it was */
        races_unwatched(actor->races, UNWATCHED_ROOM, actor->access->pc);
        return true;
    }
    if (table == RECORD_READ)
        return actor->atomic && ((site->is_volatile && !scopes_apart(actor, site, record)) ||
                                 guesses_for_swap(actor, (uint32_t)site->at, actor->access->pc));
    if (actor->atomic || !(actor->plain_read || actor->plain_write))
        return !scopes_apart(actor, site, record);
    if (after_last_strong(actor, lane)) return true;
    return actor->plain_read && guesses_for_swap(actor, actor->access->pc, (uint32_t)site->at);
}

/* An incoherent read may give what was there before the launch, whatever orders the write before it. */
static inline bool conflicts(const Actor *actor, uint64_t record, unsigned lane, RecordTable table) {
    if (!record) return false;
    if (ordered(actor, record, lane)) return actor->incoherent && record_time(record) != RECORD_TIME_OLD;
    return !excused(actor, record, lane, table);
}

bool race_cells_ordered(const Actor *actor, uint64_t record, unsigned lane) {
    return ordered(actor, record, lane);
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

/* Of atomics the latest counts, because it comes after all others on that place, and one that is as foreign
 * to it as can be had. */
static void keep_latest(uint64_t *kept, uint64_t record) {
    bool same_thread = ((kept[0] ^ record) & RECORD_WHO_MASK) == 0;
    bool foreign_kept = kept[1] && !same_block(kept[1], record);
    if (kept[0] && !same_thread && !(same_block(kept[0], record) && foreign_kept)) kept[1] = kept[0];
    kept[0] = record;
}

static void take_place(const Actor *actor, uint64_t *kept, unsigned lane) {
    uint64_t record = actor->record + lane * RECORD_LANE;
    if (actor->plain_write)
        kept[0] = record;
    else if (actor->atomic)
        keep_latest(kept, record);
    else
        keep_two(actor, kept, record, lane);
}

/* The access cannot be recorded. */
static void no_room(const Actor *actor) {
    if (!actor->waited || !backlog_drops(actor->check, actor->access))
        races_unwatched(actor->races, UNWATCHED_ROOM, actor->access->pc);
}

static Shadow *own_table(const Actor *actor) {
    if (actor->plain_write) return &actor->domain->writes;
    if (actor->plain_read) return &actor->domain->reads;
    if (actor->atomic) return &actor->domain->atomics;
    return NULL;
}

/* A plain write is later than the atomics of launches before: they are not the last writers any more. */
static inline void outdate_atomics(const Actor *actor, uint64_t offset, uint64_t bytes) {
    Shadow *atomics = &actor->domain->atomics;
    if (!shadow_has_folder(atomics, offset)) return;
    const ShadowPage *page = shadow_any(atomics, offset);
    if (page && page->generation != actor->domain->generation) shadow_forget(atomics, offset, bytes);
}

/* ---- whole segments: lanes side by side, each with one, two or four words ---- */

/* One segment of an access. */
typedef struct Span {
    uint64_t offset;
    unsigned segment; /**< in its page */
    unsigned lane;    /**< the first one in it */
    unsigned lane_shift;
} Span;

/* Records of earlier generations are before everything, whichever lanes they were of. */
static bool holds_nothing_new(const Shadow *shadow, const ShadowPage *page, unsigned segment) {
    for (unsigned way = 0; way < shadow->ways; way++) {
        uint64_t record = page->segments[segment][way];
        if (record && record_time(record) != RECORD_TIME_OLD) return false;
    }
    return true;
}

static bool holds_nothing(const Shadow *shadow, const ShadowPage *page, unsigned segment) {
    for (unsigned way = 0; way < shadow->ways; way++)
        if (page->segments[segment][way]) return false;
    return true;
}

/* What orders one lane orders all, but for flags: each lane may have waited for another one. */
static void segment_meet(const Actor *actor, uint64_t record, const Span *span, RecordTable table) {
    unsigned lanes = 32 >> span->lane_shift, last = actor->races->clocks.fenced ? lanes - 1 : 0;
    for (unsigned lane = 0; record && lane <= last; lane++) {
        if (!conflicts(actor, record + lane * RECORD_LANE, span->lane + lane, table)) continue;
        race_story_tell(actor, span->lane + lane, record + lane * RECORD_LANE, table, lanes - lane);
        return;
    }
}

/* True when the segment needs no look at its cells: it has one record, and that one is dealt with. */
static bool segment_compare(const Actor *actor, const Shadow *shadow, const Span *span, RecordTable table) {
    const ShadowPage *page = shadow_peek(shadow, span->offset, actor->domain->generation);
    if (!page) return true;
    if (page->exploded >> span->segment & 1) return false;
    if (page->lane_shift[span->segment] != span->lane_shift)
        return holds_nothing_new(shadow, page, span->segment);
    for (unsigned way = 0; way < shadow->ways; way++)
        segment_meet(actor, page->segments[span->segment][way], span, table);
    return true;
}

/* A segment whose 32 words were touched by one warp at one time keeps one record for all of them. The
 * access takes it over when it fits that form; a plain write may do so whatever was there, since its record
 * replaces all others. */
static bool segment_take(const Actor *actor, Shadow *shadow, const Span *span) {
    ShadowPage *page = shadow_touch(shadow, span->offset, actor->domain->generation);
    if (!page) {
        no_room(actor);
        return true;
    }
    if (page->by_byte) return false;
    bool exploded = page->exploded >> span->segment & 1;
    bool fits =
        page->lane_shift[span->segment] == span->lane_shift || holds_nothing(shadow, page, span->segment);
    if (!actor->plain_write && (exploded || !fits)) return false;
    page->exploded &= ~(UINT32_C(1) << span->segment);
    page->lane_shift[span->segment] = (uint8_t)span->lane_shift;
    take_place(actor, page->segments[span->segment], span->lane);
    return true;
}

/* ---- single cells ---- */

/* The pages of the three tables that hold one offset: found once for lanes that lie close together. */
typedef struct PageSet {
    uint64_t number;      /**< offset / SHADOW_PAGE_BYTES */
    ShadowPage *table[3]; /**< by RecordTable; NULL: nothing to compare with */
    ShadowPage *own;      /**< where the access is put down, NULL: nowhere */
} PageSet;

/* The records of an access lie in up to four tables, and neighbouring lanes need the same pages: they are
 * looked up once for each page. */
static void find_pages(const Actor *actor, PageSet *set, uint64_t offset, bool narrow) {
    Domain *domain = actor->domain;
    uint32_t generation = domain->generation;
    Shadow *own = own_table(actor);
    set->number = offset / SHADOW_PAGE_BYTES;
    if (own)
        set->own = shadow_touch(own, offset, generation);
    else
        set->own = NULL;
    if (set->own && narrow && !shadow_split_bytes(own, set->own)) set->own = NULL;
    if (own && !set->own) no_room(actor);
    bool detect = actor->races->detect;
    if (detect)
        set->table[RECORD_WRITE] = shadow_peek(&domain->writes, offset, generation);
    else
        set->table[RECORD_WRITE] = NULL;
    if (detect && (actor->plain_write || actor->atomic))
        set->table[RECORD_READ] = shadow_peek(&domain->reads, offset, generation);
    else
        set->table[RECORD_READ] = NULL;
    if (detect && meets_atomics(actor))
        set->table[RECORD_ATOMIC] = shadow_peek(&domain->atomics, offset, generation);
    else
        set->table[RECORD_ATOMIC] = NULL;
}

/* A word of a page of byte cells has four of them. */
static inline void compare_cell(const Actor *actor, const ShadowPage *page, unsigned at, bool narrow,
                                unsigned lane, RecordTable table) {
    unsigned ways = table == RECORD_WRITE ? 1 : 2, segment = at / SHADOW_SEGMENT_BYTES, records = ways;
    const uint64_t *cell = page->segments[segment];
    uint64_t shift = (at % SHADOW_SEGMENT_BYTES / 4 >> page->lane_shift[segment]) * RECORD_LANE;
    if (page->exploded >> segment & 1) {
        shift = 0;
        cell = &page->cells[(size_t)(page->by_byte ? at : at / 4) * ways];
        if (page->by_byte && !narrow) records = 4 * ways;
    }
    for (unsigned i = 0; i < records; i++) {
        if (!cell[i] || !conflicts(actor, cell[i] + shift, lane, table)) continue;
        race_story_tell(actor, lane, cell[i] + shift, table, 1);
        return;
    }
}

/* Words are touched one by one here, so the segment's shared record is spread over its cells first; a
 * narrow access spreads the words over their bytes. */
static void take_cell(const Actor *actor, ShadowPage *page, unsigned at, bool narrow, unsigned lane) {
    Shadow *shadow = own_table(actor);
    bool exploded = page->exploded >> (at / SHADOW_SEGMENT_BYTES) & 1;
    if (!exploded && !shadow_explode(shadow, page, at / SHADOW_SEGMENT_BYTES)) {
        no_room(actor);
        return;
    }
    if (!page->by_byte) {
        take_place(actor, &page->cells[(size_t)(at / 4) * shadow->ways], lane);
        return;
    }
    unsigned bytes = 4;
    if (narrow) bytes = 1;
    for (unsigned byte = 0; byte < bytes; byte++)
        take_place(actor, &page->cells[(size_t)(at + byte) * shadow->ways], lane);
}

/* One lane's piece of at most a word. */
static void touch_piece(const Actor *actor, PageSet *set, uint64_t offset, bool narrow, unsigned lane) {
    if (set->number != offset / SHADOW_PAGE_BYTES) find_pages(actor, set, offset, narrow);
    unsigned at = (unsigned)(offset % SHADOW_PAGE_BYTES);
    for (RecordTable table = RECORD_WRITE; table <= RECORD_ATOMIC; table++)
        if (set->table[table]) compare_cell(actor, set->table[table], at, narrow, lane, table);
    if (set->own) take_cell(actor, set->own, at, narrow, lane);
    if (actor->plain_write) outdate_atomics(actor, offset, narrow ? 1 : 4);
}

/* ---- runs: neighbouring words, but no whole segment ---- */

/* The part of ordered() that needs no look at warps: enough for nearly every record. */
static inline bool plainly_ordered(const Actor *actor, uint64_t record, uint64_t me) {
    uint32_t time = record_time(record);
    bool old = (record == 0) | (time == RECORD_TIME_OLD), mine = ((record ^ me) & RECORD_WHO_MASK) == 0;
    bool before = (((record ^ me) & RECORD_BLOCK_MASK) == 0) & (time < actor->block->barrier_time);
    return old | mine | before;
}

static inline bool plainly_agrees(const Actor *actor, uint64_t record, uint64_t me) {
    bool past = (record == 0) | (record_time(record) == RECORD_TIME_OLD);
    return plainly_ordered(actor, record, me) & (past | !actor->incoherent);
}

/* None of the records is of this launch: so it is with most of what is written. */
static bool are_old(const uint64_t *records, unsigned count) {
    uint64_t any = 0, all = UINT64_MAX;
    for (unsigned i = 0; i < count; i++) {
        any |= records[i];
        all &= records[i];
    }
    return any == 0 || record_time(all) == RECORD_TIME_OLD;
}

/* True when none of the cells of the run can conflict. `at`: byte in the page; `me`: the record of its first
 * lane. */
static bool run_is_ordered(const Actor *actor, const ShadowPage *page, unsigned ways, unsigned at,
                           unsigned count, uint64_t me) {
    unsigned segment = at / SHADOW_SEGMENT_BYTES, first = at % SHADOW_SEGMENT_BYTES / 4;
    if (page->by_byte) return false;
    if (!(page->exploded >> segment & 1)) {
        bool fine = true;
        unsigned pairs = 1;
        if (page->lane_shift[segment]) pairs = count; /* else all lanes are like the first */
        for (unsigned i = 0; i < pairs; i++)
            for (unsigned way = 0; way < ways; way++)
                fine &=
                    plainly_agrees(actor, shadow_word(page, segment, way, first + i), me + i * RECORD_LANE);
        return fine;
    }
    const uint64_t *cells = &page->cells[(size_t)(at / 4) * ways];
    bool fine = true;
    if (are_old(cells, count * ways)) return true;
    for (unsigned i = 0; i < count; i++)
        for (unsigned way = 0; way < ways; way++)
            fine &= plainly_agrees(actor, cells[i * ways + way], me + i * RECORD_LANE);
    return fine;
}

static void take_run_of_two(const Actor *actor, uint64_t *cells, unsigned count, unsigned lane) {
    for (unsigned i = 0; i < count; i++, cells += 2) {
        uint64_t me = actor->record + (lane + i) * RECORD_LANE;
        if (actor->atomic || !plainly_ordered(actor, cells[0], me)) {
            take_place(actor, cells, lane + i);
            continue;
        }
        cells[0] = me;
        if (plainly_ordered(actor, cells[1], me)) cells[1] = 0;
    }
}

/* One segment's part of a run; false when it must be looked at cell by cell. Nothing has been changed then.
 */
static bool touch_part(const Actor *actor, PageSet *set, uint64_t offset, unsigned count, unsigned lane) {
    if (set->number != offset / SHADOW_PAGE_BYTES) find_pages(actor, set, offset, false);
    unsigned at = (unsigned)(offset % SHADOW_PAGE_BYTES), segment = at / SHADOW_SEGMENT_BYTES;
    uint64_t me = actor->record + lane * RECORD_LANE;
    for (RecordTable table = RECORD_WRITE; table <= RECORD_ATOMIC; table++)
        if (set->table[table] &&
            !run_is_ordered(actor, set->table[table], table == RECORD_WRITE ? 1 : 2, at, count, me))
            return false;
    if (actor->plain_write) outdate_atomics(actor, offset, 4 * (uint64_t)count);
    ShadowPage *own = set->own;
    if (!own) return true;
    if (own->by_byte || !shadow_explode(own_table(actor), own, segment)) return false;
    if (!actor->plain_write) {
        take_run_of_two(actor, &own->cells[(size_t)(at / 4) * 2], count, lane);
        return true;
    }
    for (unsigned i = 0; i < count; i++)
        own->cells[at / 4 + i] = me + i * RECORD_LANE;
    return true;
}

/* `count` lanes from `lane` on, side by side. */
static void touch_run(const Actor *actor, PageSet *set, uint64_t offset, unsigned lane, unsigned count) {
    while (count) {
        unsigned room = (unsigned)(SHADOW_SEGMENT_BYTES - offset % SHADOW_SEGMENT_BYTES) / 4,
                 here = MIN(count, room);
        if (!touch_part(actor, set, offset, here, lane))
            for (unsigned i = 0; i < here; i++)
                touch_piece(actor, set, offset + 4 * i, false, lane + i);
        offset += 4 * (uint64_t)here;
        lane += here;
        count -= here;
    }
}

/* ---- lanes far apart ---- */

/* The tables that the access will look at; returns how many. */
static unsigned tables_of(const Actor *actor, const Shadow *tables[3]) {
    const Domain *domain = actor->domain;
    unsigned count = 0;
    tables[count++] = &domain->writes;
    if (actor->plain_read || actor->plain_write || actor->atomic) tables[count++] = &domain->reads;
    if (meets_atomics(actor) || actor->atomic) tables[count++] = &domain->atomics;
    return count;
}

/* Asks for what the lanes are going to need, while there is time: first the heads of the pages, which say
 * where the records are, then the records. Lane after lane would wait for each of them in turn. Always in
 * line: gcc takes a function that only prefetches for one without effect, and leaves out calls of it. */
static inline __attribute__((always_inline)) void fetch_ahead(const Actor *actor, uint64_t base,
                                                              uint32_t lanes) {
    const Shadow *tables[3];
    const GpuAccess *access = actor->access;
    const ShadowPage *pages[3][GPU_WARP_LANES];
    unsigned count = tables_of(actor, tables);
    for (unsigned t = 0; t < count; t++)
        for (uint32_t left = lanes; left; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            pages[t][lane] = shadow_glance(tables[t], access->address[lane] - base);
            __builtin_prefetch(pages[t][lane], 1);
        }
    for (unsigned t = 0; t < count; t++)
        for (uint32_t left = lanes; left; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            if (pages[t][lane] && pages[t][lane]->generation != SHADOW_PACKED)
                __builtin_prefetch(shadow_place(tables[t], pages[t][lane], access->address[lane] - base), 1);
        }
}

static bool is_far_apart(const GpuAccess *access) {
    return !access->contiguous && !access->rows &&
           access->high - access->low > (uint64_t)GPU_WARP_LANES * SHADOW_SEGMENT_BYTES / 2;
}

/* Of neighbours that update one place the first two stand for all. */
static bool is_third(const GpuAccess *access, unsigned lane) {
    const uint64_t *address = access->address;
    return access->kind != GPU_WRITE && lane >= 2 && (access->lanes >> (lane - 2) & 3) == 3 &&
           address[lane] == address[lane - 1] && address[lane] == address[lane - 2];
}

/* What an access far apart is about: pages of its own table, and tables that must have nothing of its pages.
 * Returns the lanes whose page there is; `clean`: the other tables have nothing. */
static uint32_t own_pages(const Actor *actor, uint64_t base, uint32_t lanes,
                          ShadowPage *pages[GPU_WARP_LANES], bool *clean) {
    const Domain *domain = actor->domain;
    const Shadow *own = own_table(actor);
    uint32_t there = 0;
    *clean = true;
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const uint64_t offset = actor->access->address[lane] - base;
        pages[lane] = shadow_peek(own, offset, domain->generation);
        there |= (uint32_t)(pages[lane] != NULL) << lane;
        if (shadow_peek(&domain->reads, offset, domain->generation)) *clean = false;
        if (actor->plain_write && shadow_glance(&domain->atomics, offset)) *clean = false;
        if (actor->atomic && shadow_peek(&domain->writes, offset, domain->generation)) *clean = false;
    }
    return there;
}

/* Asks for the cells of the lanes; returns those that have one as wide as the access. */
static uint32_t own_places(const Actor *actor, uint64_t base, uint32_t lanes,
                           ShadowPage *const pages[GPU_WARP_LANES], uint64_t *places[GPU_WARP_LANES]) {
    const unsigned ways = own_table(actor)->ways;
    const bool narrow = actor->access->bytes == 1;
    uint32_t fit = 0;
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left),
                       at = (unsigned)((actor->access->address[lane] - base) % SHADOW_PAGE_BYTES);
        const ShadowPage *page = pages[lane];
        if (page->by_byte != narrow || !(page->exploded >> at / SHADOW_SEGMENT_BYTES & 1)) continue;
        places[lane] = &page->cells[(size_t)(narrow ? at : at / 4) * ways];
        __builtin_prefetch(places[lane], 1);
        fit |= UINT32_C(1) << lane;
    }
    return fit;
}

/* A plain write or an atomic of words or bytes, where nothing has been read in this launch, and only writes,
 * or only atomics, have been: all that there is to look at is who did so last. Three rounds, so that no lane
 * waits for another's memory. Returns the lanes that must be looked at one by one, all of those from the
 * first doubt on: a word's lanes are told in their order. */
static uint32_t change_far_apart(const Actor *actor, uint64_t base, uint32_t lanes) {
    ShadowPage *pages[GPU_WARP_LANES] = {NULL};
    uint64_t *places[GPU_WARP_LANES];
    bool clean;
    uint32_t fit = own_pages(actor, base, lanes, pages, &clean);
    if (!clean) return lanes;
    fit = own_places(actor, base, fit, pages, places);
    for (uint32_t left = fit; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint64_t me = actor->record + lane * RECORD_LANE;
        if (actor->plain_write && !plainly_ordered(actor, *places[lane], me)) return (lanes & ~fit) | left;
        if (!is_third(actor->access, lane)) take_place(actor, places[lane], lane);
    }
    return lanes & ~fit;
}

/* Returns the lanes that are left. */
static uint32_t touch_far_apart(const Actor *actor, uint64_t base, uint32_t lanes) {
    const unsigned bytes = actor->access->bytes;
    const bool changes = actor->plain_write || (actor->atomic && !meets_atomics(actor));
    if (changes && (bytes == 4 || bytes == 1) && actor->races->detect)
        lanes = change_far_apart(actor, base, lanes);
    if (lanes) fetch_ahead(actor, base, lanes);
    return lanes;
}

/* ---- any lanes ---- */

/* How many lanes from `lane` on lie `step` bytes apart. */
static unsigned lanes_apart(const GpuAccess *access, uint32_t lanes, unsigned lane, uint64_t step) {
    unsigned count = 1;
    while (lane + count < 32 && (lanes >> (lane + count) & 1) &&
           access->address[lane + count] == access->address[lane] + count * step)
        count++;
    return count;
}

static uint32_t lanes_from(unsigned lane, unsigned count) {
    return UINT32_MAX >> (32 - count) << lane;
}

/* How many lanes from `lane` on need no look of their own: of neighbours that read one place the first two
 * stand for all. */
static unsigned alike(const GpuAccess *access, uint32_t lanes, unsigned lane) {
    if (access->kind == GPU_WRITE) return 1;
    return lanes_apart(access, lanes, lane, 0);
}

/* Whole words: rows of tiles are runs. */
static void touch_words(const Actor *actor, uint64_t base, uint32_t lanes) {
    enum { RUN_WORTH_WHILE = 4 };
    const GpuAccess *access = actor->access;
    PageSet set = {.number = UINT64_MAX};
    while (lanes) {
        unsigned lane = (unsigned)__builtin_ctz(lanes), count = lanes_apart(access, lanes, lane, 4);
        uint64_t offset = access->address[lane] - base;
        if (count >= RUN_WORTH_WHILE) {
            touch_run(actor, &set, offset, lane, count);
        } else {
            count = alike(access, lanes, lane);
            for (unsigned i = 0; i < count && i < 2; i++)
                touch_piece(actor, &set, offset, false, lane + i);
        }
        lanes &= ~lanes_from(lane, count);
    }
}

/* The slow way, word by word. Of lanes at one address the first two stand for all: what two of them do to
 * each other, the others do, too. */
static void touch_lanes(const Actor *actor, uint64_t base, uint32_t lanes) {
    const GpuAccess *access = actor->access;
    PageSet set = {.number = UINT64_MAX};
    bool narrow = access->bytes < 4;
    unsigned step = 4;
    if (narrow) step = 1;
    while (lanes) {
        unsigned lane = (unsigned)__builtin_ctz(lanes), count = alike(access, lanes, lane);
        for (unsigned i = 0; i < count && i < 2; i++)
            for (unsigned at = 0; at < access->bytes; at += step)
                touch_piece(actor, &set, access->address[lane] - base + at, narrow, lane + i);
        lanes &= ~lanes_from(lane, count);
    }
}

/* ---- one access ---- */

static bool whole_segments(const GpuAccess *access, uint64_t offset) {
    return access->contiguous && access->lanes == UINT32_MAX && access->bytes >= 4 &&
           offset % SHADOW_SEGMENT_BYTES == 0;
}

/* The fast way: one warp's access to one segment is compared and recorded as a whole. False when a table
 * has the segment in cells; then the lanes are touched one by one. */
static bool touch_segment(const Actor *actor, const Span *span) {
    Domain *domain = actor->domain;
    bool done = true;
    if (actor->races->detect) {
        done = segment_compare(actor, &domain->writes, span, RECORD_WRITE);
        if (done && (actor->plain_write || actor->atomic))
            done = segment_compare(actor, &domain->reads, span, RECORD_READ);
        if (done && meets_atomics(actor))
            done = segment_compare(actor, &domain->atomics, span, RECORD_ATOMIC);
    }
    if (!done) return false;
    Shadow *own = own_table(actor);
    if (actor->plain_write) outdate_atomics(actor, span->offset, SHADOW_SEGMENT_BYTES);
    return !own || segment_take(actor, own, span);
}

/* The lanes whose segments must be looked at cell by cell. */
static uint32_t touch_segments(const Actor *actor, uint64_t offset) {
    unsigned shift = (unsigned)__builtin_ctz(actor->access->bytes / 4), lanes = 32u >> shift;
    uint32_t left = 0;
    for (unsigned lane = 0; lane < 32; lane += lanes, offset += SHADOW_SEGMENT_BYTES) {
        Span span = {.offset = offset,
                     .segment = (unsigned)(offset % SHADOW_PAGE_BYTES / SHADOW_SEGMENT_BYTES),
                     .lane = lane,
                     .lane_shift = shift};
        if (!touch_segment(actor, &span)) left |= UINT32_MAX >> (32 - lanes) << lane;
    }
    return left;
}

void race_cells_touch(const Actor *actor, uint64_t base) {
    const GpuAccess *access = actor->access;
    uint64_t offset = access->address[check_first_lane(access->lanes)] - base;
    uint32_t lanes;
    if (whole_segments(access, offset))
        lanes = touch_segments(actor, offset);
    else
        lanes = access->lanes;
    if (is_far_apart(access)) lanes = touch_far_apart(actor, base, lanes);
    if (access->bytes == 4 && offset % 4 == 0)
        touch_words(actor, base, lanes);
    else
        touch_lanes(actor, base, lanes);
}

/* What the table has for the word at the offset, as one record for each way. */
static void word_records(const Shadow *table, uint32_t generation, uint64_t offset, uint64_t *records) {
    const ShadowPage *page = shadow_peek(table, offset, generation);
    unsigned at = (unsigned)(offset % SHADOW_PAGE_BYTES), segment = at / SHADOW_SEGMENT_BYTES;
    memset(records, 0, table->ways * sizeof *records);
    if (!page) return;
    if (page->exploded >> segment & 1) {
        const uint64_t *cell = &page->cells[(size_t)(page->by_byte ? at : at / 4) * table->ways];
        memcpy(records, cell, table->ways * sizeof *records);
        return;
    }
    for (unsigned way = 0; way < table->ways; way++)
        records[way] = shadow_word(page, segment, way, at % SHADOW_SEGMENT_BYTES / 4);
}

/* Two readers are kept of each word: two different ones are enough to find a race with any later writer, as
 * one of them is another thread than the writer. */
void domain_readers(const Domain *domain, uint64_t offset, uint64_t readers[SHADOW_MAX_WAYS]) {
    word_records(&domain->reads, domain->generation, offset, readers);
}

static uint64_t base_of(const Actor *actor) {
    if (actor->access->space == PTX_SPACE_GLOBAL) return GPU_GLOBAL_BASE;
    return 0;
}

void race_cells_readers(const Actor *actor, uint64_t address, uint64_t readers[SHADOW_MAX_WAYS]) {
    domain_readers(actor->domain, address - base_of(actor), readers);
}

uint64_t race_cells_writer(const Actor *actor, uint64_t address) {
    const Domain *domain = actor->domain;
    uint64_t writer;
    word_records(&domain->writes, domain->generation, address - base_of(actor), &writer);
    return writer;
}
