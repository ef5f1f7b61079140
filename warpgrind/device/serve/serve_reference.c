/* serve_reference.c - texture and surface references: a variable of the device that holds the handle of an
 * object.
 *
 * Binding makes an object as cudaCreateTextureObject does and writes its handle into the variable; the next
 * bind, or the unbind, destroys it. What was launched before still reads the old one, so it runs first.
 */
#include "device/record/sent.h"
#include "device/serve/modules.h"
#include "device/serve/serve.h"
#include "device/state/complain.h"
#include "device/streams/queue.h"
#include "gpu/texture.h"

#include <string.h>

enum { RESOURCE_LINEAR = 2, RESOURCE_PITCHED = 3, TEXTURE_ALIGNMENT = 512 };

/* ---- the variable behind a reference ---- */

/** The device's variable that stands for a reference; it holds the handle of the object that is bound. */
static const GpuAllocation *find_reference(Device *device, uint64_t host) {
    DeviceVariable *variable = objects_variable(device, host);
    const GpuAllocation *place = NULL;
    if (variable != NULL && variable->host == host) place = modules_load_variable(device, variable);
    if (place != NULL && place->variable != NULL && place->variable->reference) return place;
    complain(device, FINDING_API_MISUSE,
             SAID_TEXTURES(NO_REFERENCE, .function = serve_function(device),
                           .memory = complain_address(device, host)));
    return NULL;
}

static bool set_handle(Device *device, const GpuAllocation *place, uint64_t handle) {
    uint64_t before;
    void *bytes = gpu_memory_host(device->gpu, place->address, sizeof before);
    if (bytes == NULL) return false;
    memcpy(&before, bytes, sizeof before);
    gpu_texture_destroy(device->gpu, before, device->serving.site);
    memcpy(bytes, &handle, sizeof handle);
    return true;
}

/* ---- linear memory ---- */

/** A fetch counts from an aligned address: what the program must add to its coordinates is the offset. */
static CudaCode align(Device *device, uint64_t offset_pointer, uint64_t *address, uint64_t *offset) {
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, *address);
    if (allocation != NULL)
        *offset = (*address - allocation->address) % TEXTURE_ALIGNMENT;
    else
        *offset = 0;
    if (*offset != 0 && offset_pointer == 0) {
        complain(device, FINDING_API_MISUSE,
                 SAID_TEXTURES(UNALIGNED, .function = serve_function(device),
                               .memory = complain_address(device, *address), .alignment = TEXTURE_ALIGNMENT));
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

/** Makes an object as described, and writes its handle into the reference's variable: the offset of the
 * memory. */
static CudaCode bind(Device *device, const Arguments_cudaBindTexture *a, DeviceTexture *described,
                     uint64_t *offset) {
    described->bound = true;
    sent_object(device, device->link.payload, device->serving.request->payload_bytes);
    CudaCode error = queue_run_all(device);
    if (error != CUDA_OK) return error;
    const GpuAllocation *place = find_reference(device, a->reference);
    if (place == NULL) return CUDA_INVALID_TEXTURE;
    error = align_resource(device, a->offset, &described->resource, offset);
    uint64_t handle = 0;
    if (error == CUDA_OK) error = serve_make_object(device, described, &handle);
    if (error != CUDA_OK) return error;
    if (set_handle(device, place, handle)) return CUDA_OK;
    return CUDA_INVALID_TEXTURE;
}

SERVE(serve_bind_texture, cudaBindTexture) {
    WireTexture texture;
    memcpy(&texture, device->link.payload, sizeof texture);
    DeviceTexture described = {.resource = texture.resource, .settings = texture.settings};
    return bind(device, a, &described, &r->offset);
}

SERVE(serve_bind_surface, cudaBindTexture) {
    DeviceTexture described = {.surface = true};
    memcpy(&described.resource, device->link.payload, sizeof described.resource);
    return bind(device, a, &described, &r->offset);
}

SERVE(serve_unbind, cudaUnbindTexture) {
    CudaCode error = queue_run_all(device);
    if (error != CUDA_OK) return error;
    const GpuAllocation *place = find_reference(device, a->reference);
    if (place != NULL && set_handle(device, place, 0)) return CUDA_OK;
    return CUDA_INVALID_TEXTURE;
}

static CudaCode check_reference(Device *device, uint64_t reference) {
    if (find_reference(device, reference) != NULL) return CUDA_OK;
    return CUDA_INVALID_TEXTURE;
}

SERVE(serve_find_reference, cudaGetTextureReference) {
    return check_reference(device, a->symbol);
}

SERVE(serve_reference_offset, cudaGetTextureAlignmentOffset) {
    return check_reference(device, a->reference);
}
