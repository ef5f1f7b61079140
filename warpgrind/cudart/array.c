/* array.c - CUDA arrays and the copies that reach them; the handles are the device's, nothing is kept here.
 */
#include "cudart/client.h"

#include <string.h>

typedef void *CudaArray;

typedef struct ChannelFormat {
    int x, y, z, w, kind;
} ChannelFormat;

typedef struct Extent {
    size_t width, height, depth;
} Extent;

typedef struct Position {
    size_t x, y, z;
} Position;

typedef struct PitchedPointer {
    void *pointer;
    size_t pitch, width, height;
} PitchedPointer;

/** cudaMemcpy3DParms */
typedef struct Copy3D {
    CudaArray from_array;
    Position from_position;
    PitchedPointer from_pointer;
    CudaArray to_array;
    Position to_position;
    PitchedPointer to_pointer;
    Extent extent;
    int kind;
} Copy3D;

/** cudaMemcpy3DPeerParms */
typedef struct PeerCopy3D {
    CudaArray from_array;
    Position from_position;
    PitchedPointer from_pointer;
    int from_device;
    CudaArray to_array;
    Position to_position;
    PitchedPointer to_pointer;
    int to_device;
    Extent extent;
} PeerCopy3D;

EXPORT CudaError cudaMallocArray(CudaArray *array, const ChannelFormat *format, size_t width, size_t height,
                                 unsigned flags);
EXPORT CudaError cudaMalloc3DArray(CudaArray *array, const ChannelFormat *format, Extent extent,
                                   unsigned flags);
EXPORT CudaError cudaMallocMipmappedArray(CudaArray *array, const ChannelFormat *format, Extent extent,
                                          unsigned levels, unsigned flags);
EXPORT CudaError cudaGetMipmappedArrayLevel(CudaArray *array, CudaArray mipmapped, unsigned level);
EXPORT CudaError cudaFreeMipmappedArray(CudaArray array);
EXPORT CudaError cudaFreeArray(CudaArray array);
EXPORT CudaError cudaArrayGetInfo(ChannelFormat *format, Extent *extent, unsigned *flags, CudaArray array);
EXPORT CudaError cudaGetChannelDesc(ChannelFormat *format, CudaArray array);
EXPORT CudaError cudaMemcpy2DToArray(CudaArray to, size_t x, size_t y, const void *from, size_t pitch,
                                     size_t width, size_t height, int kind);
EXPORT CudaError cudaMemcpy2DToArrayAsync(CudaArray to, size_t x, size_t y, const void *from, size_t pitch,
                                          size_t width, size_t height, int kind, CudaStream stream);
EXPORT CudaError cudaMemcpy2DFromArray(void *to, size_t pitch, CudaArray from, size_t x, size_t y,
                                       size_t width, size_t height, int kind);
EXPORT CudaError cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, CudaArray from, size_t x, size_t y,
                                            size_t width, size_t height, int kind, CudaStream stream);
EXPORT CudaError cudaMemcpy2DArrayToArray(CudaArray to, size_t to_x, size_t to_y, CudaArray from,
                                          size_t from_x, size_t from_y, size_t width, size_t height,
                                          int kind);
EXPORT CudaError cudaMemcpyToArray(CudaArray to, size_t x, size_t y, const void *from, size_t bytes,
                                   int kind);
EXPORT CudaError cudaMemcpyToArrayAsync(CudaArray to, size_t x, size_t y, const void *from, size_t bytes,
                                        int kind, CudaStream stream);
EXPORT CudaError cudaMemcpyFromArray(void *to, CudaArray from, size_t x, size_t y, size_t bytes, int kind);
EXPORT CudaError cudaMemcpyFromArrayAsync(void *to, CudaArray from, size_t x, size_t y, size_t bytes,
                                          int kind, CudaStream stream);
EXPORT CudaError cudaMemcpyArrayToArray(CudaArray to, size_t to_x, size_t to_y, CudaArray from, size_t from_x,
                                        size_t from_y, size_t bytes, int kind);
EXPORT CudaError cudaMemcpy3DPeer(const PeerCopy3D *copy);
EXPORT CudaError cudaMemcpy3DPeerAsync(const PeerCopy3D *copy, CudaStream stream);
EXPORT CudaError cudaMemcpy3D(const Copy3D *copy);
EXPORT CudaError cudaMemcpy3DAsync(const Copy3D *copy, CudaStream stream);

/* ---- arrays ---- */

static CudaError allocate(WireFunction which, ClientSite site, CudaArray *array, const ChannelFormat *format,
                          Extent extent, uint64_t flags) {
    if (format == NULL) return client_null(which, site);
    WireRequest request = client_request(which, site);
    const uint64_t words[] = {client_word(array),
                              extent.width,
                              extent.height,
                              extent.depth,
                              flags,
                              (uint64_t)format->x,
                              (uint64_t)format->y,
                              (uint64_t)format->z,
                              (uint64_t)format->w,
                              (uint64_t)format->kind};
    memcpy(request.arguments, words, sizeof words);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *array = client_pointer(reply.results[0]);
    return error;
}

CudaError cudaMallocArray(CudaArray *array, const ChannelFormat *format, size_t width, size_t height,
                          unsigned flags) {
    return allocate(WIRE_cudaMallocArray, CLIENT_SITE(), array, format, (Extent){width, height, 0}, flags);
}

CudaError cudaMalloc3DArray(CudaArray *array, const ChannelFormat *format, Extent extent, unsigned flags) {
    return allocate(WIRE_cudaMalloc3DArray, CLIENT_SITE(), array, format, extent, flags);
}

CudaError cudaMallocMipmappedArray(CudaArray *array, const ChannelFormat *format, Extent extent,
                                   unsigned levels, unsigned flags) {
    return allocate(WIRE_cudaMallocMipmappedArray, CLIENT_SITE(), array, format, extent,
                    (uint64_t)levels << 32 | flags);
}

CudaError cudaGetMipmappedArrayLevel(CudaArray *array, CudaArray mipmapped, unsigned level) {
    WireRequest request = client_request(WIRE_cudaGetMipmappedArrayLevel, CLIENT_SITE());
    request.arguments[0] = client_word(array);
    request.arguments[1] = client_word(mipmapped);
    request.arguments[2] = level;
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *array = client_pointer(reply.results[0]);
    return error;
}

CudaError cudaFreeMipmappedArray(CudaArray array) {
    return CLIENT_SIMPLE(cudaFreeMipmappedArray, client_word(array));
}

CudaError cudaFreeArray(CudaArray array) {
    return CLIENT_SIMPLE(cudaFreeArray, client_word(array));
}

static CudaError ask(WireFunction which, ClientSite site, CudaArray array, ChannelFormat *format,
                     Extent *extent, unsigned *flags) {
    WireRequest request = client_request(which, site);
    request.arguments[0] = client_word(array);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error != CUDA_SUCCESS) return error;
    uint64_t bytes = reply.results[0];
    if (format != NULL)
        *format = (ChannelFormat){(uint8_t)bytes, (uint8_t)(bytes >> 8), (uint8_t)(bytes >> 16),
                                  (uint8_t)(bytes >> 24), (uint8_t)(bytes >> 32)};
    if (extent != NULL) *extent = (Extent){reply.results[1], reply.results[2], reply.results[3]};
    if (flags != NULL) *flags = (unsigned)reply.results[4];
    return error;
}

CudaError cudaArrayGetInfo(ChannelFormat *format, Extent *extent, unsigned *flags, CudaArray array) {
    return ask(WIRE_cudaArrayGetInfo, CLIENT_SITE(), array, format, extent, flags);
}

CudaError cudaGetChannelDesc(ChannelFormat *format, CudaArray array) {
    return ask(WIRE_cudaGetChannelDesc, CLIENT_SITE(), array, format, NULL, NULL);
}

/* ---- rows ---- */

CudaError cudaMemcpy2DToArray(CudaArray to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                              size_t height, int kind) {
    return CLIENT_SIMPLE(cudaMemcpy2DToArray, client_word(to), x, y, client_word(from), pitch, width, height,
                         (uint64_t)kind);
}

CudaError cudaMemcpy2DToArrayAsync(CudaArray to, size_t x, size_t y, const void *from, size_t pitch,
                                   size_t width, size_t height, int kind, CudaStream stream) {
    CudaError error = CLIENT_SIMPLE(cudaMemcpy2DToArrayAsync, client_word(to), x, y, client_word(from), pitch,
                                    width, height, (uint64_t)kind, client_word(stream));
    if (error == CUDA_SUCCESS) client_watch_copy(NULL, 0, from, pitch, width, height);
    return error;
}

CudaError cudaMemcpy2DFromArray(void *to, size_t pitch, CudaArray from, size_t x, size_t y, size_t width,
                                size_t height, int kind) {
    return CLIENT_SIMPLE(cudaMemcpy2DFromArray, client_word(to), pitch, client_word(from), x, y, width,
                         height, (uint64_t)kind);
}

CudaError cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, CudaArray from, size_t x, size_t y, size_t width,
                                     size_t height, int kind, CudaStream stream) {
    CudaError error = CLIENT_SIMPLE(cudaMemcpy2DFromArrayAsync, client_word(to), pitch, client_word(from), x,
                                    y, width, height, (uint64_t)kind, client_word(stream));
    if (error == CUDA_SUCCESS) client_watch_copy(to, pitch, NULL, 0, width, height);
    return error;
}

CudaError cudaMemcpy2DArrayToArray(CudaArray to, size_t to_x, size_t to_y, CudaArray from, size_t from_x,
                                   size_t from_y, size_t width, size_t height, int kind) {
    return CLIENT_SIMPLE(cudaMemcpy2DArrayToArray, client_word(to), to_x, to_y, client_word(from), from_x,
                         from_y, width, height, (uint64_t)kind);
}

/* ---- bytes ---- */

CudaError cudaMemcpyToArray(CudaArray to, size_t x, size_t y, const void *from, size_t bytes, int kind) {
    return CLIENT_SIMPLE(cudaMemcpyToArray, client_word(to), x, y, client_word(from), bytes, (uint64_t)kind);
}

CudaError cudaMemcpyToArrayAsync(CudaArray to, size_t x, size_t y, const void *from, size_t bytes, int kind,
                                 CudaStream stream) {
    CudaError error = CLIENT_SIMPLE(cudaMemcpyToArrayAsync, client_word(to), x, y, client_word(from), bytes,
                                    (uint64_t)kind, client_word(stream));
    if (error == CUDA_SUCCESS) client_watch_copy(NULL, 0, from, bytes, bytes, 1);
    return error;
}

CudaError cudaMemcpyFromArray(void *to, CudaArray from, size_t x, size_t y, size_t bytes, int kind) {
    return CLIENT_SIMPLE(cudaMemcpyFromArray, client_word(to), client_word(from), x, y, bytes,
                         (uint64_t)kind);
}

CudaError cudaMemcpyFromArrayAsync(void *to, CudaArray from, size_t x, size_t y, size_t bytes, int kind,
                                   CudaStream stream) {
    CudaError error = CLIENT_SIMPLE(cudaMemcpyFromArrayAsync, client_word(to), client_word(from), x, y, bytes,
                                    (uint64_t)kind, client_word(stream));
    if (error == CUDA_SUCCESS) client_watch_copy(to, bytes, NULL, 0, bytes, 1);
    return error;
}

CudaError cudaMemcpyArrayToArray(CudaArray to, size_t to_x, size_t to_y, CudaArray from, size_t from_x,
                                 size_t from_y, size_t bytes, int kind) {
    return CLIENT_SIMPLE(cudaMemcpyArrayToArray, client_word(to), to_x, to_y, client_word(from), from_x,
                         from_y, bytes, (uint64_t)kind);
}

/* ---- boxes ---- */

static WireSide side(CudaArray array, Position position, PitchedPointer pointer) {
    return (WireSide){client_word(array),           position.x,    position.y,    position.z,
                      client_word(pointer.pointer), pointer.pitch, pointer.height};
}

static CudaError copy_box(WireFunction which, ClientSite site, const Copy3D *copy, CudaStream stream) {
    if (copy == NULL) return client_null(which, site);
    WireCopy3D wire = {.to = side(copy->to_array, copy->to_position, copy->to_pointer),
                       .from = side(copy->from_array, copy->from_position, copy->from_pointer),
                       .width = copy->extent.width,
                       .height = copy->extent.height,
                       .depth = copy->extent.depth,
                       .kind = (uint64_t)copy->kind,
                       .stream = client_word(stream)};
    WireRequest request = client_request(which, site);
    request.payload_bytes = sizeof wire;
    return client_call(&request, &wire, NULL);
}

CudaError cudaMemcpy3D(const Copy3D *copy) {
    return copy_box(WIRE_cudaMemcpy3D, CLIENT_SITE(), copy, NULL);
}

CudaError cudaMemcpy3DAsync(const Copy3D *copy, CudaStream stream) {
    CudaError error = copy_box(WIRE_cudaMemcpy3DAsync, CLIENT_SITE(), copy, stream);
    if (error != CUDA_SUCCESS) return error;
    /* All that lies between the first and the last byte: the device knows better which of them are meant. */
    const PitchedPointer *to = &copy->to_pointer, *from = &copy->from_pointer;
    const Extent *box = &copy->extent;
    client_watch_copy(to->pointer, to->pitch, from->pointer, from->pitch, box->width,
                      box->height + (box->depth - 1) * (from->pointer != NULL ? from->height : to->height));
    return error;
}

/** Whose memory it is the addresses say; both sides are devices'. */
static CudaError copy_peer_box(WireFunction which, ClientSite site, const PeerCopy3D *copy,
                               CudaStream stream) {
    enum { DEVICE_TO_DEVICE = 3 };
    if (copy == NULL) return client_null(which, site);
    const Copy3D plain = {.from_array = copy->from_array,
                          .from_position = copy->from_position,
                          .from_pointer = copy->from_pointer,
                          .to_array = copy->to_array,
                          .to_position = copy->to_position,
                          .to_pointer = copy->to_pointer,
                          .extent = copy->extent,
                          .kind = DEVICE_TO_DEVICE};
    return copy_box(which, site, &plain, stream);
}

CudaError cudaMemcpy3DPeer(const PeerCopy3D *copy) {
    return copy_peer_box(WIRE_cudaMemcpy3DPeer, CLIENT_SITE(), copy, NULL);
}

CudaError cudaMemcpy3DPeerAsync(const PeerCopy3D *copy, CudaStream stream) {
    return copy_peer_box(WIRE_cudaMemcpy3DPeerAsync, CLIENT_SITE(), copy, stream);
}
