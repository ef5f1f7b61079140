/* races_plain.c - the race detector's short ways for plain accesses (access_shape.h).
 *
 * An access of whole segments is compared with one or two records for each segment and table, one of bytes
 * with as many for each byte, eight at a time. Nearly always these are empty, of an earlier launch, of before
 * the block's last barrier or of the warp itself; then all that is left to do is to put down the new record.
 * It is done here only when the pages are there, have no cells (or, for bytes, one for each byte) and nobody
 * has fenced; race_cells.c does whatever else there is. Bytes and rows of tiles try whole sectors first
 * (races_sectors.c).
 */
#include "check/races/races_plain.h"

#include <string.h>

enum { LANES = GPU_WARP_LANES };

/** An access in its page. */
typedef struct Plain {
    uint64_t record;       /**< of lane 0 */
    uint32_t barrier_time; /**< of its block */
    unsigned at, bytes;    /**< where it begins; of a lane */
    bool incoherent;       /**< as in Actor */
    ShadowPage *own;       /**< where the record goes */
    /* whole segments */
    uint64_t next;       /**< from the record of one segment to that of the next one */
    unsigned first, end; /**< segments of their pages */
    uint8_t shift;       /**< ShadowPage.lane_shift */
    uint32_t exploded;   /**< the bits of the segments in ShadowPage.exploded */
} Plain;

/* ---- whole segments ---- */

/** Nothing in the page's segments can race with the access. Records of other widths have other lanes. */
static bool segments_are_before(const ShadowPage *page, const Plain *plain) {
    uint64_t me = plain->record;
    if (!page) return true;
    if (page->exploded & plain->exploded) return false;
    for (unsigned s = plain->first; s < plain->end; s++, me += plain->next)
        for (unsigned way = 0; way < SHADOW_MAX_WAYS; way++) {
            const uint64_t record = page->segments[s][way];
            if (plain_is_past(record)) continue;
            if (page->lane_shift[s] != plain->shift || !plain_is_before(record, me, plain->barrier_time))
                return false;
        }
    return true;
}

/** Of readers two are kept (keep_two of race_cells.c): here the old ones are ordered before the new one. */
static bool readers_give_way(const ShadowPage *page, const Plain *plain) {
    uint64_t me = plain->record;
    if (page->exploded & plain->exploded) return false;
    for (unsigned s = plain->first; s < plain->end; s++, me += plain->next) {
        const uint64_t *kept = page->segments[s];
        if (!(kept[0] | kept[1])) continue;
        if (page->lane_shift[s] != plain->shift || !plain_is_before(kept[0], me, plain->barrier_time) ||
            !plain_is_before(kept[1], me, plain->barrier_time))
            return false;
    }
    return true;
}

static void segments_take(const Plain *plain) {
    ShadowPage *page = plain->own;
    uint64_t me = plain->record;
    for (unsigned s = plain->first; s < plain->end; s++, me += plain->next) {
        page->lane_shift[s] = plain->shift;
        if (page->segments[s][0] == me || page->segments[s][1] == me) continue;
        page->segments[s][0] = me;
        page->segments[s][1] = 0;
    }
}

/* ---- bytes ---- */

/** No byte of the access can race with what the page has. */
static bool bytes_are_before(const Races *races, const ShadowPage *page, unsigned ways, const Plain *plain) {
    const unsigned count = LANES * plain->bytes;
    if (!page) return true;
    if (page->by_byte)
        return races->cells->before(&(CellRun){page->cells + (size_t)plain->at * ways, plain->record,
                                               plain->barrier_time, count * ways, plain->bytes * ways});
    const unsigned last = (plain->at + count - 1) / SHADOW_SEGMENT_BYTES;
    for (unsigned s = plain->at / SHADOW_SEGMENT_BYTES; s <= last; s++)
        if (page->exploded >> s & 1 || !plain_is_past(page->segments[s][0]) ||
            !plain_is_past(page->segments[s][1]))
            return false;
    return true;
}

/* ---- one access ---- */

/** The pages that an access is compared with. */
typedef struct Pages {
    const ShadowPage *other,
        *atomics; /**< `other`: reads for a write, writes for a read; NULL: nothing there */
} Pages;

/** Finds the pages; false when there is more to do. */
static bool find_pages(Races *races, const GpuAccess *access, Plain *plain, Pages *pages) {
    Domain *global = &races->global;
    const uint64_t offset = access->low - GPU_GLOBAL_BASE;
    const bool writes = access->kind == GPU_WRITE;
    plain->own = shadow_touch(writes ? &global->writes : &global->reads, offset, global->generation);
    pages->other = shadow_peek(writes ? &global->reads : &global->writes, offset, global->generation);
    pages->atomics = shadow_any(&global->atomics, offset);
    if (!plain->own) return false;
    if (!pages->atomics || pages->atomics->generation == global->generation) return true;
    pages->atomics = NULL;
    return !writes; /* else they are not the last writers any more */
}

/* A whole warp at neighbours touches one, two or four whole segments. All must be before the access, in
 * every table that it must be compared with. */
static bool segments_pass(const Pages *pages, bool writes, Plain *plain) {
    const unsigned count = plain->bytes / 4;
    plain->first = plain->at / SHADOW_SEGMENT_BYTES;
    plain->end = plain->first + count;
    plain->shift = (uint8_t)__builtin_ctz(count);
    plain->next = LANES / count * RECORD_LANE;
    plain->exploded = ((UINT32_C(1) << count) - 1) << plain->first;
    if (plain->own->by_byte) return false;
    if (!segments_are_before(pages->other, plain) || !segments_are_before(pages->atomics, plain))
        return false;
    if (writes) return segments_are_before(plain->own, plain);
    return readers_give_way(plain->own, plain);
}

static bool has_cells(Shadow *table, ShadowPage *page) {
    if (page->by_byte) return true;
    const uint64_t cells = (uint64_t)SHADOW_PAGE_BYTES * table->ways * sizeof *page->cells;
    return table->room->left >= cells && shadow_split_bytes(table, page);
}

/** Where there is no room for cells any more, reads are still compared with what is known. */
static bool bytes_pass(Races *races, const Pages *pages, bool writes, Plain *plain) {
    Shadow *table;
    if (writes)
        table = &races->global.writes;
    else
        table = &races->global.reads;
    if (!has_cells(table, plain->own)) plain->own = NULL;
    if (!plain->own && writes) return false;
    unsigned own_ways = 2;
    if (writes) own_ways = 1; /* of one writer, of two readers; the other table has the others */
    return bytes_are_before(races, pages->other, 3 - own_ways, plain) &&
           bytes_are_before(races, pages->atomics, 2, plain) &&
           bytes_are_before(races, plain->own, own_ways, plain);
}

/* The page is split into bytes, so the records are written cell by cell, by the vector code. */
static void bytes_take(const Races *races, bool writes, const Plain *plain) {
    if (!plain->own) return;
    unsigned ways = 2;
    if (writes) ways = 1;
    const CellRun run = {.cells = plain->own->cells + (size_t)plain->at * ways,
                         .record = plain->record,
                         .count = LANES * plain->bytes * ways,
                         .each = plain->bytes * ways};
    if (writes)
        races->cells->take_writer(&run);
    else
        races->cells->take_readers(&run);
}

static void take(const Races *races, const GpuAccess *access, AccessShape shape, const Plain *plain) {
    if (shape == ACCESS_SEGMENTS)
        segments_take(plain);
    else
        bytes_take(races, access->kind == GPU_WRITE, plain);
}

/** With CHECK_BOTH: the full way must tell nothing, and leave the same records behind. */
static void check_against_full(Check *check, const GpuAccess *access, AccessShape shape, const Plain *plain) {
    uint64_t cells[2][2 * SHADOW_PAGE_BYTES];
    const uint64_t told = check->told;
    ShadowPage *own = plain->own, before = {0}, after = {0};
    size_t bytes = 0;
    if (own && own->by_byte) bytes = sizeof cells[0];
    if (access->kind == GPU_WRITE) bytes /= 2;
    if (own) before = *own;
    if (bytes) memcpy(cells[0], own->cells, bytes);
    take(check->races, access, shape, plain);
    if (own) after = *own;
    if (bytes) memcpy(cells[1], own->cells, bytes);
    if (own) *own = before;
    if (bytes) memcpy(own->cells, cells[0], bytes);
    const bool tight = check->races->room_is_tight;
    check->races->room_is_tight = true; /* `own` stays where it is */
    races_on_access(check, access);
    check->races->room_is_tight = tight;
    if (check->told != told) BUG("pc %u races, though it passes as plain", access->pc);
    if (own && (memcmp(&after, own, sizeof after) != 0 || memcmp(cells[1], own->cells, bytes) != 0))
        BUG("pc %u leaves other records than as plain", access->pc);
}

static bool plain_passes(Races *races, const GpuAccess *access, AccessShape shape, Plain *plain) {
    const bool writes = access->kind == GPU_WRITE;
    Pages pages;
    if (!find_pages(races, access, plain, &pages)) return false;
    if (plain->incoherent && (pages.other || pages.atomics)) return false;
    if (shape == ACCESS_SEGMENTS) return segments_pass(&pages, writes, plain);
    return bytes_pass(races, &pages, writes, plain);
}

/** What a read that waits (backlog.h) is put down with; a write ends the waiting. With CHECK_BOTH the full
 * way does that. */
static bool waits(Check *check, const GpuAccess *access, AccessShape shape, BlockClock *block,
                  const Plain *plain) {
    const Races *races = check->races;
    if (backlog_is_past(&races->backlog, access, races->global.generation)) return false;
    const unsigned warp = gpu_warp_index(access->warp);
    const Actor actor = {.check = check,
                         .races = check->races,
                         .access = access,
                         .block = block,
                         .warp = &block->warps[warp],
                         .warp_index = warp,
                         .record = plain->record,
                         .plain_read = access->kind == GPU_READ};
    if (CHECK_BOTH) return false;
    if (shape != ACCESS_NARROW) backlog_passes_over(check, access);
    return backlog_takes(check, &actor);
}

/* Bytes side by side, and rows of tiles. */
static bool sectors_pass(Check *check, const GpuAccess *access, AccessShape shape, const Plain *plain) {
    SectorAccess sectors;
    sectors.access = access;
    sectors.shape = shape;
    sectors.record = plain->record;
    sectors.barrier_time = plain->barrier_time;
    sectors.incoherent = plain->incoherent;
    if (!races_sectors_pass(check->races, &sectors)) return false;
    if (CHECK_BOTH)
        races_sectors_check(check, &sectors);
    else
        races_sectors_take(check->races, &sectors);
    return true;
}

/* The most frequent access of all: a whole warp at neighbouring words, plain, where nothing but barriers
 * orders. It is decided and recorded here without an Actor; false hands it to the full detector. */
bool races_pass_plain(Check *check, const GpuAccess *access, AccessShape shape) {
    Races *races = check->races;
    BlockClock *block = &races->clocks.blocks[gpu_block_slot(gpu_warp_block(access->warp))];
    uint64_t site = 0;
    if (access->pc < races->pc_capacity) site = races->site_of_pc[access->pc];
    if (!races->detect || !site || races->clocks.fenced || block->exhausted || races->sites[site].is_flag)
        return false;
    const uint64_t number = block->linear & ((UINT64_C(1) << RECORD_BLOCK_BITS) - 1);
    Plain plain = {.at = (unsigned)(access->low % SHADOW_PAGE_BYTES), .bytes = access->bytes};
    plain.barrier_time = block->barrier_time;
    plain.incoherent = races_is_incoherent(&races->sites[site], access);
    plain.record = site << RECORD_SITE_SHIFT | number << RECORD_BLOCK_SHIFT |
                   (uint64_t)(LANES * gpu_warp_index(access->warp)) << RECORD_THREAD_SHIFT | block->time;
    races_have_room(races, access->pc);
    const bool passes = waits(check, access, shape, block, &plain) ||
                        (shape != ACCESS_SEGMENTS && sectors_pass(check, access, shape, &plain));
    if (!passes && (shape == ACCESS_ROWS || !plain_passes(races, access, shape, &plain))) return false;
    if (CHECK_BOTH && !passes) {
        check_against_full(check, access, shape, &plain);
        return true;
    }
    block->touched = block->worked = true;
    if (passes) return true;
    if (!plain.own) races_unwatched(races, UNWATCHED_ROOM, access->pc);
    take(races, access, shape, &plain);
    return true;
}
