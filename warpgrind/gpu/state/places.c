/* places.c - from a pc to a place in the source: for a library's code, to the line of the program that led
 * there. */
#include "base/headers.h"
#include "gpu/state/machine.h"

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
    if (pc - function->first_pc < function->code_count) return function;
    return NULL;
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

const char *gpu_kernel_file(const GpuKernel *kernel) {
    const PtxFunction *function = kernel->ptx;
    for (uint32_t i = 0; !kernel->module->ptx->lines_by_program && i < function->instruction_count; i++)
        if (function->instructions[i].line > 0)
            return gpu_kernel_place(kernel, &function->instructions[i]).file;
    return "";
}

/** Nothing there is the program's: a header of the toolkit, or code without lines. */
static bool place_is_library(const GpuPlace *place) {
    return !place->line || headers_are(place->file);
}

bool gpu_is_in_library(const Gpu *gpu, uint32_t pc) {
    const GpuFunction *function = place_function(gpu, pc);
    GpuPlace place = {.file = ""};
    if (function) place.instruction = function->code[pc - function->first_pc].source;
    if (place.instruction) place_set_line(&place, function, place.instruction);
    return place_is_library(&place);
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
    const GpuFrame *frame = NULL;
    if (gpu->running) frame = gpu->running->frame;
    GpuPlace outer = *place;
    const PtxInstruction *at = place->instruction;
    for (unsigned depth = 0; depth < DEEPEST; depth++) {
        place_leave_inlined(&outer, function, at);
        if (!place_is_library(&outer)) break;
        if (frame && frame->function != function) frame = NULL;
        const GpuInstruction *call;
        if (frame && frame->caller)
            call = frame->call;
        else
            call = function->last_call;
        if (!call || !call->source) return;
        function = call->function;
        if (frame)
            frame = frame->caller;
        else
            frame = NULL;
        at = call->source;
        place_set_line(&outer, function, at);
        outer.written_in = function->ptx;
    }
    if (!place_is_library(&outer)) *place = outer;
}

uint64_t gpu_warp_register(const GpuWarp *warp, uint32_t pc, int32_t reg, unsigned lane) {
    const GpuFunction *function = place_function(warp->run->gpu, pc);
    if (!function || reg < 0 || (uint32_t)reg >= function->ptx->register_count) return 0;
    if (ptx_type_bytes(function->ptx->registers[reg].type) != 8) return 0;
    return gpu_lane_value(warp, GPU_ROW(GPU_BASE_FRAME, function->register_offset[reg]), 8, lane);
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
