/* exec_memory.h - what loads, stores and atomics through an address share: finding the region, telling
 * observers, and the slow way, lane by lane. */
#pragma once

#include "gpu/memory/memory_access.h"

/* ---- all lanes at once: exec_memory.c ---- */

/** Reports undefined addresses, once; returns whether there were any. */
bool memory_check_address(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask);
/** Fills warp->address and says how the addresses lie, also in the region where the instruction went last. */
void memory_addresses(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, uint64_t step,
                      GpuShape *shape);
/** The region an address lies in, as instructions with that space see it; false when it lies in none. */
bool memory_region(GpuWarp *warp, PtxSpace space, uint64_t address, GpuRegionCache *region);
/** The instruction's region when all lanes are in it; NULL when the slow way is needed. */
GpuRegionCache *memory_fast(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, GpuAccessKind kind,
                            uint64_t step, const GpuShape *shape);
/** Tells observers that these lanes go to an allocation to which the instruction did not go last. */
void memory_tell_moved(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, GpuAccessKind kind,
                       uint64_t step, const GpuAllocation *allocation);
/** Shows the access to observers. */
void memory_tell(GpuWarp *warp, const GpuInstruction *ins, GpuAccessKind kind, uint32_t mask, uint64_t step,
                 const GpuRegionCache *region, const GpuShape *shape);
/** Brings the elements at `from` into one lane's registers. */
void memory_load_lane(const GpuWarp *warp, const GpuInstruction *ins, unsigned lane, const uint8_t *from);

/** The memory space that a generic address lies in. */
static inline PtxSpace memory_space_of(uint64_t address) {
    if (address - GPU_SHARED_WINDOW < GPU_WINDOW_SPAN) return PTX_SPACE_SHARED;
    if (address - GPU_LOCAL_WINDOW < GPU_WINDOW_SPAN) return PTX_SPACE_LOCAL;
    if (address - GPU_CONST_BASE < GPU_WINDOW_SPAN) return PTX_SPACE_CONST;
    if (address - GPU_PARAM_WINDOW < GPU_WINDOW_SPAN) return PTX_SPACE_PARAM;
    return PTX_SPACE_GLOBAL;
}
/** The host's byte behind the region's first address. */
static inline uint8_t *memory_region_host(const GpuWarp *warp, const GpuRegionCache *region) {
    if (region->host) return region->host;
    return warp->block->shared + region->shared_offset;
}
/** Whether anybody wants to be told of accesses there. */
static inline bool memory_is_watched(const GpuWarp *warp, const GpuRegionCache *region) {
    const Gpu *gpu = warp->run->gpu;
    if (region->space == PTX_SPACE_SHARED) return gpu->shared_count > 0;
    return gpu->access_count > 0;
}
static inline uint64_t memory_read_value(const uint8_t *from, unsigned bytes) {
    uint64_t value = 0;
    memcpy(&value, from, bytes);
    return value;
}

/* ---- addresses of local memory that other threads get: exec_lent.c ---- */

/** After a store of 8-byte elements (warp->stored) to shared or global memory: who put its address there. */
void lent_store(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, const GpuRegionCache *region);
/** After a load of 8-byte elements: whose addresses the lanes have got. */
void lent_load(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, const GpuRegionCache *region);
/** Tells of lanes that go to local memory through another thread's address; returns them. The addresses are
 * offsets from `bottom`. */
uint32_t lent_use(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, GpuAccessKind kind, uint64_t step,
                  uint64_t bottom);

/* ---- one lane at a time: exec_slow.c ---- */

/** What the address of one lane means: where its bytes are, or why it may not go there. */
typedef struct GpuLane {
    PtxSpace space;
    bool fault;
    GpuFaultKind kind;
    uint8_t *host; /**< NULL: local memory, at `event_address` */
    const GpuAllocation *allocation;
    uint64_t event_address;
} GpuLane;

/** Sorts the lanes, in `lanes`; sends the faults and, for the others, the accesses space by space. The lanes
 * that may go on. */
uint32_t slow_sort(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, GpuAccessKind kind, uint64_t step,
                   GpuLane lanes[GPU_WARP_LANES], bool undefined);
void slow_load(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, uint64_t step, bool undefined);
void slow_store(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, uint64_t step, bool undefined);
