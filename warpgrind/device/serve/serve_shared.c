/* serve_shared.c - pinned, registered and managed memory: pages of the shared pool, which both sides use. */
#include "device/record/sent.h"
#include "device/serve/modules.h"
#include "device/serve/serve.h"
#include "device/state/complain.h"
#include "device/streams/queue.h"
#include "device/watch/hostside.h"

#include <string.h>
#include <sys/mman.h>

/** The pages become the machine's own again: the program may have kept its mapping of them. */
CudaCode serve_free_shared(Device *device, DeviceShared *shared, uint64_t *mapped) {
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

bool serve_is_start_of(const DeviceShared *shared, uint64_t address, bool managed) {
    return shared != NULL && shared->managed == managed && !shared->variable && shared->address == address;
}

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
        if (meets)
            any = device->objects.shared;
        else
            any = any->next; /* look at all again from there on */
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
    DeviceShared *shared = NULL;
    if (find_gap(device, mapped, &offset)) shared = new_shared(device);
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
    if (bytes > device->link.pool_bytes) return serve_no_memory(device, bytes);
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
    if (hostside_begin(device, shared)) return CUDA_OK;
    return CUDA_OUT_OF_MEMORY;
}

/** A __managed__ variable: the machine has placed it, with its initial value, in pages of its own. */
SERVE(serve_managed_variable, MANAGED_VARIABLE) {
    DeviceVariable *variable = objects_variable(device, a->shadow);
    const GpuAllocation *allocation = NULL;
    if (variable != NULL) allocation = modules_load_variable(device, variable);
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
    if ((a->flags & ~(uint64_t)FLAGS) != 0) return CUDA_INVALID_VALUE;
    return allocate_shared(device, a->bytes, (unsigned)a->flags, false, r);
}

SERVE(serve_malloc_managed, cudaHostAlloc) {
    enum { ATTACH_GLOBAL = 1, ATTACH_HOST = 2 };
    if (a->flags != ATTACH_GLOBAL && a->flags != ATTACH_HOST) return CUDA_INVALID_VALUE;
    return allocate_shared(device, a->bytes, (unsigned)a->flags, true, r);
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
    bool whole = serve_is_start_of(shared, a->address, false);
    CudaCode error;
    if (whole)
        error = finish_uses(device, a->address, shared, shared->bytes);
    else
        error = queue_run_all(device);
    if (error != CUDA_OK || a->address == 0) return error;
    if (whole) return serve_free_shared(device, shared, &r->mapped_bytes);
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
    if (pinned->shared != NULL) serve_free_shared(device, pinned->shared, &r->bytes);
    pinned->shared = NULL;
    pinned->bytes = 0;
    return error;
}

/** Pinned memory has one address for both sides; registered memory has another one for kernels, where it
 * has one at all. */
SERVE(serve_host_pointer, cudaHostGetDevicePointer) {
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
    const DeviceShared *shared = objects_shared(device, a->host);
    const DevicePinned *pinned = objects_pinned(device, a->host);
    if (shared == NULL && pinned == NULL) return CUDA_INVALID_VALUE;
    if (shared != NULL)
        r->flags = shared->flags;
    else
        r->flags = pinned->flags;
    return CUDA_OK;
}
