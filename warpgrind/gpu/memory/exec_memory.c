/* exec_memory.c - loads and stores: a warp's addresses are looked at together, checked, shown to observers,
 * then moved.
 *
 * Each instruction remembers the region (allocation, or shared variable) it last touched. When all lanes fall
 * into it and are aligned, which is nearly always so, no table is searched. Lanes that do not fit go one by
 * one through exec_slow.c, which sorts them into regions and faults.
 */
#include "gpu/dataflow/progress.h"
#include "gpu/dataflow/speculation.h"
#include "gpu/dataflow/waiting.h"
#include "gpu/definedness/undefined.h"
#include "gpu/memory/exec_memory.h"
#include "gpu/memory/memory.h"

/* ---- addresses ---- */

#if CHECK_BOTH
/** Lane by lane what exec_address.c says at once. */
static void memory_check_shape(const GpuWarp *warp, uint32_t mask, uint64_t step, const GpuReach *reach,
                               const GpuShape *shape) {
    const uint64_t *address = warp->address, first = address[shape->first];
    bool inside = true, uniform = true, adjacent = true, rows = mask == UINT32_MAX, steps = rows;
    for (unsigned i = 0; i < GPU_WARP_LANES; i++) {
        bool active = mask >> i & 1;
        if (!active && address[i] != first) BUG("idle lane %u has another address", i);
        inside &= address[i] - reach->first <= reach->limit && address[i] % step == 0;
        uniform &= address[i] == first;
        adjacent &= !active || address[i] == first + (i - shape->first) * step;
        rows &= address[i] == address[i & ~7u] + (i & 7) * step;
        steps &= address[i] == address[i & ~7u];
        if (shape->pattern && address[i] - first != shape->pattern->further[i])
            BUG("lane %u is elsewhere", i);
    }
    const bool simple = uniform || (adjacent && shape->relation & GPU_ADDRESSES_ADJACENT);
    if (uniform != shape->uniform || (shape->contiguous && !adjacent)) BUG("lanes lie otherwise");
    if (!simple && (rows != !!(shape->relation & GPU_ADDRESSES_ROWS) ||
                    steps != !!(shape->relation & GPU_ADDRESSES_STEPS)))
        BUG("eights lie otherwise");
    if (shape->inside && !inside) BUG("a lane is outside");
}
#endif

/** Fills warp->address and says how the addresses lie, also in the region where the instruction went last. */
void memory_addresses(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, uint64_t step,
                      GpuShape *shape) {
    const GpuRegionCache *region = &ins->function->caches[ins->memory.cache];
    bool known = region->epoch == warp->run->gpu->memory.epoch && region->bytes >= step;
    GpuReach reach = {region->first, region->bytes - step};
    if (region->space == PTX_SPACE_LOCAL) known = local_reach(warp, ins, step, &reach);
    unsigned first = (unsigned)__builtin_ctz(mask), relation;
    uint32_t shifted = mask >> first;
    GpuPattern *pattern = &ins->function->patterns[ins->memory.cache];
    relation = warp->run->gpu->variant->addresses(warp->address, gpu_row(warp, ins->a), ins, mask, step,
                                                  &reach, pattern);
    shape->first = first;
    shape->lanes = (unsigned)__builtin_popcount(mask);
    shape->uniform = relation & GPU_ADDRESSES_EQUAL;
    shape->contiguous = relation & GPU_ADDRESSES_ADJACENT && (shifted & (shifted + 1)) == 0;
    shape->relation = relation;
    shape->pattern = NULL;
    if (relation & GPU_ADDRESSES_PATTERN) shape->pattern = pattern;
    shape->inside = known && relation & GPU_ADDRESSES_INSIDE;
#if CHECK_BOTH
    memory_check_shape(warp, mask, step, &reach, shape);
#endif
}

/* ---- regions ---- */

/** Finds the shared variable that holds this offset. The launch's dynamic memory, behind the variables,
 * counts as one more, and so do the bytes that the system keeps. False when it is in none. */
static bool memory_shared_region(const GpuBlock *block, uint64_t offset, GpuRegionCache *region) {
    const GpuKernel *kernel = block->run->kernel;
    uint32_t dynamic = block->run->launch.spec.dynamic_shared;
    for (unsigned i = 0; i <= kernel->region_count; i++) {
        bool last = i == kernel->region_count;
        uint32_t start;
        if (last)
            start = kernel->dynamic_offset;
        else
            start = kernel->regions[i].offset;
        uint32_t bytes = dynamic;
        if (!last) bytes = kernel->regions[i].bytes;
        if (offset - start >= bytes) continue;
        *region = (GpuRegionCache){
            .first = start, .bytes = bytes, .shared_offset = start, .space = PTX_SPACE_SHARED};
        return true;
    }
    if (offset - PTX_SYSTEM_SHARED >= PTX_SYSTEM_SHARED_BYTES) return false;
    *region = (GpuRegionCache){.first = PTX_SYSTEM_SHARED,
                               .bytes = PTX_SYSTEM_SHARED_BYTES,
                               .shared_offset = block_system_shared(block),
                               .space = PTX_SPACE_SHARED};
    return true;
}

uint8_t *memory_shared_host(const GpuBlock *block, uint64_t offset, uint64_t bytes) {
    GpuRegionCache region;
    if (!memory_shared_region(block, offset, &region) || bytes > region.bytes - (offset - region.first))
        return NULL;
    return block->shared + region.shared_offset + (offset - region.first);
}

void *gpu_shared_host(const GpuBlock *block, uint64_t offset, uint64_t bytes) {
    return memory_shared_host(block, offset, bytes);
}

/** The region an address lies in, as instructions with that space see it; false when it lies in none. */
bool memory_region(GpuWarp *warp, PtxSpace space, uint64_t address, GpuRegionCache *region) {
    Gpu *gpu = warp->run->gpu;
    PtxSpace real = space;
    if (space == PTX_SPACE_GENERIC) real = memory_space_of(address);
    uint64_t bias = 0;
    if (space == PTX_SPACE_GENERIC && real == PTX_SPACE_SHARED) bias = GPU_SHARED_WINDOW;
    if (real == PTX_SPACE_LOCAL || real == PTX_SPACE_PARAM) return false; /* lane by lane */
    if (real == PTX_SPACE_SHARED) {
        if (!memory_shared_region(warp->block, address - bias, region)) return false;
        region->first += bias;
        region->bias = bias;
    } else {
        const GpuAllocation *found = gpu_memory_find(gpu, address);
        if (!found || found->bytes == 0) return false;
        bool constant = found->kind == GPU_ALLOC_CONST_VARIABLE;
        if (constant != (real == PTX_SPACE_CONST)) return false;
        *region = (GpuRegionCache){
            .first = found->address, .bytes = found->bytes, .allocation = found, .space = (uint8_t)real};
        region->host = gpu_memory_bytes(gpu, found->address);
    }
    region->epoch = gpu->memory.epoch;
    return true;
}

/** Whether all lanes lie in the region, aligned. */
static bool memory_fits(const GpuWarp *warp, const GpuRegionCache *region, uint32_t mask, uint64_t step) {
    if (region->bytes < step) return false;
    uint64_t limit = region->bytes - step, outside = 0, odd = 0;
    for (; mask; mask &= mask - 1) {
        uint64_t address = warp->address[__builtin_ctz(mask)];
        outside |= address - region->first > limit;
        odd |= address & (step - 1);
    }
    return !outside && !odd;
}

/** The instruction's region when all lanes are in it; NULL when the slow way is needed. Of local memory only
 * the space is kept: each frame has it elsewhere (local_reach). */
GpuRegionCache *memory_fast(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, GpuAccessKind kind,
                            uint64_t step, const GpuShape *shape) {
    GpuRegionCache *region = &ins->function->caches[ins->memory.cache];
    if (shape->inside) return region;
    const uint64_t address = warp->address[shape->first];
    if (!memory_region(warp, (PtxSpace)ins->memory.space, address, region)) {
        const bool generic = ins->memory.space == PTX_SPACE_GENERIC;
        region->space = generic ? (uint8_t)memory_space_of(address) : ins->memory.space;
        region->epoch = 0;
        return NULL;
    }
    if (!memory_fits(warp, region, mask, step)) return NULL;
    if (region->space == PTX_SPACE_GLOBAL) memory_tell_moved(warp, ins, mask, kind, step, region->allocation);
    return region;
}

/* ---- events ---- */

/* A store past the first-level cache (.cg) of 8 bytes or more is a flag with its value beside it (decoupled
 * look-back): it needs no fence, for what the value was computed from has been read. */
static void access_order(GpuAccess *access, const GpuInstruction *ins) {
    const PtxModifiers *modifiers = &ins->source->modifiers;
    access->semantics = modifiers->semantics;
    access->scope = modifiers->scope;
    bool stores = ins->source->opcode == PTX_OP_st && modifiers->semantics == PTX_SEM_WEAK;
    if (!modifiers->cg || !stores || access->bytes < 8) return;
    access->semantics = PTX_SEM_RELEASE;
    access->scope = PTX_SCOPE_GPU;
}

/** Fills in what all accesses have in common, in the warp's own event: nothing in it outlives the
 * instruction. */
GpuAccess *memory_begin_access(GpuWarp *warp, const GpuInstruction *ins, GpuAccessKind kind, uint32_t lanes,
                               uint8_t bytes, PtxSpace space) {
    GpuAccess *access = &warp->access;
    access->warp = warp;
    access->pc = ins->pc;
    access->space = space;
    access->kind = kind;
    access->bytes = bytes;
    access_order(access, ins);
    access->reduction = kind == GPU_ATOMIC && ins->count == 0;
    access->lanes = lanes;
    access->wanted = ins->memory.speculative ? lanes & warp->wanted : lanes;
    access->address = warp->address;
    access->values = kind == GPU_READ ? NULL : warp->values;
    access->undefined_lanes = 0;
    access->origin = 0;
    access->contiguous = access->uniform = access->texture = false;
    access->rows = access->steps = false;
    access->low = UINT64_MAX;
    access->high = 0;
    access->pattern = 0;
    access->further = access->filtered = access->corners = access->waits = false;
    access->arrives = false;
    return access;
}

static void access_find_span(GpuAccess *access) {
    for (uint32_t lanes = access->lanes; lanes; lanes &= lanes - 1) {
        uint64_t address = access->address[__builtin_ctz(lanes)];
        if (address < access->low) access->low = address;
        if (address > access->high) access->high = address;
    }
}

void memory_send_access(GpuWarp *warp, GpuAccess *access) {
    const Gpu *gpu = warp->run->gpu;
    if (access->low > access->high) access_find_span(access);
    waiting_access(warp, access);
    if (warp->run->watch) progress_access(warp->run->watch, gpu, access);
    if (gpu->keeper.access) gpu->keeper.access(gpu->keeper.self, access);
    for (unsigned i = 0; i < gpu->access_count; i++)
        gpu->access_observers[i]->access(gpu->access_observers[i]->self, access);
    if (warp->block->copies && access->space == PTX_SPACE_SHARED) copy_meet(warp, access);
}

/** Idle lanes have the first one's address here. */
static void access_note_span(GpuAccess *access, const GpuShape *shape) {
    access->low = access->high = access->address[shape->first];
    if (shape->contiguous) {
        access->high += (shape->lanes - 1) * access->bytes;
    } else if (shape->pattern) {
        access->low -= shape->pattern->below;
        access->high += shape->pattern->above;
    } else if (!shape->uniform) {
        GpuSpan span = access->warp->run->gpu->variant->find_span(access->address);
        access->low = span.low;
        access->high = span.high;
    }
}

/** A pattern that has not come twice is not worth a number. */
static uint64_t number_of(Gpu *gpu, GpuPattern *pattern) {
    if (!pattern || pattern->misses) return 0;
    if (pattern->number == 0) pattern->number = ++gpu->patterns;
    return pattern->number;
}

/** Shows the access to observers. Generic addresses of shared memory are turned into offsets for as long
 * as that takes. */
void memory_tell(GpuWarp *warp, const GpuInstruction *ins, GpuAccessKind kind, uint32_t mask, uint64_t step,
                 const GpuRegionCache *region, const GpuShape *shape) {
    uint8_t *host = memory_region_host(warp, region) + (warp->address[shape->first] - region->first);
    if (region->bias)
        for (unsigned i = 0; i < GPU_WARP_LANES; i++)
            warp->address[i] -= region->bias;
    GpuAccess *access = memory_begin_access(warp, ins, kind, mask, (uint8_t)step, (PtxSpace)region->space);
    access->contiguous = shape->contiguous;
    access->uniform = shape->uniform;
    access->rows = shape->relation & GPU_ADDRESSES_ROWS;
    access->steps = shape->relation & GPU_ADDRESSES_STEPS;
    access_note_span(access, shape);
    access->pattern = number_of(warp->run->gpu, shape->pattern);
    access->allocation = region->allocation;
    access->memory = host;
    if (kind == GPU_WRITE) access->values = warp->stored;
    if (kind != GPU_READ && warp->run->track) undefined_of_parts(warp, ins, mask, access);
    memory_send_access(warp, access);
    if (region->bias)
        for (unsigned i = 0; i < GPU_WARP_LANES; i++)
            warp->address[i] += region->bias;
}

/* ---- moving ---- */

void memory_load_lane(const GpuWarp *warp, const GpuInstruction *ins, unsigned lane, const uint8_t *from) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    for (unsigned k = 0; k < ins->count; k++) {
        if (parts[k].sink) continue;
        uint64_t value = memory_read_value(from + k * ins->bytes, ins->bytes);
        gpu_lane_set(warp, parts[k].row, parts[k].width, lane,
                     gpu_extend(value, ins->bytes, ins->memory.sign));
    }
}

/** The registers of a vector have its elements' own width, 4 or 8 bytes: rows need no look at single lanes.
 */
static bool memory_is_vector(const GpuInstruction *ins, const GpuExtra *parts) {
    if (ins->count < 2 || (ins->bytes != 4 && ins->bytes != 8)) return false;
    for (unsigned k = 0; k < ins->count; k++)
        if (parts[k].sink || parts[k].width != ins->bytes) return false;
    return true;
}

/** Copies `count` elements of 4 or 8 bytes from one place every so many bytes to another. */
static void memory_spread(uint8_t *to, size_t to_step, const uint8_t *from, size_t from_step, unsigned bytes,
                          unsigned count) {
    if (bytes == 4)
        for (unsigned i = 0; i < count; i++)
            memcpy(to + i * to_step, from + i * from_step, 4);
    else
        for (unsigned i = 0; i < count; i++)
            memcpy(to + i * to_step, from + i * from_step, 8);
}

/** The low one or two bytes of each lane of a row, side by side. */
static void memory_narrow(uint8_t *restrict to, const uint8_t *restrict row, unsigned bytes) {
    if (bytes == 1)
        for (unsigned i = 0; i < GPU_WARP_LANES; i++)
            to[i] = row[i * 4];
    else
        for (unsigned i = 0; i < GPU_WARP_LANES; i++)
            memcpy(to + i * 2, row + i * 4, 2);
}

/** What the lanes store, one after the other: a row as it stands where it is that already. */
static const uint8_t *memory_gather_values(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    unsigned step = ins->bytes * ins->count;
    uint8_t *values = warp->values;
    if (ins->count == 1 && parts->width == ins->bytes) return gpu_row(warp, parts->row);
    if (ins->count == 1 && parts->width == 4 && ins->bytes <= 2) {
        memory_narrow(values, gpu_row(warp, parts->row), ins->bytes);
        return values;
    }
    if (memory_is_vector(ins, parts)) {
        for (unsigned k = 0; k < ins->count; k++)
            memory_spread(values + k * ins->bytes, step, gpu_row(warp, parts[k].row), ins->bytes, ins->bytes,
                          GPU_WARP_LANES);
        return values;
    }
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        for (unsigned k = 0; k < ins->count; k++) {
            uint64_t value = gpu_lane_value(warp, parts[k].row, parts[k].width, lane);
            memcpy(values + lane * step + k * ins->bytes, &value, ins->bytes);
        }
    }
    return values;
}

/** One element a lane, of the register's own width: whole rows where lanes are adjacent. */
static bool memory_load_rows(const GpuWarp *warp, const GpuInstruction *ins, uint32_t mask,
                             const uint8_t *from, const GpuShape *shape) {
    const GpuExtra *part = ins->function->extra + ins->extra;
    if (ins->count != 1 || part->sink || part->width != ins->bytes) return false;
    uint8_t *d = gpu_row(warp, part->row);
    if (shape->contiguous && mask != UINT32_MAX) {
        memcpy(d + shape->first * part->width, from, (size_t)shape->lanes * part->width);
        return true;
    }
    const uintptr_t base = (uintptr_t)from - (uintptr_t)warp->address[shape->first];
    warp->run->gpu->variant->load_row(d, base, warp->address, mask, part->width, shape->relation);
    return true;
}

/** A vector a lane, adjacent lanes. */
static bool memory_load_vectors(const GpuWarp *warp, const GpuInstruction *ins, const uint8_t *from,
                                const GpuShape *shape) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    if (!shape->contiguous || !memory_is_vector(ins, parts)) return false;
    for (unsigned k = 0; k < ins->count; k++)
        memory_spread((uint8_t *)gpu_row(warp, parts[k].row) + shape->first * ins->bytes, ins->bytes,
                      from + k * ins->bytes, (size_t)ins->bytes * ins->count, ins->bytes, shape->lanes);
    return true;
}

/** Four bytes for each of 32 lanes, in registers of eight. */
static bool memory_load_words(const GpuWarp *warp, const GpuInstruction *ins, uint32_t mask,
                              const uint8_t *from, const GpuShape *shape) {
    const GpuExtra *part = ins->function->extra + ins->extra;
    if (ins->count != 1 || part->sink || part->width != 8 || ins->bytes != 4 || mask != UINT32_MAX)
        return false;
    const uintptr_t base = (uintptr_t)from - (uintptr_t)warp->address[shape->first];
    uint32_t words[GPU_WARP_LANES] __attribute__((aligned(64)));
    uint64_t *row = gpu_row(warp, part->row);
    warp->run->gpu->variant->load_row(words, base, warp->address, mask, sizeof *words, shape->relation);
    if (ins->memory.sign)
        for (unsigned i = 0; i < GPU_WARP_LANES; i++)
            row[i] = (uint64_t)(int64_t)(int32_t)words[i];
    else
        for (unsigned i = 0; i < GPU_WARP_LANES; i++)
            row[i] = words[i];
    return true;
}

/** One byte or two for each of 32 lanes. */
static bool memory_load_narrow(const GpuWarp *warp, const GpuInstruction *ins, uint32_t mask,
                               const uint8_t *from, const GpuShape *shape) {
    const GpuExtra *part = ins->function->extra + ins->extra;
    if (ins->count != 1 || part->sink || part->width != 4 || ins->bytes > 2 || mask != UINT32_MAX)
        return false;
    const uintptr_t base = (uintptr_t)from - (uintptr_t)warp->address[shape->first];
    warp->run->gpu->variant->load_narrow(gpu_row(warp, part->row), base, warp->address, ins->bytes,
                                         ins->memory.sign, shape->contiguous);
    return true;
}

static void memory_do_load(const GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, const uint8_t *from,
                           const GpuShape *shape) {
    if (memory_load_rows(warp, ins, mask, from, shape) || memory_load_vectors(warp, ins, from, shape)) return;
    if (memory_load_words(warp, ins, mask, from, shape) || memory_load_narrow(warp, ins, mask, from, shape))
        return;
    uint64_t start = warp->address[shape->first];
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        memory_load_lane(warp, ins, lane, from + (int64_t)(warp->address[lane] - start));
    }
}

/** Where several lanes store to one place, the order of the seed says who wins (gpu_next_to_store). */
static void memory_do_store(const GpuWarp *warp, unsigned step, uint32_t mask, uint8_t *to,
                            const GpuShape *shape) {
    if (shape->contiguous && shape->lanes * step == GPU_ROW_BYTES) {
        memcpy(to, warp->stored + shape->first * step, GPU_ROW_BYTES); /* in line, as loads are */
        return;
    }
    if (shape->contiguous) {
        memcpy(to, warp->stored + shape->first * step, (size_t)shape->lanes * step);
        return;
    }
    const uintptr_t base = (uintptr_t)to - (uintptr_t)warp->address[shape->first];
    const bool as_card = machine_stores_as_card(warp->run->gpu);
    if (mask == UINT32_MAX && step == 4 && as_card) {
        for (unsigned lane = GPU_WARP_LANES; lane-- > 0;)
            memcpy((uint8_t *)(base + warp->address[lane]), warp->stored + lane * 4, 4);
        return;
    }
    while (mask) {
        unsigned lane = gpu_next_to_store(&mask, step, as_card);
        memcpy((uint8_t *)(base + warp->address[lane]), warp->stored + lane * step, step);
    }
}

/** Asks for what the instruction will want the time after next, when it has come twice as far each time: a
 * loop over the grid goes so far that no processor guesses it, and then each row waits for the memory, longer
 * than a round of the loop takes. */
static void memory_ask_ahead(GpuRegionCache *region, const uint8_t *host, const GpuShape *shape, bool writes,
                             uint64_t step) {
    enum { LINE = 64, NEAR = 2048 };
    if (!shape->contiguous || !region->host) return;
    const uintptr_t apart = (uintptr_t)host - region->last, next = (uintptr_t)host + 2 * apart;
    const bool again = apart == region->apart;
    region->last = (uintptr_t)host;
    region->apart = apart;
    if (!again || apart + NEAR < 2 * NEAR) return;
    for (uint64_t at = 0; at < shape->lanes * step; at += LINE)
        if (writes)
            __builtin_prefetch((const void *)(next + at), 1);
        else
            __builtin_prefetch((const void *)(next + at), 0);
}

/* ---- handlers ---- */

/** Reports undefined addresses, once; returns whether there were any. */
bool memory_check_address(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    if (!warp->run->track || ins->address_register == GPU_NO_REGISTER) return false;
    uint32_t undefined = warp->meta[ins->address_register].undefined & mask;
    if (undefined) undefined_report(warp, ins, ins->address_register, undefined, GPU_UNDEFINED_ADDRESS);
    return undefined != 0;
}

/** The fast way is one region for all lanes. Local memory has its own, everything else is sorted lane by
 * lane. */
const GpuInstruction *memory_load(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint64_t step = (uint64_t)ins->bytes * ins->count;
    GpuShape shape;
    bool undefined = memory_check_address(warp, ins, mask);
    if (ins->memory.speculative && warp->run->gpu->access_count)
        warp->wanted = speculation_wanted(warp, ins, mask);
    memory_addresses(warp, ins, mask, step, &shape);
    GpuRegionCache *region = memory_fast(warp, ins, mask, GPU_READ, step, &shape);
    if (!region) {
        slow_load(warp, ins, mask, step, undefined);
        return gpu_go_on(warp, ins);
    }
    if (region->space == PTX_SPACE_LOCAL) {
        if (warp->run->gpu->lent) lent_use(warp, ins, mask, GPU_READ, step, GPU_LOCAL_WINDOW);
        local_load(warp, ins, mask, &shape);
        return ins->next;
    }
    if (warp->run->track) undefined_clear_parts(warp, ins, mask);
    if (memory_is_watched(warp, region)) {
        memory_tell(warp, ins, GPU_READ, mask, step, region, &shape);
        if (warp->access.undefined_lanes && warp->run->track)
            undefined_to_parts(warp, ins, mask, &warp->access);
    }
    const uint8_t *from = memory_region_host(warp, region) + (warp->address[shape.first] - region->first);
    memory_ask_ahead(region, from, &shape, false, step);
    memory_do_load(warp, ins, mask, from, &shape);
    if (warp->run->gpu->lent && ins->bytes == 8) lent_load(warp, ins, mask, region);
    return ins->next;
}

/** As memory_load. Constant memory is a region that may not be stored to: the slow way says so. */
const GpuInstruction *memory_store(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint64_t step = (uint64_t)ins->bytes * ins->count;
    GpuShape shape;
    bool undefined = memory_check_address(warp, ins, mask);
    memory_addresses(warp, ins, mask, step, &shape);
    warp->stored = memory_gather_values(warp, ins, mask);
    GpuRegionCache *region = memory_fast(warp, ins, mask, GPU_WRITE, step, &shape);
    if (!region || region->space == PTX_SPACE_CONST) {
        slow_store(warp, ins, mask, step, undefined);
        return gpu_go_on(warp, ins);
    }
    if (region->space == PTX_SPACE_LOCAL) {
        if (warp->run->gpu->lent) lent_use(warp, ins, mask, GPU_WRITE, step, GPU_LOCAL_WINDOW);
        local_store(warp, ins, mask, &shape);
        return ins->next;
    }
    if (ins->bytes == 8 && ins->source->type != PTX_F64) lent_store(warp, ins, mask, region);
    if (memory_is_watched(warp, region)) memory_tell(warp, ins, GPU_WRITE, mask, step, region, &shape);
    uint8_t *to = memory_region_host(warp, region) + (warp->address[shape.first] - region->first);
    memory_ask_ahead(region, to, &shape, true, step);
    memory_do_store(warp, (unsigned)step, mask, to, &shape);
    return ins->next;
}
