/* launch.h - a launch, and what it tells of one that hangs. */
#pragma once

#include "gpu/state/machine.h"

/** Frees the module with its decoded code (load.c). */
void module_destroy(GpuModule *module);
/** Frees the memory of all slots. */
void launch_free_slots(Gpu *gpu);
/** Sends who waits and who spins, all over the launch. */
void launch_tell_hang(GpuRun *run, GpuSyncMistake mistake);

/* slot.c */
/** A slot for this launch, with its uniform rows filled; NULL without memory. */
GpuBlock *slot_take(GpuRun *run, uint32_t slot);
/** Puts one value into all lanes of a row of 4-byte lanes. */
void slot_fill_row(uint8_t *rows, unsigned row, uint32_t value);
