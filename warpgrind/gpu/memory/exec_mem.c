/* exec_mem.c - loads and stores: a warp's addresses are looked at together, checked, shown to observers, then
 * moved.
 *
 * Each instruction remembers the region (allocation, or shared variable) it last touched. When all lanes fall
 * into it and are aligned, which is nearly always so, no table is searched. Lanes that do not fit go one by
 * one through memory_slow, which sorts them into regions and faults.
 */
#include "gpu/dataflow/progress.h"
#include "gpu/dataflow/speculation.h"
#include "gpu/definedness/undefined.h"
#include "gpu/memory/memory.h"
#include "gpu/memory/memory_access.h"

enum { POISON = POISON_DEVICE_BYTE };

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
static void memory_addresses(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, uint64_t step,
                             GpuShape *shape) {
    const GpuRegionCache *region = &ins->function->caches[ins->memory.cache];
    bool known = region->epoch == warp->run->gpu->memory.epoch && region->bytes >= step;
    GpuReach reach = {region->first, region->bytes - step};
    if (region->space == PTX_SPACE_LOCAL) known = local_reach(warp, ins, step, &reach);
    unsigned first = (unsigned)__builtin_ctz(mask), relation;
    uint32_t shifted = mask >> first;
    relation =
        warp->run->gpu->variant->addresses(warp->address, gpu_row(warp, ins->a), ins, mask, step, &reach);
    shape->first = first;
    shape->lanes = (unsigned)__builtin_popcount(mask);
    shape->uniform = relation & GPU_ADDRESSES_EQUAL;
    shape->contiguous = relation & GPU_ADDRESSES_ADJACENT && (shifted & (shifted + 1)) == 0;
    shape->relation = relation;
    shape->inside = known && relation & GPU_ADDRESSES_INSIDE;
#if CHECK_BOTH
    memory_check_shape(warp, mask, step, &reach, shape);
#endif
}

/* ---- regions ---- */

static PtxSpace memory_space_of(uint64_t address) {
    if (address - GPU_SHARED_WINDOW < GPU_WINDOW_SPAN) return PTX_SPACE_SHARED;
    if (address - GPU_LOCAL_WINDOW < GPU_WINDOW_SPAN) return PTX_SPACE_LOCAL;
    if (address - GPU_CONST_BASE < GPU_WINDOW_SPAN) return PTX_SPACE_CONST;
    if (address - GPU_PARAM_WINDOW < GPU_WINDOW_SPAN) return PTX_SPACE_PARAM;
    return PTX_SPACE_GLOBAL;
}

/** The shared variable that the offset lies in, or what the system keeps: that is behind the program's bytes.
 */
static bool memory_shared_region(const GpuBlock *block, uint64_t offset, GpuRegionCache *region) {
    const GpuKernel *kernel = block->run->kernel;
    uint32_t dynamic = block->run->launch.spec.dynamic_shared;
    for (unsigned i = 0; i <= kernel->region_count; i++) {
        bool last = i == kernel->region_count;
        uint32_t start = last ? kernel->dynamic_offset : kernel->regions[i].offset;
        uint32_t bytes = last ? dynamic : kernel->regions[i].bytes;
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

/** The region an address lies in, as instructions with that space see it; false when it lies in none. */
static bool memory_region(GpuWarp *warp, PtxSpace space, uint64_t address, GpuRegionCache *region) {
    Gpu *gpu = warp->run->gpu;
    PtxSpace real = space == PTX_SPACE_GENERIC ? memory_space_of(address) : space;
    uint64_t bias = space == PTX_SPACE_GENERIC && real == PTX_SPACE_SHARED ? GPU_SHARED_WINDOW : 0;
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
        region->host = memory_bytes(gpu, found->address);
    }
    region->epoch = gpu->memory.epoch;
    return true;
}

static uint8_t *region_host(const GpuWarp *warp, const GpuRegionCache *region) {
    return region->host ? region->host : warp->block->shared + region->shared_offset;
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
static GpuRegionCache *memory_fast(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, uint64_t step,
                                   const GpuShape *shape) {
    GpuRegionCache *region = &ins->function->caches[ins->memory.cache];
    if (shape->inside) return region;
    const uint64_t address = warp->address[shape->first];
    if (!memory_region(warp, (PtxSpace)ins->memory.space, address, region)) {
        const bool generic = ins->memory.space == PTX_SPACE_GENERIC;
        region->space = generic ? (uint8_t)memory_space_of(address) : ins->memory.space;
        region->epoch = 0;
        return NULL;
    }
    return memory_fits(warp, region, mask, step) ? region : NULL;
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
    access->further = access->filtered = access->corners = false;
    return access;
}

static void access_find_span(GpuAccess *access) {
    for (uint32_t lanes = access->lanes; lanes; lanes &= lanes - 1) {
        uint64_t address = access->address[__builtin_ctz(lanes)];
        if (address < access->low) access->low = address;
        if (address > access->high) access->high = address;
    }
}

void memory_send_access(const GpuWarp *warp, GpuAccess *access) {
    const Gpu *gpu = warp->run->gpu;
    if (access->low > access->high) access_find_span(access);
    if (warp->run->watch) progress_access(warp->run->watch, gpu, access);
    for (unsigned i = 0; i < gpu->access_count; i++)
        gpu->access_observers[i]->access(gpu->access_observers[i]->self, access);
}

/** Idle lanes have the first one's address here. */
static void access_note_span(GpuAccess *access, const GpuShape *shape) {
    access->low = access->high = access->address[shape->first];
    if (shape->contiguous) {
        access->high += (shape->lanes - 1) * access->bytes;
    } else if (!shape->uniform) {
        GpuSpan span = access->warp->run->gpu->variant->find_span(access->address);
        access->low = span.low;
        access->high = span.high;
    }
}

/** Shows the access to observers. Generic addresses of shared memory are turned into offsets for as long
 * as that takes. */
static void memory_tell(GpuWarp *warp, const GpuInstruction *ins, GpuAccessKind kind, uint32_t mask,
                        uint64_t step, const GpuRegionCache *region, const GpuShape *shape) {
    uint8_t *host = region_host(warp, region) + (warp->address[shape->first] - region->first);
    if (region->bias)
        for (unsigned i = 0; i < GPU_WARP_LANES; i++)
            warp->address[i] -= region->bias;
    GpuAccess *access = memory_begin_access(warp, ins, kind, mask, (uint8_t)step, (PtxSpace)region->space);
    access->contiguous = shape->contiguous;
    access->uniform = shape->uniform;
    access->rows = shape->relation & GPU_ADDRESSES_ROWS;
    access->steps = shape->relation & GPU_ADDRESSES_STEPS;
    access_note_span(access, shape);
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

static uint64_t memory_read_value(const uint8_t *from, unsigned bytes) {
    uint64_t value = 0;
    memcpy(&value, from, bytes);
    return value;
}

static void memory_load_lane(const GpuWarp *warp, const GpuInstruction *ins, unsigned lane,
                             const uint8_t *from) {
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

/** What the lanes store, one after the other: a row as it stands where it is that already. */
static const uint8_t *memory_gather_values(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    unsigned step = ins->bytes * ins->count;
    uint8_t *values = warp->values;
    if (ins->count == 1 && parts->width == ins->bytes) return gpu_row(warp, parts->row);
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
    if (memory_load_narrow(warp, ins, mask, from, shape)) return;
    uint64_t start = warp->address[shape->first];
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        memory_load_lane(warp, ins, lane, from + (int64_t)(warp->address[lane] - start));
    }
}

/** Where several lanes store to one place, the order of the seed says who wins. */
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
    const bool backwards = warp->run->gpu->config.seed & 1;
    if (mask == UINT32_MAX && step == 4 && !backwards) {
        for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
            memcpy((uint8_t *)(base + warp->address[lane]), warp->stored + lane * 4, 4);
        return;
    }
    while (mask) {
        unsigned lane = backwards ? 31 - (unsigned)__builtin_clz(mask) : (unsigned)__builtin_ctz(mask);
        mask &= ~(1u << lane);
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

/* ---- one lane at a time: several regions, local memory, faults ---- */

typedef struct Lane {
    PtxSpace space;
    bool fault;
    GpuFaultKind kind;
    uint8_t *host; /**< NULL: local memory, at `event_address` */
    const GpuAllocation *allocation;
    uint64_t event_address;
} Lane;

static GpuFaultKind memory_fault_kind(const GpuWarp *warp, PtxSpace space, uint64_t address, uint64_t step) {
    const Gpu *gpu = warp->run->gpu;
    if (space == PTX_SPACE_SHARED) return GPU_FAULT_OUT_OF_BOUNDS;
    if (space == PTX_SPACE_LOCAL) return GPU_FAULT_OUT_OF_BOUNDS;
    if (!memory_is_near(gpu, address)) return GPU_FAULT_WILD;
    const GpuAllocation *nearest = gpu_memory_nearest(gpu, address);
    bool inside =
        address - nearest->address < nearest->bytes || address + step - 1 - nearest->address < nearest->bytes;
    return nearest->freed && inside ? GPU_FAULT_FREED : GPU_FAULT_OUT_OF_BOUNDS;
}

/** Inside the .local variables of this function or of one that called it, or in what alloca gave the lane. */
static bool local_is_inside(const GpuFrame *frame, unsigned lane, uint64_t offset, uint64_t step) {
    while (frame->caller && offset < frame->local_base)
        frame = frame->caller;
    const GpuFunction *function = frame->function;
    uint64_t in = offset - frame->local_base,
             limit = function->formals_addressed ? function->stack_bytes : function->local_bytes;
    if (frame->grown && in >= function->stack_bytes) limit = frame->tops[lane];
    return in <= limit && step <= limit - in;
}

/** Outside the array that the address was made from, though perhaps in another variable of the frame. */
static bool local_leaves_array(const GpuWarp *warp, const GpuInstruction *ins, uint64_t offset,
                               uint64_t step) {
    const PtxLocal *array = ins->memory.array;
    if (!array) return false;
    uint64_t in = offset - warp->frame->local_base - array->offset;
    return in > array->bytes || step > array->bytes - in;
}

/** Parameters are only ever read. */
static uint8_t *parameter_host(const GpuWarp *warp, uint64_t offset) {
    return (uint8_t *)(uintptr_t)(warp->run->parameters + offset);
}

/** What one lane's address means to this instruction: where its bytes are, or why it may not go there.
 * Alignment counts last, but for wild addresses, where it would be no news. */
static Lane memory_resolve(GpuWarp *warp, const GpuInstruction *ins, unsigned number, uint64_t step,
                           bool writes) {
    uint64_t address = warp->address[number];
    PtxSpace space = (PtxSpace)ins->memory.space;
    Lane lane = {.space = space == PTX_SPACE_GENERIC ? memory_space_of(address) : space,
                 .event_address = address};
    bool generic = space == PTX_SPACE_GENERIC;
    GpuRegionCache region;
    if (lane.space == PTX_SPACE_LOCAL) {
        lane.event_address = generic ? address - GPU_LOCAL_WINDOW : address;
        lane.fault = !local_is_inside(warp->frame, number, lane.event_address, step) ||
                     local_leaves_array(warp, ins, lane.event_address, step);
        lane.kind = GPU_FAULT_OUT_OF_BOUNDS;
    } else if (lane.space == PTX_SPACE_PARAM) {
        uint64_t in = address - GPU_PARAM_WINDOW, limit = warp->run->kernel->ptx->parameter_bytes;
        lane.fault = in > limit || step > limit - in;
        lane.kind = GPU_FAULT_OUT_OF_BOUNDS;
        lane.host = parameter_host(warp, in);
    } else if (!memory_region(warp, space, address, &region) ||
               step > region.bytes - (address - region.first)) {
        lane.fault = true;
        lane.kind = memory_fault_kind(warp, lane.space, address, step);
        if (lane.space == PTX_SPACE_SHARED && generic) lane.event_address = address - GPU_SHARED_WINDOW;
    } else {
        lane.host = region_host(warp, &region) + (address - region.first);
        lane.allocation = region.allocation;
        lane.event_address = address - region.bias;
    }
    if (!lane.fault && writes && (lane.space == PTX_SPACE_CONST || lane.space == PTX_SPACE_PARAM))
        lane.fault = true, lane.kind = GPU_FAULT_READ_ONLY;
    bool wild = lane.fault && lane.kind == GPU_FAULT_WILD;
    if (!wild && step && (address & (step - 1))) lane.fault = true, lane.kind = GPU_FAULT_MISALIGNED;
    return lane;
}

/** Lanes of one kind of fault in one space. What a card would stop at ends the launch, after observers
 * have heard of it. */
static void memory_send_fault(GpuWarp *warp, const GpuInstruction *ins, const Lane *lane, uint32_t lanes,
                              GpuAccessKind kind, uint64_t step, const uint64_t *addresses, bool undefined) {
    GpuFault fault = {.warp = warp,
                      .pc = ins->pc,
                      .kind = lane->kind,
                      .space = lane->space,
                      .access = kind,
                      .bytes = (uint8_t)step,
                      .lanes = lanes,
                      .address = addresses,
                      .undefined_address = undefined};
    if (lane->space == PTX_SPACE_LOCAL && ins->memory.array) {
        fault.local = ins->memory.array;
        fault.local_address = warp->frame->local_base + fault.local->offset;
    }
    if (lane->space == PTX_SPACE_GLOBAL || lane->space == PTX_SPACE_CONST)
        fault.nearest = gpu_memory_nearest(warp->run->gpu, addresses[__builtin_ctz(lanes)]);
    GPU_SEND(warp->run->gpu, fault, &fault);
    if (lane->kind == GPU_FAULT_WILD || lane->kind == GPU_FAULT_READ_ONLY)
        run_end(warp->run, GPU_ILLEGAL_ADDRESS);
    if (lane->kind == GPU_FAULT_MISALIGNED) run_end(warp->run, GPU_MISALIGNED);
}

/** Sorts the lanes; sends the faults and, for the others, the accesses space by space. Fills host pointers.
 */
static uint32_t memory_sort(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, GpuAccessKind kind,
                            uint64_t step, Lane lanes[GPU_WARP_LANES], bool undefined) {
    uint64_t addresses[GPU_WARP_LANES];
    uint32_t good = 0;
    memcpy(addresses, warp->address, sizeof addresses);
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        lanes[i] = memory_resolve(warp, ins, i, step, kind != GPU_READ);
        if (kind == GPU_ATOMIC && lanes[i].space == PTX_SPACE_LOCAL && !lanes[i].fault)
            lanes[i].fault = true, lanes[i].kind = GPU_FAULT_WILD;
        addresses[i] = lanes[i].event_address;
    }
    memcpy(warp->address, addresses, sizeof addresses);
    while (mask && !warp->run->ended) {
        const Lane *first = &lanes[__builtin_ctz(mask)];
        uint32_t same = 0;
        bool one = true;
        for (uint32_t left = mask; left; left &= left - 1) {
            const Lane *other = &lanes[__builtin_ctz(left)];
            bool alike = other->space == first->space && other->fault == first->fault;
            if (!alike || (first->fault && other->kind != first->kind)) continue;
            same |= 1u << (other - lanes);
            one = one && other->allocation == first->allocation;
        }
        mask &= ~same;
        if (first->fault) {
            memory_send_fault(warp, ins, first, same, kind, step, warp->address, undefined);
            continue;
        }
        good |= same;
        if (first->space == PTX_SPACE_LOCAL) local_count_lanes(warp, same, step, kind != GPU_READ, false);
        if (first->space == PTX_SPACE_LOCAL || first->space == PTX_SPACE_PARAM) continue;
        GpuAccess *access = memory_begin_access(warp, ins, kind, same, (uint8_t)step, first->space);
        access->allocation = one ? first->allocation : NULL;
        access->memory = first->host;
        if (kind == GPU_WRITE) access->values = warp->stored;
        if (kind != GPU_READ && warp->run->track) undefined_of_parts(warp, ins, same, access);
        memory_send_access(warp, access);
        if (kind == GPU_READ && warp->run->track) undefined_to_parts(warp, ins, same, access);
    }
    return good;
}

/** Lane by lane: a lane with a fault gets poison, and one in local memory, which has no bytes of its own
 * side by side, gets them through a buffer. */
static void memory_slow_load(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, uint64_t step,
                             bool undefined) {
    Lane lanes[GPU_WARP_LANES];
    uint8_t buffer[16];
    if (warp->run->track) undefined_clear_parts(warp, ins, mask);
    uint32_t good = memory_sort(warp, ins, mask, GPU_READ, step, lanes, undefined);
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        const uint8_t *from = lanes[lane].host;
        if (!(good >> lane & 1)) {
            memset(buffer, POISON, sizeof buffer);
            from = buffer;
        } else if (!from) {
            local_read(warp, lane, (uint32_t)lanes[lane].event_address, (unsigned)step, buffer);
            if (warp->run->track) undefined_from_local(warp, ins, lane, (uint32_t)lanes[lane].event_address);
            from = buffer;
        }
        memory_load_lane(warp, ins, lane, from);
    }
}

/** Lane by lane, in the order of lanes: of several that store to one place the last wins. Lanes with a
 * fault store nothing. */
static void memory_slow_store(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, uint64_t step,
                              bool undefined) {
    Lane lanes[GPU_WARP_LANES];
    uint32_t good = memory_sort(warp, ins, mask, GPU_WRITE, step, lanes, undefined);
    for (; good; good &= good - 1) {
        unsigned lane = (unsigned)__builtin_ctz(good);
        const uint8_t *from = warp->stored + lane * step;
        if (lanes[lane].host) {
            memcpy(lanes[lane].host, from, step);
            continue;
        }
        local_write(warp, lane, (uint32_t)lanes[lane].event_address, (unsigned)step, from);
        if (warp->run->track) undefined_to_local(warp, ins, lane, (uint32_t)lanes[lane].event_address);
    }
}

/* ---- handlers ---- */

/** Reports undefined addresses, once; returns whether there were any. */
static bool memory_check_address(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    if (!warp->run->track || ins->address_register == GPU_NO_REGISTER) return false;
    uint32_t undefined = warp->meta[ins->address_register].undefined & mask;
    if (undefined) undefined_report(warp, ins, ins->address_register, undefined, GPU_UNDEFINED_ADDRESS);
    return undefined != 0;
}

/** Whether anybody wants to be told of accesses there. */
static bool memory_is_watched(const GpuWarp *warp, const GpuRegionCache *region) {
    const Gpu *gpu = warp->run->gpu;
    return region->space == PTX_SPACE_SHARED ? gpu->shared_count > 0 : gpu->access_count > 0;
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
    GpuRegionCache *region = memory_fast(warp, ins, mask, step, &shape);
    if (!region) {
        memory_slow_load(warp, ins, mask, step, undefined);
        return gpu_go_on(warp, ins);
    }
    if (region->space == PTX_SPACE_LOCAL) {
        local_load(warp, ins, mask, &shape);
        return ins + 1;
    }
    if (warp->run->track) undefined_clear_parts(warp, ins, mask);
    if (memory_is_watched(warp, region)) {
        memory_tell(warp, ins, GPU_READ, mask, step, region, &shape);
        if (warp->access.undefined_lanes && warp->run->track)
            undefined_to_parts(warp, ins, mask, &warp->access);
    }
    const uint8_t *from = region_host(warp, region) + (warp->address[shape.first] - region->first);
    memory_ask_ahead(region, from, &shape, false, step);
    memory_do_load(warp, ins, mask, from, &shape);
    return ins + 1;
}

/** As memory_load. Constant memory is a region that may not be stored to: the slow way says so. */
const GpuInstruction *memory_store(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint64_t step = (uint64_t)ins->bytes * ins->count;
    GpuShape shape;
    bool undefined = memory_check_address(warp, ins, mask);
    memory_addresses(warp, ins, mask, step, &shape);
    warp->stored = memory_gather_values(warp, ins, mask);
    GpuRegionCache *region = memory_fast(warp, ins, mask, step, &shape);
    if (!region || region->space == PTX_SPACE_CONST) {
        memory_slow_store(warp, ins, mask, step, undefined);
        return gpu_go_on(warp, ins);
    }
    if (region->space == PTX_SPACE_LOCAL) {
        local_store(warp, ins, mask, &shape);
        return ins + 1;
    }
    if (memory_is_watched(warp, region)) memory_tell(warp, ins, GPU_WRITE, mask, step, region, &shape);
    uint8_t *to = region_host(warp, region) + (warp->address[shape.first] - region->first);
    memory_ask_ahead(region, to, &shape, true, step);
    memory_do_store(warp, (unsigned)step, mask, to, &shape);
    return ins + 1;
}

/* ---- atomics ---- */

/** Only compare-and-swap has a third operand, c. */
static bool atomic_swaps(const GpuInstruction *ins) {
    return ins->source->modifiers.atomic == PTX_ATOM_CAS;
}

/** exch and cas of 128 bits. */
static void memory_atomic_wide(const GpuWarp *warp, const GpuInstruction *ins, unsigned lane, uint8_t *at) {
    enum { WIDE = 16 };
    uint8_t old[WIDE];
    const uint8_t *b = (uint8_t *)gpu_row(warp, ins->b) + lane * WIDE;
    memcpy(old, at, WIDE);
    if (!atomic_swaps(ins))
        memcpy(at, b, WIDE);
    else if (memcmp(old, b, WIDE) == 0)
        memcpy(at, (uint8_t *)gpu_row(warp, ins->c) + lane * WIDE, WIDE);
    if (ins->count) memcpy((uint8_t *)gpu_row(warp, ins->d) + lane * WIDE, old, WIDE);
}

/** One lane's operation, on the bytes as the lanes before it have left them. */
static void memory_atomic_lane(const GpuWarp *warp, const GpuInstruction *ins, unsigned lane, uint8_t *at) {
    if (ins->bytes > 8) {
        memory_atomic_wide(warp, ins, lane, at);
        return;
    }
    uint64_t old = memory_read_value(at, ins->bytes);
    uint64_t b = gpu_lane_value(warp, ins->b, ins->width, lane);
    uint64_t c = atomic_swaps(ins) ? gpu_lane_value(warp, ins->c, ins->width, lane) : 0;
    uint64_t now = atomic_apply(ins->source, old, b, c);
    memcpy(at, &now, ins->bytes);
    if (ins->count) gpu_lane_set(warp, ins->d, ins->width, lane, old);
}

/** What most atomics are: adding whole numbers of 4 bytes. */
static bool atomic_adds_words(const GpuInstruction *ins) {
    PtxType type = ins->source->type;
    return ins->bytes == 4 && ins->width == 4 && ins->source->modifiers.atomic == PTX_ATOM_ADD &&
           (type == PTX_U32 || type == PTX_S32);
}

/** The same for additions of words, without a call for each lane. Odd seeds take lanes from the last one
 * down, so that programs which rely on the order are seen. */
static void memory_add_words(const GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, uintptr_t base) {
    const bool backwards = warp->run->gpu->config.seed & 1, keeps = ins->count;
    const uint8_t *b = gpu_row(warp, ins->b);
    while (mask) {
        unsigned lane = backwards ? 31 - (unsigned)__builtin_clz(mask) : (unsigned)__builtin_ctz(mask);
        uint8_t *at = (uint8_t *)(base + warp->address[lane]);
        uint32_t old, more;
        mask &= ~(1u << lane);
        memcpy(&old, at, sizeof old);
        memcpy(&more, b + lane * sizeof more, sizeof more);
        more += old;
        memcpy(at, &more, sizeof more);
        if (keeps) gpu_lane_set(warp, ins->d, 4, lane, old);
    }
}

/** What observers see as the values of an atomic: the new value of cas, the operand of all others. */
static void memory_atomic_values(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint8_t *values = warp->values;
    GpuRow row = atomic_swaps(ins) ? ins->c : ins->b;
    if (ins->bytes > 8 || (ins->bytes == 4 && ins->width == 4)) {
        memcpy(values, gpu_row(warp, row), (size_t)ins->bytes * GPU_WARP_LANES);
        return;
    }
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        uint64_t value = gpu_lane_value(warp, row, ins->width, lane);
        memcpy(values + lane * ins->bytes, &value, ins->bytes);
    }
}

/** Lanes are done one after the other, also where several have one address. With a fault the others are
 * done nevertheless. */
const GpuInstruction *memory_atomic(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint64_t step = ins->bytes;
    GpuShape shape;
    Lane lanes[GPU_WARP_LANES];
    bool undefined = memory_check_address(warp, ins, mask);
    memory_addresses(warp, ins, mask, step, &shape);
    memory_atomic_values(warp, ins, mask);
    if (warp->run->track && ins->defines != GPU_NO_REGISTER) undefined_clear(warp, ins->defines, mask);
    const GpuRegionCache *region = memory_fast(warp, ins, mask, step, &shape);
    uint32_t good = mask;
    if (region && region->space != PTX_SPACE_CONST && region->space != PTX_SPACE_LOCAL) {
        uint8_t *host = region_host(warp, region);
        for (uint32_t left = mask; left; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            lanes[lane].host = host + (warp->address[lane] - region->first);
        }
        if (memory_is_watched(warp, region)) {
            memory_tell(warp, ins, GPU_ATOMIC, mask, step, region, &shape);
            if (warp->run->track && ins->defines != GPU_NO_REGISTER && warp->access.undefined_lanes)
                undefined_to_register(warp, ins, ins->defines, mask, &warp->access);
        }
        if (atomic_adds_words(ins)) {
            memory_add_words(warp, ins, mask, (uintptr_t)host - (uintptr_t)region->first);
            return gpu_go_on(warp, ins);
        }
    } else {
        good = memory_sort(warp, ins, mask, GPU_ATOMIC, step, lanes, undefined);
    }
    bool backwards = warp->run->gpu->config.seed & 1;
    while (good) {
        unsigned lane = backwards ? 31 - (unsigned)__builtin_clz(good) : (unsigned)__builtin_ctz(good);
        good &= ~(1u << lane);
        memory_atomic_lane(warp, ins, lane, lanes[lane].host);
    }
    return gpu_go_on(warp, ins);
}
