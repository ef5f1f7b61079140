/* children.h - launches from device code: what the library's functions for it do, and the launches when their
 * parent has ended. */
#ifndef GPU_CHILDREN_H
#define GPU_CHILDREN_H

#include "gpu/internal.h"

/** A call of one of the library's functions for it, by these lanes. */
void children_call(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, GpuLibraryService service,
                   uint64_t (*arguments)[GPU_WARP_LANES], uint64_t *result);
/** Stores the lanes' values through pointers that they have given. */
void children_put(GpuWarp *warp, uint32_t mask, const uint64_t *addresses, const uint64_t *values);
/** Runs what the launch has launched, and what that launches; the first status that is not GPU_OK. */
GpuStatus children_run(Gpu *gpu, GpuRun *run, GpuStatus status);

#endif
