/* gpu.c - the machine's life, its limits, and what it printed. */
#include "gpu/decode/variant.h"
#include "gpu/launch/launch.h"
#include "gpu/launch/repeat.h"
#include "gpu/memory/memory.h"

#include <stdlib.h>

#define DEFAULT_MEMORY (UINT64_C(2) << 30)
/* A naive product of matrices of 1024 x 1024 takes 1.5 thousand million steps where nothing optimises it. */
#define DEFAULT_BUDGET UINT64_C(4000000000)

/** Zeros in the configuration stand for what is usual. */
Gpu *gpu_create(const GpuConfig *config) {
    Gpu *gpu = calloc(1, sizeof *gpu);
    if (!gpu) return NULL;
    gpu->config = *config;
    if (!gpu->config.memory_bytes) gpu->config.memory_bytes = DEFAULT_MEMORY;
    if (!gpu->config.step_budget) gpu->config.step_budget = DEFAULT_BUDGET;
    if (!gpu->config.resident_blocks || gpu->config.resident_blocks > GPU_MAX_RESIDENT_BLOCKS)
        gpu->config.resident_blocks = GPU_USUAL_RESIDENT_BLOCKS;
    gpu->variant = variant_at(gpu_processor_level());
    gpu->next_pc = 1;
    gpu_reset_limits(gpu);
    text_init(&gpu->output);
    if (gpu_memory_init(&gpu->memory, gpu->config.parts)) return gpu;
    gpu_destroy(gpu);
    return NULL;
}

/** Slots go first, since their frames are of functions that go with their modules. */
void gpu_destroy(Gpu *gpu) {
    if (!gpu) return;
    launch_free_slots(gpu);
    while (gpu->modules) {
        GpuModule *module = gpu->modules;
        gpu->modules = module->next;
        module_destroy(module);
    }
    repeat_destroy(gpu->repeats);
    gpu_memory_destroy(&gpu->memory);
    text_free(&gpu->output);
    free(gpu->textures.items);
    free(gpu->codes);
    free(gpu->lent);
    free(gpu);
}

void gpu_reset_limits(Gpu *gpu) {
    gpu->limits[GPU_LIMIT_STACK] = 1024;
    gpu->limits[GPU_LIMIT_PRINTF] = UINT64_C(1) << 20;
    gpu->limits[GPU_LIMIT_HEAP] = UINT64_C(8) << 20;
    memset(gpu->limit_is_fixed, 0, sizeof gpu->limit_is_fixed);
}

bool gpu_set_limit(Gpu *gpu, GpuLimit limit, uint64_t bytes) {
    if (gpu->limit_is_fixed[limit]) return false;
    gpu->limits[limit] = bytes;
    return true;
}

uint64_t gpu_limit(const Gpu *gpu, GpuLimit limit) {
    return gpu->limits[limit];
}

void gpu_take_output(Gpu *gpu, Text *output, uint64_t *dropped_bytes) {
    text_append(output, gpu->output.bytes + gpu->output_start, gpu->output.length - gpu->output_start);
    if (dropped_bytes) *dropped_bytes = gpu->dropped;
    text_clear(&gpu->output);
    gpu->output_start = 0;
    gpu->dropped = 0;
}

uint32_t gpu_next_launch(const Gpu *gpu) {
    return gpu->launches + 1;
}

uint64_t gpu_divided(const Gpu *gpu) {
    return gpu->divided;
}
