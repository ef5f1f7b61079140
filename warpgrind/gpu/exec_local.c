/* exec_local.c - local memory and parameters, where their place is not simply a row.
 *
 * A lane's local memory lies spread out, a word of each lane beside the next lane's: word w of lane l is at
 * (w*32 + l)*4. So what all lanes do at the same offset is a row.
 */
#include "gpu/memory_access.h"

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

/* Frame words of other widths than a register's: aligned, so that an element is inside one word or is two
 * words. */

const GpuInstruction *memory_local_load(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint32_t offset = warp->frame->local_base + (uint32_t)ins->offset;
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        uint64_t value = 0;
        local_read(warp, lane, offset, ins->bytes, (uint8_t *)&value);
        gpu_lane_set(warp, ins->d, ins->width, lane, memory_extend(value, ins->bytes, ins->sign));
    }
    return ins + 1;
}

const GpuInstruction *memory_local_store(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint32_t offset = warp->frame->local_base + (uint32_t)ins->offset;
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        uint64_t value = gpu_lane_value(warp, ins->a, ins->width, lane);
        local_write(warp, lane, offset, ins->bytes, (const uint8_t *)&value);
    }
    return ins + 1;
}

/** ld.param through a register: an offset in the kernel's parameter block, or a local address in a function.
 */
const GpuInstruction *memory_param_load(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    bool kernel = ins->function->ptx->entry;
    uint64_t step = (uint64_t)ins->bytes * ins->count;
    uint64_t limit =
        kernel ? ins->function->ptx->parameter_bytes : warp->frame->local_base + ins->function->stack_bytes;
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint64_t offset =
            (uint32_t)(gpu_lane_value(warp, ins->a, ins->address_width, lane) + (uint64_t)ins->offset);
        if (offset > limit || step > limit - offset) {
            run_end(warp->run, GPU_ILLEGAL_ADDRESS);
            return warp_stop(warp, ins, GROUP_RUNNABLE);
        }
        for (unsigned k = 0; k < ins->count; k++) {
            uint64_t value = 0;
            if (parts[k].sink) continue;
            if (kernel)
                memcpy(&value, warp->run->parameters + offset + k * ins->bytes, ins->bytes);
            else
                local_read(warp, lane, (uint32_t)offset + k * ins->bytes, ins->bytes, (uint8_t *)&value);
            gpu_lane_set(warp, parts[k].row, parts[k].width, lane,
                         memory_extend(value, ins->bytes, ins->sign));
        }
    }
    if (warp->run->track) undefined_clear_parts(warp, ins, mask);
    return ins + 1;
}
