/* kernel.h - what decoding is for the rooms above: a kernel that can be executed. */
#pragma once

#include "gpu/state/machine.h"

/** Decodes the kernel and all it may call, unless that has been done; false with diagnostics (which may be
 * NULL): then it is as before. */
bool decode_kernel(GpuKernel *kernel, Diagnostics *diagnostics);
void decode_free(GpuKernel *kernel);
