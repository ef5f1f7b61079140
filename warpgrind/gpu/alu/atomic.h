/* atomic.h - the values that atomic operations and mbarrier objects leave behind. */
#pragma once

#include "gpu/state/machine.h"

/** The value that an atomic operation leaves behind. */
uint64_t atomic_apply(const PtxInstruction *source, uint64_t old, uint64_t b, uint64_t c);

/** The mbarrier object after `count` arrivals. */
uint64_t mbarrier_arrived(const PtxInstruction *source, uint64_t state, uint64_t count);
/** What the object holds: how many have arrived in its phase, and how many are expected. */
void mbarrier_counts(uint64_t state, uint32_t *arrived, uint32_t *expected);
