/* exec_stack.c - alloca, stacksave, stackrestore: local memory that a function takes while it runs (PTX
 * ISA 9.7.17).
 *
 * It lies behind what the frame has from the start. A lane has its own top; a function that is called begins
 * behind the highest one of the lanes that call it. Addresses are offsets from the bottom of the lane's
 * stack, as of any other local variable.
 */
#include "base/minmax.h"
#include "gpu/memory/memory.h"
#include "gpu/memory/memory_access.h"

enum { STACK_ALIGNMENT = 16, POISON = POISON_DEVICE_BYTE };

uint32_t stack_top(const GpuFrame *frame, unsigned lane) {
    return frame->local_base + (frame->grown ? frame->tops[lane] : frame->function->stack_bytes);
}

uint32_t stack_top_of_all(const GpuFrame *frame, uint32_t lanes) {
    uint32_t highest = frame->local_base + frame->function->stack_bytes;
    for (; frame->grown && lanes; lanes &= lanes - 1) {
        uint32_t top = stack_top(frame, (unsigned)__builtin_ctz(lanes));
        if (top > highest) highest = top;
    }
    return (highest + STACK_ALIGNMENT - 1) & ~(uint32_t)(STACK_ALIGNMENT - 1);
}

static void stack_set_top(GpuFrame *frame, unsigned lane, uint32_t top) {
    if (!frame->grown)
        for (unsigned i = 0; i < GPU_WARP_LANES; i++)
            frame->tops[i] = frame->function->stack_bytes;
    frame->grown = true;
    frame->tops[lane] = top - frame->local_base;
}

/** Fresh memory: poison that comes from nowhere. */
static void stack_clear(GpuWarp *warp, unsigned lane, uint32_t first, uint32_t bytes) {
    const uint8_t poison = POISON;
    for (uint32_t i = 0; i < bytes; i++) {
        local_write(warp, lane, first + i, 1, &poison);
        if (!warp->run->track) continue;
        warp->local_undefined[first + i] |= 1u << lane;
        warp->local_origin[(first + i) / 4] = 0;
    }
}

static const GpuInstruction *stack_overflow(GpuWarp *warp, const GpuInstruction *ins) {
    run_end(warp->run, GPU_STACK_OVERFLOW);
    return gpu_go_on(warp, ins);
}

/** alloca d, a{, alignment}: takes bytes from each lane's stack, which nobody has written yet, and ends the
 * launch when the stack is full. */
const GpuInstruction *stack_allocate(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint64_t alignment = MAX(ins->u.bits, STACK_ALIGNMENT);
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        uint64_t bytes = gpu_lane_value(warp, ins->a, ins->width, lane);
        uint64_t first = ((uint64_t)stack_top(warp->frame, lane) + alignment - 1) / alignment * alignment;
        uint64_t limit = warp->run->stack_bytes;
        if (first > limit || bytes > limit - first) return stack_overflow(warp, ins);
        stack_set_top(warp->frame, lane, (uint32_t)(first + bytes));
        stack_clear(warp, lane, (uint32_t)first, (uint32_t)bytes);
        gpu_lane_set(warp, ins->d, ins->width, lane, first);
    }
    return ins->next;
}

/** stacksave d */
const GpuInstruction *stack_save(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        gpu_lane_set(warp, ins->d, ins->width, lane, stack_top(warp->frame, lane));
    }
    return ins->next;
}

/** stackrestore a: what was taken since is gone, and may not be touched any more. */
const GpuInstruction *stack_restore(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const GpuFrame *frame = warp->frame;
    uint32_t lowest = frame->local_base + frame->function->stack_bytes;
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        uint64_t top = gpu_lane_value(warp, ins->a, ins->memory.address_width, lane);
        if (top < lowest || top > stack_top(frame, lane)) return stack_overflow(warp, ins);
        stack_set_top(warp->frame, lane, (uint32_t)top);
    }
    return ins->next;
}
