/* serve_memory.c - allocation and freeing, device variables' addresses; pinned and managed memory is in
 * serve_shared.c.
 */
#include "base/minmax.h"
#include "device/record/calls.h"
#include "device/record/sent.h"
#include "device/serve/modules.h"
#include "device/serve/serve.h"
#include "device/state/complain.h"
#include "device/state/devices.h"
#include "device/streams/graph_memory.h"
#include "device/streams/queue.h"
#include "device/streams/streams.h"
#include "device/watch/exhausted.h"
#include "device/watch/order.h"
#include "device/watch/pitched.h"
#include "device/watch/symbolcopies.h"

CudaCode serve_refuse_null(Device *device, const char *what) {
    complain(device, FINDING_API_MISUSE,
             SAID_MEMORY(NO_RESULT, .function = serve_function(device), .what = what));
    return CUDA_INVALID_VALUE;
}

/* ---- allocation ---- */

CudaCode serve_no_memory(Device *device, uint64_t bytes) {
    if (bytes > INT64_MAX)
        complain(device, FINDING_API_MISUSE,
                 SAID_MEMORY(NEGATIVE, .function = serve_function(device), .length = (int64_t)bytes));
    return CUDA_OUT_OF_MEMORY;
}

static CudaCode allocate(Device *device, uint64_t bytes, uint64_t *address) {
    *address = 0;
    if (bytes == 0) return CUDA_OK; /* as CUDA: a null pointer and no error */
    const GpuAllocation *allocation = NULL;
    if (bytes <= GPU_GLOBAL_SPAN)
        allocation = gpu_memory_alloc(device->gpu, bytes, 256, GPU_ALLOC_DEVICE, device->serving.site);
    if (allocation == NULL && bytes <= INT64_MAX) exhausted_note(device, bytes);
    if (allocation == NULL) return serve_no_memory(device, bytes);
    sent_allocate(device, allocation->address, bytes);
    *address = allocation->address;
    return CUDA_OK;
}

/** cudaMalloc(&p, bytes), where p is a __device__ variable: it sets the host's placeholder, and kernels read
 * a pointer that is still null. */
static void check_destination(Device *device, uint64_t pointer) {
    const DeviceVariable *variable = objects_variable(device, pointer);
    if (variable == NULL || variable->managed) return;
    complain(device, FINDING_API_MISUSE,
             SAID_MEMORY(PLACEHOLDER, .function = serve_function(device), .variable = variable->name));
}

SERVE(serve_malloc, cudaMalloc) {
    check_destination(device, a->address);
    return allocate(device, a->bytes, &r->address);
}

CudaCode serve_allocate_in(Device *device, uint64_t stream_handle, uint64_t bytes, uint64_t *address) {
    DeviceStream *stream = serve_stream(device, stream_handle);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    if (stream->capture != NULL) return graph_memory_allocate(device, stream, bytes, address);
    CudaCode error = allocate(device, bytes, address);
    if (error != CUDA_OK || bytes == 0) return error;
    gpu_memory_set_pooled(device->gpu, *address);
    order_watch(device);
    order_allocated(device, stream, *address);
    return CUDA_OK;
}

SERVE(serve_malloc_async, cudaMallocAsync) {
    check_destination(device, a->address);
    return serve_allocate_in(device, a->stream, a->bytes, &r->address);
}

/** Rows that each begin at a multiple of the alignment: the results are where they are and how far apart. */
static CudaCode allocate_rows(Device *device, uint64_t width, uint64_t height, Results_cudaMallocPitch *r) {
    enum { PITCH_ALIGNMENT = 512 };
    if (width > GPU_GLOBAL_SPAN) return serve_no_memory(device, MAX(width, height));
    if (height > GPU_GLOBAL_SPAN) return serve_no_memory(device, height);
    r->pitch = (width + PITCH_ALIGNMENT - 1) / PITCH_ALIGNMENT * PITCH_ALIGNMENT;
    if (r->pitch != 0 && height > GPU_GLOBAL_SPAN / r->pitch) return CUDA_OUT_OF_MEMORY;
    CudaCode error = allocate(device, r->pitch * height, &r->address);
    if (error == CUDA_OK) pitched_made(device, r->address, r->pitch, width, height);
    return error;
}

SERVE(serve_malloc_pitch, cudaMallocPitch) {
    check_destination(device, a->address);
    return allocate_rows(device, a->width, a->height, r);
}

SERVE(serve_malloc_3d, cudaMalloc3D) {
    Results_cudaMallocPitch rows = {0};
    uint64_t height;
    if (__builtin_mul_overflow(a->height, a->depth, &height)) height = UINT64_MAX;
    CudaCode error = allocate_rows(device, a->width, height, &rows);
    r->address = rows.address;
    r->pitch = rows.pitch;
    return error;
}

/* ---- freeing ---- */

/** Why the address cannot be freed: freed before, not the start of its allocation, host memory, or an
 * array. */
static CudaCode refuse_free(Device *device, uint64_t address) {
    CudaCode array = serve_refuse_array(device, address, address);
    if (array != CUDA_OK) return array;
    const GpuAllocation *nearest = gpu_memory_nearest(device->gpu, address);
    DeviceAddressKind kind = objects_address_kind(device, address);
    bool host = objects_is_host_address(kind);
    bool heap = nearest != NULL && nearest->kind == GPU_ALLOC_DEVICE_HEAP;
    CheckPlace freed = {.line = 0};
    if (kind == ADDRESS_FREED) freed = complain_freed(device, nearest);
    if (kind == ADDRESS_FREED)
        complain_both(device, FINDING_API_MISUSE, heap ? 0 : nearest->free_site, "freed",
                      SAID_MEMORY(FREED, .function = serve_function(device), .destructor = freed.destructor,
                                  .caller = complain_line_above(device, &freed),
                                  .place = complain_memory_line(device, nearest)));
    else if (kind == ADDRESS_DEVICE && heap)
        complain(device, FINDING_API_MISUSE,
                 SAID_MEMORY(HEAP, .function = serve_function(device),
                             .memory = complain_address(device, address)));
    else if (kind == ADDRESS_DEVICE)
        complain(device, FINDING_API_MISUSE,
                 SAID_MEMORY(MOVED, .function = serve_function(device), .bytes = address - nearest->address,
                             .memory = complain_address(device, address)));
    else
        complain(device, host ? FINDING_HOST_DEVICE_POINTER : FINDING_API_MISUSE,
                 SAID_MEMORY(CANNOT_FREE, .function = serve_function(device),
                             .memory = complain_address(device, address), .host = host,
                             .stack = kind == ADDRESS_STACK));
    return CUDA_INVALID_VALUE;
}

/** The live allocation that begins at the address; or NULL. */
static const GpuAllocation *beginning_at(const Device *device, uint64_t address) {
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, address);
    if (allocation != NULL && allocation->address == address) return allocation;
    return NULL;
}

static bool can_free(const Device *device, uint64_t address) {
    const GpuAllocation *allocation = beginning_at(device, address);
    return allocation != NULL && allocation->kind == GPU_ALLOC_DEVICE;
}

/** The free that will be the memory's end, unless a graph brings it back after that; or NULL. */
static const DeviceOperation *pending_free(const Device *device, uint64_t address) {
    const DeviceOperation *any = device->queue.last;
    for (; any != NULL; any = any->previous) {
        if (any->kind == OPERATION_ALLOCATE && any->memory.address == address) return NULL;
        if (any->kind == OPERATION_FREE && any->memory.address == address) return any;
    }
    return NULL;
}

/** Freed when the stream comes to it. */
static CudaCode free_in(Device *device, DeviceStream *stream, uint64_t address) {
    const DeviceOperation *freed = pending_free(device, address);
    if (freed != NULL) {
        complain_both(device, FINDING_API_MISUSE, freed->site, "freed",
                      SAID_MEMORY(FREED_LATER, .place = complain_line(device, freed->site)));
        return CUDA_INVALID_VALUE;
    }
    if (!can_free(device, address)) return refuse_free(device, address);
    DeviceOperation *operation = queue_add(device, OPERATION_FREE, stream);
    if (operation == NULL) return CUDA_OUT_OF_MEMORY;
    operation->memory.address = address;
    graph_memory_freed(device, address, stream, operation);
    return CUDA_OK;
}

static bool is_pooled(const Device *device, uint64_t address) {
    const GpuAllocation *allocation = beginning_at(device, address);
    return allocation != NULL && allocation->pooled;
}

/** cudaFree waits for nobody where the memory came from cudaMallocAsync (cuMemFree): the free comes after
 * what the host has waited for, and after nothing else, as in a stream of its own. What is pending is done
 * before by luck. */
static CudaCode free_pooled(Device *device, uint64_t address) {
    DeviceStream **frees = &device->queue.frees;
    if (*frees == NULL) *frees = streams_add_hidden(device);
    if (*frees == NULL) return CUDA_OUT_OF_MEMORY;
    device->serving.uncounted = true;
    queue_run_early(device);
    const CudaCode error = free_in(device, *frees, address);
    if (error == CUDA_OK) return queue_run_stream(device, *frees);
    return error;
}

/** cudaFree waits for the device first. */
SERVE(serve_free, cudaFree) {
    if (is_pooled(device, a->address)) return free_pooled(device, a->address);
    uint64_t *held = calls_held(device);
    if (held != NULL) order_hold(device, held);
    CudaCode error = queue_run_all(device);
    if (error != CUDA_OK || a->address == 0) return error;
    DeviceShared *shared = objects_shared(device, a->address);
    if (serve_is_start_of(shared, a->address, true))
        return serve_free_shared(device, shared, &r->mapped_bytes);
    if (!can_free(device, a->address)) return refuse_free(device, a->address);
    sent_free(device, a->address);
    graph_memory_freed(device, a->address, NULL, NULL);
    gpu_memory_free(device->gpu, a->address, device->serving.site);
    return CUDA_OK;
}

CudaCode serve_free_in(Device *device, uint64_t stream_handle, uint64_t address) {
    DeviceStream *stream = serve_stream(device, stream_handle);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    if (address == 0) return CUDA_OK; /* as cudaFree(NULL) */
    if (stream->capture != NULL) return graph_memory_free(device, stream, address);
    return free_in(device, stream, address);
}

SERVE(serve_free_async, cudaFreeAsync) {
    return serve_free_in(device, a->stream, a->address);
}

/* ---- asking ---- */

CudaCode serve_check_managed(Device *device, uint64_t address) {
    const DeviceShared *shared = objects_shared(device, address);
    if (shared != NULL && shared->managed) return CUDA_OK;
    complain(device, FINDING_API_MISUSE,
             SAID_MEMORY(NOT_MANAGED, .function = serve_function(device),
                         .memory = complain_address(device, address)));
    return CUDA_INVALID_VALUE;
}

SERVE(serve_memory_advice, cudaMemAdvise) {
    return serve_check_managed(device, a->address);
}

/** What kind of memory it is, and at which addresses host and device reach it. */
SERVE(serve_pointer_attributes, cudaPointerGetAttributes) {
    enum { UNREGISTERED, HOST, DEVICE, MANAGED };
    const DeviceShared *shared = objects_shared(device, a->address);
    r->type = UNREGISTERED;
    r->device_address = r->host_address = 0;
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, a->address);
    r->device = devices_owner(device, allocation);
    if (shared != NULL) {
        if (shared->managed)
            r->type = MANAGED;
        else
            r->type = HOST;
        r->device_address = r->host_address = a->address;
    } else if (allocation != NULL && allocation->kind != GPU_ALLOC_DEVICE_HEAP) {
        r->type = DEVICE;
        r->device_address = a->address;
    } else if (objects_pinned(device, a->address) != NULL) {
        r->type = HOST;
        r->device_address = objects_pinned_address(device, a->address);
        r->host_address = a->address;
    } else {
        r->host_address = a->address;
    }
    return CUDA_OK;
}

/* ---- device variables ---- */

/** Only the variable itself counts as a symbol. What was given in its place is said: a local variable, a
 * text with the name, another address. */
DeviceVariable *serve_variable(Device *device, uint64_t symbol) {
    DeviceVariable *variable = objects_variable(device, symbol);
    if (variable != NULL && variable->host == symbol) return variable;
    DeviceAddressKind kind = objects_address_kind(device, symbol);
    complain(device, FINDING_API_MISUSE,
             SAID_MEMORY(NO_SYMBOL, .function = serve_function(device),
                         .memory = complain_address(device, symbol), .stack = kind == ADDRESS_STACK,
                         .host = kind == ADDRESS_IMAGE || kind == ADDRESS_SHADOW));
    return NULL;
}

SERVE(serve_symbol_address, cudaGetSymbolAddress) {
    DeviceVariable *variable = serve_variable(device, a->symbol);
    const GpuAllocation *allocation = NULL;
    if (variable != NULL) allocation = modules_load_variable(device, variable);
    if (allocation == NULL) return CUDA_INVALID_SYMBOL;
    symbolcopies_escaped(device, allocation);
    r->address = allocation->address;
    return CUDA_OK;
}

SERVE(serve_symbol_size, cudaGetSymbolSize) {
    DeviceVariable *variable = serve_variable(device, a->symbol);
    const GpuAllocation *allocation = NULL;
    if (variable != NULL) allocation = modules_load_variable(device, variable);
    if (allocation == NULL) return CUDA_INVALID_SYMBOL;
    r->bytes = allocation->bytes;
    return CUDA_OK;
}
