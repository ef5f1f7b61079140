/* graph_memory.c - see graph_memory.h. */
#include "device/streams/graph_memory.h"
#include "base/minmax.h"
#include "device/state/names.h"
#include "device/streams/queue.h"

#include "device/state/complain.h"
#include "device/state/state.h"

static const char *function_name(const Device *device) {
    return names_function(device->serving.request->function);
}

bool graph_memory_used(const Graph *graph) {
    for (const GraphNode *node = graph->first; node != NULL; node = node->next)
        if (node->operation.kind == OPERATION_ALLOCATE || node->operation.kind == OPERATION_FREE) return true;
    return false;
}

/** The graph's node of that kind for the address, or NULL. */
static const GraphNode *find_node(const Graph *graph, DeviceOperationKind kind, uint64_t address) {
    const GraphNode *node = graph->first;
    while (node != NULL && (node->operation.kind != kind || node->operation.memory.address != address))
        node = node->next;
    return node;
}

/* ---- writing down ---- */

void graph_memory_show(Device *device) {
    if (device->graphs.kept_shown) return;
    gpu_memory_show_kept(device->gpu, true);
    device->graphs.kept_shown = true;
}

void graph_memory_show_to(Device *device, uint64_t stream) {
    const DeviceStream *found = objects_stream(device, stream);
    if (found != NULL && found->capture != NULL) graph_memory_show(device);
}

void graph_memory_hide(Device *device) {
    if (!device->graphs.kept_shown) return;
    gpu_memory_show_kept(device->gpu, false);
    device->graphs.kept_shown = false;
}

/** The address is kept for the node from now on, as later nodes name it; each launch brings the memory back
 * to it. */
CudaCode graph_memory_allocate(Device *device, DeviceStream *stream, uint64_t bytes, uint64_t *address) {
    *address = 0;
    if (bytes == 0) return CUDA_OK;
    gpu_memory_use_part(device->gpu, stream->device);
    const GpuAllocation *kept = gpu_memory_keep(device->gpu, bytes, GPU_ALLOC_DEVICE, device->serving.site);
    DeviceOperation *operation = NULL;
    if (kept != NULL) operation = queue_add(device, OPERATION_ALLOCATE, stream);
    if (operation == NULL) {
        if (kept != NULL) gpu_memory_keep_no_longer(device->gpu, kept->address);
        return CUDA_OUT_OF_MEMORY;
    }
    operation->memory.address = *address = kept->address;
    operation->memory.bytes = bytes;
    return CUDA_OK;
}

static CudaCode refuse_free(Device *device, DeviceStream *stream, uint64_t address) {
    stream->capture->invalid = true;
    complain(device, FINDING_API_MISUSE,
             SAID_GRAPH(NOT_ITS_MEMORY, .function = function_name(device),
                        .memory = complain_address(device, address)));
    return CUDA_INVALID_VALUE;
}

/** Frees memory of a graph: of this one, or of another one that leaves it behind. A graph frees an address
 * once. */
CudaCode graph_memory_free(Device *device, DeviceStream *stream, uint64_t address) {
    graph_memory_show(device);
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, address);
    if (allocation == NULL || allocation->address != address || !allocation->kept)
        return refuse_free(device, stream, address);
    const GraphNode *before = find_node(stream->capture, OPERATION_FREE, address);
    if (before != NULL) {
        complain_both(device, FINDING_API_MISUSE, before->operation.site, "freed",
                      SAID_GRAPH(FREED_TWICE, .function = function_name(device),
                                 .place = complain_line(device, before->operation.site)));
        return CUDA_INVALID_VALUE;
    }
    DeviceOperation *operation = queue_add(device, OPERATION_FREE, stream);
    if (operation == NULL) return CUDA_OUT_OF_MEMORY;
    operation->memory.address = address;
    operation->memory.bytes = allocation->bytes;
    return CUDA_OK;
}

void graph_memory_forget(Device *device, const GraphNode *node) {
    if (node->operation.kind != OPERATION_ALLOCATE) return;
    uint64_t address = node->operation.memory.address;
    for (const Graph *graph = device->graphs.first; graph != NULL; graph = graph->next)
        for (const GraphNode *any = graph->first; any != NULL; any = any->next)
            if (any != node && any->operation.kind == OPERATION_ALLOCATE &&
                any->operation.memory.address == address)
                return;
    gpu_memory_keep_no_longer(device->gpu, address);
}

/* ---- how much the graphs hold ---- */

static uint64_t smaller(uint64_t a, uint64_t b) {
    return MIN(a, b);
}

static DeviceGraphPool *pool_of(Device *device, uint64_t address) {
    return &device->graphs.pools[gpu_memory_part(device->gpu, address)];
}

static void take(Device *device, DeviceStream *stream, uint64_t address, uint64_t bytes) {
    DeviceGraphPool *pool = pool_of(device, address);
    uint64_t own = smaller(stream->spare, bytes), spare = smaller(pool->spare, bytes - own);
    stream->spare -= own;
    pool->spare -= spare;
    pool->held += bytes - own - spare;
    if (pool->high < pool->held) pool->high = pool->held;
}

/** Memory that a later free will spare belongs to the stream's own work, until the free is done. */
static void give(DeviceStream *stream, DeviceOperation *operation, uint64_t bytes) {
    stream->spare += bytes;
    operation->memory.bytes = bytes;
    operation->memory.spare_of = stream;
}

void graph_memory_freed(Device *device, uint64_t address, DeviceStream *stream, DeviceOperation *operation) {
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, address);
    if (allocation == NULL || !allocation->kept) return;
    if (stream != NULL)
        give(stream, operation, allocation->bytes);
    else
        pool_of(device, address)->spare += allocation->bytes;
}

void graph_memory_free_done(Device *device, const DeviceOperation *operation) {
    DeviceStream *stream = operation->memory.spare_of;
    if (stream == NULL) return;
    uint64_t bytes = smaller(stream->spare, operation->memory.bytes);
    stream->spare -= bytes;
    pool_of(device, operation->memory.address)->spare += bytes;
}

/* ---- launching ---- */

/** Whether the memory will be there once everything pending has been done. */
static bool will_be_there(const Device *device, uint64_t address) {
    for (const DeviceOperation *any = device->queue.last; any != NULL; any = any->previous) {
        if (any->kind == OPERATION_ALLOCATE && any->memory.address == address) return true;
        if (any->kind == OPERATION_FREE && any->memory.address == address) return false;
    }
    return gpu_memory_find(device->gpu, address) != NULL;
}

static CudaCode refuse_again(Device *device, const DeviceOperation *operation) {
    complain_both(device, FINDING_API_MISUSE, operation->site, "allocated",
                  SAID_GRAPH(STILL_THERE, .function = function_name(device),
                             .place = complain_line(device, operation->site)));
    return CUDA_INVALID_VALUE;
}

static CudaCode refuse_absent(Device *device, const DeviceOperation *operation) {
    complain_both(device, FINDING_API_MISUSE, operation->site, "freed",
                  SAID_GRAPH(NOT_THERE, .function = function_name(device),
                             .place = complain_line(device, operation->site)));
    return CUDA_INVALID_VALUE;
}

/** Before a launch: what it allocates must be gone by then, and what it frees without having allocated it
 * must be there. */
CudaCode graph_memory_check(Device *device, const Graph *graph) {
    for (const GraphNode *node = graph->first; node != NULL; node = node->next) {
        const DeviceOperation *operation = &node->operation;
        uint64_t address = operation->memory.address;
        if (operation->kind == OPERATION_ALLOCATE && !graph->frees_at_launch &&
            will_be_there(device, address))
            return refuse_again(device, operation);
        if (operation->kind == OPERATION_FREE && find_node(graph, OPERATION_ALLOCATE, address) == NULL &&
            !will_be_there(device, address))
            return refuse_absent(device, operation);
    }
    return CUDA_OK;
}

/** cudaGraphInstantiateFlagAutoFreeOnLaunch: what the last launch has left goes first. */
static CudaCode free_left(Device *device, const DeviceOperation *pattern, DeviceStream *stream) {
    if (!will_be_there(device, pattern->memory.address)) return CUDA_OK;
    DeviceOperation *operation = queue_add(device, OPERATION_FREE, stream);
    if (operation == NULL) return CUDA_OUT_OF_MEMORY;
    operation->memory.address = pattern->memory.address;
    give(stream, operation, pattern->memory.bytes);
    return CUDA_OK;
}

/** When there is no room, what is pending may free some. */
static CudaCode bring_back(Device *device, uint64_t address) {
    if (gpu_memory_find(device->gpu, address) != NULL) return CUDA_OK; /* freed later, by what is pending */
    if (gpu_memory_revive(device->gpu, address)) return CUDA_OK;
    queue_run_early(device);
    if (device->errors.sticky != CUDA_OK) return device->errors.sticky;
    if (gpu_memory_revive(device->gpu, address)) return CUDA_OK;
    return CUDA_OUT_OF_MEMORY;
}

CudaCode graph_memory_launch(Device *device, const Graph *graph, DeviceStream *stream) {
    CudaCode error = CUDA_OK;
    for (const GraphNode *node = graph->first; node != NULL && error == CUDA_OK; node = node->next) {
        const DeviceOperation *operation = &node->operation;
        if (operation->kind != OPERATION_ALLOCATE) continue;
        if (graph->frees_at_launch) error = free_left(device, operation, stream);
        if (error == CUDA_OK) error = bring_back(device, operation->memory.address);
    }
    return error;
}

/** graph_memory_check has seen that none of it was there; with frees_at_launch the next launch frees it. */
void graph_memory_take_back(Device *device, const Graph *graph) {
    for (const GraphNode *node = graph->first; node != NULL && !graph->frees_at_launch; node = node->next) {
        const DeviceOperation *operation = &node->operation;
        if (operation->kind == OPERATION_ALLOCATE && will_be_there(device, operation->memory.address))
            gpu_memory_free(device->gpu, operation->memory.address, device->serving.site);
    }
}

void graph_memory_count(Device *device, const Graph *graph, DeviceStream *stream) {
    for (const GraphNode *node = graph->first; node != NULL; node = node->next) {
        const DeviceOperation *operation = &node->operation;
        if (operation->kind == OPERATION_FREE) stream->spare += operation->memory.bytes;
        if (operation->kind == OPERATION_ALLOCATE)
            take(device, stream, operation->memory.address, operation->memory.bytes);
    }
}

CudaCode graph_memory_run(Device *device, const DeviceOperation *operation) {
    if (gpu_memory_find(device->gpu, operation->memory.address) != NULL) return CUDA_OK;
    if (gpu_memory_revive(device->gpu, operation->memory.address)) return CUDA_OK;
    return CUDA_OUT_OF_MEMORY;
}
