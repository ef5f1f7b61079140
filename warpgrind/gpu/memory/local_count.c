/* local_count.c - requests and sectors of local memory, for the counters (no events: nearly every instruction
 * of unoptimised code uses it).
 *
 * Local memory is laid out as on hardware: word w of lanes 0 to 31 lies side by side, so what 8 neighbouring
 * lanes do at one offset is one sector of 32 bytes for each word, and each word is a request of its own, as
 * an H200 counts them. Accesses at a fixed place of the frame are added up when a function is decoded, and a
 * run of instructions adds the difference of two sums.
 */
#include "gpu/memory/memory.h"

#include <stdlib.h>

static bool local_is_fixed(const GpuInstruction *ins, GpuFrameWord word) {
    bool moves = ins->source && (ins->source->opcode == PTX_OP_ld || ins->source->opcode == PTX_OP_st);
    return moves && ins->source->modifiers.space != PTX_SPACE_PARAM && ins->frame_word == word;
}

enum { STORES_SHIFT = 32 };

/** Sums from the function's beginning, one for each instruction: a run of instructions then costs two
 * look-ups, however long it is. */
bool local_count_make(GpuFunction *function) {
    uint32_t count = function->ptx->instruction_count;
    uint64_t *sums = calloc(count + 2, sizeof *sums);
    if (!sums) return false;
    bool any = false;
    for (uint32_t i = 0; i < function->code_count; i++) {
        const GpuInstruction *ins = &function->code[i];
        bool loads = local_is_fixed(ins, GPU_FRAME_LOAD), stores = local_is_fixed(ins, GPU_FRAME_STORE);
        if (ins->ordinal > count || (!loads && !stores)) continue;
        uint64_t words = 1;
        if (ins->bytes > 4) words = ins->bytes / 4u;
        sums[ins->ordinal + 1] += stores ? words << STORES_SHIFT : words;
        any = true;
    }
    for (uint32_t i = 1; i < count + 2; i++)
        sums[i] += sums[i - 1];
    if (any)
        function->local_sums = sums;
    else
        free(sums);
    return true;
}

void local_count_turn(GpuWarp *warp) {
    GpuLocalCounts *counts = &warp->run->launch.local;
    if (warp->run->gpu->access_count) {
        counts->load_requests += (uint32_t)warp->local_requests;
        counts->store_requests += warp->local_requests >> STORES_SHIFT;
        counts->load_sectors += (uint32_t)warp->local_sectors;
        counts->store_sectors += warp->local_sectors >> STORES_SHIFT;
    }
    warp->local_requests = warp->local_sectors = 0;
}

void local_count_lanes(const GpuWarp *warp, uint32_t lanes, uint64_t bytes, bool writes, bool together) {
    const Gpu *gpu = warp->run->gpu;
    if (!gpu->access_count) return;
    GpuLocalCounts *counts = &warp->run->launch.local;
    uint64_t words = 1;
    if (bytes > 4) words = bytes / 4;
    unsigned fresh;
    if (together)
        fresh = local_eights(lanes);
    else
        fresh = (unsigned)__builtin_popcount(gpu->variant->fresh_words(warp->address, lanes));
    *(writes ? &counts->store_requests : &counts->load_requests) += words;
    *(writes ? &counts->store_sectors : &counts->load_sectors) += fresh * words;
}
