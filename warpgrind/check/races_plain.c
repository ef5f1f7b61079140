/* races_plain.c - the race detector's short way for plain accesses (access.h).
 *
 * An access of whole segments is compared with one or two records for each segment and table. Nearly always
 * these are empty, of an earlier launch, of before the block's last barrier or of the warp itself; then all
 * that is left to do is to put down the new record. It is done here only when the pages are there, no segment
 * has cells and nobody has fenced; race_cells.c does whatever else there is.
 */
#include "check/access.h"
#include "check/races.h"

#include <string.h>

enum { LANES = GPU_WARP_LANES };

/** The segments of one access. */
typedef struct Plain {
    uint64_t record;     /**< of lane 0 */
    uint64_t next;       /**< from the record of one segment to that of the next one */
    unsigned first, end; /**< segments of their pages */
    uint8_t shift;       /**< ShadowPage.lane_shift */
    uint32_t barrier_time;
    uint32_t exploded; /**< the bits of the segments in ShadowPage.exploded */
    ShadowPage *own;   /**< where the record goes */
} Plain;

/** What came before needs no look at warps and lanes to be ordered before the record `me`, if it is anything
 * at all. The terms are joined without jumps: which of them holds is hard to foresee. */
static inline bool is_before(uint64_t record, uint64_t me, uint32_t barrier_time) {
    const uint32_t time = record_time(record);
    const bool old = (record == 0) | (time == RECORD_TIME_OLD), mine = ((record ^ me) & RECORD_WHO_MASK) == 0;
    const bool synced = (((record ^ me) & RECORD_BLOCK_MASK) == 0) & (time < barrier_time);
    return old | mine | synced;
}

static inline bool is_past(uint64_t record) {
    return record == 0 || record_time(record) == RECORD_TIME_OLD;
}

/** Nothing in the page's segments can race with the access. Records of other widths have other lanes. */
static bool page_is_before(const ShadowPage *page, const Plain *plain) {
    uint64_t me = plain->record;
    if (!page) return true;
    if (page->exploded & plain->exploded) return false;
    for (unsigned s = plain->first; s < plain->end; s++, me += plain->next)
        for (unsigned way = 0; way < SHADOW_MAX_WAYS; way++) {
            const uint64_t record = page->segments[s][way];
            if (is_past(record)) continue;
            if (page->lane_shift[s] != plain->shift || !is_before(record, me, plain->barrier_time))
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
        if (page->lane_shift[s] != plain->shift || !is_before(kept[0], me, plain->barrier_time) ||
            !is_before(kept[1], me, plain->barrier_time))
            return false;
    }
    return true;
}

static void take(const Plain *plain) {
    ShadowPage *page = plain->own;
    uint64_t me = plain->record;
    for (unsigned s = plain->first; s < plain->end; s++, me += plain->next) {
        page->lane_shift[s] = plain->shift;
        if (page->segments[s][0] == me || page->segments[s][1] == me) continue;
        page->segments[s][0] = me;
        page->segments[s][1] = 0;
    }
}

/* ---- one access ---- */

static bool passes(const Races *races, const GpuAccess *access, Plain *plain) {
    const Domain *global = &races->global;
    const uint64_t offset = access->low - GPU_GLOBAL_BASE;
    const bool writes = access->kind == GPU_WRITE;
    plain->own = shadow_peek(writes ? &global->writes : &global->reads, offset, global->generation);
    if (!plain->own || plain->own->by_byte) return false;
    const ShadowPage *atomics = shadow_any(&global->atomics, offset);
    if (atomics && atomics->generation != global->generation) {
        if (writes) return false; /* they are not the last writers any more */
        atomics = NULL;
    }
    const Shadow *other = writes ? &global->reads : &global->writes;
    if (!page_is_before(shadow_peek(other, offset, global->generation), plain)) return false;
    if (!page_is_before(atomics, plain)) return false;
    return writes ? page_is_before(plain->own, plain) : readers_give_way(plain->own, plain);
}

/** With CHECK_BOTH: the full way must tell nothing, and leave the same records behind. */
static void check_against_full(Check *check, const GpuAccess *access, const Plain *plain) {
    const uint64_t told = check->told;
    ShadowPage before = *plain->own;
    take(plain);
    ShadowPage after = *plain->own;
    *plain->own = before;
    races_on_access(check, access);
    if (check->told != told) BUG("pc %u races, though it passes as plain", access->pc);
    if (memcmp(after.segments, plain->own->segments, sizeof after.segments) != 0 ||
        memcmp(after.lane_shift, plain->own->lane_shift, sizeof after.lane_shift) != 0 ||
        after.exploded != plain->own->exploded)
        BUG("pc %u leaves other records than as plain", access->pc);
}

bool races_pass_plain(Check *check, const GpuAccess *access) {
    Races *races = check->races;
    BlockClock *block = &races->clocks.blocks[gpu_block_slot(gpu_warp_block(access->warp))];
    const uint64_t site = access->pc < races->pc_capacity ? races->site_of_pc[access->pc] : 0;
    if (!races->detect || !site || races->clocks.fenced || block->exhausted || races->sites[site].is_flag)
        return false;
    const unsigned count = access->bytes / 4u;
    const uint64_t number = block->linear & ((UINT64_C(1) << RECORD_BLOCK_BITS) - 1);
    Plain plain = {.first = (unsigned)(access->low % SHADOW_PAGE_BYTES / SHADOW_SEGMENT_BYTES),
                   .shift = (uint8_t)__builtin_ctz(count),
                   .barrier_time = block->barrier_time,
                   .next = LANES / count * RECORD_LANE};
    plain.end = plain.first + count;
    plain.exploded = ((UINT32_C(1) << count) - 1) << plain.first;
    plain.record = site << RECORD_SITE_SHIFT | number << RECORD_BLOCK_SHIFT |
                   (uint64_t)(LANES * gpu_warp_index(access->warp)) << RECORD_THREAD_SHIFT | block->time;
    if (!passes(races, access, &plain)) return false;
    if (CHECK_BOTH) {
        check_against_full(check, access, &plain);
        return true;
    }
    block->touched = block->worked = true;
    take(&plain);
    return true;
}
