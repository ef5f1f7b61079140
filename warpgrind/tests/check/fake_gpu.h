/* fake_gpu.h - a machine that executes nothing: tests send the events themselves and look at the findings.
 *
 * It defines the functions of gpu.h that check/ calls, so a test that includes it links without the machine.
 * A pc is its own source line in "x.cu". One kernel, "k", with the parameters and shared arrays that the test
 * sets.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check/check.h"

enum {
    FAKE_BLOCKS = 8,
    FAKE_WARPS = 32,
    FAKE_ALLOCATIONS = 8,
    FAKE_PARAMETERS = 6,
    FAKE_REGIONS = 4,
    FAKE_SPAN = 1 << 20
};

struct GpuBlock {
    const GpuLaunch *launch;
    uint64_t linear;
    uint32_t slot, threads;
};
struct GpuWarp {
    const GpuBlock *block;
    uint32_t index, alive, poisoned;
};
struct GpuKernel {
    PtxFunction function;
    PtxVariable parameters[FAKE_PARAMETERS];
    GpuSharedRegion regions[FAKE_REGIONS];
    PtxVariable shared[FAKE_REGIONS];
    unsigned region_count;
};
struct Gpu {
    GpuObserver observers[16];
    GpuKeeper keeper;
    unsigned observer_count;
    GpuAllocation allocations[FAKE_ALLOCATIONS];
    unsigned allocation_count;
    uint8_t memory[FAKE_SPAN]; /* behind GPU_GLOBAL_BASE */
    uint8_t shared[FAKE_BLOCKS][4096];
    GpuKernel kernel;
    uint64_t parameters[FAKE_PARAMETERS];
    GpuLaunch launch;
    GpuBlock blocks[FAKE_BLOCKS];
    GpuWarp warps[FAKE_BLOCKS][FAKE_WARPS];
    PtxInstruction instruction;   /* behind every pc */
    const PtxInstruction *placed; /* or this one of the kernel's; NULL */
    Check *check;
};

/* ---- gpu.h ---- */

unsigned gpu_processor_level(void) {
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return 2;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) return 1;
#endif
    return 0;
}
void gpu_set_keeper(Gpu *gpu, const GpuKeeper *keeper) {
    gpu->keeper = *keeper;
}

void gpu_attach(Gpu *gpu, const GpuObserver *observer) {
    gpu->observers[gpu->observer_count++] = *observer;
}
GpuPlace gpu_place(const Gpu *gpu, uint32_t pc) {
    const PtxInstruction *instruction = gpu->placed ? gpu->placed : &gpu->instruction;
    return (GpuPlace){&gpu->kernel.function, instruction, "x.cu", (int)(pc % 1000), 5, &gpu->kernel.function};
}
bool gpu_is_in_library(const Gpu *gpu, uint32_t pc) {
    (void)gpu, (void)pc;
    return false;
}
GpuPlace gpu_kernel_place(const GpuKernel *kernel, const PtxInstruction *instruction) {
    return (GpuPlace){&kernel->function, instruction, "x.cu", instruction->line, 5, &kernel->function};
}
const GpuAllocation *gpu_memory_find(const Gpu *gpu, uint64_t address) {
    for (unsigned i = 0; i < gpu->allocation_count; i++) {
        const GpuAllocation *a = &gpu->allocations[i];
        if (!a->freed && address >= a->address && address < a->address + a->bytes) return a;
    }
    return NULL;
}
const GpuAllocation *gpu_memory_next(const Gpu *gpu, const GpuAllocation *allocation) {
    size_t next = allocation ? (size_t)(allocation - gpu->allocations) + 1 : 0;
    return next < gpu->allocation_count ? &gpu->allocations[next] : NULL;
}
/* A range that only remembers what is put. */
struct GpuRange {
    GpuRangePage pages[4];
    unsigned page_count;
    uint64_t put, taken;
    _Alignas(8) uint8_t bytes[1 << 20];
};
unsigned gpu_range_workers(const GpuRange *range) {
    (void)range;
    return 2;
}
const GpuRangePage *gpu_range_page(const GpuRange *range, unsigned index) {
    return index < range->page_count ? &range->pages[index] : NULL;
}
void gpu_range_put(GpuRange *range, const void *bytes, uint64_t count) {
    assert_true(count <= sizeof range->bytes - range->put);
    if (count) memcpy(range->bytes + range->put, bytes, count);
    range->put += (count + 7) & ~UINT64_C(7);
}
const void *gpu_range_take(GpuRange *range, uint64_t count) {
    const void *bytes = range->bytes + range->taken;
    range->taken += (count + 7) & ~UINT64_C(7);
    assert_true(range->taken <= range->put);
    return bytes;
}
/* Its kernel's values are made of nothing but memory. */
struct Flow {
    GpuTrailEnds ends;
};
static struct Flow fake_trail;
GpuTrail *gpu_kernel_trail(GpuKernel *kernel) {
    (void)kernel;
    return &fake_trail;
}
uint8_t gpu_trail_present(const GpuTrail *trail) {
    return trail->ends.present;
}
GpuTrailEnds gpu_trail_ends(GpuTrail *trail) {
    return trail->ends;
}
uint8_t gpu_trail_stored(GpuTrail *trail, const GpuPlace *place) {
    (void)trail;
    (void)place;
    return GPU_ORIGIN_DATA;
}
bool gpu_trail_met(GpuTrail *trail, const GpuPlace *place, uint8_t origins) {
    (void)trail;
    (void)place;
    (void)origins;
    return false;
}
void gpu_trail_functions(const GpuTrail *trail, GpuApproximate *each, void *self) {
    (void)trail;
    (void)each;
    (void)self;
}
/* Nothing is repeated unwatched here. */
void gpu_forget_repeats(Gpu *gpu) {
    (void)gpu;
}
uint64_t gpu_memory_used(const Gpu *gpu) {
    uint64_t used = 0;
    for (unsigned i = 0; i < gpu->allocation_count; i++)
        used += gpu->allocations[i].bytes;
    return used;
}
const GpuAllocation *gpu_memory_nearest(const Gpu *gpu, uint64_t address) {
    return gpu_memory_find(gpu, address);
}
void *gpu_memory_host(Gpu *gpu, uint64_t address, uint64_t bytes) {
    const GpuAllocation *a = gpu_memory_find(gpu, address);
    uint64_t offset = address - GPU_GLOBAL_BASE;
    return a && address + bytes <= a->address + a->bytes && offset + bytes <= FAKE_SPAN ? gpu->memory + offset
                                                                                        : NULL;
}
const GpuLaunch *gpu_block_launch(const GpuBlock *block) {
    return block->launch;
}
static GpuDim fake_dim(uint64_t linear, GpuDim extent) {
    return (GpuDim){(uint32_t)(linear % extent.x), (uint32_t)(linear / extent.x % extent.y),
                    (uint32_t)(linear / extent.x / extent.y)};
}
bool gpu_block_copies_to(const GpuBlock *block, uint64_t address) {
    (void)block, (void)address;
    return false;
}
GpuDim gpu_block_index(const GpuBlock *block) {
    return fake_dim(block->linear, block->launch->spec.grid);
}
uint64_t gpu_block_linear(const GpuBlock *block) {
    return block->linear;
}
const char *gpu_kernel_file(const GpuKernel *kernel) {
    (void)kernel;
    return NULL;
}
bool gpu_is_arrival(const PtxInstruction *instruction) {
    (void)instruction;
    return false;
}
bool gpu_arrive(const PtxInstruction *arrival, uint64_t *state, uint64_t count) {
    (void)arrival, (void)state, (void)count;
    return false;
}
bool gpu_stores_as_card(const Gpu *gpu) {
    (void)gpu;
    return true;
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
/* No copy is under way, and what a pointer was made from is not known. */
bool gpu_is_copy_start(const Gpu *gpu, uint32_t pc) {
    (void)gpu, (void)pc;
    return false;
}
const PtxFunction *gpu_warp_function(const GpuWarp *warp, unsigned level, const PtxInstruction **call) {
    (void)warp, (void)level, (void)call;
    return NULL;
}
bool gpu_warp_parameter(const GpuWarp *warp, unsigned level, const PtxVariable *parameter, int64_t at,
                        unsigned lane, uint64_t *value) {
    (void)warp, (void)level, (void)parameter, (void)at, (void)lane, (void)value;
    return false;
}
uint64_t gpu_warp_register(const GpuWarp *warp, uint32_t pc, int32_t reg, unsigned lane) {
    (void)warp, (void)pc, (void)reg, (void)lane;
    return 0; /* no pointer into memory */
}

uint32_t gpu_warp_poisoned(const GpuWarp *warp) {
    return warp->poisoned;
}
uint32_t gpu_warp_alive(const GpuWarp *warp) {
    return warp->alive;
}
GpuDim gpu_thread_index(const GpuBlock *block, uint32_t thread) {
    return fake_dim(thread, block->launch->spec.block);
}
const PtxFunction *gpu_kernel_function(const GpuKernel *kernel) {
    return &kernel->function;
}
uint32_t gpu_kernel_pc(const GpuKernel *kernel, const PtxInstruction *instruction) {
    return (uint32_t)(instruction - kernel->function.instructions) + 1;
}
unsigned gpu_kernel_shared_regions(const GpuKernel *kernel, uint32_t dynamic, GpuSharedRegion *regions,
                                   unsigned capacity) {
    (void)dynamic;
    for (unsigned i = 0; i < kernel->region_count && i < capacity; i++)
        regions[i] = kernel->regions[i];
    return kernel->region_count;
}
uint32_t gpu_kernel_shared_span(const GpuKernel *kernel, uint32_t dynamic) {
    (void)dynamic;
    return kernel->region_count ? 4096 : 0;
}
bool ptx_is_frame_access(const PtxFunction *function, const PtxInstruction *instruction) {
    (void)function;
    return instruction->modifiers.space == PTX_SPACE_LOCAL;
}
const PtxLocal *ptx_find_local(const PtxFunction *function, const PtxInstruction *instruction) {
    (void)instruction;
    return function->local_count ? function->locals : NULL;
}
bool ptx_reads_own_array(const PtxFunction *function, const PtxInstruction *instruction,
                         const PtxLocal **array) {
    (void)function;
    (void)instruction;
    *array = NULL;
    return false;
}

/* ---- for tests ---- */

#define FAKE_SEND(gpu_, member, ...)                                                                         \
    do {                                                                                                     \
        for (unsigned o_ = 0; o_ < (gpu_)->observer_count; o_++)                                             \
            if ((gpu_)->observers[o_].member)                                                                \
                (gpu_)->observers[o_].member((gpu_)->observers[o_].self, __VA_ARGS__);                       \
    } while (0)

/* Host call sites are their own lines, too. */
static bool fake_host_place(void *self, uint64_t site, CheckPlace *place) {
    (void)self;
    *place = (CheckPlace){.file = "x.cu", .line = (int)site};
    return true;
}

static inline Gpu *fake_create(void) {
    Gpu *gpu = calloc(1, sizeof *gpu);
    gpu->kernel.function = (PtxFunction){.name = "k", .plain_name = "k", .entry = true, .defined = true};
    gpu->kernel.function.parameters = gpu->kernel.parameters;
    CheckOptions options = check_default_options();
    options.host_place = fake_host_place;
    gpu->check = check_create(gpu, &options);
    assert_non_null(gpu->check);
    return gpu;
}

static inline void fake_destroy(Gpu *gpu) {
    check_destroy(gpu->check);
    free(gpu);
}

static inline uint64_t fake_alloc(Gpu *gpu, uint64_t bytes, uint64_t line) {
    GpuAllocation *a = &gpu->allocations[gpu->allocation_count++];
    *a = (GpuAllocation){.address = GPU_GLOBAL_BASE + 65536 * gpu->allocation_count,
                         .bytes = bytes,
                         .id = gpu->allocation_count};
    a->alloc_site = line;
    FAKE_SEND(gpu, allocated, a);
    return a->address;
}

static inline void fake_parameter(Gpu *gpu, const char *name, unsigned bytes, unsigned element,
                                  uint64_t value) {
    unsigned i = gpu->kernel.function.parameter_count++;
    gpu->kernel.parameters[i] = (PtxVariable){
        .name = name, .plain_name = name, .bytes = bytes, .offset = 8 * i, .element_bytes = element};
    gpu->parameters[i] = value;
}

static inline void fake_shared(Gpu *gpu, const char *name, uint32_t bytes, int line, bool dynamic) {
    unsigned i = gpu->kernel.region_count++;
    uint32_t offset =
        i ? gpu->kernel.regions[i - 1].offset + gpu->kernel.regions[i - 1].bytes + GPU_GUARD_BYTES : 256;
    gpu->kernel.shared[i] = (PtxVariable){
        .name = name, .plain_name = name, .type = PTX_F32, .element_bytes = 4, .declared_line = line};
    gpu->kernel.regions[i] = (GpuSharedRegion){offset, bytes, &gpu->kernel.shared[i], dynamic};
}

/* Begins a launch with all its blocks resident. */
static inline void fake_launch(Gpu *gpu, uint32_t blocks, uint32_t threads, uint64_t line) {
    gpu->launch.id++;
    gpu->launch.spec = (GpuLaunchSpec){
        .kernel = &gpu->kernel, .grid = {blocks, 1, 1}, .block = {threads, 1, 1}, .site = line};
    gpu->launch.spec.parameters = gpu->parameters;
    FAKE_SEND(gpu, launch_begin, &gpu->launch);
    for (uint32_t b = 0; b < blocks && b < FAKE_BLOCKS; b++) {
        gpu->blocks[b] = (GpuBlock){&gpu->launch, b, b, threads};
        for (uint32_t w = 0; w < FAKE_WARPS; w++) {
            uint32_t lanes = threads > 32 * w ? threads - 32 * w : 0;
            gpu->warps[b][w] = (GpuWarp){&gpu->blocks[b], w, lanes >= 32 ? UINT32_MAX : (1u << lanes) - 1, 0};
        }
        FAKE_SEND(gpu, block_begin, &gpu->blocks[b]);
    }
}

static inline void fake_launch_end(Gpu *gpu) {
    for (uint32_t b = 0; b < gpu->launch.spec.grid.x && b < FAKE_BLOCKS; b++)
        FAKE_SEND(gpu, block_end, &gpu->blocks[b]);
    FAKE_SEND(gpu, launch_end, &gpu->launch, GPU_OK);
}

/** An access by lanes of a warp: lane l at address + l * stride. */
typedef struct FakeAccess {
    uint32_t block, warp, lanes, pc;
    PtxSpace space;
    GpuAccessKind kind;
    PtxSemantics semantics;
    uint64_t address;
    int64_t stride;
    const uint64_t *places; /**< [32]: addresses of lanes that lie otherwise; NULL */
    bool rows;              /**< says that they are rows of a tile */
    uint8_t bytes;
    uint32_t value; /**< written by every lane; plus the lane number with `distinct` */
    bool distinct;
    uint64_t pattern;   /**< its number */
    bool unshaped;      /**< nobody says how the lanes lie, so every fast way is left out */
    uint32_t undefined; /**< lanes whose value is undefined */
    uint16_t lacking;   /**< bytes of these that are; 0: all */
    uint32_t origin;
} FakeAccess;

static inline void fake_effect(Gpu *gpu, const FakeAccess *a, const uint64_t *address,
                               const uint8_t *values) {
    for (unsigned l = 0; l < 32; l++) {
        if (!(a->lanes >> l & 1)) continue;
        uint8_t *to = a->space == PTX_SPACE_SHARED ? gpu->shared[a->block] + address[l]
                                                   : gpu->memory + (address[l] - GPU_GLOBAL_BASE);
        memcpy(to, values + l * a->bytes, a->bytes);
    }
}

/** Sends it; returns the lanes that read something undefined. */
static inline uint32_t fake_access(Gpu *gpu, FakeAccess a) {
    uint64_t address[32];
    uint8_t values[32 * 16] = {0};
    if (!a.bytes) a.bytes = 4;
    if (!a.lanes) a.lanes = UINT32_MAX;
    if (!a.space) a.space = PTX_SPACE_GLOBAL;
    for (unsigned l = 0; l < 32; l++) {
        address[l] = a.places ? a.places[l] : a.address + (uint64_t)((int64_t)l * a.stride);
        uint32_t value = a.value + (a.distinct ? l : 0);
        memcpy(values + l * a.bytes, &value, a.bytes < 4 ? a.bytes : 4);
    }
    unsigned first = (unsigned)__builtin_ctz(a.lanes), count = (unsigned)__builtin_popcount(a.lanes);
    bool gapless = count == 32 || (a.lanes >> first) == (1u << count) - 1;
    GpuAccess access = {.warp = &gpu->warps[a.block][a.warp],
                        .pc = a.pc,
                        .space = a.space,
                        .kind = a.kind,
                        .semantics = a.semantics};
    access.bytes = a.bytes;
    access.lanes = access.wanted = a.lanes;
    const bool shaped = !a.places && !a.unshaped;
    access.contiguous = gapless && a.stride == a.bytes && shaped;
    access.uniform = a.stride == 0 && shaped;
    access.rows = a.rows;
    access.pattern = a.pattern;
    access.address = address;
    access.low = UINT64_MAX;
    for (unsigned l = 0; l < 32; l++) {
        if (!(a.lanes >> l & 1)) continue;
        if (address[l] < access.low) access.low = address[l];
        if (address[l] > access.high) access.high = address[l];
    }
    access.values = a.kind == GPU_READ ? NULL : values;
    access.allocation = a.space == PTX_SPACE_GLOBAL ? gpu_memory_find(gpu, address[first]) : NULL;
    access.memory = a.space == PTX_SPACE_SHARED ? gpu->shared[a.block] + address[first]
                                                : gpu->memory + (address[first] - GPU_GLOBAL_BASE);
    access.undefined_lanes = a.undefined;
    if (!a.lacking) a.lacking = (uint16_t)((1u << a.bytes) - 1);
    for (unsigned l = 0; l < 32; l++)
        if (a.undefined >> l & 1) access.undefined_bytes[l] = a.lacking;
    access.origin = a.origin;
    if (gpu->keeper.access) gpu->keeper.access(gpu->keeper.self, &access);
    FAKE_SEND(gpu, access, &access);
    if (a.kind != GPU_READ) fake_effect(gpu, &a, address, values);
    return access.undefined_lanes;
}

static inline void fake_barrier(Gpu *gpu, uint32_t block) {
    uint32_t lanes[FAKE_WARPS];
    for (unsigned w = 0; w < FAKE_WARPS; w++)
        lanes[w] = gpu->warps[block][w].alive;
    GpuBarrier barrier = {&gpu->blocks[block], 0, gpu->blocks[block].threads, true, lanes, lanes, 1};
    FAKE_SEND(gpu, barrier, &barrier);
}

/* bar.sync of some warps only */
static inline void fake_part_barrier(Gpu *gpu, uint32_t block, uint32_t warps) {
    uint32_t lanes[FAKE_WARPS];
    for (unsigned w = 0; w < FAKE_WARPS; w++)
        lanes[w] = warps >> w & 1 ? UINT32_MAX : 0;
    GpuBarrier barrier = {
        &gpu->blocks[block], 1, 32u * (unsigned)__builtin_popcount(warps), false, lanes, lanes, 1};
    FAKE_SEND(gpu, barrier, &barrier);
}

static inline void fake_syncwarp(Gpu *gpu, uint32_t block, uint32_t warp, uint32_t lanes) {
    FAKE_SEND(gpu, warp_sync, &gpu->warps[block][warp], lanes, 1);
}

static inline void fake_fence(Gpu *gpu, uint32_t block, uint32_t warp, uint32_t lanes, PtxScope scope) {
    FAKE_SEND(gpu, fence, &gpu->warps[block][warp], lanes, 1, scope, PTX_SEM_SC);
}

/* ---- what was found ---- */

static inline unsigned fake_errors(Gpu *gpu) {
    return check_finding_count(gpu->check, FINDING_ERROR);
}

static inline const CheckFinding *fake_only_error(Gpu *gpu) {
    assert_int_equal(fake_errors(gpu), 1);
    return check_finding(gpu->check, 0);
}

static inline void assert_contains(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("\"%s\" is not in \"%s\"", part, text);
}
