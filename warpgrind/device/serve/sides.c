/* sides.c - one side of a copy or memset; see sides.h.
 *
 * A wrong address is explained by what it is (a host pointer, the address of a pointer variable, freed
 * memory), a wrong length by how far it fits.
 */
#include "device/serve/sides.h"

#include "device/state/complain.h"
#include "device/serve/serve.h"

/* ---- what one address should be ---- */

static bool is_device_memory(DeviceAddressKind kind) {
    return kind == ADDRESS_DEVICE || kind == ADDRESS_SHARED;
}

/** A copy that uses freed memory: the second party is the line that freed it. */
static CudaCode refuse_freed(Device *device, uint64_t address, Side side) {
    const GpuAllocation *allocation = gpu_memory_nearest(device->gpu, address);
    const CheckPlace freed = complain_freed(device, allocation);
    CopyFacts facts = {.function = serve_function(device),
                       .to = side == SIDE_TO,
                       .destructor = freed.destructor,
                       .caller = complain_line_above(device, &freed),
                       .place = complain_memory_line(device, allocation)};
    bool heap = allocation->kind == GPU_ALLOC_DEVICE_HEAP; /* a kernel has freed it */
    complain_that(device,
                  (Complaint){.kind = FINDING_USE_AFTER_FREE,
                              .other_site = heap ? 0 : allocation->free_site,
                              .other_what = "freed"},
                  said_copy(COPY_FREED_MESSAGE, COPY_FREED_WHY, &facts));
    return CUDA_INVALID_VALUE;
}

/* "Memory allocated via malloc() ... cannot be used in any runtime or driver API calls" (Programming Guide,
 * Dynamic Global Memory Allocation). An H200 refuses copies, and does a memset. */
CudaCode sides_refuse_heap(Device *device, uint64_t address, Side side, bool set) {
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, address);
    if (allocation == NULL || allocation->kind != GPU_ALLOC_DEVICE_HEAP) return CUDA_OK;
    CopyFacts facts = {.function = serve_function(device),
                       .to = side == SIDE_TO,
                       .set = set,
                       .memory = complain_address(device, address)};
    complain(device, FINDING_API_MISUSE, said_copy(COPY_HEAP_MESSAGE, COPY_HEAP_WHY, &facts));
    if (set) return CUDA_OK;
    return CUDA_INVALID_VALUE;
}

/** The device side of a copy or memset is no device memory. */
static CudaCode refuse_device_side(Device *device, uint64_t address, Side side) {
    DeviceAddressKind kind = objects_address_kind(device, address);
    if (kind == ADDRESS_FREED) return refuse_freed(device, address, side);
    const DeviceVariable *variable = objects_variable(device, address);
    bool host = kind == ADDRESS_STACK || kind == ADDRESS_IMAGE, shadow = kind == ADDRESS_SHADOW;
    bool wrong_side = objects_is_host_address(kind);
    CopyFacts facts = {.function = serve_function(device),
                       .to = side == SIDE_TO,
                       .host = host,
                       .null = kind == ADDRESS_NULL,
                       .placeholder = shadow ? variable->name : NULL,
                       .memory = complain_address(device, address)};
    complain_that(device, (Complaint){.kind = wrong_side ? FINDING_HOST_DEVICE_POINTER : FINDING_API_MISUSE},
                  said_copy(COPY_NOT_DEVICE_MESSAGE, COPY_NOT_DEVICE_WHY, &facts));
    return CUDA_INVALID_VALUE;
}

/** The host side of a copy is in device memory, or null. */
static CudaCode refuse_host_side(Device *device, uint64_t address, Side side) {
    bool null = objects_address_kind(device, address) == ADDRESS_NULL;
    CopyFacts facts = {.function = serve_function(device),
                       .to = side == SIDE_TO,
                       .null = null,
                       .memory = complain_address(device, address)};
    complain_that(device, (Complaint){.kind = null ? FINDING_API_MISUSE : FINDING_HOST_DEVICE_POINTER},
                  said_copy(COPY_NOT_HOST_MESSAGE, COPY_NOT_HOST_WHY, &facts));
    return CUDA_INVALID_VALUE;
}

/* ---- how far it reaches ---- */

/** The copy goes past the end of the allocation that it begins in: facts of all but where that is. */
static CopyFacts too_long(Device *device, uint64_t bytes, uint64_t room, uint64_t whole, Side side) {
    return (CopyFacts){.function = serve_function(device),
                       .to = side == SIDE_TO,
                       .bytes = bytes,
                       .room = room,
                       .whole = whole,
                       .numbers = device->serving.request->function == WIRE_curandGenerate,
                       .quarter = room != 0 && bytes == 4 * room,
                       .eighth = room != 0 && bytes == 8 * room};
}

/** The bytes from the first row's start to the last row's end; false when that overflows. */
static bool reach(uint64_t pitch, uint64_t width, uint64_t height, uint64_t *bytes) {
    if (__builtin_mul_overflow(pitch, height - 1, bytes)) return false;
    return !__builtin_add_overflow(*bytes, width, bytes);
}

/** Pinned or managed memory that the copy's host side goes past, or lies behind; NULL: it does neither. */
static const GpuAllocation *find_overrun(const Device *device, uint64_t address, uint64_t bytes) {
    const GpuAllocation *allocation = gpu_memory_nearest(device->gpu, address);
    if (allocation == NULL || allocation->freed || address < allocation->address) return NULL;
    if (allocation->kind != GPU_ALLOC_MAPPED && allocation->kind != GPU_ALLOC_MANAGED) return NULL;
    uint64_t offset = address - allocation->address;
    if (offset > allocation->bytes || bytes > allocation->bytes - offset) return allocation;
    return NULL;
}

/** The host side goes past the end of pinned or managed memory. */
static CudaCode refuse_overrun(Device *device, const GpuAllocation *allocation, uint64_t address,
                               uint64_t bytes, Side side) {
    uint64_t offset = address - allocation->address;
    uint64_t room = 0;
    if (offset < allocation->bytes) room = allocation->bytes - offset;
    CopyFacts facts = too_long(device, bytes, room, allocation->bytes, side);
    facts.managed = allocation->kind == GPU_ALLOC_MANAGED;
    complain_that(device,
                  (Complaint){.kind = FINDING_OUT_OF_BOUNDS,
                              .other_site = allocation->alloc_site,
                              .other_what = "allocated"},
                  said_copy(COPY_TOO_LONG_MESSAGE, COPY_TOO_LONG_WHY, &facts));
    return CUDA_INVALID_VALUE;
}

CudaCode sides_check_host(Device *device, uint64_t address, uint64_t pitch, uint64_t width, uint64_t height,
                          Side side) {
    DeviceAddressKind kind = objects_address_kind(device, address);
    uint64_t bytes = UINT64_MAX;
    if (objects_is_host_address(kind) || !reach(pitch, width, height, &bytes)) return CUDA_OK;
    const GpuAllocation *overrun = find_overrun(device, address, bytes);
    if (overrun != NULL && (kind == ADDRESS_SHARED || kind == ADDRESS_NEAR))
        return refuse_overrun(device, overrun, address, bytes, side);
    if (kind == ADDRESS_SHARED) return CUDA_OK;
    return refuse_host_side(device, address, side);
}

/** The device side must lie in one allocation; the finding says how many bytes are left there. */
CudaCode sides_check_device(Device *device, uint64_t address, uint64_t pitch, uint64_t width, uint64_t height,
                            Side side) {
    if (!is_device_memory(objects_address_kind(device, address)))
        return refuse_device_side(device, address, side);
    uint64_t bytes = UINT64_MAX, room = gpu_memory_room(device->gpu, address);
    bool fits = reach(pitch, width, height, &bytes) && bytes <= room;
    if (fits) return CUDA_OK;
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, address);
    CopyFacts facts = too_long(device, bytes, room, allocation->bytes, side);
    Complaint complaint = {.kind = FINDING_OUT_OF_BOUNDS};
    if (allocation->variable != NULL) {
        facts.variable = allocation->variable->plain_name;
    } else {
        facts.place = complain_line(device, allocation->alloc_site);
        complaint.other_site = allocation->alloc_site;
        complaint.other_what = "allocated";
    }
    complain_that(device, complaint, said_copy(COPY_TOO_LONG_MESSAGE, COPY_TOO_LONG_WHY, &facts));
    return CUDA_INVALID_VALUE;
}
