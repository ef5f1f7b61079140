/* reference.c - texture and surface references: what the program says of each lies in its own memory, and is
 * sent with every bind.
 *
 * The program may change a bound reference's modes at any time; the next launch has to see that. So what was
 * sent last is kept, and what differs is sent again before a launch.
 */
#include "cudart/client.h"

#include <stdlib.h>
#include <string.h>

/** textureReference */
typedef struct TextureReference {
    int normalized, filter, mode[3];
    WireChannels channels;
    int srgb;
    unsigned anisotropy;
    int mipmap_filter;
    float mipmap[3];
} TextureReference;

enum { RESOURCE_ARRAY, RESOURCE_MIPMAPPED, RESOURCE_LINEAR, RESOURCE_PITCHED };

/* ---- registration ---- */

static void register_reference(void **handle, const void *host, const char *name, bool as_floats) {
    ClientReference *made = malloc(sizeof *made);
    if (made == NULL) return;
    *made = (ClientReference){.host = host, .as_floats = as_floats};
    client_register_variable(handle, client_word(host), name, sizeof(uint64_t), 0, false);
    client_reference_keep(made);
}

ENTRY(void, __cudaRegisterTexture, void **handle, const void *host, const void **device, const char *name,
      int dimensions, int as_floats, int external) {
    (void)device, (void)dimensions, (void)external;
    register_reference(handle, host, name, as_floats != 0);
}

ENTRY(void, __cudaRegisterSurface, void **handle, const void *host, const void **device, const char *name,
      int dimensions, int external) {
    (void)device, (void)dimensions, (void)external;
    register_reference(handle, host, name, false);
}

static ClientReference *find(const void *host) {
    ClientReference *any = client_references();
    while (any != NULL && any->host != host)
        any = any->next;
    return any;
}

/* ---- binding ---- */

/** What the program's own variable says of the reference now, in the words of a texture object. */
static WireTextureSettings settings_of(const TextureReference *reference, bool as_floats) {
    WireTextureSettings settings = {.filter = (uint32_t)reference->filter,
                                    .read = as_floats,
                                    .srgb = reference->srgb,
                                    .normalized = reference->normalized,
                                    .anisotropy = reference->anisotropy,
                                    .mipmap_filter = (uint32_t)reference->mipmap_filter};
    for (unsigned i = 0; i < 3; i++)
        settings.mode[i] = (uint32_t)reference->mode[i];
    memcpy(settings.mipmap, reference->mipmap, sizeof settings.mipmap);
    return settings;
}

/** `settings` NULL: a surface, which has none. The device refuses a reference that it does not know. */
static CudaError bind(WireFunction how, ClientSite site, size_t *offset, const void *host,
                      const WireResource *resource, const WireTextureSettings *settings) {
    WireTexture both = {.resource = *resource};
    if (settings != NULL) both.settings = *settings;
    WireRequest request = client_request(how, site);
    request.cudaBindTexture = (Arguments_cudaBindTexture){client_word(offset), client_word(host)};
    if (settings != NULL)
        request.payload_bytes = sizeof both;
    else
        request.payload_bytes = sizeof both.resource;
    WireReply reply;
    CudaError error = client_call(&request, &both, &reply);
    if (error != CUDA_SUCCESS) return error;
    if (offset != NULL) *offset = reply.cudaBindTexture.offset;
    ClientReference *kept = find(host);
    if (kept == NULL) return error;
    kept->bound = settings != NULL;
    kept->how = how;
    kept->resource = both.resource;
    kept->settings = both.settings;
    kept->offset = reply.cudaBindTexture.offset;
    return error;
}

static CudaError bind_texture(WireFunction how, ClientSite site, size_t *offset,
                              const TextureReference *reference, const WireResource *resource) {
    const ClientReference *kept = find(reference);
    const WireTextureSettings settings = settings_of(reference, kept != NULL && kept->as_floats);
    return bind(how, site, offset, reference, resource, &settings);
}

void client_references_refresh(ClientSite site) {
    for (ClientReference *any = client_references(); any != NULL; any = any->next) {
        if (!any->bound) continue;
        const WireTextureSettings settings = settings_of(any->host, any->as_floats);
        size_t offset = 0;
        if (memcmp(&settings, &any->settings, sizeof settings) != 0)
            bind(any->how, site, &offset, any->host, &any->resource, &settings);
    }
}

ENTRY(CudaError, cudaBindTexture, size_t *offset, const TextureReference *reference, const void *pointer,
      const WireChannels *channels, size_t bytes) {
    if (reference == NULL || channels == NULL) return CLIENT_NULL(cudaBindTexture);
    WireResource resource = {.type = RESOURCE_LINEAR};
    resource.linear.address = client_word(pointer);
    resource.linear.channels = *channels;
    resource.linear.bytes = bytes;
    return bind_texture(WIRE_cudaBindTexture, CLIENT_SITE(), offset, reference, &resource);
}

ENTRY(CudaError, cudaBindTexture2D, size_t *offset, const TextureReference *reference, const void *pointer,
      const WireChannels *channels, size_t width, size_t height, size_t pitch) {
    if (reference == NULL || channels == NULL) return CLIENT_NULL(cudaBindTexture2D);
    WireResource resource = {.type = RESOURCE_PITCHED};
    resource.pitched.address = client_word(pointer);
    resource.pitched.channels = *channels;
    resource.pitched.width = width;
    resource.pitched.height = height;
    resource.pitched.pitch = pitch;
    return bind_texture(WIRE_cudaBindTexture2D, CLIENT_SITE(), offset, reference, &resource);
}

/** The array knows its channels itself. */
ENTRY(CudaError, cudaBindTextureToArray, const TextureReference *reference, const void *array,
      const WireChannels *channels) {
    (void)channels;
    if (reference == NULL) return CLIENT_NULL(cudaBindTextureToArray);
    const WireResource resource = {.type = RESOURCE_ARRAY, .array = client_word(array)};
    return bind_texture(WIRE_cudaBindTextureToArray, CLIENT_SITE(), NULL, reference, &resource);
}

ENTRY(CudaError, cudaBindTextureToMipmappedArray, const TextureReference *reference, const void *array,
      const WireChannels *channels) {
    (void)channels;
    if (reference == NULL) return CLIENT_NULL(cudaBindTextureToMipmappedArray);
    const WireResource resource = {.type = RESOURCE_MIPMAPPED, .array = client_word(array)};
    return bind_texture(WIRE_cudaBindTextureToMipmappedArray, CLIENT_SITE(), NULL, reference, &resource);
}

ENTRY(CudaError, cudaBindSurfaceToArray, const void *reference, const void *array,
      const WireChannels *channels) {
    (void)channels;
    if (reference == NULL) return CLIENT_NULL(cudaBindSurfaceToArray);
    const WireResource resource = {.type = RESOURCE_ARRAY, .array = client_word(array)};
    return bind(WIRE_cudaBindSurfaceToArray, CLIENT_SITE(), NULL, reference, &resource, NULL);
}

ENTRY(CudaError, cudaUnbindTexture, const TextureReference *reference) {
    if (reference == NULL) return CLIENT_NULL(cudaUnbindTexture);
    ClientReference *kept = find(reference);
    if (kept != NULL) kept->bound = false;
    return CLIENT_SEND(cudaUnbindTexture, .reference = client_word(reference));
}

/* ---- questions ---- */

ENTRY(CudaError, cudaGetTextureAlignmentOffset, size_t *offset, const TextureReference *reference) {
    if (reference == NULL) return CLIENT_NULL(cudaGetTextureAlignmentOffset);
    CudaError error = CLIENT_SEND(cudaGetTextureAlignmentOffset, .offset = client_word(offset),
                                  .reference = client_word(reference));
    const ClientReference *kept = find(reference);
    if (error == CUDA_SUCCESS && kept != NULL) *offset = kept->offset;
    return error;
}

/** The reference is the symbol itself; the device says whether it is one. */
ENTRY(CudaError, cudaGetTextureReference, const TextureReference **reference, const void *symbol) {
    CudaError error = CLIENT_SEND(cudaGetTextureReference, .reference = client_word(reference),
                                  .symbol = client_word(symbol));
    if (error == CUDA_SUCCESS) *reference = symbol;
    return error;
}

ENTRY(CudaError, cudaGetSurfaceReference, const void **reference, const void *symbol) {
    CudaError error = CLIENT_SEND(cudaGetSurfaceReference, .reference = client_word(reference),
                                  .symbol = client_word(symbol));
    if (error == CUDA_SUCCESS) *reference = symbol;
    return error;
}
