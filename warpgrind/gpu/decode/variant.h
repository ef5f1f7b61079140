/* variant.h - the choice among what is compiled for several processor levels. */
#pragma once

#include "gpu/state/machine.h"

/** That of a level up to gpu_processor_level(); all of them give the same results. */
const GpuVariant *variant_at(unsigned level);
/** The row for an instruction, in the tables for this processor; NULL when there is none. */
const GpuOperation *variant_find(const Gpu *gpu, PtxOpcode opcode, PtxType type, PtxType source_type,
                                 int mode);
