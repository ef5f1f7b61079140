/* serve_texture.c - texture and surface objects: what the program describes is checked here, then handed to
 * the machine. */
#include "device/record/sent.h"
#include "device/serve/array.h"
#include "device/serve/serve.h"
#include "device/state/complain.h"
#include "device/streams/queue.h"
#include "gpu/texture.h"

#include <string.h>

enum { RESOURCE_ARRAY, RESOURCE_MIPMAPPED, RESOURCE_LINEAR, RESOURCE_PITCHED };
enum { PITCH_ALIGNMENT = 32, MAX_LINEAR_TEXELS = 1 << 27, FILTER_LINEAR = 1, READ_NORMALIZED = 1 };

static CudaCode refuse(Device *device, TexturesText message) {
    complain(device, FINDING_LIMIT,
             said_textures(message, TEXTURES_UNSUPPORTED_WHY,
                           &(TexturesFacts){.function = serve_function(device)}));
    return CUDA_NOT_SUPPORTED;
}

/* ---- where the texels are ---- */

/** Components and bits from a channel description that textures can have. */
static bool set_format(Device *device, const WireChannels *channels, GpuTexture *texture) {
    unsigned components, bits;
    if (!array_format(channels, &components, &bits)) {
        complain(device, FINDING_API_MISUSE, SAID_TEXTURES(CHANNELS, .function = serve_function(device)));
        return false;
    }
    texture->components = (uint8_t)components;
    texture->bits = (uint8_t)bits;
    texture->kind = (GpuTexelKind)channels->kind;
    return true;
}

static void complain_no_surface(Device *device, const DeviceArray *array) {
    complain_both(device, FINDING_API_MISUSE, array->site, "allocated",
                  SAID_TEXTURES(NO_SURFACE, .function = serve_function(device)));
}

static CudaCode from_array(Device *device, const DeviceArray *array, GpuTexture *texture) {
    if (array == NULL) return CUDA_INVALID_HANDLE;
    bool surface = texture->surface;
    uint64_t site = texture->site;
    /* A real device lets this pass, and what the kernel then does is undefined. */
    if (surface && (array->flags & ARRAY_SURFACE) == 0) complain_no_surface(device, array);
    *texture = array_shape(array);
    texture->surface = surface;
    texture->site = site;
    if (surface && texture->cube) texture->layered = true; /* its faces are layers */
    if (set_format(device, &array->channels, texture)) return CUDA_OK;
    return CUDA_INVALID_CHANNELS;
}

static CudaCode refuse_memory(Device *device, uint64_t address, uint64_t bytes) {
    complain(device, FINDING_OUT_OF_BOUNDS,
             SAID_TEXTURES(OUTSIDE, .function = serve_function(device), .bytes = bytes,
                           .memory = complain_address(device, address)));
    return CUDA_INVALID_VALUE;
}

/** Linear memory is one row of texels, inside of one allocation. */
static CudaCode from_linear(Device *device, const WireResource *resource, GpuTexture *texture) {
    if (!set_format(device, &resource->linear.channels, texture)) return CUDA_INVALID_CHANNELS;
    uint64_t texels = resource->linear.bytes / texture_texel_bytes(texture);
    if (resource->linear.bytes > gpu_memory_room(device->gpu, resource->linear.address))
        return refuse_memory(device, resource->linear.address, resource->linear.bytes);
    if (texels == 0 || texels > MAX_LINEAR_TEXELS) return CUDA_INVALID_VALUE;
    texture->address = resource->linear.address;
    texture->width = (uint32_t)texels;
    texture->height = texture->depth = 1;
    texture->linear_memory = true;
    return CUDA_OK;
}

/** Rows of texels with a pitch, all inside of one allocation. Sizes come from the program, so nothing may
 * overflow. */
static CudaCode from_pitched(Device *device, const WireResource *resource, GpuTexture *texture) {
    if (!set_format(device, &resource->pitched.channels, texture)) return CUDA_INVALID_CHANNELS;
    uint64_t width = resource->pitched.width, height = resource->pitched.height, bytes;
    uint64_t pitch = resource->pitched.pitch, row = width * texture_texel_bytes(texture);
    if (width == 0 || height == 0 || width > MAX_LINEAR_TEXELS || height > MAX_LINEAR_TEXELS)
        return CUDA_INVALID_VALUE;
    if (pitch % PITCH_ALIGNMENT != 0 || pitch < row) {
        complain(device, FINDING_API_MISUSE,
                 SAID_TEXTURES(PITCH, .function = serve_function(device), .pitch = pitch,
                               .alignment = PITCH_ALIGNMENT, .row = row));
        return CUDA_INVALID_VALUE;
    }
    bool wide =
        __builtin_mul_overflow(pitch, height - 1, &bytes) || __builtin_add_overflow(bytes, row, &bytes);
    if (wide || bytes > gpu_memory_room(device->gpu, resource->pitched.address))
        return refuse_memory(device, resource->pitched.address, wide ? UINT64_MAX : bytes);
    texture->address = resource->pitched.address;
    texture->width = (uint32_t)width;
    texture->height = (uint32_t)height;
    texture->depth = 1;
    texture->pitch = pitch;
    return CUDA_OK;
}

/** Where the texels are, by the kind of the resource; surfaces work on arrays only. */
static CudaCode set_resource(Device *device, const WireResource *resource, GpuTexture *texture) {
    switch (resource->type) {
    case RESOURCE_ARRAY:
        return from_array(device, array_need(device, resource->array), texture);
    case RESOURCE_LINEAR:
        if (texture->surface) return CUDA_INVALID_VALUE;
        return from_linear(device, resource, texture);
    case RESOURCE_PITCHED:
        if (texture->surface) return CUDA_INVALID_VALUE;
        return from_pitched(device, resource, texture);
    case RESOURCE_MIPMAPPED:
        if (texture->surface) return CUDA_INVALID_VALUE;
        return from_array(device, array_need_mipmapped(device, resource->array), texture);
    default:
        return CUDA_INVALID_VALUE;
    }
}

/* ---- views: other words for the same elements, and some of the levels and layers ---- */

/** cudaResourceViewFormat: of each kind of component those with one, two and four. */
static bool view_format(unsigned format, GpuTexture *texture) {
    static const struct {
        GpuTexelKind kind;
        uint8_t bits;
    } kinds[] = {{GPU_TEXEL_UNSIGNED, 8}, {GPU_TEXEL_SIGNED, 8},    {GPU_TEXEL_UNSIGNED, 16},
                 {GPU_TEXEL_SIGNED, 16},  {GPU_TEXEL_UNSIGNED, 32}, {GPU_TEXEL_SIGNED, 32},
                 {GPU_TEXEL_FLOAT, 16},   {GPU_TEXEL_FLOAT, 32}};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    if (format == 0) return true;
    if (format > 3 * KINDS) return false;
    texture->kind = kinds[(format - 1) / 3].kind;
    texture->bits = kinds[(format - 1) / 3].bits;
    texture->components = (uint8_t)(1U << (format - 1) % 3);
    return true;
}

static CudaCode refuse_view(Device *device, TexturesText message) {
    complain(device, FINDING_API_MISUSE,
             said_textures(message, TEXTURES_VIEW_WHY, &(TexturesFacts){.function = serve_function(device)}));
    return CUDA_INVALID_VALUE;
}

/** The texture becomes what the view shows of it: other words for the elements, and some of the levels and
 * layers. */
static CudaCode set_view(Device *device, const WireView *view, GpuTexture *texture) {
    unsigned bytes = texture_texel_bytes(texture), levels = texture->levels ? texture->levels : 1;
    if (texture->linear_memory || texture->slice == 0)
        return refuse_view(device, TEXTURES_VIEW_PLAIN_MESSAGE);
    if (!view_format(view->format, texture)) return refuse(device, TEXTURES_COMPRESSED_MESSAGE);
    if (texture_texel_bytes(texture) != bytes) return refuse_view(device, TEXTURES_VIEW_FORMAT_MESSAGE);
    bool rows = view->height == texture->height || (view->height == 0 && texture->height == 1);
    if (view->width != texture->width || !rows) return refuse_view(device, TEXTURES_VIEW_SIZES_MESSAGE);
    if (view->first_level > view->last_level || view->last_level >= levels)
        return refuse_view(device, TEXTURES_VIEW_LEVELS_MESSAGE);
    texture->levels = view->last_level + 1;
    *texture = texture_level(texture, view->first_level);
    if (!texture->layered) return CUDA_OK;
    if (view->first_layer > view->last_layer || view->last_layer >= texture->depth)
        return refuse_view(device, TEXTURES_VIEW_LAYERS_MESSAGE);
    texture->stored_slices = texture->depth;
    texture->first_slice = view->first_layer;
    texture->depth = view->last_layer - view->first_layer + 1;
    if (texture->cube && texture->depth % 6 != 0) return refuse_view(device, TEXTURES_VIEW_CUBES_MESSAGE);
    return CUDA_OK;
}

/* ---- how they are read ---- */

/** Combinations that CUDA forbids, and what to set instead. */
static CudaCode check_settings(Device *device, const GpuTexture *texture) {
    bool integers = texture->kind != GPU_TEXEL_FLOAT;
    if (texture->filter && integers && !texture->normalized_values && !texture->linear_memory) {
        complain(device, FINDING_API_MISUSE, SAID_TEXTURES(FILTER, .function = serve_function(device)));
        return CUDA_INVALID_FILTER;
    }
    if (integers && texture->bits == 32 && texture->normalized_values) {
        complain(device, FINDING_API_MISUSE, SAID_TEXTURES(WIDE, .function = serve_function(device)));
        return CUDA_INVALID_NORMALIZATION;
    }
    if (texture->levels > 1 && !texture->normalized_coordinates) {
        complain(device, FINDING_API_MISUSE, SAID_TEXTURES(LEVELS, .function = serve_function(device)));
        return CUDA_INVALID_VALUE;
    }
    return CUDA_OK;
}

static CudaCode set_settings(Device *device, const WireTextureSettings *settings, GpuTexture *texture) {
    for (unsigned i = 0; i < 3; i++) {
        if (settings->mode[i] > GPU_ADDRESS_BORDER) return CUDA_INVALID_VALUE;
        texture->mode[i] = (GpuAddressMode)settings->mode[i];
    }
    texture->filter = settings->filter == FILTER_LINEAR;
    texture->normalized_values = settings->read == READ_NORMALIZED;
    texture->normalized_coordinates = settings->normalized != 0;
    memcpy(texture->border, settings->border, sizeof texture->border);
    if (texture->cube) texture->normalized_coordinates = true; /* coordinates are directions */
    texture->level_filter = settings->mipmap_filter == FILTER_LINEAR;
    texture->level_bias = settings->mipmap[0];
    texture->level_least = settings->mipmap[1];
    texture->level_most = settings->mipmap[2];
    if (texture->levels > 1 && settings->anisotropy > 1) return refuse(device, TEXTURES_ANISOTROPIC_MESSAGE);
    bool bytes = texture->kind == GPU_TEXEL_UNSIGNED && texture->bits == 8;
    texture->srgb = settings->srgb != 0 && bytes && texture->normalized_values;
    return check_settings(device, texture);
}

/* ---- objects ---- */

/** The description is kept too, as the program may ask for it. */
static CudaCode keep(Device *device, const DeviceTexture *described, const GpuTexture *texture,
                     uint64_t *handle) {
    DeviceTexture *kept = DEVICE_NEW(device, DeviceTexture);
    if (kept == NULL) return CUDA_OUT_OF_MEMORY;
    *kept = *described;
    kept->site = device->serving.site;
    kept->handle = gpu_texture_create(device->gpu, texture);
    if (kept->handle == 0) return CUDA_OUT_OF_MEMORY;
    kept->next = device->textures;
    device->textures = kept;
    *handle = kept->handle;
    return CUDA_OK;
}

CudaCode serve_make_object(Device *device, const DeviceTexture *described, uint64_t *handle) {
    GpuTexture texture = {.surface = described->surface, .site = device->serving.site};
    CudaCode error = set_resource(device, &described->resource, &texture);
    if (error == CUDA_OK && described->viewed) error = set_view(device, &described->view, &texture);
    if (error == CUDA_OK && !described->surface) error = set_settings(device, &described->settings, &texture);
    if (error != CUDA_OK) return error;
    return keep(device, described, &texture, handle);
}

/** Payloads with a view are longer: that is how one without is told. */
SERVE(serve_create_texture, cudaCreateTextureObject) {
    size_t bytes = (size_t)device->serving.request->payload_bytes;
    WireViewedTexture all = {.view = {0}};
    memcpy(&all, device->link.payload, bytes);
    sent_object(device, device->link.payload, bytes);
    const DeviceTexture described = {.resource = all.texture.resource,
                                     .settings = all.texture.settings,
                                     .view = all.view,
                                     .viewed = bytes == sizeof all};
    return serve_make_object(device, &described, &r->object);
}

SERVE(serve_create_surface, cudaCreateTextureObject) {
    DeviceTexture described = {.surface = true};
    memcpy(&described.resource, device->link.payload, sizeof described.resource);
    sent_object(device, device->link.payload, sizeof described.resource);
    return serve_make_object(device, &described, &r->object);
}

/** The live object of that kind, or NULL after saying what the handle is instead. */
static const GpuTexture *need_object(Device *device, uint64_t handle, bool surface) {
    const GpuTexture *texture = gpu_texture_find(device->gpu, handle);
    if (texture == NULL || texture->surface != surface)
        complain(
            device, FINDING_API_MISUSE,
            said_textures(
                TEXTURES_NO_OBJECT_MESSAGE, SAY_NOTHING,
                &(TexturesFacts){.function = serve_function(device), .handle = handle, .surface = surface}));
    else if (texture->destroyed)
        complain_both(device, FINDING_API_MISUSE, texture->destroy_site, "destroyed",
                      SAID_TEXTURES(DESTROYED, .function = serve_function(device),
                                    .place = complain_line(device, texture->destroy_site)));
    else
        return texture;
    return NULL;
}

static bool has_parameter(const DeviceOperation *launch, uint64_t value) {
    uint64_t bytes = gpu_kernel_function(launch->launch.spec.kernel)->parameter_bytes;
    for (uint64_t at = 0; at + sizeof value <= bytes; at += sizeof value)
        if (memcmp(launch->launch.parameters + at, &value, sizeof value) == 0) return true;
    return false;
}

/** That the model waits here is its own way: no manual promises that a card does. */
static void tell_pending_use(Device *device, uint64_t handle) {
    const DeviceOperation *launch = device->queue.first;
    while (launch != NULL && !(launch->kind == OPERATION_LAUNCH && has_parameter(launch, handle)))
        launch = launch->next;
    if (launch == NULL) return;
    complain_both(device, FINDING_MISSING_SYNC, launch->site, "launch",
                  SAID_TEXTURES(IN_USE, .function = serve_function(device),
                                .place = complain_line(device, launch->site)));
}

static CudaCode destroy(Device *device, uint64_t handle, bool surface) {
    if (handle != 0) tell_pending_use(device, handle);
    CudaCode error = queue_run_all(device);
    if (error != CUDA_OK || handle == 0) return error;
    if (need_object(device, handle, surface) == NULL) return CUDA_INVALID_VALUE;
    gpu_texture_destroy(device->gpu, handle, device->serving.site);
    return CUDA_OK;
}

SERVE(serve_destroy_texture, cudaDestroyTextureObject) {
    return destroy(device, a->object, false);
}

SERVE(serve_destroy_surface, cudaDestroySurfaceObject) {
    return destroy(device, a->object, true);
}

/* ---- what an object was made of ---- */

static const DeviceTexture *find_described(Device *device, uint64_t handle, bool surface) {
    if (need_object(device, handle, surface) == NULL) return NULL;
    const DeviceTexture *texture = device->textures;
    while (texture != NULL && texture->handle != handle)
        texture = texture->next;
    return texture;
}

SERVE(serve_texture_resource, cudaGetTextureObjectResourceDesc) {
    const DeviceTexture *texture = find_described(device, a->object, false);
    if (texture == NULL) return CUDA_INVALID_VALUE;
    return serve_reply_with(device, &texture->resource, sizeof texture->resource);
}

SERVE(serve_surface_resource, cudaGetTextureObjectResourceDesc) {
    const DeviceTexture *texture = find_described(device, a->object, true);
    if (texture == NULL) return CUDA_INVALID_VALUE;
    return serve_reply_with(device, &texture->resource, sizeof texture->resource);
}

SERVE(serve_texture_settings, cudaGetTextureObjectResourceDesc) {
    const DeviceTexture *texture = find_described(device, a->object, false);
    if (texture == NULL) return CUDA_INVALID_VALUE;
    return serve_reply_with(device, &texture->settings, sizeof texture->settings);
}

SERVE(serve_texture_view, cudaGetTextureObjectResourceDesc) {
    const DeviceTexture *texture = find_described(device, a->object, false);
    if (texture == NULL || !texture->viewed) return CUDA_INVALID_VALUE;
    return serve_reply_with(device, &texture->view, sizeof texture->view);
}
