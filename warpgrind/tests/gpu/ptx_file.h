/* ptx_file.h - what the machine's tests share: a PTX text loaded into a Gpu, and a kernel of it launched.
 *
 * A Machine is torn down with machine_end. Everything that goes wrong on the way fails the test at once.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/state/machine.h"
#include "gpu/decode/variant.h"

typedef struct Machine {
    Arena *arena;
    Gpu *gpu;
    GpuModule *module;
    const GpuAllocation *out; /**< MACHINE_OUT bytes, zero at first */
} Machine;

enum { MACHINE_OUT = 65536 };

static inline void machine_fail(const Diagnostics *diagnostics) {
    Text text;
    text_init(&text);
    diag_render(diagnostics, &text, false);
    fprintf(stderr, "%s\n", text.bytes);
    text_free(&text);
    fail_msg("the PTX was refused");
}

/** `lower`: with handlers for a processor so many levels below the best (or the lowest there is). */
static inline Machine machine_begin_at(unsigned lower, const char *name, const char *ptx, size_t length,
                                       GpuConfig config, const GpuObserver *observer) {
    Machine machine = {.arena = arena_create(), .gpu = gpu_create(&config)};
    assert_non_null(machine.arena);
    assert_non_null(machine.gpu);
    const unsigned best = gpu_processor_level();
    machine.gpu->variant = variant_at(lower < best ? best - lower : 0);
    if (observer) gpu_attach(machine.gpu, observer);
    Diagnostics diagnostics;
    diag_init(&diagnostics, machine.arena);
    const PtxModule *module = ptx_load(machine.arena, name, ptx, length, &diagnostics);
    if (!module) machine_fail(&diagnostics);
    machine.module = gpu_module_load(machine.gpu, module, &diagnostics);
    if (!machine.module) machine_fail(&diagnostics);
    machine.out = gpu_memory_alloc(machine.gpu, MACHINE_OUT, 256, GPU_ALLOC_DEVICE, 0);
    assert_non_null(machine.out);
    gpu_memory_set(machine.gpu, machine.out->address, 0, MACHINE_OUT, 0);
    return machine;
}

static inline Machine machine_begin(const char *name, const char *ptx, GpuConfig config,
                                    const GpuObserver *observer) {
    return machine_begin_at(0, name, ptx, strlen(ptx), config, observer);
}

static inline void machine_end(Machine *machine) {
    gpu_destroy(machine->gpu);
    arena_destroy(machine->arena);
}

/** Launches `kernel` with the parameters (out, second). */
static inline GpuStatus machine_launch(const Machine *machine, const char *kernel, uint32_t blocks,
                                       uint32_t threads, uint32_t second) {
    struct {
        uint64_t out;
        uint32_t second;
    } parameters = {machine->out->address, second};
    GpuLaunchSpec spec = {.kernel = gpu_kernel_find(machine->module, kernel),
                          .grid = {blocks, 1, 1},
                          .block = {threads, 1, 1},
                          .parameters = &parameters};
    assert_non_null(spec.kernel);
    return gpu_launch(machine->gpu, &spec);
}

static inline uint32_t machine_u32(const Machine *machine, uint32_t index) {
    uint32_t value;
    memcpy(&value, gpu_memory_host(machine->gpu, machine->out->address + 4 * (uint64_t)index, 4), 4);
    return value;
}
