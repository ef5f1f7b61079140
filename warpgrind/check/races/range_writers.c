/* range_writers.c - who wrote what, as a worker that ran a range of blocks has seen it (gpu.h, ranges).
 *
 * Of the race detector's records only those of writes and atomics outlive a launch: "who wrote this last".
 * The worker puts the records of the pages it changed; they are taken over for the words that it changed. Its
 * numbers of sites are its own, so the sites that it added travel along.
 */
#include "check/races/races.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_WORDS = SHADOW_PAGE_BYTES / 4, TABLES = 2 };

/* ---- in the worker ---- */

void races_range_begin(void *self) {
    Races *races = ((Check *)self)->races;
    races->range_sites = races->site_count;
    races->range_room = races->room.left;
    memcpy(races->range_unwatched, races->unwatched_at, sizeof races->range_unwatched);
}

/* Together the ranges must not come to the end of what one process would have had. */
bool races_range_quiet(void *self, const GpuRange *range) {
    const Races *races = ((Check *)self)->races;
    uint64_t share = races->range_room / gpu_range_workers(range);
    return races->room.left + share >= races->range_room && !races->room.lost &&
           races->site_count <= SITE_MAX / 2 &&
           memcmp(races->range_unwatched, races->unwatched_at, sizeof races->range_unwatched) == 0;
}

static Shadow *table_of(Races *races, unsigned table) {
    if (table == 0) return &races->global.writes;
    return &races->global.atomics;
}

typedef struct PageHead {
    bool there, by_byte, current;
    uint32_t exploded;
    uint64_t cell_bytes;
    uint8_t lane_shift[SHADOW_SEGMENTS];
} PageHead;

/* A page of records as bytes for the main process: its head, the segments, and the cells where there are
 * any. */
static void put_table(const Races *races, const Shadow *shadow, uint64_t offset, GpuRange *range) {
    const ShadowPage *page = shadow_any(shadow, offset);
    PageHead head = {.there = page != NULL};
    if (page) {
        head.by_byte = page->by_byte;
        head.current = page->generation == races->global.generation;
        head.exploded = page->exploded;
        memcpy(head.lane_shift, page->lane_shift, sizeof head.lane_shift);
        unsigned cells = PAGE_WORDS;
        if (page->by_byte) cells = SHADOW_PAGE_BYTES;
        if (page->exploded)
            head.cell_bytes = (uint64_t)cells * shadow->ways * sizeof *page->cells;
        else
            head.cell_bytes = 0;
    }
    gpu_range_put(range, &head, sizeof head);
    if (!page) return;
    gpu_range_put(range, page->segments, sizeof page->segments);
    gpu_range_put(range, page->cells, head.cell_bytes);
}

void races_range_put(void *self, GpuRange *range) {
    Races *races = ((Check *)self)->races;
    uint32_t sites[2] = {races->range_sites, races->site_count - races->range_sites};
    gpu_range_put(range, sites, sizeof sites);
    gpu_range_put(range, races->sites + sites[0], sites[1] * sizeof *races->sites);
    const GpuRangePage *page;
    for (unsigned i = 0; (page = gpu_range_page(range, i)); i++)
        for (unsigned table = 0; page->changed && table < TABLES; table++)
            put_table(races, table_of(races, table), page->offset, range);
}

/* ---- in the first process ---- */

typedef struct SiteMap {
    uint32_t first, count;
    uint16_t *here; /**< [site - first]: its number in this process; NULL: without memory */
} SiteMap;

static SiteMap take_sites(Races *races, GpuRange *range) {
    const uint32_t *counts = gpu_range_take(range, 2 * sizeof *counts);
    SiteMap map = {.first = counts[0], .count = counts[1]};
    const Site *sites = gpu_range_take(range, map.count * sizeof *sites);
    map.here = calloc(map.count + 1, sizeof *map.here);
    for (uint32_t i = 0; map.here && i < map.count; i++)
        map.here[i] = sites_of(races, &sites[i]);
    return map;
}

static uint64_t with_site(const SiteMap *map, uint64_t record) {
    uint32_t site = record_site(record);
    if (site < map->first) return record;
    uint64_t here = SITE_LOST;
    if (map->here && site - map->first < map->count) here = map->here[site - map->first];
    return (record & ~(UINT64_C(0xFFFF) << RECORD_SITE_SHIFT)) | here << RECORD_SITE_SHIFT;
}

/** What the worker put of one page in one table. */
typedef struct TakenPage {
    PageHead head;
    const uint64_t *segments; /**< [segment][way] */
    const uint64_t *cells;
    const SiteMap *map;
} TakenPage;

static TakenPage take_page(GpuRange *range, const SiteMap *map) {
    TakenPage taken = {.map = map};
    memcpy(&taken.head, gpu_range_take(range, sizeof taken.head), sizeof taken.head);
    if (!taken.head.there) return taken;
    taken.segments = gpu_range_take(range, SHADOW_SEGMENTS * SHADOW_MAX_WAYS * sizeof *taken.segments);
    taken.cells = gpu_range_take(range, taken.head.cell_bytes);
    return taken;
}

static uint64_t taken_record(const TakenPage *taken, unsigned ways, unsigned byte, unsigned way) {
    unsigned segment = byte / SHADOW_SEGMENT_BYTES;
    if (taken->head.exploded >> segment & 1)
        return with_site(taken->map, taken->cells[(taken->head.by_byte ? byte : byte / 4) * ways + way]);
    uint64_t record = taken->segments[segment * SHADOW_MAX_WAYS + way];
    if (record)
        return with_site(taken->map, record) +
               (byte % SHADOW_SEGMENT_BYTES / 4 >> taken->head.lane_shift[segment]) * RECORD_LANE;
    return 0;
}

static void take_words(const Shadow *shadow, ShadowPage *page, const TakenPage *taken, unsigned segment,
                       uint32_t words) {
    unsigned ways = shadow->ways, bytes = page->by_byte ? 4 : 1;
    for (; words; words &= words - 1) {
        unsigned word = segment * SHADOW_SEGMENT_WORDS + (unsigned)__builtin_ctz(words);
        for (unsigned byte = 0; byte < bytes; byte++)
            for (unsigned way = 0; way < ways; way++)
                page->cells[((size_t)word * bytes + byte) * ways + way] =
                    taken_record(taken, ways, 4 * word + byte, way);
    }
}

/* What the worker wrote of this segment replaces what is here: as one record when all 32 words are new,
 * else word by word. */
static void take_segment(Shadow *shadow, ShadowPage *page, const TakenPage *taken, unsigned segment,
                         uint32_t words) {
    bool whole = words == UINT32_MAX && !page->by_byte && !(taken->head.exploded >> segment & 1);
    if (whole) {
        page->exploded &= ~(UINT32_C(1) << segment);
        page->lane_shift[segment] = taken->head.lane_shift[segment];
        for (unsigned way = 0; way < shadow->ways; way++)
            page->segments[segment][way] =
                taken_record(taken, shadow->ways, segment * SHADOW_SEGMENT_BYTES, way);
    } else if (words && shadow_explode(shadow, page, segment)) {
        take_words(shadow, page, taken, segment, words);
    }
}

static void take_table(const Races *races, Shadow *shadow, const GpuRangePage *changed,
                       const TakenPage *taken) {
    ShadowPage *page;
    if (taken->head.current)
        page = shadow_touch(shadow, changed->offset, races->global.generation);
    else
        page = shadow_any(shadow, changed->offset);
    if (!page || (taken->head.by_byte && !shadow_split_bytes(shadow, page))) return;
    for (unsigned segment = 0; segment < SHADOW_SEGMENTS; segment++)
        take_segment(shadow, page, taken, segment, changed->written[segment] | changed->atomic[segment]);
}

void races_range_take(void *self, GpuRange *range) {
    Races *races = ((Check *)self)->races;
    SiteMap map = take_sites(races, range);
    const GpuRangePage *page;
    for (unsigned i = 0; (page = gpu_range_page(range, i)); i++)
        for (unsigned table = 0; page->changed && table < TABLES; table++) {
            TakenPage taken = take_page(range, &map);
            if (taken.head.there) take_table(races, table_of(races, table), page, &taken);
        }
    free(map.here);
}
