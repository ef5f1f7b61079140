/* memory_access.h - what loads, stores, atomics and local memory share. */
#pragma once

#include "gpu/alu/atomic.h"
#include "gpu/definedness/undefined.h"
#include "gpu/state/machine.h"

/** How a warp's addresses lie. */
typedef struct GpuShape {
    unsigned first, lanes; /**< first active lane; how many are active */
    bool contiguous, uniform;
    bool inside;         /**< the region that the instruction went to last, and aligned */
    unsigned relation;   /**< of exec_address.c */
    GpuPattern *pattern; /**< that the lanes lie in; NULL: none is known */
} GpuShape;

/* exec_memory.c */
GpuAccess *memory_begin_access(GpuWarp *warp, const GpuInstruction *ins, GpuAccessKind kind, uint32_t lanes,
                               uint8_t bytes, PtxSpace space);
void memory_send_access(GpuWarp *warp, GpuAccess *access);
/** The host bytes behind a place in a block's shared memory, when they lie in one variable; else NULL. */
uint8_t *memory_shared_host(const GpuBlock *block, uint64_t offset, uint64_t bytes);

/* exec_local.c: a lane's local memory is spread out by words; offsets are from the bottom of its stack */
void local_read(const GpuWarp *warp, unsigned lane, uint32_t offset, unsigned bytes, uint8_t *to);
void local_write(const GpuWarp *warp, unsigned lane, uint32_t offset, unsigned bytes, const uint8_t *from);
/** Where the instruction's lanes may go in their own frame; false: nowhere with `step` bytes. */
bool local_reach(const GpuWarp *warp, const GpuInstruction *ins, uint64_t step, GpuReach *reach);
/** A load, and a store of warp->stored, of lanes that all lie within that reach, with its definedness. */
void local_load(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, const GpuShape *shape);
void local_store(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, const GpuShape *shape);
