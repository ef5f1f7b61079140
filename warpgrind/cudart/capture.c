/* capture.c - capture: streams whose work is written into a graph. Handles are numbers the device gave out.
 */
#include "cudart/client.h"

#include <stdlib.h>

typedef void *CudaGraph, *CudaNode;

EXPORT CudaError cudaStreamBeginCapture(CudaStream stream, int mode);
EXPORT CudaError cudaStreamEndCapture(CudaStream stream, CudaGraph *graph);
EXPORT CudaError cudaStreamIsCapturing(CudaStream stream, int *status);
EXPORT CudaError cudaThreadExchangeStreamCaptureMode(int *mode);
EXPORT CudaError cudaStreamBeginCaptureToGraph(CudaStream stream, CudaGraph graph, const CudaNode *before,
                                               const void *edges, size_t count, int mode);
#if CUDART_MAJOR >= 13
EXPORT CudaError cudaStreamGetCaptureInfo(CudaStream stream, int *status, unsigned long long *id,
                                          CudaGraph *graph, const CudaNode **before, const void **edges,
                                          size_t *count);
#else
EXPORT CudaError cudaStreamGetCaptureInfo(CudaStream stream, int *status, unsigned long long *id);
#endif
#if CUDART_MAJOR >= 13
EXPORT CudaError cudaStreamUpdateCaptureDependencies(CudaStream stream, CudaNode *nodes, const void *edges,
                                                     size_t count, unsigned flags);
#else
EXPORT CudaError cudaStreamUpdateCaptureDependencies(CudaStream stream, CudaNode *nodes, size_t count,
                                                     unsigned flags);
#endif

CudaError cudaStreamBeginCapture(CudaStream stream, int mode) {
    return CLIENT_SIMPLE(cudaStreamBeginCapture, client_word(stream), (uint64_t)mode);
}

/** When the capture has failed the graph is null. */
static CudaError end_capture(ClientSite site, CudaStream stream, CudaGraph *graph) {
    WireRequest request = client_request(WIRE_cudaStreamEndCapture, site);
    request.arguments[0] = client_word(stream);
    request.arguments[1] = client_word(graph);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (graph != NULL) *graph = error == CUDA_SUCCESS ? client_pointer(reply.results[0]) : NULL;
    return error;
}

CudaError cudaStreamEndCapture(CudaStream stream, CudaGraph *graph) {
    return end_capture(CLIENT_SITE(), stream, graph);
}

CudaError cudaStreamIsCapturing(CudaStream stream, int *status) {
    WireRequest request = client_request(WIRE_cudaStreamIsCapturing, CLIENT_SITE());
    request.arguments[0] = client_word(stream);
    request.arguments[1] = client_word(status);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *status = (int)reply.results[0];
    return error;
}

/** With `nodes`, also what the next captured node comes after, in memory that lasts until the next such call.
 */
static CudaError capture_info(ClientSite site, CudaStream stream, int *status, unsigned long long *id,
                              const CudaNode **nodes, size_t *count) {
    enum { MOST = 1536 }; /* nodes of a graph */
    WireRequest request = client_request(WIRE_cudaStreamGetCaptureInfo, site);
    request.arguments[0] = client_word(stream);
    request.arguments[1] = client_word(status);
    request.arguments[2] = nodes != NULL || count != NULL;
    CudaNode *room = client_room(MOST * sizeof *room);
    if (room == NULL) return CUDA_OUT_OF_MEMORY;
    WireReply reply;
    CudaError error = client_call_into(&request, NULL, &reply, room, MOST * sizeof *room);
    if (error != CUDA_SUCCESS) return error;
    *status = (int)reply.results[0];
    if (id != NULL) *id = reply.results[1];
    if (nodes != NULL) *nodes = room;
    if (count != NULL) *count = (size_t)reply.results[2];
    return CUDA_SUCCESS;
}

#if CUDART_MAJOR >= 13
/** The graph is what the id is the number of. */
CudaError cudaStreamGetCaptureInfo(CudaStream stream, int *status, unsigned long long *id, CudaGraph *graph,
                                   const CudaNode **before, const void **edges, size_t *count) {
    unsigned long long own = 0;
    CudaError error = capture_info(CLIENT_SITE(), stream, status, &own, before, count);
    if (error != CUDA_SUCCESS) return error;
    if (id != NULL) *id = own;
    if (graph != NULL) *graph = client_pointer(own);
    if (edges != NULL) *edges = NULL;
    return CUDA_SUCCESS;
}
#else
CudaError cudaStreamGetCaptureInfo(CudaStream stream, int *status, unsigned long long *id) {
    return capture_info(CLIENT_SITE(), stream, status, id, NULL, NULL);
}
#endif

static CudaError send_capture(WireRequest request, const CudaNode *nodes, size_t count) {
    if (count > WIRE_PAYLOAD_LIMIT / sizeof *nodes || (count > 0 && nodes == NULL)) return CUDA_INVALID_VALUE;
    request.payload_bytes = count * sizeof *nodes;
    return client_call(&request, nodes, NULL);
}

CudaError cudaStreamBeginCaptureToGraph(CudaStream stream, CudaGraph graph, const CudaNode *before,
                                        const void *edges, size_t count, int mode) {
    (void)edges;
    WireRequest request = client_request(WIRE_cudaStreamBeginCaptureToGraph, CLIENT_SITE());
    request.arguments[0] = client_word(stream);
    request.arguments[1] = (uint64_t)mode;
    request.arguments[2] = client_word(graph);
    request.arguments[3] = count;
    return send_capture(request, before, count);
}

static CudaError update_capture(ClientSite site, CudaStream stream, const CudaNode *nodes, size_t count,
                                unsigned flags) {
    WireRequest request = client_request(WIRE_cudaStreamUpdateCaptureDependencies, site);
    request.arguments[0] = client_word(stream);
    request.arguments[1] = flags;
    request.arguments[2] = count;
    return send_capture(request, nodes, count);
}

#if CUDART_MAJOR >= 13
CudaError cudaStreamUpdateCaptureDependencies(CudaStream stream, CudaNode *nodes, const void *edges,
                                              size_t count, unsigned flags) {
    (void)edges;
    return update_capture(CLIENT_SITE(), stream, nodes, count, flags);
}
#else
CudaError cudaStreamUpdateCaptureDependencies(CudaStream stream, CudaNode *nodes, size_t count,
                                              unsigned flags) {
    return update_capture(CLIENT_SITE(), stream, nodes, count, flags);
}
#endif

CudaError cudaThreadExchangeStreamCaptureMode(int *mode) {
    WireRequest request = client_request(WIRE_cudaThreadExchangeStreamCaptureMode, CLIENT_SITE());
    request.arguments[0] = client_word(mode);
    if (mode != NULL) request.arguments[1] = (uint64_t)(int64_t)*mode;
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *mode = (int)reply.results[0];
    return error;
}
