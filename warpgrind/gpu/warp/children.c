/* children.c - kernels that kernels launch (CUDA C++ Programming Guide, Dynamic Parallelism), by what nvcc
 * makes of a launch in device code: a buffer for the parameters, which the thread fills, and the launch.
 *
 * A child may begin at once or when its parent has ended, and the parent cannot wait for it. Here it runs
 * when the parent's blocks are done, as late as it may, so that who counts on it earlier is seen. Children
 * run in the order in which they were launched, each with its own children, and those of the stream of tail
 * launches after all others: no other order is promised to launches that wait for each other. LIMIT: children
 * of different streams do not overlap, so that races between them are not found.
 */
#include "gpu/memory/memory_access.h"
#include "gpu/warp/children.h"

#include <stdlib.h>

enum { CHILD_OK = 0, CHILD_INVALID_CONFIGURATION = 9, CHILD_TOO_DEEP = 65, CHILD_TOO_MANY = 69 };
enum { DEEPEST = 24, MOST_SHARED = 232448, TAIL_STREAM = 3 };
enum { GRID_YZ = 65535, BLOCK_Z = 64, MOST_CHILDREN = 65536 };

void children_free(GpuChild *child) {
    free(child->parameters);
    free(child);
}

/* ---- what a thread asks for ---- */

static GpuDim child_dimension(const GpuWarp *warp, const GpuInstruction *ins, unsigned argument,
                              unsigned lane) {
    GpuDim dim;
    local_read(warp, lane, warp->frame->local_base + ins->u.call->arguments[argument], sizeof dim,
               (uint8_t *)&dim);
    return dim;
}

/** What is wrong with a launch from device code, as far as a card checks it; NULL: nothing. */
static const char *child_mistake(const GpuLaunchSpec *spec) {
    const GpuDim *grid = &spec->grid, *block = &spec->block;
    if (!grid->x || !grid->y || !grid->z || !block->x || !block->y || !block->z)
        return "a grid or block without threads";
    if (grid->x > INT32_MAX || grid->y > GRID_YZ || grid->z > GRID_YZ) return "a grid that is too large";
    bool small =
        block->x <= GPU_MAX_BLOCK_THREADS && block->y <= GPU_MAX_BLOCK_THREADS && block->z <= BLOCK_Z;
    if (!small || (uint64_t)block->x * block->y * block->z > GPU_MAX_BLOCK_THREADS)
        return "a block of more than 1,024 threads, or more than 64 in z";
    uint64_t shared = (uint64_t)gpu_kernel_static_shared(spec->kernel) + spec->dynamic_shared;
    if (shared > MOST_SHARED) return "more shared memory than a block can have";
    return NULL;
}

static void child_refuse(GpuWarp *warp, const GpuInstruction *ins, unsigned lane, const char *kernel,
                         const char *mistake, int error) {
    warp->run->gpu->child_error = error;
    GPU_SEND(warp->run->gpu, child_refused, warp, lane, ins->pc, kernel, mistake);
}

/** A buffer for the parameters: its address, or 0. */
static uint64_t child_buffer(GpuWarp *warp, const GpuInstruction *ins, unsigned lane, uint64_t function,
                             uint64_t shared) {
    GpuRun *run = warp->run;
    GpuKernel *kernel = module_kernel_at(run->kernel->module, function);
    if (!kernel) {
        child_refuse(warp, ins, lane, "", "something that is no kernel", CHILD_INVALID_CONFIGURATION);
        return 0;
    }
    GpuLaunchSpec spec = run->launch.spec;
    spec.kernel = kernel;
    spec.grid = child_dimension(warp, ins, 1, lane);
    spec.block = child_dimension(warp, ins, 2, lane);
    spec.dynamic_shared = (uint32_t)shared;
    spec.cooperative = false;
    spec.parent = run->launch.id;
    spec.parent_pc = ins->pc;
    spec.depth++;
    const char *mistake = child_mistake(&spec);
    int error = CHILD_INVALID_CONFIGURATION;
    if (!mistake && spec.depth > DEEPEST) mistake = "24 kernels around it", error = CHILD_TOO_DEEP;
    if (!mistake && ++run->child_count > MOST_CHILDREN)
        mistake = "65,536 launches of this kernel's waiting", error = CHILD_TOO_MANY;
    if (mistake) {
        child_refuse(warp, ins, lane, kernel->ptx->plain_name, mistake, error);
        return 0;
    }
    uint64_t bytes = kernel->ptx->parameter_bytes ? kernel->ptx->parameter_bytes : 1;
    const GpuAllocation *buffer = gpu_memory_alloc(run->gpu, bytes, 64, GPU_ALLOC_DEVICE_HEAP, ins->pc);
    GpuChild *child = calloc(1, sizeof *child);
    if (!buffer || !child) {
        free(child);
        run_end(run, GPU_OUT_OF_MEMORY);
        return 0;
    }
    *child = (GpuChild){.spec = spec, .buffer = buffer->address, .next = run->asked};
    run->asked = child;
    return child->buffer;
}

/** The launch with the parameters in that buffer; an error as the runtime numbers it. */
static uint64_t child_launch(GpuWarp *warp, const GpuInstruction *ins, uint64_t buffer, uint64_t stream) {
    GpuRun *run = warp->run;
    GpuChild **link = &run->asked;
    while (*link && (*link)->buffer != buffer)
        link = &(*link)->next;
    GpuChild *child = *link;
    if (!child) return CHILD_INVALID_CONFIGURATION;
    *link = child->next;
    size_t bytes = child->spec.kernel->ptx->parameter_bytes;
    child->parameters = calloc(1, bytes + 1);
    const void *from = gpu_memory_host(run->gpu, buffer, bytes ? bytes : 1);
    if (!child->parameters || !from) {
        children_free(child);
        run_end(run, GPU_OUT_OF_MEMORY);
        return CHILD_INVALID_CONFIGURATION;
    }
    memcpy(child->parameters, from, bytes);
    gpu_memory_free(run->gpu, buffer, ins->pc);
    child->spec.parameters = child->parameters;
    child->tail = stream == TAIL_STREAM;
    child->next = NULL;
    GpuChild **first = child->tail ? &run->tails : &run->children;
    GpuChild **last;
    if (child->tail)
        last = &run->last_tail;
    else
        last = &run->last_child;
    if (*first)
        (*last)->next = child;
    else
        *first = child;
    *last = child;
    return CHILD_OK;
}

/* ---- what it writes ---- */

/** Stores through a pointer that a thread has given, to its own variable or to memory. */
static void child_put(GpuWarp *warp, unsigned lane, uint64_t address, uint64_t value, unsigned bytes) {
    uint64_t offset = address - GPU_LOCAL_WINDOW;
    if (offset < warp->run->stack_bytes && bytes <= warp->run->stack_bytes - offset) {
        local_write(warp, lane, (uint32_t)offset, bytes, (const uint8_t *)&value);
        for (unsigned i = 0; warp->run->track && i < bytes; i++)
            warp->local_undefined[offset + i] &= ~(1u << lane);
    } else {
        (void)gpu_memory_write(warp->run->gpu, address, &value, bytes, 0);
    }
}

void children_put(GpuWarp *warp, uint32_t mask, const uint64_t *addresses, const uint64_t *values) {
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        child_put(warp, lane, addresses[lane], values[lane], sizeof *values);
    }
}

/** Lane by lane, since each makes its own launch. An error stays until it is asked for, as the host's
 * does. */
void children_call(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, GpuLibraryService service,
                   uint64_t (*arguments)[GPU_WARP_LANES], uint64_t *result) {
    Gpu *gpu = warp->run->gpu;
    for (; mask && !warp->run->ended; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        if (service == GPU_LIBRARY_CONDITION) {
            child_put(warp, lane, arguments[0][lane], arguments[1][lane], sizeof(uint32_t));
            continue;
        }
        result[lane] = CHILD_OK;
        if (service == GPU_LIBRARY_CHILD_BUFFER)
            result[lane] = child_buffer(warp, ins, lane, arguments[0][lane], arguments[3][lane]);
        if (service == GPU_LIBRARY_CHILD_LAUNCH)
            result[lane] = child_launch(warp, ins, arguments[0][lane], arguments[1][lane]);
        if (service == GPU_LIBRARY_CHILD_ERROR || service == GPU_LIBRARY_CHILD_PEEK)
            result[lane] = (uint64_t)gpu->child_error;
        if (service == GPU_LIBRARY_CHILD_HANDLE)
            child_put(warp, lane, arguments[0][lane], ++gpu->child_handles + TAIL_STREAM, sizeof(uint64_t));
        if (service == GPU_LIBRARY_CHILD_DEVICE)
            child_put(warp, lane, arguments[0][lane], 0, sizeof(uint32_t));
    }
    if (service == GPU_LIBRARY_CHILD_ERROR) gpu->child_error = CHILD_OK;
}

/* ---- when the parent has ended ---- */

void children_drop(GpuRun *run) {
    while (run->asked) {
        GpuChild *child = run->asked;
        run->asked = child->next;
        gpu_memory_free(run->gpu, child->buffer, child->spec.parent_pc);
        children_free(child);
    }
}

GpuChild *children_take(GpuRun *run) {
    GpuChild **list = run->children ? &run->children : &run->tails, *child = *list;
    if (child) *list = child->next;
    return child;
}
