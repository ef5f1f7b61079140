/* shadow.c - pages, segments and cells of shadow.h; the paths that are not hot. */
#include "check/shadow/shadow.h"
#include "base/minmax.h"
#include "check/shadow/packed.h"
#include "check/shadow/sectors.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_WORDS = SHADOW_PAGE_BYTES / 4 };

void shadow_init(Shadow *shadow, unsigned ways, bool keeps_sites, ShadowRoom *room) {
    memset(shadow, 0, sizeof *shadow);
    shadow->ways = ways;
    shadow->keeps_sites = keeps_sites;
    shadow->room = room;
}

static void free_folder(ShadowPage **folder) {
    for (unsigned i = 0; folder && i < SHADOW_FAN; i++) {
        if (!folder[i]) continue;
        free(folder[i]->cells);
        free(folder[i]);
    }
    free(folder);
}

void shadow_free(Shadow *shadow) {
    for (unsigned i = 0; i < SHADOW_FAN; i++) {
        free_folder(shadow->folders[i]);
        shadow->folders[i] = NULL;
    }
}

void *shadow_take(const Shadow *shadow, size_t bytes) {
    if (shadow->room->left < bytes) return NULL;
    void *memory = calloc(1, bytes);
    if (memory) shadow->room->left -= bytes;
    return memory;
}

void shadow_give(const Shadow *shadow, uint64_t *memory, size_t words) {
    if (!memory) return;
    free(memory);
    shadow->room->left += words * sizeof *memory;
}

/* ---- packing ---- */

static size_t cell_bytes(const Shadow *shadow, const ShadowPage *page) {
    return (size_t)page->cell_capacity * shadow->ways * sizeof *page->cells;
}

void shadow_drop_cells(const Shadow *shadow, ShadowPage *page) {
    bool packed = page->generation == SHADOW_PACKED;
    size_t words = (size_t)page->cell_capacity * shadow->ways;
    if (packed) words = page->packed_words;
    if (packed) page->generation = page->packed_generation;
    shadow_give(shadow, page->cells, words);
    page->cells = NULL;
    page->cell_capacity = page->exploded = 0;
    page->by_byte = page->by_sector = page->stubborn = false;
}

bool shadow_unpack(const Shadow *shadow, ShadowPage *page) {
    if (page->by_sector) return sectors_leave(shadow, page);
    uint64_t *packed = page->cells, *cells = shadow_take(shadow, cell_bytes(shadow, page));
    if (!cells) return false;
    packed_read(packed, cells, page->cell_capacity, shadow->ways);
    free(packed);
    shadow->room->left += page->packed_words * sizeof *packed;
    shadow->room->unpacked++;
    page->cells = cells;
    page->generation = page->packed_generation;
    return true;
}

ShadowPage *shadow_unpacked(const Shadow *shadow, ShadowPage *page) {
    if (shadow_unpack(shadow, page)) return page;
    shadow->room->lost = true;
    return NULL;
}

static void pack_page(const Shadow *shadow, ShadowPage *page, uint32_t generation) {
    if (!page->cells || page->generation == SHADOW_PACKED) return;
    if (page->generation != generation && !shadow->keeps_sites) {
        shadow_drop_cells(shadow, page);
        memset(page->segments, 0, sizeof page->segments);
        return;
    }
    uint64_t *packed = NULL;
    if (!page->stubborn)
        packed = packed_make(page->cells, page->cell_capacity, shadow->ways, &page->packed_words);
    page->stubborn = !packed;
    if (!packed) return;
    free(page->cells);
    shadow->room->left += cell_bytes(shadow, page) - page->packed_words * sizeof *packed;
    page->cells = packed;
    page->packed_generation = page->generation;
    page->generation = SHADOW_PACKED;
}

/* The hand goes around: a page that is in use is soon unpacked, and then has its turn last. */
void shadow_pack(Shadow *shadow, uint32_t generation, uint64_t wanted) {
    for (uint32_t seen = 0; seen < SHADOW_FAN * SHADOW_FAN && shadow->room->left < wanted;) {
        ShadowPage **folder = shadow->folders[shadow->hand / SHADOW_FAN];
        uint32_t in_folder = shadow->hand % SHADOW_FAN, step = folder ? 1 : SHADOW_FAN - in_folder;
        if (folder && folder[in_folder]) pack_page(shadow, folder[in_folder], generation);
        shadow->hand = (shadow->hand + step) % (SHADOW_FAN * SHADOW_FAN);
        seen += step;
    }
}

/* ---- generations ---- */

static void age_cells(const Shadow *shadow, ShadowPage *page, unsigned segment) {
    unsigned per_segment = (page->by_byte ? SHADOW_SEGMENT_BYTES : SHADOW_SEGMENT_WORDS) * shadow->ways;
    uint64_t *cells = page->cells + (size_t)segment * per_segment;
    for (unsigned i = 0; i < per_segment; i++)
        cells[i] = record_aged(cells[i]);
}

/* A page that was last used in an earlier launch. Where sites are kept across launches (who wrote this
 * last?) the records stay and only their times become old; otherwise they go. */
static void renew(const Shadow *shadow, ShadowPage *page, uint32_t generation) {
    page->generation = generation;
    page->stubborn = false;
    if (!shadow->keeps_sites) {
        memset(page->segments, 0, sizeof page->segments);
        page->exploded = 0;
        page->by_byte = false;
        return;
    }
    for (unsigned segment = 0; segment < SHADOW_SEGMENTS; segment++) {
        for (unsigned way = 0; way < shadow->ways; way++)
            page->segments[segment][way] = record_aged(page->segments[segment][way]);
        if (page->exploded >> segment & 1) age_cells(shadow, page, segment);
    }
}

/* A tree of two levels by the offset, whose folders and pages appear when they are first touched. NULL when
 * the budget or the memory has run out. */
ShadowPage *shadow_renewed(Shadow *shadow, uint64_t offset, uint32_t generation) {
    ShadowPage ***folder = &shadow->folders[offset / SHADOW_PAGE_BYTES / SHADOW_FAN % SHADOW_FAN];
    if (!*folder) *folder = shadow_take(shadow, SHADOW_FAN * sizeof **folder);
    if (!*folder) return NULL;
    ShadowPage **page = &(*folder)[offset / SHADOW_PAGE_BYTES % SHADOW_FAN];
    if (!*page) {
        *page = shadow_take(shadow, sizeof **page);
        if (!*page) return NULL;
        (*page)->generation = generation;
    }
    if ((*page)->generation == SHADOW_PACKED) {
        bool outdated = (*page)->packed_generation != generation && !shadow->keeps_sites;
        if (outdated) shadow_drop_cells(shadow, *page);
        if (!outdated && !shadow_unpack(shadow, *page)) return NULL;
    }
    if ((*page)->generation != generation) renew(shadow, *page, generation);
    return *page;
}

static bool reserve_cells(Shadow *shadow, ShadowPage *page, uint32_t count) {
    if (page->cell_capacity >= count) return true;
    uint64_t *larger = shadow_take(shadow, (size_t)count * shadow->ways * sizeof *larger);
    if (!larger) return false;
    if (page->cells) memcpy(larger, page->cells, cell_bytes(shadow, page));
    shadow->room->left += cell_bytes(shadow, page);
    free(page->cells);
    page->cells = larger;
    page->cell_capacity = count;
    return true;
}

bool shadow_explode(Shadow *shadow, ShadowPage *page, unsigned segment) {
    if (page->exploded >> segment & 1) return true;
    if (!reserve_cells(shadow, page, PAGE_WORDS)) return false;
    uint64_t *cells = page->cells + (size_t)segment * SHADOW_SEGMENT_WORDS * shadow->ways;
    for (unsigned way = 0; way < shadow->ways; way++)
        for (unsigned word = 0; word < SHADOW_SEGMENT_WORDS; word++)
            cells[word * shadow->ways + way] = shadow_word(page, segment, way, word);
    page->exploded |= UINT32_C(1) << segment;
    return true;
}

/* From here on each byte of the page has a cell of its own, which begins as a copy of its word's. From the
 * end to the beginning, since the cells grow in place. */
bool shadow_split_bytes(Shadow *shadow, ShadowPage *page) {
    if (page->by_byte) return true;
    for (unsigned segment = 0; segment < SHADOW_SEGMENTS; segment++)
        if (!shadow_explode(shadow, page, segment)) return false;
    if (!reserve_cells(shadow, page, SHADOW_PAGE_BYTES)) return false;
    unsigned ways = shadow->ways;
    for (size_t byte = SHADOW_PAGE_BYTES; byte-- > 0;)
        for (unsigned way = 0; way < ways; way++)
            page->cells[byte * ways + way] = page->cells[byte / 4 * ways + way];
    page->by_byte = true;
    return true;
}

/* The cells of [offset, offset+bytes) within one page get `record`; whole segments fold. */
static void fill_in_page(Shadow *shadow, ShadowPage *page, uint64_t offset, uint64_t bytes, uint64_t record) {
    unsigned at = (unsigned)(offset % SHADOW_PAGE_BYTES), end = at + (unsigned)bytes;
    while (at < end) {
        unsigned segment = at / SHADOW_SEGMENT_BYTES, next = (segment + 1) * SHADOW_SEGMENT_BYTES;
        if (next > end) next = end;
        if (!page->by_byte && at % SHADOW_SEGMENT_BYTES == 0 && next - at == SHADOW_SEGMENT_BYTES) {
            page->exploded &= ~(UINT32_C(1) << segment);
            page->lane_shift[segment] = 0;
            for (unsigned way = 0; way < shadow->ways; way++)
                page->segments[segment][way] = record;
        } else if (shadow_explode(shadow, page, segment)) {
            unsigned unit = 4;
            if (page->by_byte) unit = 1;
            for (unsigned cell = at / unit; cell <= (next - 1) / unit; cell++)
                for (unsigned way = 0; way < shadow->ways; way++)
                    page->cells[cell * shadow->ways + way] = record;
        }
        at = next;
    }
}

static uint64_t in_page(uint64_t offset, uint64_t bytes) {
    uint64_t room = SHADOW_PAGE_BYTES - offset % SHADOW_PAGE_BYTES;
    return MIN(bytes, room);
}

void shadow_fill(Shadow *shadow, uint64_t offset, uint64_t bytes, uint64_t record, uint32_t generation) {
    while (bytes > 0) {
        uint64_t here = in_page(offset, bytes);
        ShadowPage *page = shadow_glance(shadow, offset);
        if (page && here == SHADOW_PAGE_BYTES) shadow_drop_cells(shadow, page);
        page = shadow_touch(shadow, offset, generation);
        if (!page) return;
        fill_in_page(shadow, page, offset, here, record);
        offset += here;
        bytes -= here;
    }
}

void shadow_forget(Shadow *shadow, uint64_t offset, uint64_t bytes) {
    while (bytes > 0) {
        uint64_t here = in_page(offset, bytes);
        ShadowPage *page = shadow_any(shadow, offset);
        if (page) fill_in_page(shadow, page, offset, here, 0);
        offset += here;
        bytes -= here;
    }
}

unsigned shadow_alike(const Shadow *shadow, uint64_t offset) {
    const ShadowPage *page = shadow_glance(shadow, offset);
    if (page && sectors_has(page)) return SHADOW_SECTOR_BYTES;
    if (page && page->exploded >> (offset % SHADOW_PAGE_BYTES / SHADOW_SEGMENT_BYTES) & 1) return 0;
    return SHADOW_SEGMENT_BYTES;
}

uint64_t shadow_record(const Shadow *shadow, uint64_t offset) {
    const ShadowPage *page = shadow_glance(shadow, offset);
    if (page && sectors_has(page)) return sectors_record(shadow, page, offset);
    page = shadow_any(shadow, offset);
    if (!page) return 0;
    return *shadow_place(shadow, page, offset);
}

uint64_t shadow_record_of(const Shadow *shadow, uint64_t offset, uint32_t generation) {
    const ShadowPage *page = shadow_glance(shadow, offset);
    if (!page) return 0;
    uint32_t last = page->generation;
    if (last == SHADOW_PACKED) last = page->packed_generation;
    if (last == generation) return shadow_record(shadow, offset);
    return 0;
}
