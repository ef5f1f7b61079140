/* exec_moved.c - instructions that go to another allocation than before, and what a lane's functions were
 * given: from both follows whether an address left the array whose pointer it was made from.
 */
#include "gpu/memory/exec_memory.h"

/** What the optimiser loads without need may lie anywhere, and so may what an address made of poison means.
 */
void memory_tell_moved(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, GpuAccessKind kind,
                       uint64_t step, const GpuAllocation *allocation) {
    mask &= ~warp->poisoned;
    if (ins->memory.speculative) mask &= warp->run->gpu->access_count ? warp->wanted : 0;
    if (mask == 0) return;
    const GpuFault to = {.warp = warp,
                         .pc = ins->pc,
                         .kind = GPU_FAULT_OUT_OF_BOUNDS,
                         .space = PTX_SPACE_GLOBAL,
                         .access = kind,
                         .bytes = (uint8_t)step,
                         .lanes = mask,
                         .address = warp->address,
                         .nearest = allocation};
    GPU_SEND(warp->run->gpu, moved, &to);
}

static const GpuFrame *moved_frame(const GpuWarp *warp, unsigned level, const GpuInstruction **call) {
    const GpuFrame *frame = warp->frame;
    *call = NULL;
    for (; level > 0 && frame != NULL; level--) {
        *call = frame->call;
        frame = frame->caller;
    }
    return frame;
}

const PtxFunction *gpu_warp_function(const GpuWarp *warp, unsigned level, const PtxInstruction **call) {
    const GpuInstruction *inner;
    const GpuFrame *frame = moved_frame(warp, level, &inner);
    *call = inner != NULL ? inner->source : NULL;
    if (frame != NULL) return frame->function->ptx;
    return NULL;
}

bool gpu_warp_parameter(const GpuWarp *warp, unsigned level, const PtxVariable *parameter, int64_t at,
                        unsigned lane, uint64_t *value) {
    const GpuInstruction *inner;
    const GpuFrame *frame = moved_frame(warp, level, &inner);
    if (frame == NULL || at < 0 || (uint64_t)at + sizeof *value > parameter->bytes) return false;
    if (frame->function->ptx->entry) {
        memcpy(value, warp->run->parameters + parameter->offset + at, sizeof *value);
    } else {
        uint64_t base = frame->local_base + frame->function->param_base + parameter->offset;
        local_read(warp, lane, (uint32_t)(base + (uint64_t)at), sizeof *value, (uint8_t *)value);
    }
    return true;
}
