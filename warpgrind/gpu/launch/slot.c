/* slot.c - the memory of a resident block, kept from one block and launch to the next of the same kind. */
#include "gpu/launch/launch.h"
#include "gpu/warp/warp.h"

#include <stdlib.h>
#include <sys/mman.h>

/* ---- slots ---- */

static void slot_free(GpuBlock *block) {
    if (!block) return;
    for (uint32_t w = 0; w < block->warp_count; w++)
        warp_destroy(&block->warps[w]);
    if (block->stacks) munmap(block->stacks, block->stack_memory);
    free(block->warps);
    free(block->shared);
    free(block->uniforms);
    free(block);
}

void launch_free_slots(Gpu *gpu) {
    for (unsigned i = 0; i < GPU_MAX_RESIDENT_BLOCKS; i++) {
        slot_free(gpu->slots[i]);
        gpu->slots[i] = NULL;
    }
}

void slot_fill_row(uint8_t *rows, unsigned row, uint32_t value) {
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
        memcpy(rows + row * GPU_ROW_BYTES + lane * 4, &value, 4);
}

/** tid, laneid, warpid and the five lanemasks: they never change while the slot has this shape. */
static void warp_fill_rows(GpuWarp *warp, GpuDim shape) {
    for (uint32_t lane = 0; lane < GPU_WARP_LANES; lane++) {
        uint32_t t = warp->index * GPU_WARP_LANES + lane, bit = 1u << lane, below = bit - 1;
        uint32_t values[GPU_WARP_ROWS] = {t % shape.x,
                                          t / shape.x % shape.y,
                                          t / shape.x / shape.y,
                                          lane,
                                          warp->index,
                                          bit,
                                          below | bit,
                                          below,
                                          ~below,
                                          ~(below | bit)};
        for (unsigned row = 0; row < GPU_WARP_ROWS; row++)
            memcpy(warp->rows + row * GPU_ROW_BYTES + lane * 4, &values[row], 4);
    }
}

/** Local stacks of all warps, and behind them their definedness: byte masks and origins of words. */
static bool slot_make_stacks(GpuBlock *block) {
    size_t stack = block->stack_bytes, data = stack * GPU_WARP_LANES,
           masks = block->track ? stack * 4 + stack : 0;
    block->stack_memory = (data + masks) * block->warp_count;
    void *memory = mmap(NULL, block->stack_memory, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    block->stacks = memory;
    for (uint32_t w = 0; w < block->warp_count; w++) {
        GpuWarp *warp = &block->warps[w];
        warp->local = block->stacks + data * w;
        uint8_t *shadow = block->stacks + data * block->warp_count + masks * w;
        warp->local_undefined = (uint32_t *)(void *)shadow;
        warp->local_origin = (uint32_t *)(void *)(shadow + stack * 4);
    }
    return true;
}

/** Warps as they are before their first block: all zero but for what they are and where their rows lie. */
static void slot_init_warps(GpuBlock *block) {
    uint32_t left = block->threads;
    for (uint32_t w = 0; w < block->warp_count; w++, left -= GPU_WARP_LANES) {
        GpuWarp *warp = &block->warps[w];
        memset(warp, 0, sizeof *warp);
        warp->index = w;
        warp->block = block;
        if (left >= GPU_WARP_LANES)
            warp->existing = UINT32_MAX;
        else
            warp->existing = (1u << left) - 1;
        warp->base[GPU_BASE_WARP] = warp->rows;
        warp->base[GPU_BASE_BLOCK] = block->uniforms;
        warp_fill_rows(warp, block->shape);
    }
}

/** Memory for one resident block of the launch's kernel and shape. It is kept for later launches
 * (slot_suits). */
static GpuBlock *slot_make(GpuRun *run, uint32_t slot) {
    const GpuLaunchSpec *spec = &run->launch.spec;
    GpuBlock *block = calloc(1, sizeof *block);
    if (!block) return NULL;
    block->slot = slot;
    block->kernel = run->kernel;
    block->shape = spec->block;
    block->dynamic_shared = spec->dynamic_shared;
    block->stack_bytes = run->stack_bytes;
    block->track = run->track;
    block->threads = spec->block.x * spec->block.y * spec->block.z;
    block->warp_count = (block->threads + GPU_WARP_LANES - 1) / GPU_WARP_LANES;
    block->shared_span = gpu_kernel_shared_span(run->kernel, spec->dynamic_shared);
    size_t warp_bytes = (block->warp_count * sizeof(GpuWarp) + 63) & ~(size_t)63;
    block->uniforms = aligned_alloc(64, run->kernel->uniform_bytes + GPU_WIDE_ROW_BYTES);
    block->shared = aligned_alloc(64, block_system_shared(block) + PTX_SYSTEM_SHARED_BYTES + 64);
    block->warps = aligned_alloc(64, warp_bytes);
    if (!block->uniforms || !block->shared || !block->warps) {
        block->warp_count = 0;
        slot_free(block);
        return NULL;
    }
    slot_init_warps(block);
    if (slot_make_stacks(block)) return block;
    slot_free(block);
    return NULL;
}

static bool slot_suits(const GpuBlock *block, const GpuRun *run) {
    const GpuLaunchSpec *spec = &run->launch.spec;
    return block->kernel == run->kernel && memcmp(&block->shape, &spec->block, sizeof block->shape) == 0 &&
           block->dynamic_shared == spec->dynamic_shared && block->track >= run->track &&
           block->stack_bytes == run->stack_bytes;
}

/** Rows that are the same for all blocks of the launch. */
static void slot_fill_uniforms(GpuBlock *block, GpuRun *run) {
    const GpuLaunchSpec *spec = &run->launch.spec;
    uint32_t values[GPU_BLOCK_ROWS] = {[GPU_BLOCK_NCTAID] = spec->grid.x,
                                       [GPU_BLOCK_NCTAID + 1] = spec->grid.y,
                                       [GPU_BLOCK_NCTAID + 2] = spec->grid.z,
                                       [GPU_BLOCK_NTID] = spec->block.x,
                                       [GPU_BLOCK_NTID + 1] = spec->block.y,
                                       [GPU_BLOCK_NTID + 2] = spec->block.z,
                                       [GPU_BLOCK_GRIDID] = run->launch.id,
                                       [GPU_BLOCK_NWARPID] = GPU_MAX_WARPS,
                                       [GPU_BLOCK_SMID] = block->slot % GPU_USUAL_RESIDENT_BLOCKS,
                                       [GPU_BLOCK_NSMID] = GPU_USUAL_RESIDENT_BLOCKS,
                                       [GPU_BLOCK_DYNAMIC_SHARED] = spec->dynamic_shared,
                                       [GPU_BLOCK_TOTAL_SHARED] =
                                           run->kernel->static_bytes + spec->dynamic_shared};
    if (spec->cooperative) {
        values[GPU_BLOCK_WORKSPACE] = (uint32_t)(run->gpu->workspace->address >> 32);
        values[GPU_BLOCK_WORKSPACE_LOW] = (uint32_t)run->gpu->workspace->address;
    }
    for (unsigned row = 0; row < GPU_BLOCK_ROWS; row++)
        slot_fill_row(block->uniforms, row, values[row]);
    for (uint32_t i = 0; i < run->kernel->uniform_count; i++) {
        const GpuUniform *uniform = &run->kernel->uniforms[i];
        unsigned unused = 64 - uniform->bytes * 8;
        uint64_t value = 0;
        memcpy(&value, run->parameters + uniform->offset, uniform->bytes);
        if (uniform->sign && unused) value = (uint64_t)((int64_t)(value << unused) >> unused);
        for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
            memcpy(block->uniforms + uniform->row + lane * uniform->width, &value, uniform->width);
    }
}

/** A slot for this launch, with its uniform rows filled. */
GpuBlock *slot_take(GpuRun *run, uint32_t slot) {
    GpuBlock **place = &run->gpu->slots[slot];
    if (*place && !slot_suits(*place, run)) {
        slot_free(*place);
        *place = NULL;
    }
    if (!*place) *place = slot_make(run, slot);
    GpuBlock *block = *place;
    if (!block || block->launch == run->launch.id) return block;
    block->launch = run->launch.id;
    block->run = run;
    for (uint32_t w = 0; w < block->warp_count; w++) {
        block->warps[w].run = run;
        warp_reset(&block->warps[w]);
    }
    slot_fill_uniforms(block, run);
    return block;
}
