/* gpu.c - the machine's life, and the questions observers ask about the moment. */
#include "gpu/repeat.h"

#include <stdlib.h>

#define DEFAULT_MEMORY (UINT64_C(2) << 30)
/* A naive product of matrices of 1024 x 1024 takes 1.5 thousand million steps where nothing optimises it. */
#define DEFAULT_BUDGET UINT64_C(4000000000)

Gpu *gpu_create(const GpuConfig *config) {
    Gpu *gpu = calloc(1, sizeof *gpu);
    if (!gpu) return NULL;
    gpu->config = *config;
    if (!gpu->config.memory_bytes) gpu->config.memory_bytes = DEFAULT_MEMORY;
    if (!gpu->config.step_budget) gpu->config.step_budget = DEFAULT_BUDGET;
    if (!gpu->config.resident_blocks || gpu->config.resident_blocks > GPU_MAX_RESIDENT_BLOCKS)
        gpu->config.resident_blocks = GPU_USUAL_RESIDENT_BLOCKS;
    gpu->variant = exec_variant(gpu_processor_level());
    gpu->next_pc = 1;
    gpu_reset_limits(gpu);
    text_init(&gpu->output);
    if (memory_init(&gpu->memory, gpu->config.parts)) return gpu;
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
    repeat_destroy(gpu->repeats);
    memory_destroy(&gpu->memory);
    text_free(&gpu->output);
    free(gpu->textures.items);
    free(gpu->codes);
    free(gpu);
}

void gpu_set_seed(Gpu *gpu, uint64_t seed) {
    gpu->config.seed = seed;
    gpu_forget_repeats(gpu);
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

/* ---- places ---- */

static const PtxModule *place_module(const GpuFunction *function) {
    return function->kernel->module->ptx;
}

/** The function that the pc is in; NULL: none. */
static const GpuFunction *place_function(const Gpu *gpu, uint32_t pc) {
    unsigned low = 0, high = gpu->code_count;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        if (gpu->codes[middle].first_pc <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0) return NULL;
    const GpuFunction *function = gpu->codes[low - 1].function;
    return pc - function->first_pc < function->code_count ? function : NULL;
}

static void place_set_line(GpuPlace *place, const GpuFunction *function, const PtxInstruction *instruction) {
    const PtxModule *module = place_module(function);
    place->line = instruction->line;
    place->column = instruction->column;
    place->file = "";
    if (instruction->file >= 0 && (uint32_t)instruction->file < module->file_count)
        place->file = module->files[instruction->file];
}

GpuPlace gpu_kernel_place(const GpuKernel *kernel, const PtxInstruction *instruction) {
    const PtxModule *module = kernel->module->ptx;
    bool known = instruction->file >= 0 && (uint32_t)instruction->file < module->file_count;
    return (GpuPlace){.function = kernel->ptx,
                      .instruction = instruction,
                      .file = known ? module->files[instruction->file] : "",
                      .line = instruction->line,
                      .column = instruction->column};
}

/** Nothing there is the program's: a header of the toolkit, or code without lines. */
static bool place_is_library(const GpuPlace *place) {
    return !place->line || (place->file[0] == '/' && strstr(place->file, "/include/") != NULL);
}

/** From library code to the line of the program before it: nvcc -G inlines without saying where. */
static void place_leave_inlined(GpuPlace *place, const GpuFunction *function, const PtxInstruction *at) {
    GpuPlace before = *place;
    for (; place_is_library(&before) && at > function->ptx->instructions; at--)
        place_set_line(&before, function, at - 1);
    if (!place_is_library(&before)) *place = before;
}

/** From a library's function out to the line of the program that called it: for the warp that runs now its
 * own calls, for others the last call there was. */
static void place_leave_library(const Gpu *gpu, GpuPlace *place, const GpuFunction *function) {
    enum { DEEPEST = 32 };
    const GpuFrame *frame = gpu->running ? gpu->running->frame : NULL;
    GpuPlace outer = *place;
    const PtxInstruction *at = place->instruction;
    for (unsigned depth = 0; depth < DEEPEST; depth++) {
        place_leave_inlined(&outer, function, at);
        if (!place_is_library(&outer)) break;
        if (frame && frame->function != function) frame = NULL;
        const GpuInstruction *call = frame && frame->caller ? frame->call : function->last_call;
        if (!call || !call->source) return;
        function = call->function;
        frame = frame ? frame->caller : NULL;
        at = call->source;
        place_set_line(&outer, function, at);
        outer.written_in = function->ptx;
    }
    if (!place_is_library(&outer)) *place = outer;
}

GpuPlace gpu_place(const Gpu *gpu, uint32_t pc) {
    GpuPlace place = {.file = ""};
    const GpuFunction *function = place_function(gpu, pc);
    if (!function) return place;
    place.function = place.written_in = function->ptx;
    place.instruction = function->code[pc - function->first_pc].source;
    if (!place.instruction) return place;
    place_set_line(&place, function, place.instruction);
    if (place_is_library(&place)) place_leave_library(gpu, &place, function);
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

uint64_t gpu_divided(const Gpu *gpu) {
    return gpu->divided;
}
