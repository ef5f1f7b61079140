/* range_merge.c - compares what ranges of blocks have touched, and puts their words together.
 *
 * A word that one range changed and another one touched makes a range depend on another, with one exception:
 * updates by one instruction whose old value nobody saw. All ranges began with the same bytes, so sums are
 * the first value and what each range added; minima, masks and their kin are the operation itself; additions
 * of floats are done again one by one, in the order of blocks.
 */
#include "gpu/divide/range.h"
#include "gpu/memory/memory.h"
#include "gpu/memory/memory_access.h"

#include <stdlib.h>

enum { FAN = 4096, MASKS = RANGE_PAGE_WORDS / 32 };

/** One range's part in a page; several ranges' parts are a list in the order of blocks. */
typedef struct Share {
    const GpuRangePage *page;
    const GpuRange *range;
    struct Share *next;
} Share;

typedef struct SharedPage {
    Share *first, *last;
    uint32_t *several; /**< words that several ranges have updated; NULL: none */
} SharedPage;

typedef struct Merge {
    Gpu *gpu;
    SharedPage *folders[FAN];
    Share *shares;
    unsigned share_count;
} Merge;

static SharedPage *merge_find(const Merge *merge, uint64_t offset) {
    SharedPage *folder = merge->folders[offset / RANGE_PAGE_BYTES / FAN % FAN];
    if (folder) return &folder[offset / RANGE_PAGE_BYTES % FAN];
    return NULL;
}

/** Puts a range's page into the list of those at the same place; lists stay in the order of ranges, which
 * is that of blocks. */
static bool merge_add(Merge *merge, const GpuRange *range, const GpuRangePage *page) {
    SharedPage **folder = &merge->folders[page->offset / RANGE_PAGE_BYTES / FAN % FAN];
    if (!*folder) *folder = calloc(FAN, sizeof **folder);
    if (!*folder) return false;
    SharedPage *shared = merge_find(merge, page->offset);
    Share *share = &merge->shares[merge->share_count++];
    *share = (Share){.page = page, .range = range};
    if (shared->last)
        shared->last->next = share;
    else
        shared->first = share;
    shared->last = share;
    return true;
}

static bool merge_list(Merge *merge, GpuRange *const *ranges, unsigned count) {
    size_t total = 0;
    for (unsigned r = 0; r < count; r++)
        total += ranges[r]->page_count;
    merge->shares = calloc(total + 1, sizeof *merge->shares);
    if (!merge->shares) return false;
    for (unsigned r = 0; r < count; r++)
        for (unsigned i = 0; i < ranges[r]->page_count; i++)
            if (!merge_add(merge, ranges[r], &ranges[r]->pages[i])) return false;
    return true;
}

static void merge_free(Merge *merge) {
    for (unsigned i = 0; i < merge->share_count; i++) {
        SharedPage *shared = merge_find(merge, merge->shares[i].page->offset);
        free(shared->several);
        shared->several = NULL;
    }
    for (unsigned i = 0; i < FAN; i++)
        free(merge->folders[i]);
    free(merge->shares);
    free(merge);
}

/* ---- does one range depend on another? ---- */

static uint32_t update_pc(const Share *share, unsigned word) {
    return share->range->pc_tables[share->page->pc_table - 1][word];
}

/** The words of one mask were updated by the same instruction as in all shares before. */
static bool updates_agree(const Share *first, const Share *share, unsigned mask, uint32_t words) {
    for (; words; words &= words - 1) {
        unsigned word = mask * 32 + (unsigned)__builtin_ctz(words);
        uint32_t pc = update_pc(share, word);
        if (pc == RANGE_PC_MIXED) return false;
        for (const Share *other = first; other != share; other = other->next)
            if (other->page->atomic[mask] >> (word % 32) & 1 && update_pc(other, word) != pc) return false;
    }
    return true;
}

/** Looks at 32 words of a page in all ranges: no word that one changed may have been touched by another,
 * but for updates that agree; these are noted as having several. */
static bool mask_is_free(SharedPage *shared, unsigned mask) {
    uint32_t read = 0, written = 0, atomic = 0;
    for (const Share *share = shared->first; share; share = share->next) {
        const GpuRangePage *page = share->page;
        uint32_t r = page->read[mask], w = page->written[mask], a = page->atomic[mask];
        if ((w & (read | written | atomic)) | (r & (written | atomic)) | (a & (read | written))) return false;
        uint32_t both = a & atomic;
        if (both && !updates_agree(shared->first, share, mask, both)) return false;
        if (both && !shared->several) shared->several = calloc(MASKS, sizeof *shared->several);
        if (both && !shared->several) return false;
        if (both) shared->several[mask] |= both;
        read |= r;
        written |= w;
        atomic |= a;
    }
    return true;
}

static bool page_is_free(SharedPage *shared) {
    if (shared->first == shared->last) return true;
    for (unsigned mask = 0; mask < MASKS; mask++)
        if (!mask_is_free(shared, mask)) return false;
    return true;
}

static bool merge_is_free(const Merge *merge) {
    for (unsigned i = 0; i < merge->share_count; i++) {
        SharedPage *shared = merge_find(merge, merge->shares[i].page->offset);
        if (shared->first == &merge->shares[i] && !page_is_free(shared)) return false;
    }
    return true;
}

/* ---- words that one range has ---- */

static const uint8_t *bytes_of(const Share *share) {
    return share->range->stream + share->page->bytes_at;
}

/** Copies the words that this range alone changed, 32 at a time where it changed them all. */
static void copy_words(uint8_t *to, const Share *share, const uint32_t *several) {
    const uint8_t *from = bytes_of(share);
    for (unsigned mask = 0; mask < MASKS; mask++) {
        uint32_t words = share->page->written[mask] | share->page->atomic[mask];
        if (several) words &= ~several[mask];
        if (words == UINT32_MAX) {
            memcpy(to + mask * 128, from + mask * 128, 128);
            continue;
        }
        for (; words; words &= words - 1) {
            unsigned at = mask * 128 + 4 * (unsigned)__builtin_ctz(words);
            memcpy(to + at, from + at, 4);
        }
    }
}

/* ---- words that several ranges have updated ---- */

static uint64_t value_at(const uint8_t *at, unsigned bytes) {
    uint64_t value = 0;
    memcpy(&value, at, bytes);
    return value;
}

/** What this range has made of the first value, done to the value so far. */
static uint64_t combined(const PtxInstruction *source, uint64_t first, uint64_t now, uint64_t made) {
    switch (source->modifiers.atomic) {
    case PTX_ATOM_ADD:
        return now + (made - first);
    case PTX_ATOM_XOR:
        return now ^ made ^ first;
    case PTX_ATOM_AND:
    case PTX_ATOM_OR:
    case PTX_ATOM_MIN:
    case PTX_ATOM_MAX:
        return atomic_apply(source, now, made, 0);
    case PTX_ATOM_CAS:
    case PTX_ATOM_EXCH:
    case PTX_ATOM_INC:
    case PTX_ATOM_DEC:
    case PTX_ATOM_NONE:
        break;
    }
    BUG("atomic operation %d cannot be combined", (int)source->modifiers.atomic);
}

static bool is_float(const PtxInstruction *source) {
    return source->type == PTX_F32 || source->type == PTX_F64;
}

/** Words that are not floats; `begun` is the page as all ranges found it. */
static void combine_words(const Merge *merge, const SharedPage *shared, const Share *share, uint8_t *to,
                          const uint8_t *begun) {
    for (unsigned word = 0; word < RANGE_PAGE_WORDS; word++) {
        bool here = shared->several[word / 32] & share->page->atomic[word / 32] & 1U << word % 32;
        if (!here) continue;
        const PtxInstruction *source = gpu_place(merge->gpu, update_pc(share, word)).instruction;
        unsigned bytes = ptx_type_bytes(source->type), at = 4 * word;
        if (!is_float(source)) {
            uint64_t now = combined(source, value_at(begun + at, bytes), value_at(to + at, bytes),
                                    value_at(bytes_of(share) + at, bytes));
            memcpy(to + at, &now, bytes);
        }
        word += bytes / 4 - 1;
    }
}

static void merge_page(const Merge *merge, const SharedPage *shared) {
    uint8_t *to = gpu_memory_bytes(merge->gpu, GPU_GLOBAL_BASE + shared->first->page->offset);
    uint8_t begun[RANGE_PAGE_BYTES];
    if (shared->several) memcpy(begun, to, sizeof begun);
    for (const Share *share = shared->first; share; share = share->next) {
        if (!share->page->changed) continue;
        copy_words(to, share, shared->several);
        if (shared->several) combine_words(merge, shared, share, to, begun);
    }
}

static void add_again(const Merge *merge, const RangeAddition *addition) {
    uint64_t offset = addition->address - GPU_GLOBAL_BASE;
    const SharedPage *shared = merge_find(merge, offset);
    unsigned word = (unsigned)(offset % RANGE_PAGE_BYTES) / 4;
    if (!shared->several || !(shared->several[word / 32] >> word % 32 & 1)) return;
    const PtxInstruction *source = gpu_place(merge->gpu, addition->pc).instruction;
    unsigned bytes = ptx_type_bytes(source->type);
    uint8_t *at = gpu_memory_bytes(merge->gpu, addition->address);
    uint64_t now = atomic_apply(source, value_at(at, bytes), addition->operand, 0);
    memcpy(at, &now, bytes);
}

static void merge_take_over(const Merge *merge, GpuRange *const *ranges, unsigned count) {
    for (unsigned i = 0; i < merge->share_count; i++) {
        const SharedPage *shared = merge_find(merge, merge->shares[i].page->offset);
        if (shared->first == &merge->shares[i]) merge_page(merge, shared);
    }
    for (unsigned r = 0; r < count; r++)
        for (unsigned i = 0; i < ranges[r]->addition_count; i++)
            add_again(merge, &ranges[r]->additions[i]);
}

bool range_merge(Gpu *gpu, GpuRange *const *ranges, unsigned count) {
    Merge *merge = calloc(1, sizeof *merge);
    if (!merge) return false;
    merge->gpu = gpu;
    bool fine = merge_list(merge, ranges, count) && merge_is_free(merge);
    if (fine) merge_take_over(merge, ranges, count);
    merge_free(merge);
    return fine;
}
