/* shadow.h - who touched each word of memory last: records by 4-byte word, stored in as little as one record
 * per 128 bytes.
 *
 * A record is 64 bits: site (where in the code, 16), block (20), thread (10), time (18). Most warps touch 32
 * words side by side, lane k word k: then one record stands for the whole segment of 128 bytes; so it does
 * when each lane has two or four words (double, float4), and the segment is one of several that the warp
 * touches. Any other access explodes the segment into cells, one for each word; an access narrower than a
 * word turns the whole page into cells for single bytes. A later whole-segment access folds the segment
 * again.
 *
 * When little room is left, cells that have not been touched for a while are packed (packed.h); who looks at
 * their page again finds them unpacked.
 *
 * Pages belong to a generation (a launch, or a block for its shared memory): an older page is out of date and
 * is renewed when it is touched. Renewing a page of writes keeps the sites (who wrote this last, across
 * launches) and forgets the rest.
 *
 * Source of the idea: FastTrack's epochs (Flanagan and Freund, PLDI 2009), with lanes in place of threads
 * where they march together.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SHADOW_PAGE_BYTES = 4096,
    SHADOW_SEGMENT_BYTES = 128,
    SHADOW_SEGMENTS = SHADOW_PAGE_BYTES / SHADOW_SEGMENT_BYTES,
    SHADOW_SEGMENT_WORDS = SHADOW_SEGMENT_BYTES / 4,
    SHADOW_FAN = 4096, /* pages per folder, folders per shadow: 64 GiB */
    SHADOW_MAX_WAYS = 2
};

enum { RECORD_TIME_BITS = 18, RECORD_THREAD_BITS = 10, RECORD_BLOCK_BITS = 20 };
enum { RECORD_THREAD_SHIFT = RECORD_TIME_BITS, RECORD_BLOCK_SHIFT = 28, RECORD_SITE_SHIFT = 48 };
#define RECORD_TIME_MASK ((UINT64_C(1) << RECORD_TIME_BITS) - 1)
#define RECORD_WHO_MASK (((UINT64_C(1) << 30) - 1) << RECORD_THREAD_SHIFT) /* block and thread */
#define RECORD_BLOCK_MASK (((UINT64_C(1) << RECORD_BLOCK_BITS) - 1) << RECORD_BLOCK_SHIFT)
#define RECORD_TIME_OLD RECORD_TIME_MASK /* before this generation: ordered before everything in it */
#define RECORD_LANE (UINT64_C(1) << RECORD_THREAD_SHIFT)

static inline uint32_t record_time(uint64_t record) {
    return (uint32_t)(record & RECORD_TIME_MASK);
}
static inline uint32_t record_thread(uint64_t record) {
    return (uint32_t)(record >> RECORD_THREAD_SHIFT) & ((1u << RECORD_THREAD_BITS) - 1);
}
static inline uint32_t record_block(uint64_t record) {
    return (uint32_t)(record >> RECORD_BLOCK_SHIFT) & ((1u << RECORD_BLOCK_BITS) - 1);
}
static inline uint32_t record_site(uint64_t record) {
    return (uint32_t)(record >> RECORD_SITE_SHIFT);
}

static inline uint64_t record_aged(uint64_t record) {
    if (record) return record | RECORD_TIME_OLD;
    return 0;
}

#define SHADOW_PACKED UINT32_MAX /* a generation that no page is asked for by */

typedef struct ShadowPage {
    uint32_t generation; /**< SHADOW_PACKED: `cells` are words of packed.h or sectors.h */
    uint32_t packed_generation, packed_words;
    uint32_t exploded;                   /**< bit per segment: its records are in the cells */
    uint64_t *cells;                     /**< [cell][way] */
    uint32_t cell_capacity;              /**< cells that there is room for */
    bool stubborn;                       /**< cells that could not be packed */
    bool by_sector;                      /**< packed: words of sectors.h */
    bool by_byte;                        /**< cells are single bytes; then every segment is exploded */
    uint8_t lane_shift[SHADOW_SEGMENTS]; /**< a lane of the segment's records has 1 << shift words */
    uint64_t segments[SHADOW_SEGMENTS][SHADOW_MAX_WAYS]; /**< the record of the first word */
} ShadowPage;

/** What a segment that is not exploded has for one of its words; 0: nothing. */
static inline uint64_t shadow_word(const ShadowPage *page, unsigned segment, unsigned way, unsigned word) {
    uint64_t record = page->segments[segment][way];
    if (record) return record + (word >> page->lane_shift[segment]) * RECORD_LANE;
    return 0;
}

/** Memory for records, shared by several shadows. */
typedef struct ShadowRoom {
    uint64_t left;     /**< bytes that may still be allocated */
    uint64_t unpacked; /**< pages of this launch */
    bool lost;         /**< packed records were wanted for which there was no room */
} ShadowRoom;

typedef struct Shadow {
    ShadowPage **folders[SHADOW_FAN];
    unsigned ways;    /**< records per cell */
    bool keeps_sites; /**< renewing keeps the sites */
    uint32_t hand;    /**< the page where packing goes on */
    ShadowRoom *room;
} Shadow;

void shadow_init(Shadow *shadow, unsigned ways, bool keeps_sites, ShadowRoom *room);
void shadow_free(Shadow *shadow);

/** The page of the offset as it is, perhaps packed; NULL when it was never touched. */
static inline ShadowPage *shadow_glance(const Shadow *shadow, uint64_t offset) {
    ShadowPage **folder = shadow->folders[offset / SHADOW_PAGE_BYTES / SHADOW_FAN % SHADOW_FAN];
    if (folder) return folder[offset / SHADOW_PAGE_BYTES % SHADOW_FAN];
    return NULL;
}
/** Memory of the shadow's room, all zero; NULL when there is no more. */
void *shadow_take(const Shadow *shadow, size_t bytes);
void shadow_give(const Shadow *shadow, uint64_t *memory, size_t words);
/** What the page has in cells, packed or not, is worth nothing any more. */
void shadow_drop_cells(const Shadow *shadow, ShadowPage *page);
/** Gives a packed page its cells back; false without room. */
bool shadow_unpack(const Shadow *shadow, ShadowPage *page);
/** The same for who only looks: NULL, with `lost` set, without room. */
ShadowPage *shadow_unpacked(const Shadow *shadow, ShadowPage *page);
/** The page of the offset if it is of this generation; else NULL. */
static inline ShadowPage *shadow_peek(const Shadow *shadow, uint64_t offset, uint32_t generation) {
    ShadowPage *page = shadow_glance(shadow, offset);
    if (!page || page->generation == generation) return page;
    bool packed = page->generation == SHADOW_PACKED && page->packed_generation == generation;
    if (packed) return shadow_unpacked(shadow, page);
    return NULL;
}
/** False when nothing near the offset was ever touched. */
static inline bool shadow_has_folder(const Shadow *shadow, uint64_t offset) {
    return shadow->folders[offset / SHADOW_PAGE_BYTES / SHADOW_FAN % SHADOW_FAN] != NULL;
}
/** The page of the offset, whatever its generation; NULL when it was never touched. */
static inline ShadowPage *shadow_any(const Shadow *shadow, uint64_t offset) {
    ShadowPage *page = shadow_glance(shadow, offset);
    if (page && page->generation == SHADOW_PACKED) return shadow_unpacked(shadow, page);
    return page;
}
/** Where the records of the offset are. */
static inline const uint64_t *shadow_place(const Shadow *shadow, const ShadowPage *page, uint64_t offset) {
    unsigned at = (unsigned)(offset % SHADOW_PAGE_BYTES), segment = at / SHADOW_SEGMENT_BYTES;
    if (!(page->exploded >> segment & 1)) return page->segments[segment];
    return &page->cells[(size_t)(page->by_byte ? at : at / 4) * shadow->ways];
}
/** The page, made or renewed for this generation; NULL without memory. */
ShadowPage *shadow_renewed(Shadow *shadow, uint64_t offset, uint32_t generation);
/** The same, for pages that are there already nearly always. */
static inline ShadowPage *shadow_touch(Shadow *shadow, uint64_t offset, uint32_t generation) {
    ShadowPage *page = shadow_glance(shadow, offset);
    if (page && page->generation == generation) return page;
    return shadow_renewed(shadow, offset, generation);
}
/** Gives the segment cells of its own; false without memory. */
bool shadow_explode(Shadow *shadow, ShadowPage *page, unsigned segment);
/** Gives every byte of the page a cell; false without memory. */
bool shadow_split_bytes(Shadow *shadow, ShadowPage *page);
/** Forgets everything about [offset, offset+bytes): memory that was given to somebody else. */
void shadow_forget(Shadow *shadow, uint64_t offset, uint64_t bytes);
/** Puts one record for every word of the range (a copy from the host). */
void shadow_fill(Shadow *shadow, uint64_t offset, uint64_t bytes, uint64_t record, uint32_t generation);
/** Packs cells, those first that were not looked at for longest, until so many bytes are left or each page
 * has had its turn. No page may be in use. */
void shadow_pack(Shadow *shadow, uint32_t generation, uint64_t wanted);
/** For how many bytes from the beginning of a segment or sector on, in which the offset lies, what
 * shadow_record gives holds, up to the lanes; 0: for a word or byte. */
unsigned shadow_alike(const Shadow *shadow, uint64_t offset);
/** The first record of the word (or byte) at the offset; of a whole segment that of its first word. */
uint64_t shadow_record(const Shadow *shadow, uint64_t offset);
/** The same if it is of this generation; else 0. */
uint64_t shadow_record_of(const Shadow *shadow, uint64_t offset, uint32_t generation);
