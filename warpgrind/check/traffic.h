/* traffic.h - what one warp's access costs the memory. */
#pragma once

#include "gpu/gpu.h"

enum { TRAFFIC_SECTOR_BYTES = 32, TRAFFIC_BANK_BYTES = 4 };

/** Sectors that the lanes touch. */
unsigned traffic_sectors(const GpuAccess *access);
unsigned traffic_ideal_sectors(const GpuAccess *access);
/** Turns of the 32 banks, and the turns without conflicts. */
unsigned traffic_wavefronts(const GpuAccess *access);
unsigned traffic_atomic_wavefronts(const GpuAccess *access, PtxAtomic operation);
unsigned traffic_ideal_wavefronts(const GpuAccess *access);
/** The most lanes at one address. */
unsigned traffic_turns(const GpuAccess *access);
/** Different addresses. */
unsigned traffic_addresses(const GpuAccess *access);
