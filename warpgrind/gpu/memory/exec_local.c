/* exec_local.c - local memory and parameters, where their place is not simply a row.
 *
 * A lane's local memory lies spread out, a word of each lane beside the next lane's: word w of lane l is at
 * (w*32 + l)*4. So what all lanes do at the same offset is a row.
 */
#include "gpu/memory/memory.h"
#include "gpu/memory/memory_access.h"

static uint8_t *local_byte(const GpuWarp *warp, unsigned lane, uint32_t offset) {
    return warp->local + ((size_t)(offset / 4) * GPU_WARP_LANES + lane) * 4 + offset % 4;
}

void local_read(const GpuWarp *warp, unsigned lane, uint32_t offset, unsigned bytes, uint8_t *to) {
    for (unsigned i = 0; i < bytes; i++)
        to[i] = *local_byte(warp, lane, offset + i);
}

void local_write(const GpuWarp *warp, unsigned lane, uint32_t offset, unsigned bytes, const uint8_t *from) {
    for (unsigned i = 0; i < bytes; i++)
        *local_byte(warp, lane, offset + i) = from[i];
}

/* ---- lanes that go to places of their own: indexed arrays ---- */

static uint64_t local_bottom(const GpuInstruction *ins) {
    if (ins->memory.space == PTX_SPACE_GENERIC) return GPU_LOCAL_WINDOW;
    return 0;
}

/** The place that the address was made from bounds it when that is known, else the variables of the
 * frame; parameters belong to them only where their address is taken. */
bool local_reach(const GpuWarp *warp, const GpuInstruction *ins, uint64_t step, GpuReach *reach) {
    const GpuFunction *function = ins->function;
    uint64_t first = 0, bytes = function->formals_addressed ? function->stack_bytes : function->local_bytes;
    const PtxLocal *array = ins->memory.array;
    if (array) {
        if (array->offset > bytes) return false;
        first = array->offset;
        bytes -= first;
        if (array->bytes < bytes) bytes = array->bytes;
    }
    if (bytes < step) return false;
    *reach = (GpuReach){local_bottom(ins) + warp->frame->local_base + first, bytes - step};
    return true;
}

/** How far the host has byte `at` of an element from its first one. */
static size_t local_skip(unsigned at) {
    return (size_t)(at & ~3u) * GPU_WARP_LANES + (at & 3);
}

/** Lanes that have an undefined byte among the `bytes` at their address. Where they lie close together, one
 * look at all bytes from the first to the last nearly always says that there are none. */
static uint32_t local_undefined_lanes(const GpuWarp *warp, const GpuInstruction *ins, uint32_t mask,
                                      unsigned bytes, const GpuShape *shape) {
    enum { CLOSE = 512 };
    typedef uint32_t Four __attribute__((vector_size(16)));
    const uint64_t bottom = local_bottom(ins), first = warp->address[shape->first];
    const GpuSpan span =
        shape->uniform ? (GpuSpan){first, first} : warp->run->gpu->variant->find_span(warp->address);
    const uint32_t *bits = warp->local_undefined + (span.low - bottom);
    const uint64_t count = span.high - span.low + bytes;
    uint32_t any = 0, undefined = 0;
    Four fours = {0}, four;
    uint64_t at = 0;
    for (; count <= CLOSE && at + 4 <= count; at += 4) {
        memcpy(&four, bits + at, sizeof four);
        fours |= four;
    }
    for (; count <= CLOSE && at < count; at++)
        any |= bits[at];
    any |= fours[0] | fours[1] | fours[2] | fours[3];
    if (count <= CLOSE && (shape->uniform || !(any & mask))) return any & mask;
    for (uint32_t left = mask; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        for (unsigned i = 0; i < bytes; i++)
            undefined |= warp->local_undefined[warp->address[lane] - bottom + i] & 1u << lane;
    }
    return undefined;
}

/** Elements of 8 bytes: two rows of words beside each other in the lanes of one. */
static void local_load_wide(const GpuWarp *warp, uint8_t *d, uintptr_t base, const uint64_t *place,
                            uint32_t mask, unsigned relation) {
    uint32_t low[GPU_WARP_LANES] __attribute__((aligned(64))),
        high[GPU_WARP_LANES] __attribute__((aligned(64)));
    GpuLoadRow *load_row = warp->run->gpu->variant->load_row;
    load_row(low, base, place, UINT32_MAX, 4, relation);
    load_row(high, base + GPU_ROW_BYTES, place, UINT32_MAX, 4, relation);
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++) {
        const uint64_t value = low[lane] | (uint64_t)high[lane] << 32;
        if (mask >> lane & 1) memcpy(d + lane * sizeof value, &value, sizeof value);
    }
}

/** One element of each lane: `base` is the host's byte behind place 0. */
static void local_load_part(const GpuWarp *warp, const GpuInstruction *ins, const GpuExtra *part,
                            uintptr_t base, const uint64_t *place, uint32_t mask, unsigned relation) {
    const GpuVariant *variant = warp->run->gpu->variant;
    uint8_t *d = gpu_row(warp, part->row);
    if (ins->bytes == 4 && part->width == 4) {
        variant->load_row(d, base, place, mask, 4, relation);
    } else if (ins->bytes == 8) {
        local_load_wide(warp, d, base, place, mask, relation);
    } else if (ins->bytes < 4 && part->width == 4 && mask == UINT32_MAX) {
        variant->load_narrow(d, base, place, ins->bytes, ins->memory.sign, false);
    } else {
        for (; mask; mask &= mask - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(mask);
            uint64_t value = 0;
            memcpy(&value, (const void *)(base + place[lane]), ins->bytes);
            gpu_lane_set(warp, part->row, part->width, lane, gpu_extend(value, ins->bytes, ins->memory.sign));
        }
    }
}

/** All lanes are inside. Where they all use one offset their words are a row, and the fast ways for
 * adjacent addresses suit. */
void local_load(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, const GpuShape *shape) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    const unsigned step = ins->bytes * ins->count;
    unsigned relation = 0;
    if (shape->uniform) relation = GPU_ADDRESSES_ADJACENT;
    uint64_t place[GPU_WARP_LANES] __attribute__((aligned(64)));
    local_count_lanes(warp, mask, step, false, shape->uniform);
    if (warp->run->track) {
        undefined_clear_parts(warp, ins, mask);
        uint32_t undefined = local_undefined_lanes(warp, ins, mask, step, shape);
        for (; undefined; undefined &= undefined - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(undefined);
            undefined_from_local(warp, ins, lane, (uint32_t)(warp->address[lane] - local_bottom(ins)));
        }
    }
    warp->run->gpu->variant->local_places(place, warp->address, local_bottom(ins));
    for (unsigned k = 0; k < ins->count; k++) {
        const uintptr_t base = (uintptr_t)warp->local + local_skip(k * ins->bytes);
        if (!parts[k].sink) local_load_part(warp, ins, &parts[k], base, place, mask, relation);
    }
}

/** Of each lane, `bytes` of the `step` that it stores. */
static inline void local_scatter(uint8_t *to, const uint64_t *place, uint32_t mask, const uint8_t *from,
                                 unsigned step, unsigned bytes) {
    if (mask == UINT32_MAX)
        for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
            memcpy(to + place[lane], from + lane * step, bytes);
    else
        for (; mask; mask &= mask - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(mask);
            memcpy(to + place[lane], from + lane * step, bytes);
        }
}

/** What was undefined there is no longer, unless what is stored is. */
static void local_store_undefined(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, unsigned step,
                                  const GpuShape *shape) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    uint32_t lanes = local_undefined_lanes(warp, ins, mask, step, shape), stored = 0;
    const uint64_t first = warp->address[shape->first] - local_bottom(ins);
    for (unsigned k = 0; k < ins->count; k++)
        if (parts[k].number != GPU_NO_REGISTER) stored |= warp->meta[parts[k].number].undefined;
    if (shape->uniform && !(stored & mask)) {
        for (unsigned i = 0; lanes && i < step; i++)
            warp->local_undefined[first + i] &= ~mask;
        return;
    }
    for (lanes |= stored & mask; lanes; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(lanes);
        undefined_to_local(warp, ins, lane, (uint32_t)(warp->address[lane] - local_bottom(ins)));
    }
}

/** Words of a lane lie a row apart: stores wider than 4 bytes are scattered word by word. */
void local_store(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, const GpuShape *shape) {
    const unsigned step = ins->bytes * ins->count;
    uint64_t place[GPU_WARP_LANES] __attribute__((aligned(64)));
    local_count_lanes(warp, mask, step, true, shape->uniform);
    if (warp->run->track) local_store_undefined(warp, ins, mask, step, shape);
    warp->run->gpu->variant->local_places(place, warp->address, local_bottom(ins));
    if (step == 1)
        local_scatter(warp->local, place, mask, warp->stored, 1, 1);
    else if (step == 2)
        local_scatter(warp->local, place, mask, warp->stored, 2, 2);
    else if (step == 4 && shape->uniform && mask == UINT32_MAX)
        memcpy(warp->local + place[0], warp->stored, GPU_ROW_BYTES);
    else
        for (unsigned at = 0; at < step; at += 4)
            local_scatter(warp->local + local_skip(at), place, mask, warp->stored + at, step, 4);
}

/* ---- a fixed place of the frame ---- */

/* Frame words of other widths than a register's: aligned, so that an element is inside one word or is two
 * words. */

const GpuInstruction *local_load_fixed(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint32_t offset = warp->frame->local_base + (uint32_t)ins->memory.offset;
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        uint64_t value = 0;
        local_read(warp, lane, offset, ins->bytes, (uint8_t *)&value);
        gpu_lane_set(warp, ins->d, ins->width, lane, gpu_extend(value, ins->bytes, ins->memory.sign));
    }
    return ins->next;
}

const GpuInstruction *local_store_fixed(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint32_t offset = warp->frame->local_base + (uint32_t)ins->memory.offset;
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        uint64_t value = gpu_lane_value(warp, ins->a, ins->width, lane);
        local_write(warp, lane, offset, ins->bytes, (const uint8_t *)&value);
    }
    return ins->next;
}

/** ld.param through a register: an offset in the kernel's parameter block, or a local address in a function.
 */
const GpuInstruction *local_load_parameter(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    bool kernel = ins->function->ptx->entry;
    uint64_t step = (uint64_t)ins->bytes * ins->count;
    uint64_t limit;
    if (kernel)
        limit = ins->function->ptx->parameter_bytes;
    else
        limit = warp->frame->local_base + ins->function->stack_bytes;
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint64_t offset = (uint32_t)(gpu_lane_value(warp, ins->a, ins->memory.address_width, lane) +
                                     (uint64_t)ins->memory.offset);
        if (offset > limit || step > limit - offset) {
            run_end(warp->run, GPU_ILLEGAL_ADDRESS);
            return gpu_go_on(warp, ins);
        }
        for (unsigned k = 0; k < ins->count; k++) {
            uint64_t value = 0;
            if (parts[k].sink) continue;
            if (kernel)
                memcpy(&value, warp->run->parameters + offset + k * ins->bytes, ins->bytes);
            else
                local_read(warp, lane, (uint32_t)offset + k * ins->bytes, ins->bytes, (uint8_t *)&value);
            gpu_lane_set(warp, parts[k].row, parts[k].width, lane,
                         gpu_extend(value, ins->bytes, ins->memory.sign));
        }
    }
    if (warp->run->track) undefined_clear_parts(warp, ins, mask);
    return ins->next;
}
