/* inspect.c - where the threads of a launch are, and what they see; see inspect.h. */
#include "gpu/inspect.h"
#include "gpu/alu/half.h"
#include "gpu/state/machine.h"

void gpu_set_stepper(Gpu *gpu, GpuStepper *stepper, void *self) {
    gpu->stepper = stepper;
    gpu->stepper_self = self;
}

const GpuBlock *gpu_resident(const Gpu *gpu, unsigned slot) {
    const GpuBlock *block = NULL;
    if (slot < GPU_MAX_RESIDENT_BLOCKS) block = gpu->slots[slot];
    if (block && block->busy) return block;
    return NULL;
}

const GpuWarp *gpu_block_warp(const GpuBlock *block, uint32_t index) {
    if (index < block->warp_count) return &block->warps[index];
    return NULL;
}

/* ---- lanes ---- */

static const GpuGroup *group_of(const GpuWarp *warp, unsigned lane) {
    for (uint32_t left = warp->used; left; left &= left - 1) {
        const GpuGroup *group = &warp->groups[__builtin_ctz(left)];
        if (group->mask >> lane & 1) return group;
    }
    return NULL;
}

GpuLaneState gpu_lane_state(const GpuWarp *warp, unsigned lane) {
    if (!(warp->existing >> lane & 1)) return GPU_LANE_NONE;
    const GpuGroup *group = NULL;
    if (warp->alive >> lane & 1) group = group_of(warp, lane);
    if (!group) return GPU_LANE_ENDED;
    if (group->state == GROUP_BARRIER) return GPU_LANE_AT_BARRIER;
    if (group->state == GROUP_RUNNABLE) return GPU_LANE_READY;
    return GPU_LANE_WAITS;
}

/** The group that runs has not saved where it is. */
static const GpuInstruction *next_of(const GpuWarp *warp, const GpuGroup *group) {
    const Gpu *gpu = warp->run->gpu;
    if (gpu->stepped && gpu->running == warp && warp->current == group) return gpu->stepped;
    return group->next;
}

unsigned gpu_lane_frames(const GpuWarp *warp, unsigned lane, GpuLaneFrame *frames, unsigned capacity) {
    const GpuGroup *group = NULL;
    if (warp->alive >> lane & 1) group = group_of(warp, lane);
    if (!group) return 0;
    const GpuInstruction *at = next_of(warp, group);
    unsigned count = 0;
    for (const GpuFrame *frame = group->frame; frame && count < capacity; frame = frame->caller) {
        frames[count++] = (GpuLaneFrame){.function = frame->function->ptx,
                                         .instruction = at ? at->source : NULL,
                                         .pc = at ? at->pc : 0,
                                         .local = frame->local_base,
                                         .arguments = frame->local_base + frame->function->param_base};
        at = frame->call;
    }
    return count;
}

/* ---- memory ---- */

const PtxModule *gpu_warp_module(const GpuWarp *warp) {
    return warp->run->kernel->module->ptx;
}

/** A text has the shared arrays of all its kernels; each kernel has room for its own. */
static bool is_of_kernel(const GpuKernel *kernel, const PtxVariable *variable) {
    for (unsigned i = 0; i < kernel->region_count; i++)
        if (kernel->regions[i].variable == variable) return true;
    return variable->dynamic;
}

uint64_t gpu_warp_variable(const GpuWarp *warp, const PtxVariable *variable) {
    const GpuKernel *kernel = warp->run->kernel;
    if (variable->space == PTX_SPACE_SHARED && !is_of_kernel(kernel, variable)) return 0;
    if (variable->space == PTX_SPACE_SHARED)
        return GPU_SHARED_WINDOW + module_variable_address(kernel, variable);
    const GpuAllocation *allocation = module_variable_allocation(kernel->module, variable);
    if (allocation) return allocation->address;
    return 0;
}

static bool read_local(const GpuWarp *warp, unsigned lane, uint64_t offset, uint8_t *bytes, uint64_t count) {
    const uint64_t limit = warp->run->stack_bytes;
    if (!warp->local || offset > limit || count > limit - offset) return false;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t at = offset + i;
        bytes[i] = warp->local[(at / 4 * GPU_WARP_LANES + lane) * 4 + at % 4];
    }
    return true;
}

static bool copy(void *bytes, const void *from, uint64_t count) {
    if (from) memcpy(bytes, from, count);
    return from != NULL;
}

bool gpu_lane_read(const GpuWarp *warp, unsigned lane, uint64_t address, void *bytes, uint64_t count) {
    const uint64_t shared = address - GPU_SHARED_WINDOW, local = address - GPU_LOCAL_WINDOW,
                   parameter = address - GPU_PARAM_WINDOW;
    if (local < GPU_WINDOW_SPAN) return read_local(warp, lane, local, bytes, count);
    if (shared < GPU_WINDOW_SPAN) return copy(bytes, gpu_shared_host(warp->block, shared, count), count);
    if (parameter < GPU_WINDOW_SPAN) {
        const uint64_t limit = warp->run->kernel->ptx->parameter_bytes;
        bool inside = parameter <= limit && count <= limit - parameter;
        return inside && copy(bytes, warp->run->parameters + parameter, count);
    }
    return copy(bytes, gpu_memory_host(warp->run->gpu, address, count), count);
}

bool gpu_lane_has_value(const GpuWarp *warp, unsigned lane, uint64_t address, uint64_t count) {
    const uint64_t offset = address - GPU_LOCAL_WINDOW, limit = warp->run->stack_bytes;
    if (!warp->local_undefined || offset > limit || count > limit - offset) return true;
    for (uint64_t i = 0; i < count; i++)
        if (warp->local_undefined[offset + i] >> lane & 1) return false;
    return true;
}

double gpu_half_value(uint16_t bits) {
    return half_from_f16(bits);
}

double gpu_bfloat_value(uint16_t bits) {
    return half_from_bf16(bits);
}
