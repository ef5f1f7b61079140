/* gpu.c - the machine's life, and the questions observers ask about the moment. */
#include "gpu/internal.h"

#include <stdlib.h>

#define DEFAULT_MEMORY (UINT64_C(2) << 30)
#define DEFAULT_BUDGET UINT64_C(100000000)

Gpu *gpu_create(const GpuConfig *config) {
    Gpu *gpu = calloc(1, sizeof *gpu);
    if (!gpu) return NULL;
    gpu->config = *config;
    if (!gpu->config.memory_bytes) gpu->config.memory_bytes = DEFAULT_MEMORY;
    if (!gpu->config.step_budget) gpu->config.step_budget = DEFAULT_BUDGET;
    if (!gpu->config.resident_blocks || gpu->config.resident_blocks > GPU_MAX_RESIDENT_BLOCKS)
        gpu->config.resident_blocks = GPU_MAX_RESIDENT_BLOCKS;
    gpu->architecture = exec_architecture();
    gpu->addresses = exec_addresses_for(gpu->architecture);
    gpu->next_pc = 1;
    text_init(&gpu->output);
    if (memory_init(&gpu->memory)) return gpu;
    gpu_destroy(gpu);
    return NULL;
}

void gpu_destroy(Gpu *gpu) {
    if (!gpu) return;
    launch_free_slots(gpu);
    while (gpu->modules) {
        GpuModule *module = gpu->modules;
        gpu->modules = module->next;
        module_destroy(module);
    }
    memory_destroy(&gpu->memory);
    text_free(&gpu->output);
    free(gpu->textures.items);
    free(gpu->codes);
    free(gpu);
}

void gpu_set_seed(Gpu *gpu, uint64_t seed) {
    gpu->config.seed = seed;
}

void gpu_take_output(Gpu *gpu, Text *output, uint64_t *dropped_bytes) {
    text_append(output, gpu->output.bytes, gpu->output.length);
    if (dropped_bytes) *dropped_bytes = gpu->dropped;
    text_clear(&gpu->output);
    gpu->dropped = 0;
}

/* ---- places ---- */

static const PtxModule *place_module(const GpuFunction *function) {
    return function->kernel->module->ptx;
}

GpuPlace gpu_place(const Gpu *gpu, uint32_t pc) {
    GpuPlace place = {.file = ""};
    unsigned low = 0, high = gpu->code_count;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        if (gpu->codes[middle].first_pc <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0) return place;
    const GpuFunction *function = gpu->codes[low - 1].function;
    uint32_t index = pc - function->first_pc;
    if (index >= function->code_count) return place;
    const PtxInstruction *instruction = function->code[index].source;
    const PtxModule *module = place_module(function);
    place.function = function->ptx;
    place.instruction = instruction;
    if (!instruction) return place;
    place.line = instruction->line;
    place.column = instruction->column;
    if (instruction->file >= 0 && (uint32_t)instruction->file < module->file_count)
        place.file = module->files[instruction->file];
    return place;
}

/* ---- the moment ---- */

const GpuLaunch *gpu_block_launch(const GpuBlock *block) {
    return &block->run->launch;
}
GpuDim gpu_block_index(const GpuBlock *block) {
    return block->index;
}
uint64_t gpu_block_linear(const GpuBlock *block) {
    return block->linear;
}
uint32_t gpu_block_slot(const GpuBlock *block) {
    return block->slot;
}
uint32_t gpu_block_threads(const GpuBlock *block) {
    return block->threads;
}
const GpuBlock *gpu_warp_block(const GpuWarp *warp) {
    return warp->block;
}
uint32_t gpu_warp_index(const GpuWarp *warp) {
    return warp->index;
}
uint32_t gpu_warp_alive(const GpuWarp *warp) {
    return warp->alive;
}
GpuDim gpu_thread_index(const GpuBlock *block, uint32_t linear_thread) {
    GpuDim shape = block->run->launch.spec.block;
    return (GpuDim){linear_thread % shape.x, linear_thread / shape.x % shape.y,
                    linear_thread / shape.x / shape.y};
}
