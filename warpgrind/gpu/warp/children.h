/* children.h - launches from device code: what the library's functions for it do, and the launches when their
 * parent has ended. */
#pragma once

#include "gpu/alu/library.h"
#include "gpu/state/machine.h"

/** A buffer given out, and then a launch that waits for its parent's end. */
struct GpuChild {
    GpuLaunchSpec spec;
    uint64_t buffer; /**< device address of the parameters, until it is launched */
    uint8_t *parameters;
    bool tail; /**< it runs after all others */
    GpuChild *next;
};

/** A call of one of the library's functions for it, by these lanes. */
void children_call(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, GpuLibraryService service,
                   uint64_t (*arguments)[GPU_WARP_LANES], uint64_t *result);
/** Stores the lanes' values through pointers that they have given. */
void children_put(GpuWarp *warp, uint32_t mask, const uint64_t *addresses, const uint64_t *values);
/** Gives back the buffers that were asked for and never launched. */
void children_drop(GpuRun *run);
/** Takes the launch out of the list that is to run next, and gives it to the caller; NULL: there is none. */
GpuChild *children_take(GpuRun *run);
void children_free(GpuChild *child);
