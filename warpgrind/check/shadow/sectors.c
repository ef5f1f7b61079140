/* sectors.c - see sectors.h. */
#include "check/shadow/sectors.h"
#include "base/diag.h"

#include <string.h>

enum {
    IN_SEGMENT = SHADOW_SEGMENT_BYTES / SHADOW_SECTOR_BYTES,
    SECTOR_WORDS = SHADOW_SECTOR_BYTES / 4,
    WORD_SHIFT = 2,
    SHIFT_WORDS = SHADOW_SECTORS / 8
};

static uint32_t words_of(const Shadow *shadow) {
    return SHADOW_SECTORS * shadow->ways + SHIFT_WORDS;
}

/* ---- from segments ---- */

static void read_segments(const Shadow *shadow, const ShadowPage *page, unsigned sector,
                          uint64_t records[SHADOW_MAX_WAYS], unsigned *shift) {
    const unsigned segment = sector / IN_SEGMENT;
    for (unsigned way = 0; way < shadow->ways; way++)
        records[way] = shadow_word(page, segment, way, sector % IN_SEGMENT * SECTOR_WORDS);
    *shift = page->lane_shift[segment] + WORD_SHIFT;
}

/* The page, without cells, gets words for its sectors, all of which have what its segments have. */
static bool enter(const Shadow *shadow, ShadowPage *page) {
    uint64_t *words = shadow_take(shadow, words_of(shadow) * sizeof *words);
    if (!words) return false;
    const ShadowPage before = *page;
    shadow_drop_cells(shadow, page);
    page->cells = words;
    page->by_sector = true;
    page->packed_words = words_of(shadow);
    page->packed_generation = before.generation;
    page->generation = SHADOW_PACKED;
    memset(page->segments, 0, sizeof page->segments);
    for (unsigned sector = 0; sector < SHADOW_SECTORS; sector++) {
        unsigned shift;
        read_segments(shadow, &before, sector, sectors_records(shadow, page, sector), &shift);
        sectors_shifts(shadow, page)[sector] = (uint8_t)shift;
    }
    return true;
}

static void renew(const Shadow *shadow, ShadowPage *page, uint32_t generation) {
    const unsigned records = SHADOW_SECTORS * shadow->ways;
    page->packed_generation = generation;
    for (unsigned i = 0; i < records; i++)
        page->cells[i] = shadow->keeps_sites ? record_aged(page->cells[i]) : 0;
}

ShadowPage *sectors_touch(Shadow *shadow, uint64_t offset, uint32_t generation) {
    ShadowPage *page = shadow_glance(shadow, offset);
    if (!page || page->generation != SHADOW_PACKED) page = shadow_touch(shadow, offset, generation);
    if (!page) return NULL;
    if (page->generation != SHADOW_PACKED && (page->exploded || !enter(shadow, page))) return NULL;
    if (!page->by_sector) return NULL;
    if (page->packed_generation != generation) renew(shadow, page, generation);
    return page;
}

const ShadowPage *sectors_peek(const Shadow *shadow, uint64_t offset, uint32_t generation) {
    const ShadowPage *page = shadow_glance(shadow, offset);
    if (!page || !sectors_has(page)) return shadow_peek(shadow, offset, generation);
    if (page->packed_generation == generation) return page;
    return NULL;
}

bool sectors_read(const Shadow *shadow, const ShadowPage *page, unsigned sector,
                  uint64_t records[SHADOW_MAX_WAYS], unsigned *shift) {
    if (!sectors_has(page)) {
        if (page->exploded >> sector / IN_SEGMENT & 1) return false;
        read_segments(shadow, page, sector, records, shift);
        return true;
    }
    memcpy(records, sectors_records(shadow, page, sector), shadow->ways * sizeof *records);
    *shift = sectors_shifts(shadow, page)[sector];
    return true;
}

/* ---- to segments and cells ---- */

/* What the sectors of a segment have is what one record for all of it says. */
static bool is_segment(const Shadow *shadow, const ShadowPage *page, unsigned segment) {
    const uint64_t *first = sectors_records(shadow, page, segment * IN_SEGMENT);
    const uint8_t *shifts = sectors_shifts(shadow, page) + segment * IN_SEGMENT;
    uint64_t any = 0;
    for (unsigned i = 0; i < IN_SEGMENT * shadow->ways; i++)
        any |= first[i];
    if (!any) return true;
    for (unsigned i = 0; i < IN_SEGMENT; i++) {
        if (shifts[i] != shifts[0]) return false;
        const uint64_t further = (i * SHADOW_SECTOR_BYTES >> shifts[0]) * RECORD_LANE;
        for (unsigned way = 0; way < shadow->ways; way++)
            if (first[i * shadow->ways + way] != (first[way] ? first[way] + further : 0)) return false;
    }
    return true;
}

static bool needs_bytes(const Shadow *shadow, const ShadowPage *page) {
    const uint8_t *shifts = sectors_shifts(shadow, page);
    for (unsigned sector = 0; sector < SHADOW_SECTORS; sector++)
        for (unsigned way = 0; way < shadow->ways; way++)
            if (sectors_records(shadow, page, sector)[way] && shifts[sector] < WORD_SHIFT) return true;
    return false;
}

/* A cell for each so many bytes of the sector. */
static void spread(const Shadow *shadow, const ShadowPage *page, unsigned sector, unsigned each,
                   uint64_t *cells) {
    const uint64_t *records = sectors_records(shadow, page, sector);
    const unsigned shift = sectors_shifts(shadow, page)[sector];
    for (unsigned at = 0; at < SHADOW_SECTOR_BYTES; at += each)
        for (unsigned way = 0; way < shadow->ways; way++)
            if (records[way])
                cells[at / each * shadow->ways + way] = records[way] + (at >> shift) * RECORD_LANE;
}

bool sectors_leave(const Shadow *shadow, ShadowPage *page) {
    ShadowPage made = *page;
    made.by_byte = needs_bytes(shadow, page);
    made.exploded = 0;
    for (unsigned segment = 0; segment < SHADOW_SEGMENTS; segment++) {
        if (made.by_byte || !is_segment(shadow, page, segment)) {
            made.exploded |= UINT32_C(1) << segment;
            continue;
        }
        const unsigned first = segment * IN_SEGMENT, shift = sectors_shifts(shadow, page)[first];
        memcpy(made.segments[segment], sectors_records(shadow, page, first),
               shadow->ways * sizeof **made.segments);
        made.lane_shift[segment] = 0;
        if (shift > WORD_SHIFT) made.lane_shift[segment] = (uint8_t)(shift - WORD_SHIFT);
    }
    const unsigned each = made.by_byte ? 1 : 4;
    made.cells = NULL;
    made.cell_capacity = made.exploded ? SHADOW_PAGE_BYTES / each : 0;
    if (made.exploded) {
        made.cells = shadow_take(shadow, (size_t)made.cell_capacity * shadow->ways * sizeof *made.cells);
        if (!made.cells) return false;
    }
    for (unsigned sector = 0; sector < SHADOW_SECTORS; sector++)
        if (made.exploded >> sector / IN_SEGMENT & 1)
            spread(shadow, page, sector, each,
                   made.cells + (size_t)sector * SHADOW_SECTOR_BYTES / each * shadow->ways);
    shadow_give(shadow, page->cells, page->packed_words);
    made.generation = page->packed_generation;
    made.by_sector = false;
    *page = made;
    return true;
}

/* ---- with CHECK_BOTH ---- */

uint64_t *sectors_copy(const Shadow *shadow, const ShadowPage *page) {
    uint64_t *words = shadow_take(shadow, page->packed_words * sizeof *words);
    if (!words) BUG("no room to look twice");
    memcpy(words, page->cells, page->packed_words * sizeof *words);
    return words;
}

void sectors_restore(const Shadow *shadow, ShadowPage *page, uint64_t *words) {
    if (!sectors_has(page)) {
        shadow_drop_cells(shadow, page);
        memset(page->segments, 0, sizeof page->segments);
        if (!enter(shadow, page)) BUG("no room to look twice");
    }
    memcpy(page->cells, words, words_of(shadow) * sizeof *words);
    shadow_give(shadow, words, words_of(shadow));
}
