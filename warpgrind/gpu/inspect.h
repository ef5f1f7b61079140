/* inspect.h - what a debugger asks the machine: to be told of each instruction before it is executed, and,
 * while it is being told, where each thread is and what it sees.
 *
 * A machine without a stepper pays one test for each turn of a lane group. With one, it executes instruction
 * by instruction in the same order as without.
 */
#pragma once

#include "gpu/gpu.h"

/** An instruction that some lanes of a warp are about to execute. */
typedef struct GpuStepping {
    const GpuWarp *warp;
    uint32_t pc, lanes;
    uint32_t depth; /**< of calls; 0 in the kernel itself */
} GpuStepping;
typedef void GpuStepper(void *self, const GpuStepping *step);

/** Before a launch, for all of it: what its blocks make alike is executed where it stands then, and words of
 * local memory are followed from the start. NULL: nobody. Launches are not to be divided meanwhile
 * (GpuConfig.threads), nor repeated unwatched (gpu_allow_repeats). */
void gpu_set_stepper(Gpu *gpu, GpuStepper *stepper, void *self);

typedef enum GpuLaneState {
    GPU_LANE_NONE, /**< the block has no such thread */
    GPU_LANE_ENDED,
    GPU_LANE_READY,
    GPU_LANE_AT_BARRIER,
    GPU_LANE_WAITS /**< for other lanes of its warp */
} GpuLaneState;

/** A function that a lane is in, and where. */
typedef struct GpuLaneFrame {
    const PtxFunction *function;
    const PtxInstruction *instruction; /**< the next one; of a caller, the call. NULL: none of the text */
    uint32_t pc;
    uint32_t local;     /**< where its variables begin in the lane's local memory, */
    uint32_t arguments; /**< and its parameters, unless it is the kernel */
} GpuLaneFrame;

GpuLaneState gpu_lane_state(const GpuWarp *warp, unsigned lane);
/** Innermost first; how many there are, at most `capacity`. */
unsigned gpu_lane_frames(const GpuWarp *warp, unsigned lane, GpuLaneFrame *frames, unsigned capacity);
/** Bytes at a generic address as that lane sees them; false when it may not read all of them. */
bool gpu_lane_read(const GpuWarp *warp, unsigned lane, uint64_t address, void *bytes, uint64_t count);
/** False: it is local memory, and some of these bytes never got a value. Of other memory nothing is said. */
bool gpu_lane_has_value(const GpuWarp *warp, unsigned lane, uint64_t address, uint64_t count);
/** The number that a half (f16, bf16) of these bits is. */
double gpu_half_value(uint16_t bits);
double gpu_bfloat_value(uint16_t bits);

/** The text that the warp's kernel is of. */
const PtxModule *gpu_warp_module(const GpuWarp *warp);
/** Where a variable of that text lies, as a generic address; 0: nowhere. Not for parameters and .local. */
uint64_t gpu_warp_variable(const GpuWarp *warp, const PtxVariable *variable);

/** The block that is resident in the slot, NULL: none. */
const GpuBlock *gpu_resident(const Gpu *gpu, unsigned slot);
/** NULL past the last one. */
const GpuWarp *gpu_block_warp(const GpuBlock *block, uint32_t index);
