/* partings.c - where the lanes of a warp last went different ways.
 *
 * A warp operation that waits for lanes which never come is best explained by the branch that sent them
 * elsewhere. Each resident warp keeps its last few divergent branches; sync.c asks for the one that parted
 * two sets of lanes.
 */
#include "base/minmax.h"
#include "check/faults/faults.h"
#include "check/findings/parts.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT = 8, WARPS = GPU_MAX_BLOCK_THREADS / 32 };

typedef struct Parting {
    uint32_t pc, taken, not_taken;
} Parting;

typedef struct WarpPartings {
    Parting last[KEPT];
    uint32_t count; /**< all there were since the block began */
} WarpPartings;

struct Partings {
    WarpPartings *slots[GPU_MAX_RESIDENT_BLOCKS]; /**< [WARPS], made when first needed */
};

bool partings_create(Check *check) {
    check->partings = calloc(1, sizeof *check->partings);
    return check->partings != NULL;
}

void partings_destroy(Partings *partings) {
    if (!partings) return;
    for (unsigned i = 0; i < GPU_MAX_RESIDENT_BLOCKS; i++)
        free(partings->slots[i]);
    free(partings);
}

static WarpPartings *of_warp(const Partings *partings, const GpuWarp *warp) {
    WarpPartings *slot = partings->slots[gpu_block_slot(gpu_warp_block(warp))];
    uint32_t index = gpu_warp_index(warp);
    if (slot && index < WARPS) return &slot[index];
    return NULL;
}

void partings_on_block_begin(void *self, const GpuBlock *block) {
    WarpPartings *slot = ((Check *)self)->partings->slots[gpu_block_slot(block)];
    for (unsigned i = 0; slot && i < WARPS; i++)
        slot[i].count = 0;
}

void partings_on_parted(void *self, const GpuWarp *warp, uint32_t pc, uint32_t taken, uint32_t not_taken) {
    Partings *partings = ((Check *)self)->partings;
    WarpPartings **slot = &partings->slots[gpu_block_slot(gpu_warp_block(warp))];
    if (!*slot) *slot = calloc(WARPS, sizeof **slot);
    if (!*slot) check_incomplete(self);
    WarpPartings *mine = of_warp(partings, warp);
    if (mine) mine->last[mine->count++ % KEPT] = (Parting){pc, taken, not_taken};
}

static bool parts_them(const Parting *parting, uint32_t here, uint32_t gone) {
    return ((parting->taken & here) && (parting->not_taken & gone) == gone) ||
           ((parting->not_taken & here) && (parting->taken & gone) == gone);
}

uint32_t partings_find(const Check *check, const GpuWarp *warp, uint32_t here, uint32_t gone) {
    const WarpPartings *mine = NULL;
    if (warp) mine = of_warp(check->partings, warp);
    if (!mine) return 0;
    uint32_t kept = MIN(mine->count, KEPT);
    for (uint32_t back = 1; back <= kept; back++) {
        const Parting *parting = &mine->last[(mine->count - back) % KEPT];
        if (parts_them(parting, here, gone)) return parting->pc;
    }
    return 0;
}
