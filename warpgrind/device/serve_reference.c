/* serve_reference.c - texture and surface references: a variable of the device that holds the handle of an
 * object.
 *
 * Binding makes an object as cudaCreateTextureObject does and writes its handle into the variable; the next
 * bind, or the unbind, destroys it. What was launched before still reads the old one, so it runs first.
 */
#include "device/array.h"
#include "device/complain.h"
#include "device/serve.h"
#include "gpu/texture.h"

#include <string.h>

enum { RESOURCE_LINEAR = 2, RESOURCE_PITCHED = 3, TEXTURE_ALIGNMENT = 512 };

static const char *function_name(const Device *device) {
    return device_function_name(device->request->function);
}

/* ---- the variable behind a reference ---- */

static const GpuAllocation *find_reference(Device *device, uint64_t host) {
    DeviceVariable *variable = device_variable(device, host);
    const GpuAllocation *place = NULL;
    if (variable != NULL && variable->host == host) place = device_variable_load(device, variable);
    if (place != NULL && place->variable != NULL && place->variable->reference) return place;
    complain(device, FINDING_API_MISUSE,
             "Pass the texture<...> or surface<...> variable itself, which is declared at file scope and "
             "used by a kernel.",
             "%s: %s is no texture or surface reference", function_name(device),
             complain_address(device, host));
    return NULL;
}

static bool set_handle(Device *device, const GpuAllocation *place, uint64_t handle) {
    uint64_t before;
    void *bytes = gpu_memory_host(device->gpu, place->address, sizeof before);
    if (bytes == NULL) return false;
    memcpy(&before, bytes, sizeof before);
    gpu_texture_destroy(device->gpu, before, device->site);
    memcpy(bytes, &handle, sizeof handle);
    return true;
}

/* ---- linear memory ---- */

/** A fetch counts from an aligned address: what the program must add to its coordinates is the offset. */
static CudaCode align(Device *device, uint64_t offset_pointer, uint64_t *address, uint64_t *offset) {
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, *address);
    *offset = allocation != NULL ? (*address - allocation->address) % TEXTURE_ALIGNMENT : 0;
    if (*offset != 0 && offset_pointer == 0) {
        complain(device, FINDING_API_MISUSE,
                 "Bind the start of the allocation, or pass the address of a size_t and add what it gets, "
                 "divided by "
                 "the size of an element, to each coordinate.",
                 "%s: %s is not aligned to %d bytes, and the call has no place for the offset",
                 function_name(device), complain_address(device, *address), TEXTURE_ALIGNMENT);
        return CUDA_INVALID_VALUE;
    }
    *address -= *offset;
    return CUDA_OK;
}

static CudaCode align_resource(Device *device, uint64_t offset_pointer, WireResource *resource,
                               uint64_t *offset) {
    if (resource->type == RESOURCE_PITCHED)
        return align(device, offset_pointer, &resource->pitched.address, offset);
    if (resource->type != RESOURCE_LINEAR) return CUDA_OK;
    CudaCode error = align(device, offset_pointer, &resource->linear.address, offset);
    uint64_t room = gpu_memory_room(device->gpu, resource->linear.address);
    /* The size that the header gives when the program gives none: all there is. */
    if (resource->linear.bytes == UINT32_MAX)
        resource->linear.bytes = room;
    else if (__builtin_add_overflow(resource->linear.bytes, *offset, &resource->linear.bytes))
        error = CUDA_INVALID_VALUE;
    return error;
}

/* ---- requests ---- */

static CudaCode bind(Device *device, const uint64_t *a, uint64_t *r, bool surface) {
    DeviceTexture described = {.surface = surface, .bound = true};
    size_t settings = surface ? 0 : sizeof described.settings;
    if (device->request->payload_bytes != sizeof described.resource + settings) return CUDA_INVALID_VALUE;
    memcpy(&described.resource, device->link.payload, sizeof described.resource);
    memcpy(&described.settings, device->link.payload + sizeof described.resource, settings);
    sent_object(device, device->link.payload, device->request->payload_bytes);
    CudaCode error = a[0] != 0 ? serve_check_out(device, a[0], "the offset") : CUDA_OK;
    if (error == CUDA_OK) error = queue_run_all(device);
    if (error != CUDA_OK) return error;
    const GpuAllocation *place = find_reference(device, a[1]);
    if (place == NULL) return CUDA_INVALID_TEXTURE;
    error = align_resource(device, a[0], &described.resource, &r[0]);
    uint64_t handle = 0;
    if (error == CUDA_OK) error = serve_make_object(device, &described, &handle);
    if (error != CUDA_OK) return error;
    return set_handle(device, place, handle) ? CUDA_OK : CUDA_INVALID_TEXTURE;
}

CudaCode serve_bind_texture(Device *device, const uint64_t *a, uint64_t *r) {
    return bind(device, a, r, false);
}

CudaCode serve_bind_surface(Device *device, const uint64_t *a, uint64_t *r) {
    return bind(device, a, r, true);
}

CudaCode serve_unbind(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    CudaCode error = queue_run_all(device);
    if (error != CUDA_OK) return error;
    const GpuAllocation *place = find_reference(device, a[1]);
    return place != NULL && set_handle(device, place, 0) ? CUDA_OK : CUDA_INVALID_TEXTURE;
}

CudaCode serve_find_reference(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    CudaCode error = serve_check_out(device, a[0], "the reference");
    if (error != CUDA_OK) return error;
    return find_reference(device, a[1]) != NULL ? CUDA_OK : CUDA_INVALID_TEXTURE;
}

CudaCode serve_reference_offset(Device *device, const uint64_t *a, uint64_t *r) {
    return serve_find_reference(device, a, r);
}
