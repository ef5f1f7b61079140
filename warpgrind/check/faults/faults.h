/* faults.h - what the machine itself calls a mistake, or shows when a program has ended. */
#pragma once

#include "check/findings/parts.h"

GpuObserver memory_observer(Check *check);
void textures_on_fault(void *self, const struct GpuTextureFault *fault); /**< memory_observer has it */
GpuObserver sync_observer(Check *check);
void division_on_zero(void *self, const GpuWarp *warp, uint32_t lanes,
                      uint32_t pc); /**< log_observer has it */
void shifts_on_far(void *self, const GpuWarp *warp, uint32_t lanes, uint32_t pc,
                   uint32_t amount); /**< log_observer has it */
void heap_tell(Check *check);        /**< of device memory that kernels allocated and never freed */

/* ---- partings.c: where the lanes of a warp went different ways ---- */

bool partings_create(Check *check);
void partings_destroy(Partings *partings);
void partings_on_block_begin(void *self, const GpuBlock *block); /**< sync_observer has both */
void partings_on_parted(void *self, const GpuWarp *warp, uint32_t pc, uint32_t taken, uint32_t not_taken);
/** The last branch that sent all of `gone` one way and some of `here` the other; 0: none is remembered. */
uint32_t partings_find(const Check *check, const GpuWarp *warp, uint32_t here, uint32_t gone);
