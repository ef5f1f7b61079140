/* exec_slow.c - accesses lane by lane: in several regions, in local memory, or with faults.
 *
 * Each lane's address is resolved by itself. Lanes with one kind of fault are sent together, and so are those
 * that may go on, space by space.
 */
#include "gpu/memory/exec_memory.h"
#include "gpu/memory/memory.h"

enum { POISON = POISON_DEVICE_BYTE };

/* ---- one lane at a time: several regions, local memory, faults ---- */

static GpuFaultKind memory_fault_kind(const GpuWarp *warp, PtxSpace space, uint64_t address, uint64_t step) {
    const Gpu *gpu = warp->run->gpu;
    if (space == PTX_SPACE_SHARED) return GPU_FAULT_OUT_OF_BOUNDS;
    if (space == PTX_SPACE_LOCAL) return GPU_FAULT_OUT_OF_BOUNDS;
    if (!gpu_memory_is_near(gpu, address)) return GPU_FAULT_WILD;
    const GpuAllocation *nearest = gpu_memory_nearest(gpu, address);
    bool inside =
        address - nearest->address < nearest->bytes || address + step - 1 - nearest->address < nearest->bytes;
    if (nearest->freed && inside) return GPU_FAULT_FREED;
    return GPU_FAULT_OUT_OF_BOUNDS;
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
static GpuLane resolve(GpuWarp *warp, const GpuInstruction *ins, unsigned number, uint64_t step,
                       bool writes) {
    uint64_t address = warp->address[number];
    PtxSpace space = (PtxSpace)ins->memory.space;
    GpuLane lane = {.space = space == PTX_SPACE_GENERIC ? memory_space_of(address) : space,
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
        lane.host = memory_region_host(warp, &region) + (address - region.first);
        lane.allocation = region.allocation;
        lane.event_address = address - region.bias;
    }
    if (!lane.fault && writes && (lane.space == PTX_SPACE_CONST || lane.space == PTX_SPACE_PARAM))
        lane.fault = true, lane.kind = GPU_FAULT_READ_ONLY;
    bool wild = lane.fault && lane.kind == GPU_FAULT_WILD;
    if (!wild && step && (address & (step - 1))) lane.fault = true, lane.kind = GPU_FAULT_MISALIGNED;
    return lane;
}

/** The launch does not end at what a card would stop at (run_fault). */
static void note_fault(GpuWarp *warp, GpuFaultKind kind) {
    if (kind == GPU_FAULT_WILD || kind == GPU_FAULT_READ_ONLY) run_fault(warp->run, GPU_ILLEGAL_ADDRESS);
    if (kind == GPU_FAULT_MISALIGNED) run_fault(warp->run, GPU_MISALIGNED);
}

/** Lanes of one kind of fault in one space. Lanes that have read poison may have made a wild address of it:
 * that is told of those only that have not. */
static void send_fault(GpuWarp *warp, const GpuInstruction *ins, const GpuLane *lane, uint32_t lanes,
                       GpuAccessKind kind, uint64_t step, const uint64_t *addresses, bool undefined) {
    if (lane->kind == GPU_FAULT_WILD) lanes &= ~warp->poisoned;
    if (lanes == 0) return;
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
}

/** What each lane's address means. warp->address has the addresses that observers are told afterwards. */
static void resolve_all(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, GpuAccessKind kind,
                        uint64_t step, GpuLane lanes[GPU_WARP_LANES]) {
    uint64_t addresses[GPU_WARP_LANES];
    memcpy(addresses, warp->address, sizeof addresses);
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        lanes[i] = resolve(warp, ins, i, step, kind != GPU_READ);
        if (kind == GPU_ATOMIC && lanes[i].space == PTX_SPACE_LOCAL && !lanes[i].fault)
            lanes[i].fault = true, lanes[i].kind = GPU_FAULT_WILD;
        addresses[i] = lanes[i].event_address;
    }
    memcpy(warp->address, addresses, sizeof addresses);
}

/** The lanes of the mask that go to the same space as its first one, or have the same fault. `one`: all to
 * one allocation. */
static uint32_t like_first(const GpuLane lanes[GPU_WARP_LANES], uint32_t mask, bool *one) {
    const GpuLane *first = &lanes[__builtin_ctz(mask)];
    uint32_t same = 0;
    *one = true;
    for (uint32_t left = mask; left; left &= left - 1) {
        const GpuLane *other = &lanes[__builtin_ctz(left)];
        bool alike = other->space == first->space && other->fault == first->fault;
        if (!alike || (first->fault && other->kind != first->kind)) continue;
        same |= 1u << (other - lanes);
        *one = *one && other->allocation == first->allocation;
    }
    return same;
}

/** Each allocation that lanes go to, once. */
static void tell_each_moved(GpuWarp *warp, const GpuInstruction *ins, const GpuLane lanes[GPU_WARP_LANES],
                            uint32_t left, GpuAccessKind kind, uint64_t step) {
    while (left) {
        const GpuAllocation *allocation = lanes[__builtin_ctz(left)].allocation;
        uint32_t same = 0;
        for (uint32_t more = left; more; more &= more - 1)
            if (lanes[__builtin_ctz(more)].allocation == allocation) same |= more & -more;
        if (allocation) memory_tell_moved(warp, ins, same, kind, step, allocation);
        left &= ~same;
    }
}

/** Counts an access of lanes that go to one space, or shows it to observers with its definedness. */
static void tell_alike(GpuWarp *warp, const GpuInstruction *ins, const GpuLane *first, uint32_t same,
                       GpuAccessKind kind, uint64_t step, bool one) {
    if (first->space == PTX_SPACE_LOCAL) local_count_lanes(warp, same, step, kind != GPU_READ, false);
    if (first->space == PTX_SPACE_LOCAL || first->space == PTX_SPACE_PARAM) return;
    GpuAccess *access = memory_begin_access(warp, ins, kind, same, (uint8_t)step, first->space);
    access->allocation = one ? first->allocation : NULL;
    access->memory = first->host;
    if (kind == GPU_WRITE) access->values = warp->stored;
    if (kind != GPU_READ && warp->run->track) undefined_of_parts(warp, ins, same, access);
    memory_send_access(warp, access);
    if (kind == GPU_READ && warp->run->track) undefined_to_parts(warp, ins, same, access);
}

/** Sorts the lanes; sends the faults and, for the others, the accesses space by space. Fills host pointers.
 */
uint32_t slow_sort(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, GpuAccessKind kind, uint64_t step,
                   GpuLane lanes[GPU_WARP_LANES], bool undefined) {
    uint32_t good = 0, local = 0, lent = 0;
    resolve_all(warp, ins, mask, kind, step, lanes);
    for (uint32_t left = mask; left; left &= left - 1)
        if (lanes[__builtin_ctz(left)].space == PTX_SPACE_LOCAL) local |= left & -left;
    if (warp->run->gpu->lent && local && kind != GPU_ATOMIC) lent = lent_use(warp, ins, local, kind, step, 0);
    while (mask && !warp->run->ended) {
        const GpuLane *first = &lanes[__builtin_ctz(mask)];
        bool one;
        uint32_t same = like_first(lanes, mask, &one);
        mask &= ~same;
        if (first->fault) {
            send_fault(warp, ins, first, same & ~lent, kind, step, warp->address, undefined);
            note_fault(warp, first->kind);
            continue;
        }
        good |= same;
        if (first->space == PTX_SPACE_GLOBAL) tell_each_moved(warp, ins, lanes, same, kind, step);
        tell_alike(warp, ins, first, same, kind, step, one);
    }
    return good;
}

/** Lane by lane: a lane with a fault gets poison, and one in local memory, which has no bytes of its own
 * side by side, gets them through a buffer. */
void slow_load(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, uint64_t step, bool undefined) {
    GpuLane lanes[GPU_WARP_LANES];
    uint8_t buffer[16];
    if (warp->run->track) undefined_clear_parts(warp, ins, mask);
    uint32_t good = slow_sort(warp, ins, mask, GPU_READ, step, lanes, undefined);
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        const uint8_t *from = lanes[lane].host;
        if (!(good >> lane & 1)) {
            warp->poisoned |= 1u << lane;
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

/** Lane by lane, in the order in which several store to one place. Lanes with a fault store nothing. */
void slow_store(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, uint64_t step, bool undefined) {
    GpuLane lanes[GPU_WARP_LANES];
    uint32_t good = slow_sort(warp, ins, mask, GPU_WRITE, step, lanes, undefined);
    const bool as_card = machine_stores_as_card(warp->run->gpu);
    while (good) {
        unsigned lane = gpu_next_to_store(&good, (unsigned)step, as_card);
        const uint8_t *from = warp->stored + lane * step;
        if (lanes[lane].host) {
            memcpy(lanes[lane].host, from, step);
            continue;
        }
        local_write(warp, lane, (uint32_t)lanes[lane].event_address, (unsigned)step, from);
        if (warp->run->track) undefined_to_local(warp, ins, lane, (uint32_t)lanes[lane].event_address);
    }
}
