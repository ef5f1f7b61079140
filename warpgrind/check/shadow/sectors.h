/* sectors.h - a page of records by sector of 32 bytes: between a record for a whole segment and one for each
 * word or byte.
 *
 * A warp that touches 32 bytes side by side has one sector, one that touches rows of a tile has several, each
 * of them whole. Such a page takes no more than the memory that it is about, and the short ways
 * (races_sectors.c) work on it as it is. To all others it is a packed page (shadow.h): who asks for it finds
 * it with segments or cells.
 */
#pragma once

#include "check/shadow/shadow.h"

enum { SHADOW_SECTOR_BYTES = 32, SHADOW_SECTORS = SHADOW_PAGE_BYTES / SHADOW_SECTOR_BYTES };

/** The page has its records by sector now. */
static inline bool sectors_has(const ShadowPage *page) {
    return page->generation == SHADOW_PACKED && page->by_sector;
}
/** The records of one sector: of its first byte; byte b has that of the lane b >> shift further. */
static inline uint64_t *sectors_records(const Shadow *shadow, const ShadowPage *page, unsigned sector) {
    return &page->cells[(size_t)sector * shadow->ways];
}
/** [sector]: a lane of its records has 1 << shift bytes. */
static inline uint8_t *sectors_shifts(const Shadow *shadow, const ShadowPage *page) {
    return (uint8_t *)(page->cells + (size_t)SHADOW_SECTORS * shadow->ways);
}

/** The page of the offset by sector, made or renewed for this generation; NULL when it has cells, or without
 * memory. */
ShadowPage *sectors_touch(Shadow *shadow, uint64_t offset, uint32_t generation);
/** The same page for who only looks: by sector or as it is; NULL when it is not of this generation. */
const ShadowPage *sectors_peek(const Shadow *shadow, uint64_t offset, uint32_t generation);
/** The first record of one byte. */
static inline uint64_t sectors_record(const Shadow *shadow, const ShadowPage *page, uint64_t offset) {
    const unsigned sector = (unsigned)(offset % SHADOW_PAGE_BYTES / SHADOW_SECTOR_BYTES);
    const uint64_t record = *sectors_records(shadow, page, sector);
    const unsigned shift = sectors_shifts(shadow, page)[sector];
    if (record) return record + (offset % SHADOW_SECTOR_BYTES >> shift) * RECORD_LANE;
    return 0;
}
/** What one sector has, in either form; false when it is in cells. */
bool sectors_read(const Shadow *shadow, const ShadowPage *page, unsigned sector,
                  uint64_t records[SHADOW_MAX_WAYS], unsigned *shift);

/* ---- for shadow.c ---- */

/** Gives the page segments, and cells where these do not suffice; false without room for them. */
bool sectors_leave(const Shadow *shadow, ShadowPage *page);

/* ---- with CHECK_BOTH ---- */

/** A copy of the page by sector; sectors_restore takes it back. */
uint64_t *sectors_copy(const Shadow *shadow, const ShadowPage *page);
/** The page is as it was when it was copied, whatever has become of it. */
void sectors_restore(const Shadow *shadow, ShadowPage *page, uint64_t *words);
