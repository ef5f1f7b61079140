/* serve_graph.c - stream capture, graphs by hand, and launching them.
 *
 * A call that adds a node carries the arguments of the stream call it stands for, the graph in a[10] and the
 * number of nodes it comes after in a[11], their handles first in the payload. One that changes a node has
 * the executable (or 0) in a[10] and the node in a[11].
 */
#include "device/complain.h"
#include "device/graph_bodies.h"
#include "device/graph_memory.h"
#include "device/serve.h"

#include <stdlib.h>
#include <string.h>

enum { GRAPH_ARGUMENT = 10, COUNT_ARGUMENT = 11, STREAM_ARGUMENT = 8 };

static const char *function_name(const Device *device) {
    return device_function_name(device->request->function);
}

/* ---- handles ---- */

static Graph *need_graph(Device *device, Graph *graph) {
    if (graph == NULL)
        complain(device, FINDING_API_MISUSE,
                 "A graph comes from cudaGraphCreate or cudaStreamEndCapture; cudaGraphInstantiate makes "
                 "the executable graph that cudaGraphLaunch takes.",
                 "%s: this is not a graph, or it was destroyed", function_name(device));
    return graph;
}

static Graph *find_graph(Device *device, uint64_t handle) {
    return need_graph(device, graph_find(device, handle));
}

Graph *serve_find_open_graph(Device *device, uint64_t handle) {
    return need_graph(device, graph_find_open(device, handle));
}

static Graph *find_executable(Device *device, uint64_t handle) {
    Graph *graph = graph_find_executable(device, handle);
    if (graph == NULL)
        complain(device, FINDING_API_MISUSE, "Make it with cudaGraphInstantiate first.",
                 "%s: this is not an executable graph, or it was destroyed", function_name(device));
    return graph;
}

static CudaCode refuse_node(Device *device) {
    complain(device, FINDING_API_MISUSE, "Nodes belong to the graph that they were added to.",
             "%s: this is not a node of the graph", function_name(device));
    return CUDA_INVALID_VALUE;
}

/* ---- capture ---- */

CudaCode serve_refuse_capturing(Device *device, Graph *graph) {
    graph->invalid = true;
    complain(device, FINDING_API_MISUSE,
             "While a stream captures, nothing runs: the work is only recorded. Allocate before the capture, "
             "and wait after cudaGraphLaunch.",
             "%s is not allowed while a stream is capturing; the capture is lost", function_name(device));
    return CUDA_CAPTURE_UNSUPPORTED;
}

Graph *serve_find_capture(Device *device) {
    uint32_t thread = device->request->thread;
    int own = device->capture_modes[thread % DEVICE_MAX_THREADS];
    for (Graph *graph = device->graphs; graph != NULL && own != CAPTURE_RELAXED; graph = graph->next) {
        if (!graph->capturing || graph->mode == CAPTURE_RELAXED) continue;
        bool others = graph->mode == CAPTURE_GLOBAL && own == CAPTURE_GLOBAL;
        if (others || graph->thread == thread) return graph;
    }
    return NULL;
}

CudaCode serve_begin_capture(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    DeviceStream *stream = serve_stream(device, a[0]);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    if (a[1] > CAPTURE_RELAXED) return CUDA_INVALID_VALUE;
    if (stream->handle == STREAM_LEGACY || stream->capture != NULL) {
        complain(device, FINDING_API_MISUSE, "Create a stream with cudaStreamCreate for it.",
                 "cudaStreamBeginCapture: %s",
                 stream->capture != NULL ? "the stream captures already"
                                         : "the default stream cannot be captured");
        return stream->capture != NULL ? CUDA_ILLEGAL_STATE : CUDA_CAPTURE_UNSUPPORTED;
    }
    Graph *graph = graph_create(device);
    if (graph == NULL) return CUDA_OUT_OF_MEMORY;
    graph_begin_capture(graph, stream, (int)a[1], device->request->thread);
    return CUDA_OK;
}

static uint64_t payload_word(const Device *device, uint64_t index) {
    uint64_t word;
    memcpy(&word, device->link.payload + index * sizeof word, sizeof word);
    return word;
}

/** The graph's nodes that the payload begins with. */
static CudaCode read_nodes(Device *device, const Graph *graph, uint64_t count, GraphSet *nodes) {
    if (count > device->request->payload_bytes / sizeof(uint64_t)) return CUDA_INVALID_VALUE;
    for (uint64_t i = 0; i < count; i++) {
        GraphNode *node = graph_find_node(graph, payload_word(device, i));
        if (node == NULL) return refuse_node(device);
        if (!graph_set_add(nodes, node)) return CUDA_OUT_OF_MEMORY;
    }
    return CUDA_OK;
}

/** Stream, mode, graph, number of nodes that the first captured one comes after. */
CudaCode serve_capture_into(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    DeviceStream *stream = serve_stream(device, a[0]);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    Graph *graph = find_graph(device, a[2]);
    if (graph == NULL || a[1] > CAPTURE_RELAXED) return CUDA_INVALID_VALUE;
    if (stream->handle == STREAM_LEGACY || stream->capture != NULL) return CUDA_ILLEGAL_STATE;
    GraphSet after = {0};
    CudaCode error = read_nodes(device, graph, a[3], &after);
    if (error != CUDA_OK) {
        graph_set_clear(&after);
        return error;
    }
    graph->given = true;
    graph->invalid = false;
    graph_begin_capture(graph, stream, (int)a[1], device->request->thread);
    stream->tail = after;
    return CUDA_OK;
}

/** Stream, flags, number of nodes. */
CudaCode serve_capture_dependencies(Device *device, const uint64_t *a, uint64_t *r) {
    enum { ADD, SET };
    (void)r;
    DeviceStream *stream = serve_stream(device, a[0]);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    if (stream->capture == NULL) return CUDA_ILLEGAL_STATE;
    if (a[1] > SET) return CUDA_INVALID_VALUE;
    if (a[1] == SET) graph_set_clear(&stream->tail);
    return read_nodes(device, stream->capture, a[2], &stream->tail);
}

/** Says why the capture came to nothing; an invalid one was explained when it happened. */
static CudaCode tell_end(Device *device, CudaCode error) {
    if (error == CUDA_CAPTURE_UNJOINED)
        complain(device, FINDING_API_MISUSE,
                 "Record an event at the end of each stream that joined the capture, and let the first "
                 "stream wait for it before cudaStreamEndCapture.",
                 "cudaStreamEndCapture: work captured in another stream was not joined back into this one");
    return error;
}

CudaCode serve_end_capture(Device *device, const uint64_t *a, uint64_t *r) {
    const DeviceStream *stream = serve_stream(device, a[0]);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    Graph *graph = stream->capture;
    bool given = graph != NULL && graph->given;
    CudaCode error = given ? CUDA_OK : serve_check_out(device, a[1], "the graph");
    if (error != CUDA_OK) return error;
    if (graph == NULL || graph->origin != stream) {
        complain(device, FINDING_API_MISUSE, "End it in the stream that cudaStreamBeginCapture was given.",
                 "cudaStreamEndCapture: this stream %s",
                 graph == NULL ? "is not capturing" : "only joined the capture of another");
        return graph == NULL ? CUDA_ILLEGAL_STATE : CUDA_CAPTURE_UNMATCHED;
    }
    if (graph->mode != CAPTURE_RELAXED && graph->thread != device->request->thread)
        return CUDA_CAPTURE_WRONG_THREAD;
    r[0] = graph->handle;
    if (!given) graph->site = device->site;
    error = graph_end_capture(device, graph);
    if (error != CUDA_OK) r[0] = 0;
    return tell_end(device, error);
}

CudaCode serve_is_capturing(Device *device, const uint64_t *a, uint64_t *r) {
    enum { NONE, ACTIVE, INVALIDATED };
    CudaCode error = serve_check_out(device, a[1], "the status");
    const DeviceStream *stream = error == CUDA_OK ? serve_stream(device, a[0]) : NULL;
    if (stream == NULL) return error != CUDA_OK ? error : CUDA_INVALID_HANDLE;
    r[0] = stream->capture == NULL ? NONE : stream->capture->invalid ? INVALIDATED : ACTIVE;
    return CUDA_OK;
}

/** Handles of nodes as the reply's payload. */
static CudaCode list_set(Device *device, const GraphSet *set, uint64_t *count) {
    uint64_t *handles = ARENA_ARRAY(device->arena, set->count + 1, uint64_t);
    if (handles == NULL) return CUDA_OUT_OF_MEMORY;
    for (unsigned i = 0; i < set->count; i++)
        handles[i] = set->nodes[i]->handle;
    *count = set->count;
    device->reply_payload = handles;
    device->reply.payload_bytes = set->count * sizeof *handles;
    return CUDA_OK;
}

/** a[2]: what the next node will come after is asked for too. */
CudaCode serve_capture_info(Device *device, const uint64_t *a, uint64_t *r) {
    CudaCode error = serve_is_capturing(device, a, r);
    if (error != CUDA_OK || r[0] == 0) return error;
    const DeviceStream *stream = device_stream(device, a[0]);
    r[1] = stream->capture->handle;
    return a[2] != 0 ? list_set(device, &stream->tail, &r[2]) : CUDA_OK;
}

CudaCode serve_capture_mode(Device *device, const uint64_t *a, uint64_t *r) {
    CudaCode error = serve_check_out(device, a[0], "the mode");
    if (error != CUDA_OK) return error;
    if (a[1] > CAPTURE_RELAXED) return CUDA_INVALID_VALUE;
    int *mode = &device->capture_modes[device->request->thread % DEVICE_MAX_THREADS];
    r[0] = (uint64_t)*mode;
    *mode = (int)a[1];
    return CUDA_OK;
}

/* ---- graphs ---- */

/** What cannot be done with nodes that allocate or free. */
static CudaCode refuse_memory(Device *device, const char *advice, const char *what) {
    complain(device, FINDING_API_MISUSE, advice, "%s: %s", function_name(device), what);
    return CUDA_NOT_SUPPORTED;
}

CudaCode serve_graph_create(Device *device, const uint64_t *a, uint64_t *r) {
    CudaCode error = serve_check_out(device, a[0], "the graph");
    if (error != CUDA_OK) return error;
    const Graph *graph = graph_create(device);
    if (graph == NULL) return CUDA_OUT_OF_MEMORY;
    r[0] = graph->handle;
    return CUDA_OK;
}

static CudaCode refuse_inner(Device *device) {
    complain(device, FINDING_API_MISUSE, "Destroy the outer graph: that takes its nodes' graphs along.",
             "%s: this graph belongs to a node of another graph", function_name(device));
    return CUDA_INVALID_VALUE;
}

static CudaCode refuse_captured_body(Device *device) {
    complain(device, FINDING_API_MISUSE, "Call cudaStreamEndCapture first.",
             "%s: a stream is capturing into a graph that would be destroyed along", function_name(device));
    return CUDA_INVALID_VALUE;
}

CudaCode serve_graph_destroy(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    Graph *graph = find_graph(device, a[0]);
    if (graph == NULL) return CUDA_INVALID_VALUE;
    if (graph->inner) return refuse_inner(device);
    for (const GraphNode *node = graph->first; node != NULL; node = node->next)
        if (graph_bodies_capturing(node)) return refuse_captured_body(device);
    graph_destroy(device, graph);
    return CUDA_OK;
}

CudaCode serve_graph_clone(Device *device, const uint64_t *a, uint64_t *r) {
    CudaCode error = serve_check_out(device, a[0], "the graph");
    const Graph *graph = error == CUDA_OK ? find_graph(device, a[1]) : NULL;
    if (graph == NULL) return CUDA_INVALID_VALUE;
    if (graph_memory_used(graph))
        return refuse_memory(device, "Make the graph twice: each has memory of its own.",
                             "a graph that allocates or frees memory cannot be cloned");
    if (graph_bodies_conditional(graph))
        return refuse_memory(device, "Make the graph twice.",
                             "a graph with conditional nodes cannot be cloned");
    const Graph *made = graph_copy(device, graph);
    if (made == NULL) return CUDA_OUT_OF_MEMORY;
    r[0] = made->handle;
    return CUDA_OK;
}

/** a[1]: room at the program's; results: how many there are, and in the payload their handles. */
static CudaCode list_nodes(Device *device, const Graph *graph, bool roots_only, uint64_t *r) {
    uint64_t *handles = ARENA_ARRAY(device->arena, graph->node_count + 1, uint64_t);
    if (handles == NULL) return CUDA_OUT_OF_MEMORY;
    uint64_t count = 0;
    for (const GraphNode *node = graph->first; node != NULL; node = node->next)
        if (!roots_only || node->before.count == 0) handles[count++] = node->handle;
    r[0] = count;
    device->reply_payload = handles;
    device->reply.payload_bytes = count * sizeof *handles;
    return CUDA_OK;
}

CudaCode serve_graph_nodes(Device *device, const uint64_t *a, uint64_t *r) {
    const Graph *graph = find_graph(device, a[0]);
    if (graph == NULL) return CUDA_INVALID_VALUE;
    return list_nodes(device, graph, device->request->function == WIRE_cudaGraphGetRootNodes, r);
}

CudaCode serve_node_dependencies(Device *device, const uint64_t *a, uint64_t *r) {
    const GraphNode *node = graph_find_any_node(device, a[0]);
    if (node == NULL) return refuse_node(device);
    return list_set(device, &node->before, &r[0]);
}

CudaCode serve_node_type(Device *device, const uint64_t *a, uint64_t *r) {
    static const uint8_t types[] = {
        /* cudaGraphNodeType */
        [OPERATION_LAUNCH] = 0, [OPERATION_COPY] = 1,   [OPERATION_SET] = 2,    [OPERATION_HOST] = 3,
        [OPERATION_EMPTY] = 5,  [OPERATION_WAIT] = 6,   [OPERATION_RECORD] = 7, [OPERATION_ALLOCATE] = 10,
        [OPERATION_FREE] = 11,  [OPERATION_BODIES] = 13};
    CudaCode error = serve_check_out(device, a[1], "the type");
    const GraphNode *node = error == CUDA_OK ? graph_find_any_node(device, a[0]) : NULL;
    if (node == NULL) return error != CUDA_OK ? error : refuse_node(device);
    enum { TYPE_GRAPH = 4 };
    r[0] = types[node->operation.kind];
    if (node->operation.kind == OPERATION_BODIES && node->operation.bodies.type == BODIES_CHILD)
        r[0] = TYPE_GRAPH;
    return CUDA_OK;
}

CudaCode serve_find_in_clone(Device *device, const uint64_t *a, uint64_t *r) {
    CudaCode error = serve_check_out(device, a[0], "the node");
    const Graph *clone = error == CUDA_OK ? find_graph(device, a[2]) : NULL;
    if (clone == NULL) return CUDA_INVALID_VALUE;
    for (const GraphNode *node = clone->first; node != NULL; node = node->next) {
        if (node->original != a[1]) continue;
        r[0] = node->handle;
        return CUDA_OK;
    }
    return refuse_node(device);
}

CudaCode serve_destroy_node(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    GraphNode *node = graph_find_any_node(device, a[0]);
    if (node == NULL) return refuse_node(device);
    if (graph_memory_used(node->graph))
        return refuse_memory(device, "Make the graph anew without the node.",
                             "nodes of a graph that allocates or frees memory cannot be taken out");
    if (graph_bodies_capturing(node)) return refuse_captured_body(device);
    graph_remove_node(device, node);
    return CUDA_OK;
}

/** Payload: all the earlier nodes, then all the later ones. */
CudaCode serve_add_dependencies(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    Graph *graph = find_graph(device, a[0]);
    if (graph == NULL || a[1] != device->request->payload_bytes / sizeof(uint64_t) / 2)
        return CUDA_INVALID_VALUE;
    for (uint64_t i = 0; i < a[1]; i++) {
        GraphNode *before = graph_find_node(graph, payload_word(device, i));
        GraphNode *node = graph_find_node(graph, payload_word(device, a[1] + i));
        if (before == NULL || node == NULL) return refuse_node(device);
        if (before == node) return CUDA_INVALID_VALUE;
        if (!graph_add_edge(node, before)) return CUDA_OUT_OF_MEMORY;
    }
    return CUDA_OK;
}

/* ---- nodes by hand ---- */

/** What a node is made by: the handler of the stream call, in the hidden stream. */
typedef struct NodeCall {
    ServeHandler *handler;                    /* NULL: an empty node */
    unsigned stream;                          /* which argument is the stream */
    unsigned (*device)(const Device *device); /* whose work it is; NULL: the current device's */
} NodeCall;

static CudaCode launch_node(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    uint64_t skip =
        device->request->function == WIRE_cudaGraphAddKernelNode ? a[COUNT_ARGUMENT] * sizeof(uint64_t) : 0;
    return serve_launch_with(device, a, device->link.payload + skip,
                             (size_t)(device->request->payload_bytes - skip));
}

/** a[3] of an allocation. */
static unsigned asked_device(const Device *device) {
    return (unsigned)device->request->arguments[3];
}

static const NodeCall kernel_call = {launch_node, 8, NULL}, copy_call = {serve_memcpy_async, 4, NULL},
                      rows_call = {serve_memcpy_2d_async, 7, NULL},
                      set_call = {serve_memset_elements, 5, NULL}, host_call = {serve_host_function, 0, NULL},
                      record_call = {serve_record_node, 1, NULL}, empty_call = {NULL, 0, NULL},
                      allocate_call = {serve_malloc_async, 2, asked_device},
                      free_call = {serve_free_async, 1, NULL}, condition_call = {serve_conditional, 3, NULL},
                      child_call = {serve_child, 1, NULL};

/** The call, captured into the graph behind `after`. The new node, or NULL. */
static GraphNode *capture_call(Device *device, const NodeCall *call, Graph *graph, GraphSet *after,
                               CudaCode *error) {
    uint64_t arguments[WIRE_ARGUMENTS], results[WIRE_RESULTS] = {0};
    memcpy(arguments, device->request->arguments, sizeof arguments);
    arguments[call->stream] = STREAM_BUILDER;
    DeviceStream *builder = device_stream(device, STREAM_BUILDER);
    GraphNode *last = graph->last;
    builder->device = call->device != NULL ? call->device(device) : device_current(device);
    graph_memory_show(device);
    builder->capture = graph;
    builder->tail = *after;
    *after = (GraphSet){0};
    *error = CUDA_OUT_OF_MEMORY;
    if (call->handler != NULL)
        *error = call->handler(device, arguments, results);
    else if (queue_add(device, OPERATION_EMPTY, builder) != NULL)
        *error = CUDA_OK;
    builder->capture = NULL;
    graph_set_clear(&builder->tail);
    GraphNode *made = graph->last != last ? graph->last : NULL;
    if (*error == CUDA_OK && made == NULL) *error = CUDA_INVALID_VALUE; /* nothing to do: no bytes */
    if (*error == CUDA_OK) return made;
    if (made != NULL) graph_remove_node(device, made);
    return NULL;
}

static CudaCode add(Device *device, const NodeCall *call, const uint64_t *a, uint64_t *r) {
    Graph *graph = serve_find_open_graph(device, a[GRAPH_ARGUMENT]);
    uint64_t count = a[COUNT_ARGUMENT];
    if (graph == NULL) return CUDA_INVALID_VALUE;
    GraphSet after = {0};
    CudaCode error = read_nodes(device, graph, count, &after);
    const GraphNode *made = error == CUDA_OK ? capture_call(device, call, graph, &after, &error) : NULL;
    graph_set_clear(&after);
    if (made != NULL) r[0] = made->handle;
    return error;
}

CudaCode serve_add_kernel_node(Device *device, const uint64_t *a, uint64_t *r) {
    return add(device, &kernel_call, a, r);
}
CudaCode serve_add_copy_node(Device *device, const uint64_t *a, uint64_t *r) {
    return add(device, device->request->function == WIRE_cudaGraphAddMemcpyNode1D ? &copy_call : &rows_call,
               a, r);
}
CudaCode serve_add_set_node(Device *device, const uint64_t *a, uint64_t *r) {
    return add(device, &set_call, a, r);
}
CudaCode serve_add_host_node(Device *device, const uint64_t *a, uint64_t *r) {
    return add(device, &host_call, a, r);
}
CudaCode serve_add_empty_node(Device *device, const uint64_t *a, uint64_t *r) {
    return add(device, &empty_call, a, r);
}
/** r[1]: the address. */
CudaCode serve_add_allocate_node(Device *device, const uint64_t *a, uint64_t *r) {
    if (a[3] >= device_count(device)) return CUDA_INVALID_DEVICE;
    CudaCode error = add(device, &allocate_call, a, r);
    const Graph *graph = error == CUDA_OK ? graph_find_open(device, a[GRAPH_ARGUMENT]) : NULL;
    const GraphNode *made = graph != NULL ? graph_find_node(graph, r[0]) : NULL;
    if (made != NULL) r[1] = made->operation.memory.address;
    return error;
}
CudaCode serve_add_free_node(Device *device, const uint64_t *a, uint64_t *r) {
    return add(device, &free_call, a, r);
}

/** The address and the size of a node that allocates or frees, and the device. */
CudaCode serve_memory_node(Device *device, const uint64_t *a, uint64_t *r) {
    CudaCode error = serve_check_out(device, a[1], "the parameters");
    const GraphNode *node = error == CUDA_OK ? graph_find_any_node(device, a[0]) : NULL;
    if (node == NULL) return error != CUDA_OK ? error : refuse_node(device);
    bool frees = device->request->function == WIRE_cudaGraphMemFreeNodeGetParams;
    if (node->operation.kind != (frees ? OPERATION_FREE : OPERATION_ALLOCATE)) return CUDA_INVALID_VALUE;
    r[0] = node->operation.memory.address;
    r[1] = node->operation.memory.bytes;
    r[2] = gpu_memory_part(device->gpu, r[0]);
    return CUDA_OK;
}

/** Payload: the node's graphs. */
CudaCode serve_add_bodies_node(Device *device, const uint64_t *a, uint64_t *r) {
    bool child = device->request->function == WIRE_cudaGraphAddChildGraphNode;
    CudaCode error = add(device, child ? &child_call : &condition_call, a, r);
    const Graph *graph = error == CUDA_OK ? graph_find_open(device, a[GRAPH_ARGUMENT]) : NULL;
    const GraphNode *made = graph != NULL ? graph_find_node(graph, r[0]) : NULL;
    if (made == NULL) return error;
    unsigned count = made->operation.bodies.count;
    uint64_t *handles = ARENA_ARRAY(device->arena, count, uint64_t);
    if (handles == NULL) return CUDA_OUT_OF_MEMORY;
    for (unsigned i = 0; i < count; i++)
        handles[i] = made->operation.bodies.graphs[i]->handle;
    device->reply_payload = handles;
    device->reply.payload_bytes = count * sizeof *handles;
    return CUDA_OK;
}

CudaCode serve_child_graph(Device *device, const uint64_t *a, uint64_t *r) {
    CudaCode error = serve_check_out(device, a[1], "the graph");
    const GraphNode *node = error == CUDA_OK ? graph_find_any_node(device, a[0]) : NULL;
    if (node == NULL) return error != CUDA_OK ? error : refuse_node(device);
    const DeviceOperation *operation = &node->operation;
    if (operation->kind != OPERATION_BODIES || operation->bodies.type != BODIES_CHILD)
        return CUDA_INVALID_VALUE;
    r[0] = operation->bodies.graphs[0]->handle;
    return CUDA_OK;
}

CudaCode serve_add_record_node(Device *device, const uint64_t *a, uint64_t *r) {
    return add(device, &record_call, a, r);
}

/* ---- changing nodes ---- */

static GraphNode *find_changed(Device *device, const uint64_t *a) {
    if (a[GRAPH_ARGUMENT] == 0) return graph_find_any_node(device, a[COUNT_ARGUMENT]);
    const Graph *graph = find_executable(device, a[GRAPH_ARGUMENT]);
    for (GraphNode *node = graph != NULL ? graph->first : NULL; node != NULL; node = node->next)
        if (node->original == a[COUNT_ARGUMENT]) return node;
    return NULL;
}

static void swap_patterns(GraphNode *one, GraphNode *two) {
    DeviceOperation kept = one->operation;
    one->operation = two->operation;
    two->operation = kept;
}

static CudaCode change(Device *device, const NodeCall *call, const uint64_t *a) {
    GraphNode *node = find_changed(device, a);
    if (node == NULL) return refuse_node(device);
    Graph *scratch = graph_create(device);
    if (scratch == NULL) return CUDA_OUT_OF_MEMORY;
    GraphSet after = {0};
    CudaCode error;
    GraphNode *made = capture_call(device, call, scratch, &after, &error);
    if (made != NULL && made->operation.kind != node->operation.kind) error = CUDA_INVALID_VALUE;
    if (error == CUDA_OK) swap_patterns(node, made);
    graph_destroy(device, scratch);
    return error;
}

CudaCode serve_change_kernel_node(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    return change(device, &kernel_call, a);
}
CudaCode serve_change_copy_node(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    return change(device, &copy_call, a);
}
CudaCode serve_change_set_node(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    return change(device, &set_call, a);
}
CudaCode serve_change_host_node(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    return change(device, &host_call, a);
}

/* ---- executables ---- */

static CudaCode instantiate(Device *device, const Graph *graph, Graph **made) {
    *made = graph_copy(device, graph);
    if (*made == NULL) return CUDA_OUT_OF_MEMORY;
    if (graph_bodies_sort(*made)) return CUDA_OK;
    graph_destroy(device, *made);
    complain(device, FINDING_API_MISUSE,
             "A node cannot wait for itself: follow the calls of cudaGraphAddDependencies.",
             "%s: the graph has a cycle", function_name(device));
    return CUDA_INVALID_VALUE;
}

/** One address, or one condition, for two launches at a time. */
static bool in_use(const Device *device, const Graph *graph) {
    if (!graph_memory_used(graph) && !graph_bodies_conditional(graph)) return false;
    for (const Graph *any = device->graphs; any != NULL; any = any->next)
        if (any->executable && !any->inner && any->made_from == graph->handle) return true;
    return false;
}

CudaCode serve_graph_instantiate(Device *device, const uint64_t *a, uint64_t *r) {
    enum { FREES_AT_LAUNCH = 1 };
    CudaCode error = serve_check_out(device, a[0], "the executable graph");
    const Graph *graph = error == CUDA_OK ? find_graph(device, a[1]) : NULL;
    if (graph == NULL) return CUDA_INVALID_VALUE;
    if (in_use(device, graph))
        return refuse_memory(device, "Call cudaGraphExecDestroy before the graph is instantiated again.",
                             "a graph with conditional nodes, or that allocates or frees memory, has one "
                             "executable at a time");
    Graph *made;
    error = instantiate(device, graph, &made);
    if (error != CUDA_OK) return error;
    made->made_from = graph->handle;
    made->frees_at_launch = (a[2] & FREES_AT_LAUNCH) != 0;
    r[0] = made->handle;
    return CUDA_OK;
}

/** Memory that a copy or memset used when it was captured may have been freed since. */
static CudaCode check_address(Device *device, const GraphNode *node, uint64_t address) {
    if (device_address_kind(device, address) != ADDRESS_FREED) return CUDA_OK;
    const GpuAllocation *allocation = gpu_memory_nearest(device->gpu, address);
    complain_both(device, FINDING_USE_AFTER_FREE, allocation->free_site, "freed",
                  "A graph keeps the addresses that it was built with: free the memory after its last "
                  "launch.",
                  "cudaGraphLaunch: the %s at %s uses device memory that was freed at %s",
                  node->operation.kind == OPERATION_COPY ? "copy" : "memset",
                  complain_line(device, node->operation.site), complain_line(device, allocation->free_site));
    return CUDA_INVALID_VALUE;
}

static CudaCode check_nodes(Device *device, const Graph *graph) {
    CudaCode error = CUDA_OK;
    for (const GraphNode *node = graph->first; node != NULL && error == CUDA_OK; node = node->next) {
        const DeviceOperation *operation = &node->operation;
        GraphBodies bodies = graph_bodies_of(operation);
        if (operation->kind == OPERATION_SET) error = check_address(device, node, operation->set.address);
        for (unsigned i = 0; i < bodies.count && error == CUDA_OK; i++)
            error = check_nodes(device, bodies.graphs[i]);
        if (operation->kind != OPERATION_COPY) continue;
        error = check_address(device, node, operation->copy.to);
        if (error == CUDA_OK) error = check_address(device, node, operation->copy.from);
    }
    return error;
}

/** The memory that both sides use and this node too. */
static void add_ranges(Device *device, const DeviceOperation *operation, WireRange *ranges, size_t *count,
                       size_t room) {
    if (operation->kind == OPERATION_COPY) {
        const DeviceCopy *copy = &operation->copy;
        uint64_t rows = copy->height - 1;
        if (*count + 2 > room) return;
        ranges[(*count)++] = (WireRange){copy->to, rows * copy->to_pitch + copy->width, WIRE_WRITTEN_BY_COPY};
        ranges[(*count)++] =
            (WireRange){copy->from, rows * copy->from_pitch + copy->width, WIRE_READ_BY_COPY};
    }
    if (operation->kind != OPERATION_LAUNCH) return;
    size_t bytes = gpu_kernel_function(operation->launch.spec.kernel)->parameter_bytes;
    for (size_t at = 0; at + sizeof(uint64_t) <= bytes && *count < room; at += sizeof(uint64_t)) {
        uint64_t value;
        memcpy(&value, operation->launch.parameters + at, sizeof value);
        if (device_shared(device, value) != NULL)
            ranges[(*count)++] = (WireRange){value, 1, WIRE_USED_BY_LAUNCH};
    }
}

static void add_all_ranges(Device *device, const Graph *graph, size_t *count) {
    for (const GraphNode *node = graph->first; node != NULL; node = node->next) {
        const DeviceOperation *operation = &node->operation;
        GraphBodies bodies = graph_bodies_of(operation);
        add_ranges(device, operation, device->ranges, count, DEVICE_MAX_RANGES);
        for (unsigned i = 0; i < bodies.count; i++)
            add_all_ranges(device, bodies.graphs[i], count);
    }
}

static void reply_ranges(Device *device, const Graph *graph) {
    size_t count = 0;
    if (device->shared != NULL) add_all_ranges(device, graph, &count);
    device->reply_payload = device->ranges;
    device->reply.payload_bytes = count * sizeof *device->ranges;
}

/** What comes before the nodes of a launch. */
static CudaCode prepare(Device *device, const Graph *graph, DeviceStream *stream) {
    CudaCode error = graph_wait_for_last(device, graph, stream);
    if (error == CUDA_OK) error = graph_memory_launch(device, graph, stream);
    if (error == CUDA_OK) error = check_nodes(device, graph);
    if (error == CUDA_OK) error = graph_bodies_start(device, graph, stream);
    if (error != CUDA_OK) graph_memory_take_back(device, graph);
    return error;
}

CudaCode serve_graph_launch(Device *device, const uint64_t *a, uint64_t *r) {
    Graph *graph = find_executable(device, a[0]);
    if (graph == NULL) return CUDA_INVALID_VALUE;
    DeviceStream *stream = serve_stream(device, a[1]);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    if (stream->capture != NULL) {
        stream->capture->invalid = true;
        complain(device, FINDING_LIMIT, NULL, "the software GPU cannot capture the launch of a graph");
        return CUDA_NOT_SUPPORTED;
    }
    order_watch(device);
    CudaCode error = graph_memory_check(device, graph);
    if (error == CUDA_OK) error = prepare(device, graph, stream);
    if (error != CUDA_OK) return error;
    graph_memory_count(device, graph, stream);
    error = graph_launch(device, graph, stream);
    if (error == CUDA_OK) reply_ranges(device, graph);
    r[0] = graph_bodies_have_host(graph);
    return error;
}

CudaCode serve_graph_upload(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    if (find_executable(device, a[0]) == NULL) return CUDA_INVALID_VALUE;
    return serve_stream(device, a[1]) != NULL ? CUDA_OK : CUDA_INVALID_HANDLE;
}

/** Pending launches run the bodies of the executable itself, and use addresses that it keeps. The host has
 * not waited for them: to destroy or to change an executable is no wait. */
static void run_launches(Device *device, const Graph *executable) {
    if (graph_bodies_used(executable) || graph_memory_used(executable)) queue_run_early(device);
}

CudaCode serve_executable_destroy(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    Graph *graph = find_executable(device, a[0]);
    if (graph == NULL) return CUDA_INVALID_VALUE;
    run_launches(device, graph);
    graph_destroy(device, graph);
    return CUDA_OK;
}

/* ---- update ---- */

static unsigned position(const Graph *graph, const GraphNode *node) {
    unsigned at = 0;
    for (const GraphNode *any = graph->first; any != node; any = any->next)
        at++;
    return at;
}

static bool same_before(const Graph *a, const GraphNode *one, const Graph *b, const GraphNode *two) {
    if (one->operation.kind != two->operation.kind || one->before.count != two->before.count) return false;
    for (unsigned i = 0; i < one->before.count; i++)
        if (position(a, one->before.nodes[i]) != position(b, two->before.nodes[i])) return false;
    return true;
}

static bool same_shape(const Graph *a, const Graph *b) {
    if (a->node_count != b->node_count) return false;
    const GraphNode *one = a->first, *two = b->first;
    for (; one != NULL; one = one->next, two = two->next)
        if (!same_before(a, one, b, two)) return false;
    return true;
}

/** r[0]: cudaGraphExecUpdateResult. */
CudaCode serve_graph_update(Device *device, const uint64_t *a, uint64_t *r) {
    enum { TOPOLOGY_CHANGED = 2 };
    Graph *old = find_executable(device, a[0]);
    const Graph *graph = old != NULL ? find_graph(device, a[1]) : NULL;
    if (graph == NULL) return CUDA_INVALID_VALUE;
    Graph *made;
    CudaCode error = instantiate(device, graph, &made);
    if (error != CUDA_OK) return error;
    bool same = same_shape(old, made);
    run_launches(device, old);
    for (GraphNode *one = old->first, *two = made->first; same && one != NULL;
         one = one->next, two = two->next)
        swap_patterns(one, two);
    graph_destroy(device, made);
    if (same) return CUDA_OK;
    device->reply.results[0] = r[0] = TOPOLOGY_CHANGED;
    return CUDA_GRAPH_UPDATE_FAILURE;
}
