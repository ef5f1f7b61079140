/* memory.c - memory calls: every address and length goes to the device as it came, which decides what it is.
 *
 * The bytes themselves travel when the device asks for them (PULL, PUSH), not with the request.
 */
#include "cudart/client.h"

/** cudaPointerAttributes, as far as all versions have it. */
typedef struct PointerAttributes {
    int type, device;
    void *device_pointer, *host_pointer;
} PointerAttributes;

/** cudaExtent */
typedef struct Extent {
    size_t width, height, depth;
} Extent;

/** cudaPitchedPtr */
typedef struct PitchedPointer {
    void *pointer;
    size_t pitch, width, height;
} PitchedPointer;

/* ---- allocation ---- */

/** Memory that both sides see: the reply says which part of the shared pool to map at the device address. */
static CudaError allocate_shared(WireFunction which, ClientSite site, void **pointer, size_t bytes,
                                 unsigned flags) {
    WireRequest request = client_request(which, site);
    request.cudaHostAlloc = (Arguments_cudaHostAlloc){client_word(pointer), bytes, flags};
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error != CUDA_SUCCESS) return error;
    const Results_cudaHostAlloc *r = &reply.cudaHostAlloc;
    const WatchRegion region = {.address = r->address, .bytes = r->mapped_bytes};
    if (!client_map_pool(region, r->offset)) return CUDA_OUT_OF_MEMORY;
    *pointer = client_pointer(r->address);
    return CUDA_SUCCESS;
}

ENTRY(CudaError, cudaMallocHost, void **pointer, size_t bytes) {
    return allocate_shared(WIRE_cudaMallocHost, CLIENT_SITE(), pointer, bytes, 0);
}

ENTRY(CudaError, cudaHostAlloc, void **pointer, size_t bytes, unsigned flags) {
    return allocate_shared(WIRE_cudaHostAlloc, CLIENT_SITE(), pointer, bytes, flags);
}

ENTRY(CudaError, cudaMallocManaged, void **pointer, size_t bytes, unsigned flags) {
    return allocate_shared(WIRE_cudaMallocManaged, CLIENT_SITE(), pointer, bytes, flags);
}

/** The reply says how much of the shared pool was mapped there, if any. */
static CudaError give_back(WireFunction which, ClientSite site, void *address) {
    WireRequest request = client_request(which, site);
    request.cudaFree.address = client_word(address);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) client_unmap_pool(client_word(address), reply.cudaFree.mapped_bytes);
    return error;
}

ENTRY(CudaError, cudaFree, void *address) {
    return give_back(WIRE_cudaFree, CLIENT_SITE(), address);
}

ENTRY(CudaError, cudaFreeHost, void *address) {
    return give_back(WIRE_cudaFreeHost, CLIENT_SITE(), address);
}

/** The memory's whole pages become a piece of the pool, which is mapped in their place. */
ENTRY(CudaError, cudaHostRegister, void *address, size_t bytes, unsigned flags) {
    bool mapped = client_is_mapped(client_word(address), bytes);
    WireRequest request = CLIENT_REQUEST(cudaHostRegister, CLIENT_SITE(), .address = client_word(address),
                                         .bytes = bytes, .flags = flags, .is_mapped = mapped);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error != CUDA_SUCCESS) return error;
    const Results_cudaHostRegister *r = &reply.cudaHostRegister;
    const WatchRegion region = {.address = r->first_page, .bytes = r->bytes, .alias = r->alias};
    if (client_replace_pages(region, r->offset)) return CUDA_SUCCESS;
    return CUDA_OUT_OF_MEMORY;
}

ENTRY(CudaError, cudaHostUnregister, void *address) {
    WireRequest request = CLIENT_REQUEST(cudaHostUnregister, CLIENT_SITE(), .address = client_word(address));
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error != CUDA_SUCCESS) return error;
    const Results_cudaHostUnregister *r = &reply.cudaHostUnregister;
    if (client_restore_pages(r->first_page, r->bytes)) return CUDA_SUCCESS;
    return CUDA_OUT_OF_MEMORY;
}

ENTRY(CudaError, cudaMalloc3D, PitchedPointer *pointer, Extent extent) {
    WireRequest request =
        CLIENT_REQUEST(cudaMalloc3D, CLIENT_SITE(), .address = client_word(pointer), .width = extent.width,
                       .height = extent.height, .depth = extent.depth);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error != CUDA_SUCCESS) return error;
    const Results_cudaMalloc3D *r = &reply.cudaMalloc3D;
    *pointer = (PitchedPointer){client_pointer(r->address), (size_t)r->pitch, extent.width, extent.height};
    return CUDA_SUCCESS;
}

/* ---- copies, which the host must leave alone until they are done ---- */

/** For libcurand.so, which has made the bytes and frees them when this returns. */
ENTRY(CudaError, warpgrindCurand, void *to, const void *from, size_t bytes, CudaStream stream) {
    enum { TO_DEVICE = 1 };
    CudaError error = CLIENT_SEND(curandGenerate, .to = client_word(to), .from = client_word(from),
                                  .bytes = bytes, .kind = TO_DEVICE, .stream = client_word(stream));
    if (error == CUDA_SUCCESS) client_watch_copy(to, bytes, to, bytes, bytes, 1);
    return error;
}

ENTRY(CudaError, cudaMemcpyAsync, void *to, const void *from, size_t bytes, int kind, CudaStream stream) {
    CudaError error = CLIENT_SEND(cudaMemcpyAsync, .to = client_word(to), .from = client_word(from),
                                  .bytes = bytes, .kind = client_number(kind), .stream = client_word(stream));
    if (error == CUDA_SUCCESS) client_watch_copy(to, bytes, from, bytes, bytes, 1);
    return error;
}

ENTRY(CudaError, cudaMemcpy2DAsync, void *to, size_t to_pitch, const void *from, size_t from_pitch,
      size_t width, size_t height, int kind, CudaStream stream) {
    CudaError error =
        CLIENT_SEND(cudaMemcpy2DAsync, .to = client_word(to), .to_pitch = to_pitch, .from = client_word(from),
                    .from_pitch = from_pitch, .width = width, .height = height, .kind = client_number(kind),
                    .stream = client_word(stream));
    if (error == CUDA_SUCCESS) client_watch_copy(to, to_pitch, from, from_pitch, width, height);
    return error;
}

ENTRY(CudaError, cudaMemcpyToSymbolAsync, const void *symbol, const void *from, size_t bytes, size_t offset,
      int kind, CudaStream stream) {
    CudaError error = CLIENT_SEND(cudaMemcpyToSymbolAsync, .symbol = client_word(symbol),
                                  .from = client_word(from), .bytes = bytes, .offset = offset,
                                  .kind = client_number(kind), .stream = client_word(stream));
    if (error == CUDA_SUCCESS) client_watch_copy(NULL, 0, from, bytes, bytes, 1);
    return error;
}

ENTRY(CudaError, cudaMemcpyFromSymbolAsync, void *to, const void *symbol, size_t bytes, size_t offset,
      int kind, CudaStream stream) {
    CudaError error = CLIENT_SEND(cudaMemcpyFromSymbolAsync, .to = client_word(to),
                                  .symbol = client_word(symbol), .bytes = bytes, .offset = offset,
                                  .kind = client_number(kind), .stream = client_word(stream));
    if (error == CUDA_SUCCESS) client_watch_copy(to, bytes, NULL, 0, bytes, 1);
    return error;
}

/* ---- boxes to set ---- */

/** Both forms send the same request; the one without a stream leaves that word zero. */
static CudaError set_box(WireFunction which, ClientSite site, const PitchedPointer *box, int value,
                         const Extent *extent, CudaStream stream) {
    WireRequest request = client_request(which, site);
    request.cudaMemset3DAsync = (Arguments_cudaMemset3DAsync){.address = client_word(box->pointer),
                                                              .pitch = box->pitch,
                                                              .slice_rows = box->height,
                                                              .value = client_number(value),
                                                              .width = extent->width,
                                                              .height = extent->height,
                                                              .depth = extent->depth,
                                                              .stream = client_word(stream)};
    return client_send(request);
}

ENTRY(CudaError, cudaMemset3D, PitchedPointer box, int value, Extent extent) {
    return set_box(WIRE_cudaMemset3D, CLIENT_SITE(), &box, value, &extent, NULL);
}

ENTRY(CudaError, cudaMemset3DAsync, PitchedPointer box, int value, Extent extent, CudaStream stream) {
    return set_box(WIRE_cudaMemset3DAsync, CLIENT_SITE(), &box, value, &extent, stream);
}

/* ---- questions ---- */

/** A pointer that CUDA does not know has no device. */
ENTRY(CudaError, cudaPointerGetAttributes, PointerAttributes *attributes, const void *address) {
    enum { UNREGISTERED = 0, NO_DEVICE = -2 };
    WireRequest request =
        CLIENT_REQUEST(cudaPointerGetAttributes, CLIENT_SITE(), .attributes = client_word(attributes),
                       .address = client_word(address));
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error != CUDA_SUCCESS) return error;
    const Results_cudaPointerGetAttributes *r = &reply.cudaPointerGetAttributes;
    attributes->type = (int)r->type;
    if (r->type == UNREGISTERED)
        attributes->device = NO_DEVICE;
    else
        attributes->device = (int)r->device;
    attributes->device_pointer = client_pointer(r->device_address);
    attributes->host_pointer = client_pointer(r->host_address);
    return CUDA_SUCCESS;
}
