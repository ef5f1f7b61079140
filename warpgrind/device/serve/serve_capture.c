/* serve_capture.c - stream capture: from its begin to its end, the work of a stream becomes nodes of a graph.
 */
#include "device/serve/serve.h"
#include "device/state/complain.h"
#include "device/streams/graph.h"

CudaCode serve_refuse_capturing(Device *device, Graph *graph) {
    graph->invalid = true;
    complain_captured(device, CHECK_CAPTURE_LOST,
                      SAID_CAPTURE(FORBIDDEN, .function = serve_function(device)));
    return CUDA_CAPTURE_UNSUPPORTED;
}

Graph *serve_find_capture(Device *device) {
    uint32_t thread = device->serving.request->thread;
    int own = device->graphs.capture_modes[serve_thread(device)];
    for (Graph *graph = device->graphs.first; graph != NULL && own != CAPTURE_RELAXED; graph = graph->next) {
        if (!graph->capturing || graph->mode == CAPTURE_RELAXED) continue;
        bool others = graph->mode == CAPTURE_GLOBAL && own == CAPTURE_GLOBAL;
        if (others || graph->thread == thread) return graph;
    }
    return NULL;
}

/** The legacy default stream cannot be captured (CUDA Runtime API, cudaStreamBeginCapture), nor can a stream
 * that captures already. */
SERVE(serve_begin_capture, cudaStreamBeginCapture) {
    DeviceStream *stream = serve_stream(device, a->stream);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    if (a->mode > CAPTURE_RELAXED) return CUDA_INVALID_VALUE;
    if (stream->handle == STREAM_LEGACY || stream->capture != NULL) {
        complain(device, FINDING_API_MISUSE, SAID_CAPTURE(BEGIN, .captures = stream->capture != NULL));
        if (stream->capture != NULL) return CUDA_ILLEGAL_STATE;
        return CUDA_CAPTURE_UNSUPPORTED;
    }
    Graph *graph = graph_create(device);
    if (graph == NULL) return CUDA_OUT_OF_MEMORY;
    graph_begin_capture(graph, stream, (int)a->mode, device->serving.request->thread);
    return CUDA_OK;
}

/** Captures into a graph of the program's: the payload has the nodes that the first captured one comes after.
 */
SERVE(serve_capture_into, cudaStreamBeginCaptureToGraph) {
    DeviceStream *stream = serve_stream(device, a->stream);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    Graph *graph = serve_graph(device, a->graph);
    if (graph == NULL || a->mode > CAPTURE_RELAXED) return CUDA_INVALID_VALUE;
    if (stream->handle == STREAM_LEGACY || stream->capture != NULL) return CUDA_ILLEGAL_STATE;
    GraphSet after = {0};
    CudaCode error = serve_read_nodes(device, graph, a->count, &after);
    if (error != CUDA_OK) {
        graph_set_clear(&after);
        return error;
    }
    graph->given = true;
    graph->invalid = false;
    graph_begin_capture(graph, stream, (int)a->mode, device->serving.request->thread);
    stream->tail = after;
    return CUDA_OK;
}

/** The payload has the nodes that the next captured one comes after, beside or instead of those it would. */
SERVE(serve_capture_dependencies, cudaStreamUpdateCaptureDependencies) {
    enum { ADD, SET };
    DeviceStream *stream = serve_stream(device, a->stream);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    if (stream->capture == NULL) return CUDA_ILLEGAL_STATE;
    if (a->flags > SET) return CUDA_INVALID_VALUE;
    if (a->flags == SET) graph_set_clear(&stream->tail);
    return serve_read_nodes(device, stream->capture, a->count, &stream->tail);
}

/** Says why the capture came to nothing; an invalid one was explained when it happened. */
static CudaCode tell_end(Device *device, CudaCode error) {
    if (error == CUDA_CAPTURE_UNJOINED)
        complain_captured(device, CHECK_CAPTURE_LOST,
                          said_capture(CAPTURE_UNJOINED_MESSAGE, CAPTURE_UNJOINED_WHY, NULL));
    return error;
}

/** A capture ends in the stream in which it began, and unless its mode is relaxed in the thread that began
 * it. A graph that the program gave keeps the place where it was made. */
SERVE(serve_end_capture, cudaStreamEndCapture) {
    const DeviceStream *stream = serve_stream(device, a->stream);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    Graph *graph = stream->capture;
    bool given = graph != NULL && graph->given;
    if (!given && a->graph == 0) return serve_refuse_null(device, "graph");
    if (graph == NULL || graph->origin != stream) {
        complain(device, FINDING_API_MISUSE, SAID_CAPTURE(END, .captures = graph != NULL));
        if (graph == NULL) return CUDA_ILLEGAL_STATE;
        return CUDA_CAPTURE_UNMATCHED;
    }
    if (graph->mode != CAPTURE_RELAXED && graph->thread != device->serving.request->thread)
        return CUDA_CAPTURE_WRONG_THREAD;
    r->graph = graph->handle;
    if (!given) graph->site = device->serving.site;
    CudaCode error = graph_end_capture(device, graph);
    device->graphs.lost = error != CUDA_OK;
    if (error != CUDA_OK) r->graph = 0;
    return tell_end(device, error);
}

/** cudaStreamCaptureStatus */
enum { CAPTURE_NONE, CAPTURE_ACTIVE, CAPTURE_INVALIDATED };

static uint64_t status_of(const DeviceStream *stream) {
    if (stream->capture == NULL) return CAPTURE_NONE;
    if (stream->capture->invalid) return CAPTURE_INVALIDATED;
    return CAPTURE_ACTIVE;
}

SERVE(serve_is_capturing, cudaStreamIsCapturing) {
    const DeviceStream *stream = serve_stream(device, a->stream);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    r->status = status_of(stream);
    return CUDA_OK;
}

/** The nodes, when they are wanted, are what the next captured one will come after. */
SERVE(serve_capture_info, cudaStreamGetCaptureInfo) {
    const DeviceStream *stream = serve_stream(device, a->stream);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    r->status = status_of(stream);
    if (r->status == CAPTURE_NONE) return CUDA_OK;
    r->id = stream->capture->handle;
    if (a->wants_nodes != 0) return serve_list_nodes(device, &stream->tail, &r->count);
    return CUDA_OK;
}

SERVE(serve_capture_mode, cudaThreadExchangeStreamCaptureMode) {
    if (a->wanted > CAPTURE_RELAXED) return CUDA_INVALID_VALUE;
    int *mode = &device->graphs.capture_modes[serve_thread(device)];
    r->mode = (uint64_t)*mode;
    *mode = (int)a->wanted;
    return CUDA_OK;
}
