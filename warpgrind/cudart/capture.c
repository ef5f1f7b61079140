/* capture.c - capture: streams whose work is written into a graph. Handles are numbers the device gave out.
 */
#include "cudart/client.h"

/** When the capture has failed the graph is null. */
ENTRY(CudaError, cudaStreamEndCapture, CudaStream stream, CudaGraph *graph) {
    WireRequest request = CLIENT_REQUEST(cudaStreamEndCapture, CLIENT_SITE(), .stream = client_word(stream),
                                         .graph = client_word(graph));
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (graph == NULL) return error;
    if (error == CUDA_SUCCESS)
        *graph = client_pointer(reply.cudaStreamEndCapture.graph);
    else
        *graph = NULL;
    return error;
}

/** What a stream captures. With `nodes`, also what the next captured node comes after, in memory that lasts
 * until the next such call. */
static CudaError capture_info(ClientSite site, CudaStream stream, int *status, unsigned long long *id,
                              const CudaNode **nodes, size_t *count) {
    enum { MOST = 1536 }; /* nodes of a graph */
    WireRequest request =
        CLIENT_REQUEST(cudaStreamGetCaptureInfo, site, .stream = client_word(stream),
                       .status = client_word(status), .wants_nodes = nodes != NULL || count != NULL);
    CudaNode *room = client_room(MOST * sizeof *room);
    if (room == NULL) return CUDA_OUT_OF_MEMORY;
    WireReply reply;
    CudaError error = client_call_into(&request, NULL, &reply, room, MOST * sizeof *room);
    if (error != CUDA_SUCCESS) return error;
    const Results_cudaStreamGetCaptureInfo *r = &reply.cudaStreamGetCaptureInfo;
    *status = (int)r->status;
    if (id != NULL) *id = r->id;
    if (nodes != NULL) *nodes = room;
    if (count != NULL) *count = (size_t)r->count;
    return CUDA_SUCCESS;
}

#if CUDART_MAJOR >= 13
/** The graph is what the id is the number of. */
ENTRY(CudaError, cudaStreamGetCaptureInfo, CudaStream stream, int *status, unsigned long long *id,
      CudaGraph *graph, const CudaNode **before, const void **edges, size_t *count) {
    unsigned long long own = 0;
    CudaError error = capture_info(CLIENT_SITE(), stream, status, &own, before, count);
    if (error != CUDA_SUCCESS) return error;
    if (id != NULL) *id = own;
    if (graph != NULL) *graph = client_pointer(own);
    if (edges != NULL) *edges = NULL;
    return CUDA_SUCCESS;
}
#else
ENTRY(CudaError, cudaStreamGetCaptureInfo, CudaStream stream, int *status, unsigned long long *id) {
    return capture_info(CLIENT_SITE(), stream, status, id, NULL, NULL);
}
#endif

static CudaError send_capture(WireRequest request, const CudaNode *nodes, size_t count) {
    if (count > WIRE_PAYLOAD_LIMIT / sizeof *nodes || (count > 0 && nodes == NULL)) return CUDA_INVALID_VALUE;
    request.payload_bytes = count * sizeof *nodes;
    return client_call(&request, nodes, NULL);
}

ENTRY(CudaError, cudaStreamBeginCaptureToGraph, CudaStream stream, CudaGraph graph, const CudaNode *before,
      const void *edges, size_t count, int mode) {
    (void)edges;
    WireRequest request =
        CLIENT_REQUEST(cudaStreamBeginCaptureToGraph, CLIENT_SITE(), .stream = client_word(stream),
                       .mode = client_number(mode), .graph = client_word(graph), .count = count);
    return send_capture(request, before, count);
}

ENTRY(CudaError, cudaStreamUpdateCaptureDependencies, CudaStream stream, CudaNode *nodes,
      CLIENT_EDGES size_t count, unsigned flags) {
    WireRequest request = CLIENT_REQUEST(cudaStreamUpdateCaptureDependencies, CLIENT_SITE(),
                                         .stream = client_word(stream), .flags = flags, .count = count);
    return send_capture(request, nodes, count);
}

ENTRY(CudaError, cudaThreadExchangeStreamCaptureMode, int *mode) {
    WireRequest request =
        CLIENT_REQUEST(cudaThreadExchangeStreamCaptureMode, CLIENT_SITE(), .mode = client_word(mode),
                       .wanted = client_number(mode != NULL ? *mode : 0));
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *mode = (int)reply.cudaThreadExchangeStreamCaptureMode.mode;
    return error;
}
