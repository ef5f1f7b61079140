/* exec_copy.c - cp.async: a load and a store in one instruction, done at once (PTX ISA 9.7.9.25.3).
 *
 * It is decoded as two instructions, so that observers see a read and a write. What was read waits in the
 * warp's `values`. With a source size, the rest of the bytes are zeros.
 */
#include "gpu/memory_access.h"

static uint32_t copy_source_bytes(const GpuWarp *warp, const GpuInstruction *ins, unsigned lane) {
    if (!ins->count) return ins->bytes;
    uint64_t given = gpu_lane_value(warp, ins->b, 4, lane);
    return given < ins->bytes ? (uint32_t)given : ins->bytes;
}

static void copy_fault(GpuWarp *warp, const GpuInstruction *ins, unsigned lane, GpuAccessKind kind,
                       bool misaligned) {
    PtxSpace space = (PtxSpace)ins->space;
    uint64_t address = warp->address[lane];
    const Gpu *gpu = warp->run->gpu;
    bool shared = space == PTX_SPACE_SHARED, near = shared || memory_is_near(gpu, address);
    GpuFault fault = {.warp = warp,
                      .pc = ins->pc,
                      .space = space,
                      .access = kind,
                      .bytes = ins->bytes,
                      .lanes = 1u << lane,
                      .address = warp->address,
                      .nearest = shared ? NULL : gpu_memory_nearest(gpu, address)};
    fault.kind = misaligned ? GPU_FAULT_MISALIGNED : near ? GPU_FAULT_OUT_OF_BOUNDS : GPU_FAULT_WILD;
    GPU_SEND(warp->run->gpu, fault, &fault);
    if (misaligned) run_end(warp->run, GPU_MISALIGNED);
    if (fault.kind == GPU_FAULT_WILD) run_end(warp->run, GPU_ILLEGAL_ADDRESS);
}

static uint8_t *copy_host(GpuWarp *warp, const GpuInstruction *ins, uint64_t address) {
    if (ins->space != PTX_SPACE_SHARED) return gpu_memory_host(warp->run->gpu, address, ins->bytes);
    return memory_shared_host(warp->block, address, ins->bytes);
}

static const GpuInstruction *copy_half(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask,
                                       GpuAccessKind kind) {
    uint8_t *host[GPU_WARP_LANES];
    uint32_t good = 0;
    for (uint32_t left = mask; left && !warp->run->ended; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint64_t address = gpu_lane_value(warp, ins->a, ins->address_width, lane) + (uint64_t)ins->offset;
        bool misaligned = address % ins->bytes != 0;
        if (ins->space == PTX_SPACE_SHARED && address - GPU_SHARED_WINDOW < GPU_WINDOW_SPAN)
            address -= GPU_SHARED_WINDOW;
        warp->address[lane] = address;
        host[lane] = copy_host(warp, ins, address);
        if (misaligned || !host[lane])
            copy_fault(warp, ins, lane, kind, misaligned);
        else
            good |= 1u << lane;
        if (!host[lane] && kind == GPU_READ) memset(warp->values + lane * 16, POISON_DEVICE_BYTE, 16);
    }
    if (good && warp->run->gpu->access_count) {
        GpuAccess *access = memory_begin_access(warp, ins, kind, good, ins->bytes, (PtxSpace)ins->space);
        access->allocation = NULL;
        access->memory = host[__builtin_ctz(good)];
        uint8_t packed[GPU_WARP_LANES * 16];
        for (uint32_t left = good; left; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            memcpy(packed + lane * ins->bytes, warp->values + lane * 16, ins->bytes);
        }
        if (kind == GPU_WRITE) access->values = packed;
        memory_send_access(warp, access);
    }
    for (; good; good &= good - 1) {
        unsigned lane = (unsigned)__builtin_ctz(good);
        uint8_t *value = warp->values + lane * 16;
        if (kind == GPU_WRITE) {
            memcpy(host[lane], value, ins->bytes);
            continue;
        }
        uint32_t given = copy_source_bytes(warp, ins, lane);
        memcpy(value, host[lane], given);
        memset(value + given, 0, ins->bytes - given);
    }
    return warp->run->ended ? warp_stop(warp, ins, GROUP_RUNNABLE) : ins + 1;
}

const GpuInstruction *memory_copy_load(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    return copy_half(warp, ins, mask, GPU_READ);
}

const GpuInstruction *memory_copy_store(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    return copy_half(warp, ins, mask, GPU_WRITE);
}
