/* dataflow.h - what follows from the text of a function, or of a kernel with all that it may call. */
#pragma once

#include "gpu/state/machine.h"

/* What instruction i of the text was decoded to stands in function->code from code_from[i] to
 * code_from[i + 1]. */

/** Finds out whether the decoded function reads registers, or words of its frame, without a value; false
 * without memory. */
bool assigned_find(GpuFunction *function, const uint32_t *code_from);
/** Finds the decoded function's presets; false without memory. */
bool presets_find(GpuFunction *function, const uint32_t *code_from);
/** Whether nothing but words at fixed places is moved in the decoded function's local frame, by itself alone.
 */
bool words_are_private(const GpuFunction *function, const uint32_t *code_from);
/** Finds out which instructions decide where threads go; false without memory. */
bool deciding_find(GpuKernel *kernel);
/** Whether a kernel that has been decoded goes the same way and touches the same places whatever its data
 * are. */
bool steady_kernel(const GpuKernel *kernel);
/** Whether anything in the function can see what is in the register, or in the place on the stack that it is
 * put into. True when in doubt. */
bool liveness_register_is_read(const GpuFunction *function, int32_t number);
/** Frees what gpu_kernel_trail has made. */
void trail_free(GpuKernel *kernel);
