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

/* ---- arrays ---- */

/** Asks for an array of any kind; the kinds differ in which of the extents, levels and flags count. */
static CudaError allocate(WireFunction which, ClientSite site, CudaArray *array, const ChannelFormat *format,
                          Extent extent, unsigned levels, unsigned flags) {
    if (format == NULL) return client_null(which, site);
    WireRequest request = client_request(which, site);
    request.cudaMallocMipmappedArray =
        (Arguments_cudaMallocMipmappedArray){.array = client_word(array),
                                             .width = extent.width,
                                             .height = extent.height,
                                             .depth = extent.depth,
                                             .flags = flags,
                                             .x = client_number(format->x),
                                             .y = client_number(format->y),
                                             .z = client_number(format->z),
                                             .w = client_number(format->w),
                                             .kind = client_number(format->kind),
                                             .levels = levels};
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *array = client_pointer(reply.cudaMallocMipmappedArray.array);
    return error;
}

ENTRY(CudaError, cudaMallocArray, CudaArray *array, const ChannelFormat *format, size_t width, size_t height,
      unsigned flags) {
    return allocate(WIRE_cudaMallocArray, CLIENT_SITE(), array, format, (Extent){width, height, 0}, 0, flags);
}

ENTRY(CudaError, cudaMalloc3DArray, CudaArray *array, const ChannelFormat *format, Extent extent,
      unsigned flags) {
    return allocate(WIRE_cudaMalloc3DArray, CLIENT_SITE(), array, format, extent, 0, flags);
}

ENTRY(CudaError, cudaMallocMipmappedArray, CudaArray *array, const ChannelFormat *format, Extent extent,
      unsigned levels, unsigned flags) {
    return allocate(WIRE_cudaMallocMipmappedArray, CLIENT_SITE(), array, format, extent, levels, flags);
}

/** What an array is, into those of the three places that the program has given. */
static CudaError ask(WireFunction which, ClientSite site, CudaArray array, ChannelFormat *format,
                     Extent *extent, unsigned *flags) {
    WireRequest request = client_request(which, site);
    request.cudaArrayGetInfo.array = client_word(array);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error != CUDA_SUCCESS) return error;
    const Results_cudaArrayGetInfo *r = &reply.cudaArrayGetInfo;
    uint64_t bytes = r->channels;
    if (format != NULL)
        *format = (ChannelFormat){(uint8_t)bytes, (uint8_t)(bytes >> 8), (uint8_t)(bytes >> 16),
                                  (uint8_t)(bytes >> 24), (uint8_t)(bytes >> 32)};
    if (extent != NULL) *extent = (Extent){r->width, r->height, r->depth};
    if (flags != NULL) *flags = (unsigned)r->flags;
    return error;
}

ENTRY(CudaError, cudaArrayGetInfo, ChannelFormat *format, Extent *extent, unsigned *flags, CudaArray array) {
    return ask(WIRE_cudaArrayGetInfo, CLIENT_SITE(), array, format, extent, flags);
}

ENTRY(CudaError, cudaGetChannelDesc, ChannelFormat *format, CudaArray array) {
    return ask(WIRE_cudaGetChannelDesc, CLIENT_SITE(), array, format, NULL, NULL);
}

/* ---- rows ---- */

ENTRY(CudaError, cudaMemcpy2DToArrayAsync, CudaArray to, size_t x, size_t y, const void *from, size_t pitch,
      size_t width, size_t height, int kind, CudaStream stream) {
    CudaError error = CLIENT_SEND(cudaMemcpy2DToArrayAsync, .array = client_word(to), .x = x, .y = y,
                                  .from = client_word(from), .pitch = pitch, .width = width, .height = height,
                                  .kind = client_number(kind), .stream = client_word(stream));
    if (error == CUDA_SUCCESS) client_watch_copy(NULL, 0, from, pitch, width, height);
    return error;
}

ENTRY(CudaError, cudaMemcpy2DFromArrayAsync, void *to, size_t pitch, CudaArray from, size_t x, size_t y,
      size_t width, size_t height, int kind, CudaStream stream) {
    CudaError error = CLIENT_SEND(
        cudaMemcpy2DFromArrayAsync, .to = client_word(to), .pitch = pitch, .array = client_word(from), .x = x,
        .y = y, .width = width, .height = height, .kind = client_number(kind), .stream = client_word(stream));
    if (error == CUDA_SUCCESS) client_watch_copy(to, pitch, NULL, 0, width, height);
    return error;
}

/* ---- bytes ---- */

ENTRY(CudaError, cudaMemcpyToArrayAsync, CudaArray to, size_t x, size_t y, const void *from, size_t bytes,
      int kind, CudaStream stream) {
    CudaError error = CLIENT_SEND(cudaMemcpyToArrayAsync, .array = client_word(to), .x = x, .y = y,
                                  .from = client_word(from), .bytes = bytes, .kind = client_number(kind),
                                  .stream = client_word(stream));
    if (error == CUDA_SUCCESS) client_watch_copy(NULL, 0, from, bytes, bytes, 1);
    return error;
}

ENTRY(CudaError, cudaMemcpyFromArrayAsync, void *to, CudaArray from, size_t x, size_t y, size_t bytes,
      int kind, CudaStream stream) {
    CudaError error =
        CLIENT_SEND(cudaMemcpyFromArrayAsync, .to = client_word(to), .array = client_word(from), .x = x,
                    .y = y, .bytes = bytes, .kind = client_number(kind), .stream = client_word(stream));
    if (error == CUDA_SUCCESS) client_watch_copy(to, bytes, NULL, 0, bytes, 1);
    return error;
}

/* ---- boxes ---- */

static WireSide side(CudaArray array, Position position, PitchedPointer pointer) {
    return (WireSide){client_word(array),           position.x,    position.y,    position.z,
                      client_word(pointer.pointer), pointer.pitch, pointer.height};
}

/** The description of the copy travels as the payload: both sides have more words than a request has room
 * for. */
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

ENTRY(CudaError, cudaMemcpy3D, const Copy3D *copy) {
    return copy_box(WIRE_cudaMemcpy3D, CLIENT_SITE(), copy, NULL);
}

ENTRY(CudaError, cudaMemcpy3DAsync, const Copy3D *copy, CudaStream stream) {
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

ENTRY(CudaError, cudaMemcpy3DPeer, const PeerCopy3D *copy) {
    return copy_peer_box(WIRE_cudaMemcpy3DPeer, CLIENT_SITE(), copy, NULL);
}

ENTRY(CudaError, cudaMemcpy3DPeerAsync, const PeerCopy3D *copy, CudaStream stream) {
    return copy_peer_box(WIRE_cudaMemcpy3DPeerAsync, CLIENT_SITE(), copy, stream);
}
