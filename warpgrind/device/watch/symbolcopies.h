/* symbolcopies.h - a __device__ or __constant__ variable that the host filled in part, and of which a kernel
 * reads the rest: it still holds the zeros that the program was loaded with.
 *
 * Kept for each variable: which bytes copies have reached. Only the calls that name the variable count; one
 * whose address the program asked for is left in peace, and so is one with an initial value or one that a
 * kernel writes.
 */
#pragma once

#include "gpu/gpu.h"

struct Device;

/** The call that is being served copies to these bytes of the variable. */
void symbolcopies_copied(struct Device *device, const GpuAllocation *variable, uint64_t offset,
                         uint64_t bytes);
/** The program may write the variable in other ways as well. */
void symbolcopies_escaped(struct Device *device, const GpuAllocation *variable);
