/* initialisation.c - which bytes of global and shared memory hold a value, one bit each.
 *
 * Fresh memory does not; the host's copies, memset and kernels' stores define it. The machine asks with each
 * read which bytes were undefined, carries that along in registers, and says so when such a value is stored
 * or decides something. Undefined values may be copied about (padding of structures); only using one, or
 * handing it to the host, is a mistake.
 */
#include "check/initialisation/initialisation.h"
#include "base/minmax.h"

#include <stdlib.h>
#include <string.h>

bool initialisation_create(Check *check) {
    Initialisation *made = calloc(1, sizeof *made);
    check->initialisation = made;
    if (!made) return false;
    made->global = bits_create();
    made->origins = calloc(ORIGIN_SLOTS, sizeof *made->origins);
    return made->global && made->origins;
}

void initialisation_destroy(Initialisation *initialisation) {
    if (!initialisation) return;
    bits_destroy(initialisation->global);
    for (unsigned i = 0; i < GPU_MAX_RESIDENT_BLOCKS; i++)
        free(initialisation->shared[i]);
    free(initialisation->origins);
    free(initialisation);
}

/* ---- origins of undefined values in memory ---- */

static OriginSlot *origin_slot(const Initialisation *initialisation, uint64_t key) {
    uint64_t start = check_key(key, 0, 0);
    for (unsigned probe = 0; probe < ORIGIN_PROBES; probe++) {
        OriginSlot *slot = &initialisation->origins[(start + probe) % ORIGIN_SLOTS];
        if (slot->key == key || slot->key == 0) return slot;
    }
    return &initialisation->origins[start % ORIGIN_SLOTS];
}

static uint32_t origin_get(const Initialisation *initialisation, uint64_t key) {
    const OriginSlot *slot = origin_slot(initialisation, key);
    if (slot->key == key) return slot->origin;
    return 0;
}

static void origin_put(Initialisation *initialisation, uint64_t key, uint32_t origin) {
    *origin_slot(initialisation, key) = (OriginSlot){key, origin};
}

/* Shared memory of another block in the same slot is other memory. */
static uint64_t origin_key(const GpuAccess *access, uint64_t address) {
    if (access->space != PTX_SPACE_SHARED) return address / 4;
    const GpuBlock *block = gpu_warp_block(access->warp);
    return check_key(gpu_block_launch(block)->id, gpu_block_linear(block), address / 4) | UINT64_C(1) << 63;
}

uint32_t initialisation_origin_global(const Initialisation *initialisation, uint64_t address) {
    return origin_get(initialisation, address / 4);
}

/* ---- the bits behind one warp's access ---- */

typedef struct BitView {
    Bits *global;     /**< or */
    uint64_t *shared; /**< words of the block's slot */
    uint64_t limit;   /**< bytes of shared memory that have bits */
} BitView;

static BitView view_of(Initialisation *initialisation, const GpuAccess *access) {
    if (access->space != PTX_SPACE_SHARED) return (BitView){.global = initialisation->global};
    uint32_t slot = gpu_block_slot(gpu_warp_block(access->warp));
    return (BitView){.shared = initialisation->shared[slot],
                     .limit = initialisation->shared_words[slot] * 64};
}

static uint64_t view_get(const BitView *view, uint64_t address, unsigned count) {
    if (view->global) return bits_get(view->global, address - GPU_GLOBAL_BASE, count);
    if (address + count <= view->limit) return bits_gather(view->shared, address, count);
    return bits_mask(count);
}

static void view_put(const BitView *view, uint64_t address, uint64_t mask, uint64_t values) {
    if (view->global)
        bits_put(view->global, address - GPU_GLOBAL_BASE, mask, values);
    else if (address + 64 <= view->limit)
        bits_scatter(view->shared, address, mask, values);
}

/* The run of bytes that all lanes together touch; 0 when they are scattered. */
static unsigned run_bytes(const GpuAccess *access) {
    if (access->contiguous) return check_lane_count(access->lanes) * access->bytes;
    if (access->uniform) return access->bytes;
    return 0;
}

static bool run_defined(const BitView *view, uint64_t address, unsigned bytes) {
    for (unsigned at = 0; at < bytes; at += 64) {
        unsigned step = MIN(bytes - at, 64);
        if (view_get(view, address + at, step) != bits_mask(step)) return false;
    }
    return true;
}

static void define_run(const BitView *view, uint64_t address, unsigned bytes) {
    for (unsigned at = 0; at < bytes; at += 64) {
        unsigned step = MIN(bytes - at, 64);
        view_put(view, address + at, bits_mask(step), ~UINT64_C(0));
    }
}

/** Each lane is aligned, and lies in one word. */
static void pattern_make(PatternBytes *bytes, const GpuAccess *access) {
    *bytes = (PatternBytes){.pattern = access->pattern};
    for (uint32_t lanes = access->lanes; lanes; lanes &= lanes - 1) {
        const uint64_t at = access->address[__builtin_ctz(lanes)] - access->low;
        bytes->words[at / 64] |= bits_mask(access->bytes) << at % 64;
    }
}

/** NULL: the access has no pattern, or goes too far. */
static inline const PatternBytes *pattern_of(Initialisation *initialisation, const GpuAccess *access) {
    if (!access->pattern || access->high - access->low + access->bytes > MOST_SPAN) return NULL;
    PatternBytes *bytes = &initialisation->patterns[access->pattern % PATTERN_SLOTS];
    if (bytes->pattern != access->pattern) pattern_make(bytes, access);
    return bytes;
}

static bool pattern_defined(const BitView *view, const PatternBytes *bytes, uint64_t address, uint64_t span) {
    for (unsigned at = 0; at < span; at += 64) {
        const uint64_t wanted = bytes->words[at / 64];
        if (wanted & ~view_get(view, address + at, (unsigned)MIN(span - at, 64))) return false;
    }
    return true;
}

static void define_pattern(const BitView *view, const PatternBytes *bytes, uint64_t address, uint64_t span) {
    for (unsigned at = 0; at < span; at += 64)
        view_put(view, address + at, bytes->words[at / 64], ~UINT64_C(0));
}

/* ---- sources: what was read when an undefined value came into a register ---- */

/* How many bytes of an element of several members have a value: of float2 and its like, which are as large as
 * they are aligned. All or none: 0. */
static unsigned held_of(const BitView *view, uint64_t address, unsigned element_bytes) {
    if (element_bytes != 8 && element_bytes != 16) return 0;
    const uint64_t defined = view_get(view, address - address % element_bytes, element_bytes);
    const unsigned held = (unsigned)__builtin_popcountll(defined & bits_mask(element_bytes));
    return held % element_bytes;
}

/* Shared memory is gone when a copy to the host brings to light what was read there: its name, and whether
 * anybody had stored anything in it, are kept. */
static void remember_shared(Check *check, const GpuAccess *access, unsigned lane, UndefinedSource *source) {
    const GpuLaunch *launch = gpu_block_launch(gpu_warp_block(access->warp));
    const CheckArray array =
        check_array_at(check, launch, access->space, access->address[lane], NULL, access->bytes);
    source->array = array;
    if (array.name)
        source->array.name = check_intern(check, array.name);
    else
        source->array.name = NULL;
    source->copying = gpu_block_copies_to(gpu_warp_block(access->warp), access->address[lane]);
    if (!array.name || array.index < 0 || (uint64_t)array.index >= array.length) return;
    const BitView view = view_of(check->initialisation, access);
    const uint64_t start = access->address[lane] - (uint64_t)array.index * array.element_bytes;
    bool untouched = true;
    for (uint64_t i = 0; untouched && i < array.length; i++)
        untouched = view_get(&view, start + i * array.element_bytes, 1) == 0;
    source->held = held_of(&view, access->address[lane], array.element_bytes);
    source->untouched = untouched && source->held == 0;
}

static void remember_source(Check *check, const GpuAccess *access, unsigned lane) {
    Initialisation *initialisation = check->initialisation;
    const GpuBlock *block = gpu_warp_block(access->warp);
    UndefinedSource *source = &initialisation->sources[access->pc % SOURCE_SLOTS];
    uint32_t launch = gpu_block_launch(block)->id;
    if (source->pc == access->pc && source->launch == launch) return;
    *source =
        (UndefinedSource){.pc = access->pc, .launch = launch, .space = access->space, .bytes = access->bytes};
    source->block = gpu_block_linear(block);
    source->thread = 32 * gpu_warp_index(access->warp) + lane;
    source->address = access->address[lane];
    if (access->space == PTX_SPACE_SHARED) remember_shared(check, access, lane, source);
}

const UndefinedSource *initialisation_source(const Initialisation *initialisation, const GpuLaunch *launch,
                                             uint32_t pc) {
    const UndefinedSource *source = &initialisation->sources[pc % SOURCE_SLOTS];
    if (pc && source->pc == pc && source->launch == launch->id) return source;
    return NULL;
}

/* ---- events of execution ---- */

/* The page is asked for only now and then: it may have holes for good. */
static bool page_is_whole(Initialisation *initialisation, uint64_t offset) {
    enum { TURNS = 16 };
    if (bits_page_is_whole(initialisation->global, offset)) return true;
    if (++initialisation->pages_asked % TURNS) return false;
    bits_look_at_page(initialisation->global, offset);
    return bits_page_is_whole(initialisation->global, offset);
}

static bool global_span_is_whole(Initialisation *initialisation, const GpuAccess *access) {
    uint64_t first = access->low - GPU_GLOBAL_BASE, last = access->high + access->bytes - 1 - GPU_GLOBAL_BASE;
    return last - first < BITS_PAGE_BYTES && page_is_whole(initialisation, first) &&
           page_is_whole(initialisation, last);
}

/* Eight lanes side by side lie in one page or two. */
static bool global_rows_are_whole(Initialisation *initialisation, const GpuAccess *access) {
    enum { EIGHT = 8 };
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane += EIGHT)
        if (!page_is_whole(initialisation, access->address[lane] - GPU_GLOBAL_BASE) ||
            !page_is_whole(initialisation, access->address[lane + EIGHT - 1] - GPU_GLOBAL_BASE))
            return false;
    return true;
}

/* Lanes all over the memory: a lane lies in one page, for it is aligned. */
static bool global_lanes_are_whole(Initialisation *initialisation, const GpuAccess *access) {
    if (access->rows || access->steps) return global_rows_are_whole(initialisation, access);
    for (uint32_t lanes = access->lanes; lanes; lanes &= lanes - 1)
        if (!page_is_whole(initialisation, access->address[__builtin_ctz(lanes)] - GPU_GLOBAL_BASE))
            return false;
    return true;
}

/* What nearly every access is: quick ways to see that all its bytes are defined. False says nothing. */
static bool plainly_defined(Initialisation *initialisation, const BitView *view, const GpuAccess *access) {
    uint64_t span = access->high - access->low + access->bytes;
    if (view->global && span <= MOST_SPAN && global_span_is_whole(initialisation, access)) return true;
    const PatternBytes *bytes = pattern_of(initialisation, access);
    if (bytes) return pattern_defined(view, bytes, access->low, span);
    if (span <= MOST_SPAN) return run_defined(view, access->low, (unsigned)span);
    return view->global && global_lanes_are_whole(initialisation, access);
}

/* The answer goes back into the access, since the machine carries definedness along with the value. The
 * origin (the pc that made the value undefined) is what a later finding names; a read of memory that nobody
 * wrote is an origin itself. */
static void look_up(Check *check, const BitView *view, GpuAccess *access) {
    Initialisation *initialisation = check->initialisation;
    access->undefined_lanes = 0;
    bool plain = plainly_defined(initialisation, view, access);
    if (plain && !CHECK_BOTH) return;
    unsigned first = check_first_lane(access->lanes);
    uint64_t all = bits_mask(access->bytes);
    for (unsigned lane = first; lane < GPU_WARP_LANES; lane++) {
        if (!(access->lanes >> lane & 1)) continue;
        uint64_t missing = ~view_get(view, access->address[lane], access->bytes) & all;
        if (!missing) continue;
        access->undefined_lanes |= UINT32_C(1) << lane;
        access->undefined_bytes[lane] = (uint16_t)missing;
    }
    if (!access->undefined_lanes) return;
    if (plain) BUG("pc %u reads undefined bytes in what counts as defined", access->pc);
    unsigned lane = check_first_lane(access->undefined_lanes);
    unsigned byte = (unsigned)__builtin_ctz(access->undefined_bytes[lane]);
    uint32_t stored = origin_get(initialisation, origin_key(access, access->address[lane] + byte));
    if (stored)
        access->origin = stored;
    else
        access->origin = access->pc;
    if (!stored) remember_source(check, access, lane);
}

/* Bytes of a defined value become defined, those of an undefined one undefined, with their origin; of several
 * lanes that store to one place the machine's winner counts. A warp that defines what is defined already, as
 * most stores do, touches nothing. */
static void store(const Check *check, const BitView *view, const GpuAccess *access, uint32_t undefined) {
    Initialisation *initialisation = check->initialisation;
    unsigned run = run_bytes(access), first = check_first_lane(access->lanes);
    if (!(undefined & access->lanes) && plainly_defined(initialisation, view, access)) return;
    if (run && !(undefined & access->lanes)) {
        define_run(view, access->address[first], run);
        return;
    }
    const PatternBytes *bytes = pattern_of(initialisation, access);
    if (bytes && !(undefined & access->lanes)) {
        define_pattern(view, bytes, access->low, access->high - access->low + access->bytes);
        return;
    }
    uint64_t all = bits_mask(access->bytes);
    const bool as_card = access->kind == GPU_WRITE && gpu_stores_as_card(check->gpu);
    for (uint32_t left = access->lanes; left;) {
        unsigned lane = gpu_next_to_store(&left, access->bytes, as_card);
        uint64_t missing = 0;
        if (undefined >> lane & 1) missing = access->undefined_bytes[lane];
        view_put(view, access->address[lane], all, ~missing);
        for (unsigned byte = 0; missing && byte < access->bytes; byte += 4)
            if (missing >> byte & 15)
                origin_put(initialisation, origin_key(access, access->address[lane] + byte),
                           access->origin ? access->origin : access->pc);
    }
}

/* exch does not look at what was there; everything else computes with it. */
static bool atomic_uses_memory(const Check *check, uint32_t pc) {
    const PtxInstruction *instruction = gpu_place(check->gpu, pc).instruction;
    return !instruction || instruction->modifiers.atomic != PTX_ATOM_EXCH;
}

/* What the operand lacks goes into memory, what memory lacks comes back as the old value. An atomic on memory
 * that was never set is told at once, and the memory counts as set from then on: one mistake, one finding. */
static void atomic(Check *check, const BitView *view, GpuAccess *access) {
    GpuAccess old = *access;
    old.undefined_lanes = 0;
    look_up(check, view, &old);
    if (old.undefined_lanes && old.origin == access->pc && atomic_uses_memory(check, access->pc)) {
        initialisation_tell_atomic(check, access, check_first_lane(old.undefined_lanes));
        old.undefined_lanes = 0;
    }
    store(check, view, access, access->undefined_lanes);
    access->undefined_lanes = old.undefined_lanes;
    memcpy(access->undefined_bytes, old.undefined_bytes, sizeof access->undefined_bytes);
    if (old.undefined_lanes) access->origin = old.origin;
}

/** As the machine's keeper: the access is changed, and the machine goes on with what it says. */
void initialisation_on_access(Check *check, GpuAccess *access) {
    if (access->space != PTX_SPACE_GLOBAL && access->space != PTX_SPACE_SHARED) return;
    BitView view = view_of(check->initialisation, access);
    switch (access->kind) {
    case GPU_READ:
        look_up(check, &view, access);
        return;
    case GPU_WRITE:
        if (access->undefined_lanes && shuffle_story_tell_store(check, access)) access->undefined_lanes = 0;
        store(check, &view, access, access->undefined_lanes);
        return;
    case GPU_ATOMIC:
        natures_on_atomic(check, access);
        atomic(check, &view, access);
        return;
    }
}

static void on_undefined_use(void *self, const GpuWarp *warp, uint32_t lanes, uint32_t pc,
                             GpuUndefinedUse use, uint32_t origin) {
    initialisation_tell_use(self, warp, lanes, pc, use, origin);
}

static void on_block_begin(void *self, const GpuBlock *block) {
    Initialisation *initialisation = ((Check *)self)->initialisation;
    const GpuLaunch *launch = gpu_block_launch(block);
    uint32_t slot = gpu_block_slot(block);
    uint32_t span = gpu_kernel_shared_span(launch->spec.kernel, launch->spec.dynamic_shared);
    size_t words = 0;
    if (span) words = span / 64 + 3; /* views read and write up to 64 bits past the last byte */
    if (words > initialisation->shared_words[slot]) {
        uint64_t *larger = realloc(initialisation->shared[slot], words * sizeof *larger);
        if (!larger) {
            initialisation->shared_words[slot] = 0; /* then all of it counts as defined */
            check_incomplete(self);
            return;
        }
        initialisation->shared[slot] = larger;
        initialisation->shared_words[slot] = words;
    }
    if (words) memset(initialisation->shared[slot], 0, words * sizeof(uint64_t));
}

/* ---- events of the host ---- */

static bool in_global(uint64_t address) {
    return address >= GPU_GLOBAL_BASE && address - GPU_GLOBAL_BASE < GPU_GLOBAL_SPAN;
}

static void set_range(Check *check, uint64_t address, uint64_t bytes, bool defined) {
    if (in_global(address))
        bits_fill(check->initialisation->global, address - GPU_GLOBAL_BASE, bytes, defined);
}

static bool defined_from_start(GpuAllocationKind kind) {
    return kind == GPU_ALLOC_GLOBAL_VARIABLE || kind == GPU_ALLOC_CONST_VARIABLE;
}

static void on_allocated(void *self, const GpuAllocation *allocation) {
    set_range(self, allocation->address, allocation->bytes, defined_from_start(allocation->kind));
}

static void on_host_write(void *self, const GpuAllocation *allocation, uint64_t address, uint64_t bytes,
                          uint64_t site) {
    (void)allocation;
    (void)site;
    set_range(self, address, bytes, true);
}

static void on_device_copy(void *self, uint64_t to, uint64_t from, uint64_t bytes, uint64_t site) {
    Check *check = self;
    (void)site;
    if (!in_global(to)) return;
    if (!in_global(from)) {
        set_range(check, to, bytes, true);
        return;
    }
    Bits *bits = check->initialisation->global;
    if (bits_all(bits, from - GPU_GLOBAL_BASE, bytes)) {
        set_range(check, to, bytes, true);
        return;
    }
    check_remember_copy(check, to, from);
    gpu_forget_repeats(check->gpu); /* what was defined may be so no longer */
    for (uint64_t at = 0; at < bytes; at += 64) {
        unsigned step = 64;
        if (bytes - at < 64) step = (unsigned)(bytes - at);
        bits_put(bits, to + at - GPU_GLOBAL_BASE, bits_mask(step),
                 bits_get(bits, from + at - GPU_GLOBAL_BASE, step));
    }
}

static void on_launch_end(void *self, const GpuLaunch *launch, GpuStatus status) {
    Check *check = self;
    (void)launch;
    (void)status;
    if (check->initialisation->global->failed) check_incomplete(check);
}

static void on_host_read(void *self, const GpuAllocation *allocation, uint64_t address, uint64_t bytes,
                         uint64_t site) {
    Check *check = self;
    if (check->initialisation->global->failed) check_incomplete(check);
    if (!in_global(address) || bytes == 0) return;
    if (bits_all(check->initialisation->global, address - GPU_GLOBAL_BASE, bytes)) return;
    initialisation_tell_copy(check, allocation, address, bytes, site);
}

/* ---- ranges: a worker stores no undefined value, so bits only become set ---- */

enum { PAGE_BYTES = 4096, BITS_AT_ONCE = 64 };

static void on_range_put(void *self, GpuRange *range) {
    const Bits *bits = ((Check *)self)->initialisation->global;
    const GpuRangePage *page;
    for (unsigned i = 0; (page = gpu_range_page(range, i)); i++) {
        if (!page->changed) continue;
        uint64_t words[PAGE_BYTES / BITS_AT_ONCE];
        for (unsigned at = 0; at < PAGE_BYTES / BITS_AT_ONCE; at++)
            words[at] = bits_get(bits, page->offset + at * BITS_AT_ONCE, BITS_AT_ONCE);
        gpu_range_put(range, words, sizeof words);
    }
}

static void on_range_take(void *self, GpuRange *range) {
    Bits *bits = ((Check *)self)->initialisation->global;
    const GpuRangePage *page;
    for (unsigned i = 0; (page = gpu_range_page(range, i)); i++) {
        if (!page->changed) continue;
        const uint64_t *words = gpu_range_take(range, PAGE_BYTES / 8);
        for (unsigned at = 0; at < PAGE_BYTES / BITS_AT_ONCE; at++)
            if (words[at]) bits_put(bits, page->offset + at * BITS_AT_ONCE, words[at], words[at]);
    }
}

/* Accesses come through access.c, which asks initialisation first, and are not in this list. */
GpuObserver initialisation_observer(Check *check) {
    return (GpuObserver){.self = check,
                         .allocated = on_allocated,
                         .host_write = on_host_write,
                         .host_read = on_host_read,
                         .device_copy = on_device_copy,
                         .launch_end = on_launch_end,
                         .block_begin = on_block_begin,
                         .undefined_use = on_undefined_use,
                         .sync_mistake = shuffle_story_on_sync_mistake,
                         .in_repeats = true,
                         .in_ranges = true,
                         .range_put = on_range_put,
                         .range_take = on_range_take};
}
