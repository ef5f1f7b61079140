/* memory.c - memory calls: every address and length goes to the device as it came, which decides what it is.
 *
 * The bytes themselves travel when the device asks for them (PULL, PUSH), not with the request.
 */
#include "cudart/client.h"

#include <string.h>

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

EXPORT CudaError cudaMalloc(void **pointer, size_t bytes);
EXPORT CudaError cudaFree(void *address);
EXPORT CudaError cudaMallocHost(void **pointer, size_t bytes);
EXPORT CudaError cudaHostAlloc(void **pointer, size_t bytes, unsigned flags);
EXPORT CudaError cudaFreeHost(void *address);
EXPORT CudaError cudaHostRegister(void *address, size_t bytes, unsigned flags);
EXPORT CudaError cudaHostUnregister(void *address);
EXPORT CudaError cudaHostGetDevicePointer(void **device, void *host, unsigned flags);
EXPORT CudaError cudaHostGetFlags(unsigned *flags, void *host);
EXPORT CudaError cudaMallocManaged(void **pointer, size_t bytes, unsigned flags);
EXPORT CudaError cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);
EXPORT CudaError cudaMalloc3D(PitchedPointer *pointer, Extent extent);
EXPORT CudaError cudaMallocAsync(void **pointer, size_t bytes, CudaStream stream);
EXPORT CudaError cudaFreeAsync(void *address, CudaStream stream);
EXPORT CudaError cudaMemGetInfo(size_t *free, size_t *total);
EXPORT CudaError cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
EXPORT CudaError warpgrindCurand(void *to, const void *from, size_t bytes, CudaStream stream);
EXPORT CudaError cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, CudaStream stream);
EXPORT /** For libcurand.so, which has made the bytes and frees them when this returns. */
    CudaError
    warpgrindCurand(void *to, const void *from, size_t bytes, CudaStream stream) {
    enum { TO_DEVICE = 1 };
    const uint64_t words[] = {client_word(to), client_word(from), bytes, TO_DEVICE, client_word(stream)};
    CudaError error = client_simple(WIRE_curandGenerate, CLIENT_SITE(), words, sizeof words / sizeof *words);
    if (error == CUDA_SUCCESS) client_watch_copy(to, bytes, to, bytes, bytes, 1);
    return error;
}

EXPORT CudaError cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, int kind);
EXPORT CudaError cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                   size_t width, size_t height, int kind, CudaStream stream);
EXPORT CudaError cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes);
EXPORT CudaError cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                                     CudaStream stream);
EXPORT CudaError cudaMemset(void *address, int value, size_t bytes);
EXPORT CudaError cudaMemsetAsync(void *address, int value, size_t bytes, CudaStream stream);
EXPORT CudaError cudaMemset2D(void *address, size_t pitch, int value, size_t width, size_t height);
EXPORT CudaError cudaMemset2DAsync(void *address, size_t pitch, int value, size_t width, size_t height,
                                   CudaStream stream);
EXPORT CudaError cudaMemset3D(PitchedPointer box, int value, Extent extent);
EXPORT CudaError cudaMemset3DAsync(PitchedPointer box, int value, Extent extent, CudaStream stream);
EXPORT CudaError cudaStreamAttachMemAsync(CudaStream stream, void *address, size_t bytes, unsigned flags);
EXPORT CudaError cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                                    int kind);
EXPORT CudaError cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                         int kind, CudaStream stream);
EXPORT CudaError cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, int kind);
EXPORT CudaError cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                           int kind, CudaStream stream);
EXPORT CudaError cudaGetSymbolAddress(void **pointer, const void *symbol);
EXPORT CudaError cudaGetSymbolSize(size_t *bytes, const void *symbol);
EXPORT CudaError cudaPointerGetAttributes(PointerAttributes *attributes, const void *address);
EXPORT CudaError cudaMemPrefetchAsync(const void *address, size_t bytes);
EXPORT CudaError cudaMemAdvise(const void *address, size_t bytes, int advice);

/** A call whose results[0] is the word that goes to *out. */
static CudaError call_for_word(WireRequest *request, uint64_t *out) {
    WireReply reply;
    CudaError error = client_call(request, NULL, &reply);
    if (error == CUDA_SUCCESS) *out = reply.results[0];
    return error;
}

/* ---- allocation ---- */

static CudaError allocate(WireFunction which, ClientSite site, void **pointer, size_t bytes, uint64_t more) {
    WireRequest request = client_request(which, site);
    request.arguments[0] = client_word(pointer);
    request.arguments[1] = bytes;
    request.arguments[2] = more;
    uint64_t address = 0;
    CudaError error = call_for_word(&request, &address);
    if (error == CUDA_SUCCESS) *pointer = client_pointer(address);
    return error;
}

CudaError cudaMalloc(void **pointer, size_t bytes) {
    return allocate(WIRE_cudaMalloc, CLIENT_SITE(), pointer, bytes, 0);
}

CudaError cudaMallocAsync(void **pointer, size_t bytes, CudaStream stream) {
    return allocate(WIRE_cudaMallocAsync, CLIENT_SITE(), pointer, bytes, client_word(stream));
}

/** Memory that both sides see: the reply says which part of the shared pool to map at the device address. */
static CudaError allocate_shared(WireFunction which, ClientSite site, void **pointer, size_t bytes,
                                 uint64_t flags) {
    WireRequest request = client_request(which, site);
    request.arguments[0] = client_word(pointer);
    request.arguments[1] = bytes;
    request.arguments[2] = flags;
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error != CUDA_SUCCESS) return error;
    if (!client_map_pool((WatchRegion){.address = reply.results[0], .bytes = reply.results[2]},
                         reply.results[1]))
        return CUDA_OUT_OF_MEMORY;
    *pointer = client_pointer(reply.results[0]);
    return CUDA_SUCCESS;
}

CudaError cudaMallocHost(void **pointer, size_t bytes) {
    return allocate_shared(WIRE_cudaMallocHost, CLIENT_SITE(), pointer, bytes, 0);
}

CudaError cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    return allocate_shared(WIRE_cudaHostAlloc, CLIENT_SITE(), pointer, bytes, flags);
}

CudaError cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
    return allocate_shared(WIRE_cudaMallocManaged, CLIENT_SITE(), pointer, bytes, flags);
}

/** The reply says how much of the shared pool was mapped there, if any. */
static CudaError give_back(WireFunction which, ClientSite site, void *address) {
    WireRequest request = client_request(which, site);
    request.arguments[0] = client_word(address);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error != CUDA_SUCCESS) return error;
    client_unmap_pool(client_word(address), reply.results[0]);
    return error;
}

CudaError cudaFree(void *address) {
    return give_back(WIRE_cudaFree, CLIENT_SITE(), address);
}

CudaError cudaFreeHost(void *address) {
    return give_back(WIRE_cudaFreeHost, CLIENT_SITE(), address);
}

CudaError cudaFreeAsync(void *address, CudaStream stream) {
    return CLIENT_SIMPLE(cudaFreeAsync, client_word(address), client_word(stream));
}

CudaError cudaHostRegister(void *address, size_t bytes, unsigned flags) {
    WireRequest request = client_request(WIRE_cudaHostRegister, CLIENT_SITE());
    const uint64_t words[] = {client_word(address), bytes, flags,
                              client_is_mapped(client_word(address), bytes)};
    memcpy(request.arguments, words, sizeof words);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error != CUDA_SUCCESS) return error;
    WatchRegion region = {.address = reply.results[0], .bytes = reply.results[2], .alias = reply.results[3]};
    return client_replace_pages(region, reply.results[1]) ? CUDA_SUCCESS : CUDA_OUT_OF_MEMORY;
}

CudaError cudaHostUnregister(void *address) {
    WireRequest request = client_request(WIRE_cudaHostUnregister, CLIENT_SITE());
    request.arguments[0] = client_word(address);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error != CUDA_SUCCESS) return error;
    return client_restore_pages(reply.results[0], reply.results[1]) ? CUDA_SUCCESS : CUDA_OUT_OF_MEMORY;
}

CudaError cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
    WireRequest request = client_request(WIRE_cudaHostGetDevicePointer, CLIENT_SITE());
    request.arguments[0] = client_word(device);
    request.arguments[1] = client_word(host);
    request.arguments[2] = flags;
    uint64_t address = 0;
    CudaError error = call_for_word(&request, &address);
    if (error == CUDA_SUCCESS) *device = client_pointer(address);
    return error;
}

CudaError cudaHostGetFlags(unsigned *flags, void *host) {
    WireRequest request = client_request(WIRE_cudaHostGetFlags, CLIENT_SITE());
    request.arguments[0] = client_word(flags);
    request.arguments[1] = client_word(host);
    uint64_t word = 0;
    CudaError error = call_for_word(&request, &word);
    if (error == CUDA_SUCCESS) *flags = (unsigned)word;
    return error;
}

CudaError cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
    WireRequest request = client_request(WIRE_cudaMallocPitch, CLIENT_SITE());
    const uint64_t words[] = {client_word(pointer), client_word(pitch), width, height};
    memcpy(request.arguments, words, sizeof words);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error != CUDA_SUCCESS) return error;
    *pointer = client_pointer(reply.results[0]);
    *pitch = (size_t)reply.results[1];
    return CUDA_SUCCESS;
}

CudaError cudaMalloc3D(PitchedPointer *pointer, Extent extent) {
    WireRequest request = client_request(WIRE_cudaMalloc3D, CLIENT_SITE());
    const uint64_t words[] = {client_word(pointer), extent.width, extent.height, extent.depth};
    memcpy(request.arguments, words, sizeof words);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error != CUDA_SUCCESS) return error;
    *pointer = (PitchedPointer){client_pointer(reply.results[0]), (size_t)reply.results[1], extent.width,
                                extent.height};
    return CUDA_SUCCESS;
}

CudaError cudaMemGetInfo(size_t *free, size_t *total) {
    WireRequest request = client_request(WIRE_cudaMemGetInfo, CLIENT_SITE());
    request.arguments[0] = client_word(free);
    request.arguments[1] = client_word(total);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error != CUDA_SUCCESS) return error;
    *free = (size_t)reply.results[0];
    *total = (size_t)reply.results[1];
    return CUDA_SUCCESS;
}

/* ---- copies ---- */

CudaError cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
    return CLIENT_SIMPLE(cudaMemcpy, client_word(to), client_word(from), bytes, (uint64_t)kind);
}

static CudaError copy_later(ClientSite site, void *to, const void *from, size_t bytes, int kind,
                            CudaStream stream) {
    const uint64_t words[] = {client_word(to), client_word(from), bytes, (uint64_t)kind, client_word(stream)};
    CudaError error = client_simple(WIRE_cudaMemcpyAsync, site, words, sizeof words / sizeof *words);
    if (error == CUDA_SUCCESS) client_watch_copy(to, bytes, from, bytes, bytes, 1);
    return error;
}

CudaError cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, CudaStream stream) {
    return copy_later(CLIENT_SITE(), to, from, bytes, kind, stream);
}

CudaError cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                       size_t height, int kind) {
    return CLIENT_SIMPLE(cudaMemcpy2D, client_word(to), to_pitch, client_word(from), from_pitch, width,
                         height, (uint64_t)kind);
}

CudaError cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                            size_t height, int kind, CudaStream stream) {
    CudaError error = CLIENT_SIMPLE(cudaMemcpy2DAsync, client_word(to), to_pitch, client_word(from),
                                    from_pitch, width, height, (uint64_t)kind, client_word(stream));
    if (error == CUDA_SUCCESS) client_watch_copy(to, to_pitch, from, from_pitch, width, height);
    return error;
}

CudaError cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes) {
    return CLIENT_SIMPLE(cudaMemcpyPeer, client_word(to), (uint64_t)to_device, client_word(from),
                         (uint64_t)from_device, bytes);
}

CudaError cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                              CudaStream stream) {
    return CLIENT_SIMPLE(cudaMemcpyPeerAsync, client_word(to), (uint64_t)to_device, client_word(from),
                         (uint64_t)from_device, bytes, client_word(stream));
}

CudaError cudaMemset(void *address, int value, size_t bytes) {
    return CLIENT_SIMPLE(cudaMemset, client_word(address), (uint64_t)value, bytes);
}

CudaError cudaMemsetAsync(void *address, int value, size_t bytes, CudaStream stream) {
    return CLIENT_SIMPLE(cudaMemsetAsync, client_word(address), (uint64_t)value, bytes, client_word(stream));
}

CudaError cudaMemset2D(void *address, size_t pitch, int value, size_t width, size_t height) {
    return CLIENT_SIMPLE(cudaMemset2D, client_word(address), pitch, (uint64_t)value, width, height);
}

CudaError cudaMemset2DAsync(void *address, size_t pitch, int value, size_t width, size_t height,
                            CudaStream stream) {
    return CLIENT_SIMPLE(cudaMemset2DAsync, client_word(address), pitch, (uint64_t)value, width, height,
                         client_word(stream));
}

static CudaError set_box(WireFunction which, ClientSite site, const PitchedPointer *box, int value,
                         const Extent *extent, CudaStream stream) {
    WireRequest request = client_request(which, site);
    const uint64_t words[] = {client_word(box->pointer),
                              box->pitch,
                              box->height,
                              (uint64_t)value,
                              extent->width,
                              extent->height,
                              extent->depth,
                              client_word(stream)};
    memcpy(request.arguments, words, sizeof words);
    return client_call(&request, NULL, NULL);
}

CudaError cudaMemset3D(PitchedPointer box, int value, Extent extent) {
    return set_box(WIRE_cudaMemset3D, CLIENT_SITE(), &box, value, &extent, NULL);
}

CudaError cudaMemset3DAsync(PitchedPointer box, int value, Extent extent, CudaStream stream) {
    return set_box(WIRE_cudaMemset3DAsync, CLIENT_SITE(), &box, value, &extent, stream);
}

CudaError cudaStreamAttachMemAsync(CudaStream stream, void *address, size_t bytes, unsigned flags) {
    return CLIENT_SIMPLE(cudaStreamAttachMemAsync, client_word(stream), client_word(address), bytes, flags);
}

/* ---- variables ---- */

CudaError cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, int kind) {
    return CLIENT_SIMPLE(cudaMemcpyToSymbol, client_word(symbol), client_word(from), bytes, offset,
                         (uint64_t)kind);
}

CudaError cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset, int kind,
                                  CudaStream stream) {
    CudaError error = CLIENT_SIMPLE(cudaMemcpyToSymbolAsync, client_word(symbol), client_word(from), bytes,
                                    offset, (uint64_t)kind, client_word(stream));
    if (error == CUDA_SUCCESS) client_watch_copy(NULL, 0, from, bytes, bytes, 1);
    return error;
}

CudaError cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, int kind) {
    return CLIENT_SIMPLE(cudaMemcpyFromSymbol, client_word(to), client_word(symbol), bytes, offset,
                         (uint64_t)kind);
}

CudaError cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset, int kind,
                                    CudaStream stream) {
    CudaError error = CLIENT_SIMPLE(cudaMemcpyFromSymbolAsync, client_word(to), client_word(symbol), bytes,
                                    offset, (uint64_t)kind, client_word(stream));
    if (error == CUDA_SUCCESS) client_watch_copy(to, bytes, NULL, 0, bytes, 1);
    return error;
}

CudaError cudaGetSymbolAddress(void **pointer, const void *symbol) {
    WireRequest request = client_request(WIRE_cudaGetSymbolAddress, CLIENT_SITE());
    request.arguments[0] = client_word(pointer);
    request.arguments[1] = client_word(symbol);
    uint64_t address = 0;
    CudaError error = call_for_word(&request, &address);
    if (error == CUDA_SUCCESS) *pointer = client_pointer(address);
    return error;
}

CudaError cudaGetSymbolSize(size_t *bytes, const void *symbol) {
    WireRequest request = client_request(WIRE_cudaGetSymbolSize, CLIENT_SITE());
    request.arguments[0] = client_word(bytes);
    request.arguments[1] = client_word(symbol);
    uint64_t word = 0;
    CudaError error = call_for_word(&request, &word);
    if (error == CUDA_SUCCESS) *bytes = (size_t)word;
    return error;
}

CudaError cudaPointerGetAttributes(PointerAttributes *attributes, const void *address) {
    WireRequest request = client_request(WIRE_cudaPointerGetAttributes, CLIENT_SITE());
    request.arguments[0] = client_word(attributes);
    request.arguments[1] = client_word(address);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error != CUDA_SUCCESS) return error;
    attributes->type = (int)reply.results[0];
    attributes->device = attributes->type == 0 ? -2 : (int)reply.results[3];
    attributes->device_pointer = client_pointer(reply.results[1]);
    attributes->host_pointer = client_pointer(reply.results[2]);
    return CUDA_SUCCESS;
}

/* The arguments behind these differ between CUDA 12 and 13, and do not matter here. */

CudaError cudaMemPrefetchAsync(const void *address, size_t bytes) {
    return CLIENT_SIMPLE(cudaMemPrefetchAsync, client_word(address), bytes);
}

CudaError cudaMemAdvise(const void *address, size_t bytes, int advice) {
    return CLIENT_SIMPLE(cudaMemAdvise, client_word(address), bytes, (uint64_t)advice);
}
