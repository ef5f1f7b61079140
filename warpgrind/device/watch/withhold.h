/* withhold.h - a run without what a lesson asks kernels to use: whether the answer needs it.
 *
 * That a kernel used shared memory does not say that its answer came from there. So the judge runs the
 * program once more, and the device withholds one thing: what goes through it arrives as something else. An
 * answer that is right all the same did not need it.
 */
#pragma once

#include "gpu/gpu.h"

#include <stdbool.h>
#include <stdint.h>

struct Device;

/** Begins to withhold what the device's options name, if they name anything; false without memory. */
bool withhold_watch(struct Device *device);
/** Whether this is what the device's options name. */
bool withhold_names(const struct Device *device, const char *what);
/** Whether this kernel is withheld: it is not to be run. */
bool withhold_skips(const struct Device *device, const GpuKernel *kernel);
/** Whether graphs are withheld: their launches do nothing. */
bool withhold_skips_graphs(const struct Device *device);
/** How many values were withheld so far: of shared memory, those that one thread left and another one looked
 * at. */
uint64_t withhold_count(const struct Device *device);
