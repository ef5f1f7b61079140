/* serve_memory.c - allocation and freeing, pinned and managed memory, device variables' addresses. */
#include "device/complain.h"
#include "device/devices.h"
#include "device/graph_memory.h"
#include "device/hostside.h"
#include "device/pitched.h"
#include "device/serve.h"
#include "device/symbolcopies.h"

#include <string.h>
#include <sys/mman.h>

CudaCode serve_check_out(Device *device, uint64_t pointer, const char *what) {
    if (pointer != 0) return CUDA_OK;
    complain(device, FINDING_API_MISUSE,
             SAID_MEMORY(NO_RESULT, .function = serve_function(device), .what = what));
    return CUDA_INVALID_VALUE;
}

/* ---- allocation ---- */

static CudaCode no_memory(Device *device, uint64_t bytes) {
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
    if (allocation == NULL) return no_memory(device, bytes);
    sent_allocate(device, allocation->address, bytes);
    *address = allocation->address;
    return CUDA_OK;
}

SERVE(serve_malloc, cudaMalloc) {
    CudaCode error = serve_check_out(device, a->address, "the address");
    return error != CUDA_OK ? error : allocate(device, a->bytes, &r->address);
}

CudaCode serve_allocate_in(Device *device, uint64_t stream_handle, uint64_t bytes, uint64_t *address) {
    DeviceStream *stream = serve_stream(device, stream_handle);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    if (stream->capture == NULL) return allocate(device, bytes, address);
    return graph_memory_allocate(device, stream, bytes, address);
}

SERVE(serve_malloc_async, cudaMallocAsync) {
    CudaCode error = serve_check_out(device, a->address, "the address");
    return error != CUDA_OK ? error : serve_allocate_in(device, a->stream, a->bytes, &r->address);
}

/** Rows that each begin at a multiple of the alignment: the results are where they are and how far apart. */
static CudaCode allocate_rows(Device *device, uint64_t width, uint64_t height, Results_cudaMallocPitch *r) {
    enum { PITCH_ALIGNMENT = 512 };
    if (width > GPU_GLOBAL_SPAN) return no_memory(device, width > height ? width : height);
    if (height > GPU_GLOBAL_SPAN) return no_memory(device, height);
    r->pitch = (width + PITCH_ALIGNMENT - 1) / PITCH_ALIGNMENT * PITCH_ALIGNMENT;
    if (r->pitch != 0 && height > GPU_GLOBAL_SPAN / r->pitch) return CUDA_OUT_OF_MEMORY;
    CudaCode error = allocate(device, r->pitch * height, &r->address);
    if (error == CUDA_OK) pitched_made(device, r->address, r->pitch, width, height);
    return error;
}

SERVE(serve_malloc_pitch, cudaMallocPitch) {
    CudaCode error = serve_check_out(device, a->address, "the address");
    if (error == CUDA_OK) error = serve_check_out(device, a->pitch, "the pitch");
    return error != CUDA_OK ? error : allocate_rows(device, a->width, a->height, r);
}

SERVE(serve_malloc_3d, cudaMalloc3D) {
    Results_cudaMallocPitch rows = {0};
    uint64_t height;
    CudaCode error = serve_check_out(device, a->address, "the address");
    if (error != CUDA_OK) return error;
    if (__builtin_mul_overflow(a->height, a->depth, &height)) height = UINT64_MAX;
    error = allocate_rows(device, a->width, height, &rows);
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
    if (kind == ADDRESS_FREED)
        complain_both(device, FINDING_API_MISUSE, nearest->free_site, "freed",
                      SAID_MEMORY(FREED, .function = serve_function(device),
                                  .place = complain_line(device, nearest->free_site)));
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

static bool can_free(Device *device, uint64_t address) {
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, address);
    return allocation != NULL && allocation->address == address && allocation->kind == GPU_ALLOC_DEVICE;
}

/** The pages become the machine's own again: the program may have kept its mapping of them. */
static CudaCode free_shared(Device *device, DeviceShared *shared, uint64_t *mapped) {
    void *bytes = gpu_memory_host(device->gpu, shared->address, shared->bytes);
    void *own = mmap(bytes, shared->mapped_bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (own != bytes) BUG("pages that were mapped cannot be mapped again");
    sent_free(device, shared->address);
    gpu_memory_free(device->gpu, shared->address, device->serving.site);
    hostside_end(shared);
    shared->used = false;
    *mapped = shared->mapped_bytes;
    return CUDA_OK;
}

static bool is_start_of(const DeviceShared *shared, uint64_t address, bool managed) {
    return shared != NULL && shared->managed == managed && !shared->variable && shared->address == address;
}

/** cudaFree waits for the device first. */
SERVE(serve_free, cudaFree) {
    CudaCode error = queue_run_all(device);
    if (error != CUDA_OK || a->address == 0) return error;
    DeviceShared *shared = objects_shared(device, a->address);
    if (is_start_of(shared, a->address, true)) return free_shared(device, shared, &r->mapped_bytes);
    if (!can_free(device, a->address)) return refuse_free(device, a->address);
    sent_free(device, a->address);
    graph_memory_freed(device, a->address, NULL, NULL);
    gpu_memory_free(device->gpu, a->address, device->serving.site);
    return CUDA_OK;
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

CudaCode serve_free_in(Device *device, uint64_t stream_handle, uint64_t address) {
    DeviceStream *stream = serve_stream(device, stream_handle);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    if (address == 0) return CUDA_OK; /* as cudaFree(NULL) */
    if (stream->capture != NULL) return graph_memory_free(device, stream, address);
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

SERVE(serve_free_async, cudaFreeAsync) {
    return serve_free_in(device, a->stream, a->address);
}

/* ---- pinned and managed memory: the shared pool ---- */

/** The machine leaves more than a page free round each allocation. Backs the whole pages of a new one with a
 * piece of the pool, in place of the machine's own memory.
 */
static bool back_with_pool(Device *device, const DeviceShared *shared) {
    void *bytes = gpu_memory_host(device->gpu, shared->address, shared->bytes);
    if (bytes == NULL) return false;
    void *page = mmap(NULL, shared->mapped_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, device->link.shared,
                      (off_t)(WIRE_WINDOW_BYTES + shared->offset));
    if (page == MAP_FAILED) return false;
    memcpy(page, bytes, shared->bytes);
    return mremap(page, shared->mapped_bytes, shared->mapped_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, bytes) ==
           bytes;
}

/** The first gap of the pool that is wide enough. */
static bool find_gap(const Device *device, uint64_t bytes, uint64_t *offset) {
    *offset = 0;
    for (const DeviceShared *any = device->objects.shared;
         any != NULL && *offset <= device->link.pool_bytes;) {
        bool meets = any->used && *offset < any->offset + any->mapped_bytes && any->offset < *offset + bytes;
        if (meets) *offset = any->offset + any->mapped_bytes;
        any = meets ? device->objects.shared : any->next; /* look at all again from there on */
    }
    uint64_t pool = device->link.pool_bytes;
    return bytes <= pool && *offset <= pool - bytes;
}

/** One that is no longer used, or a new one; not in use yet. */
static DeviceShared *new_shared(Device *device) {
    DeviceShared *shared = device->objects.shared;
    while (shared != NULL && shared->used)
        shared = shared->next;
    if (shared != NULL) return shared;
    shared = DEVICE_NEW(device, DeviceShared);
    if (shared == NULL) return NULL;
    shared->next = device->objects.shared;
    return device->objects.shared = shared;
}

/** Shares a new allocation with the program. */
static CudaCode share(Device *device, const GpuAllocation *allocation, DeviceShared kind,
                      DeviceShared **made) {
    uint64_t mapped = (allocation->bytes + WIRE_PAGE - 1) / WIRE_PAGE * WIRE_PAGE, offset;
    DeviceShared *shared = find_gap(device, mapped, &offset) ? new_shared(device) : NULL;
    if (shared == NULL) return CUDA_OUT_OF_MEMORY;
    kind.next = shared->next;
    *shared = kind;
    shared->address = allocation->address;
    shared->bytes = allocation->bytes;
    shared->mapped_bytes = mapped;
    shared->offset = offset;
    if (!back_with_pool(device, shared)) return CUDA_OUT_OF_MEMORY;
    shared->used = true;
    *made = shared;
    return CUDA_OK;
}

/** Where it is in the file that holds window and pool. */
static uint64_t file_offset(const DeviceShared *shared) {
    return WIRE_WINDOW_BYTES + shared->offset;
}

/** An allocation of whole pages that the program maps at the same address; fresh words are remembered as
 * written by nobody. */
static CudaCode allocate_shared(Device *device, uint64_t bytes, unsigned flags, bool managed,
                                Results_cudaHostAlloc *r) {
    if (bytes == 0) return CUDA_OK;
    if (bytes > device->link.pool_bytes) return no_memory(device, bytes);
    const GpuAllocation *allocation = gpu_memory_alloc(
        device->gpu, bytes, WIRE_PAGE, managed ? GPU_ALLOC_MANAGED : GPU_ALLOC_MAPPED, device->serving.site);
    if (allocation == NULL) return CUDA_OUT_OF_MEMORY;
    DeviceShared kind = {.flags = flags, .managed = managed};
    sent_allocate(device, allocation->address, bytes);
    DeviceShared *shared;
    CudaCode error = share(device, allocation, kind, &shared);
    if (error != CUDA_OK) {
        gpu_memory_free(device->gpu, allocation->address, device->serving.site);
        return error;
    }
    *r = (Results_cudaHostAlloc){shared->address, file_offset(shared), shared->mapped_bytes};
    return hostside_begin(device, shared) ? CUDA_OK : CUDA_OUT_OF_MEMORY;
}

/** A __managed__ variable: the machine has placed it, with its initial value, in pages of its own. */
SERVE(serve_managed_variable, MANAGED_VARIABLE) {
    DeviceVariable *variable = objects_variable(device, a->shadow);
    const GpuAllocation *allocation = variable != NULL ? objects_variable_load(device, variable) : NULL;
    if (allocation == NULL || allocation->address % WIRE_PAGE != 0) return CUDA_INVALID_SYMBOL;
    if (objects_shared(device, allocation->address) != NULL) return CUDA_INVALID_SYMBOL;
    DeviceShared *shared;
    CudaCode error = share(device, allocation, (DeviceShared){.managed = true, .variable = true}, &shared);
    if (error == CUDA_OK)
        *r = (Results_MANAGED_VARIABLE){shared->address, file_offset(shared), shared->mapped_bytes};
    return error;
}

SERVE(serve_host_alloc, cudaHostAlloc) {
    enum { FLAGS = 7 }; /* cudaHostAllocPortable, Mapped, WriteCombined */
    CudaCode error = serve_check_out(device, a->address, "the address");
    if (error == CUDA_OK && (a->flags & ~(uint64_t)FLAGS) != 0) error = CUDA_INVALID_VALUE;
    return error != CUDA_OK ? error : allocate_shared(device, a->bytes, (unsigned)a->flags, false, r);
}

SERVE(serve_malloc_managed, cudaHostAlloc) {
    enum { ATTACH_GLOBAL = 1, ATTACH_HOST = 2 };
    CudaCode error = serve_check_out(device, a->address, "the address");
    if (error == CUDA_OK && a->flags != ATTACH_GLOBAL && a->flags != ATTACH_HOST) error = CUDA_INVALID_VALUE;
    return error != CUDA_OK ? error : allocate_shared(device, a->bytes, (unsigned)a->flags, true, r);
}

/** Host memory goes away while a copy that was asked for uses it; what kernels do with it shows when they
 * run. The device waits for all work here, which no manual promises. */
static CudaCode finish_uses(Device *device, uint64_t host, const DeviceShared *shared, uint64_t bytes) {
    const DeviceOperation *copy = queue_copy_of(device, host, bytes);
    if (copy != NULL)
        complain_both(device, FINDING_MISSING_SYNC, copy->site, "copy",
                      SAID_MEMORY(COPIED, .function = serve_function(device),
                                  .place = complain_line(device, copy->site)));
    if (shared != NULL) hostside_give_back(device, shared->address, shared->bytes);
    return queue_run_all(device);
}

/** The host takes memory away: pending copies that use it are told, and done first. */
SERVE(serve_free_host, cudaFree) {
    DeviceShared *shared = objects_shared(device, a->address);
    bool whole = is_start_of(shared, a->address, false);
    CudaCode error = whole ? finish_uses(device, a->address, shared, shared->bytes) : queue_run_all(device);
    if (error != CUDA_OK || a->address == 0) return error;
    if (whole) return free_shared(device, shared, &r->mapped_bytes);
    complain(device, FINDING_API_MISUSE,
             SAID_MEMORY(NOT_PINNED, .memory = complain_address(device, a->address)));
    return CUDA_INVALID_VALUE;
}

/** LIMIT: a page that two registered ranges share is a piece of the pool once; kernels reach the first only.
 */
static bool shares_a_page(const Device *device, uint64_t first, uint64_t bytes) {
    for (const DevicePinned *any = device->objects.pinned; any != NULL; any = any->next)
        if (any->shared != NULL && first < any->first_page + any->shared->mapped_bytes &&
            any->first_page < first + bytes)
            return true;
    return false;
}

/** The whole pages become a piece of the pool, which the program maps in their place; no bytes where that
 * cannot be. What is there counts as written. */
static CudaCode share_pinned(Device *device, DevicePinned *pinned, Results_cudaHostRegister *r) {
    uint64_t first = pinned->address / WIRE_PAGE * WIRE_PAGE;
    uint64_t bytes = (pinned->address - first + pinned->bytes + WIRE_PAGE - 1) / WIRE_PAGE * WIRE_PAGE;
    if (shares_a_page(device, first, bytes)) return CUDA_OK;
    const GpuAllocation *allocation =
        gpu_memory_alloc(device->gpu, bytes, WIRE_PAGE, GPU_ALLOC_MAPPED, device->serving.site);
    if (allocation == NULL) return CUDA_OUT_OF_MEMORY;
    CudaCode error =
        share(device, allocation, (DeviceShared){.flags = (unsigned)pinned->flags}, &pinned->shared);
    if (error != CUDA_OK) {
        gpu_memory_free(device->gpu, allocation->address, device->serving.site);
        return error;
    }
    sent_allocate(device, allocation->address, bytes);
    void *all = gpu_memory_host(device->gpu, allocation->address, bytes);
    gpu_memory_write(device->gpu, allocation->address, all, bytes, 0);
    pinned->first_page = first;
    *r = (Results_cudaHostRegister){.first_page = first,
                                    .offset = file_offset(pinned->shared),
                                    .bytes = pinned->shared->mapped_bytes,
                                    .alias = allocation->address};
    return CUDA_OK;
}

/** Any memory of the program can be registered, as long as its pages are there. */
SERVE(serve_host_register, cudaHostRegister) {
    bool host = objects_is_host_address(objects_address_kind(device, a->address));
    if (a->address == 0 || a->bytes == 0 || !host || a->is_mapped == 0 ||
        a->bytes > device->link.pool_bytes) {
        complain(device, FINDING_API_MISUSE,
                 SAID_MEMORY(REGISTER, .memory = complain_address(device, a->address),
                             .unmapped = host && a->is_mapped == 0));
        return CUDA_INVALID_VALUE;
    }
    if (objects_pinned(device, a->address) != NULL) return CUDA_ALREADY_REGISTERED;
    DevicePinned *pinned = DEVICE_NEW(device, DevicePinned);
    if (pinned == NULL) return CUDA_OUT_OF_MEMORY;
    *pinned = (DevicePinned){
        .address = a->address, .bytes = a->bytes, .flags = a->flags, .site = device->serving.site};
    CudaCode error = share_pinned(device, pinned, r);
    if (error != CUDA_OK) return error;
    pinned->next = device->objects.pinned;
    device->objects.pinned = pinned;
    return CUDA_OK;
}

/** The work that uses the memory is done first: the program takes its pages back. */
SERVE(serve_host_unregister, cudaHostUnregister) {
    DevicePinned *pinned = objects_pinned(device, a->address);
    if (pinned == NULL || pinned->address != a->address) {
        complain(device, FINDING_API_MISUSE, said_memory(MEMORY_NOT_REGISTERED_MESSAGE, SAY_NOTHING, NULL));
        return CUDA_NOT_REGISTERED;
    }
    CudaCode error = finish_uses(device, a->address, pinned->shared, pinned->bytes);
    r->first_page = pinned->first_page;
    if (pinned->shared != NULL) free_shared(device, pinned->shared, &r->bytes);
    pinned->shared = NULL;
    pinned->bytes = 0;
    return error;
}

/** Pinned memory has one address for both sides; registered memory has another one for kernels, where it
 * has one at all. */
SERVE(serve_host_pointer, cudaHostGetDevicePointer) {
    CudaCode error = serve_check_out(device, a->address, "the address");
    if (error != CUDA_OK) return error;
    const DeviceShared *shared = objects_shared(device, a->host);
    if (shared != NULL) {
        r->address = a->host;
        return CUDA_OK;
    }
    r->address = objects_pinned_address(device, a->host);
    if (r->address != 0) return CUDA_OK;
    if (objects_pinned(device, a->host) != NULL) {
        complain(device, FINDING_LIMIT,
                 said_memory(MEMORY_SHARED_PAGE_MESSAGE, MEMORY_SHARED_PAGE_WHY, NULL));
        return CUDA_NOT_SUPPORTED;
    }
    complain(device, FINDING_API_MISUSE,
             SAID_MEMORY(NO_MAPPING, .memory = complain_address(device, a->host)));
    return CUDA_INVALID_VALUE;
}

SERVE(serve_host_flags, cudaHostGetFlags) {
    CudaCode error = serve_check_out(device, a->flags, "the flags");
    const DeviceShared *shared = objects_shared(device, a->host);
    const DevicePinned *pinned = objects_pinned(device, a->host);
    if (error != CUDA_OK || (shared == NULL && pinned == NULL)) return CUDA_INVALID_VALUE;
    r->flags = shared != NULL ? shared->flags : pinned->flags;
    return CUDA_OK;
}

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
    CudaCode error = serve_check_out(device, a->attributes, "the attributes");
    if (error != CUDA_OK) return error;
    const DeviceShared *shared = objects_shared(device, a->address);
    r->type = UNREGISTERED;
    r->device_address = r->host_address = 0;
    r->device = devices_owner(device, gpu_memory_find(device->gpu, a->address));
    if (shared != NULL) {
        r->type = shared->managed ? MANAGED : HOST;
        r->device_address = r->host_address = a->address;
    } else if (gpu_memory_find(device->gpu, a->address) != NULL) {
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
    CudaCode error = serve_check_out(device, a->address, "the address");
    if (error != CUDA_OK) return error;
    DeviceVariable *variable = serve_variable(device, a->symbol);
    const GpuAllocation *allocation = variable != NULL ? objects_variable_load(device, variable) : NULL;
    if (allocation == NULL) return CUDA_INVALID_SYMBOL;
    symbolcopies_escaped(device, allocation);
    r->address = allocation->address;
    return CUDA_OK;
}

SERVE(serve_symbol_size, cudaGetSymbolSize) {
    CudaCode error = serve_check_out(device, a->bytes, "the size");
    if (error != CUDA_OK) return error;
    DeviceVariable *variable = serve_variable(device, a->symbol);
    const GpuAllocation *allocation = variable != NULL ? objects_variable_load(device, variable) : NULL;
    if (allocation == NULL) return CUDA_INVALID_SYMBOL;
    r->bytes = allocation->bytes;
    return CUDA_OK;
}
