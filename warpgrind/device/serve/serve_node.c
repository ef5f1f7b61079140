/* serve_node.c - nodes that the program adds to graphs by hand, and new arguments for them.
 *
 * A node does what a call does in a stream. So it is made by such a call, in a hidden stream that captures
 * into the graph for as long as the node is being made: making_begin, the call, making_end. A node gets new
 * arguments by being made once more in a graph of its own, and then exchanging its pattern with the new one.
 */
#include "device/serve/serve.h"
#include "device/streams/graph_bodies.h"
#include "device/streams/graph_memory.h"
#include "device/streams/queue.h"

/** A node while it is being made. */
typedef struct Making {
    Graph *graph;        /**< that it gets into */
    GraphNode *last;     /**< of that graph, before */
    DeviceStream *where; /**< the hidden stream, STREAM_BUILDER */
} Making;

/** From here on what is queued in the hidden stream becomes a node of the graph behind `after`, which is used
 * up. */
static Making making_begin(Device *device, Graph *graph, GraphSet after) {
    Making making = {graph, graph->last, objects_stream(device, STREAM_BUILDER)};
    graph_memory_show(device);
    making.where->device = devices_current(device);
    making.where->capture = graph;
    making.where->tail = after;
    return making;
}

/** The call has returned this error. The new node, or NULL with the reason. */
static GraphNode *making_end(Device *device, const Making *making, CudaCode *error) {
    making->where->capture = NULL;
    graph_set_clear(&making->where->tail);
    GraphNode *made = NULL;
    if (making->graph->last != making->last) made = making->graph->last;
    if (*error == CUDA_OK && made == NULL) *error = CUDA_INVALID_VALUE; /* nothing to do: no bytes */
    if (*error == CUDA_OK) return made;
    if (made != NULL) graph_remove_node(device, made);
    return NULL;
}

/* ---- adding ---- */

/** As making_begin, in the program's graph, behind the nodes whose handles the payload begins with. */
static CudaCode add_begin(Device *device, Making *making, uint64_t graph_handle, uint64_t count) {
    Graph *graph = serve_open_graph(device, graph_handle);
    if (graph == NULL) return CUDA_INVALID_VALUE;
    GraphSet after = {0};
    CudaCode error = serve_read_nodes(device, graph, count, &after);
    if (error == CUDA_OK)
        *making = making_begin(device, graph, after);
    else
        graph_set_clear(&after);
    return error;
}

static CudaCode add_end(Device *device, const Making *making, CudaCode error, uint64_t *handle) {
    const GraphNode *made = making_end(device, making, &error);
    if (made != NULL) *handle = made->handle;
    return error;
}

/** The parameters follow the nodes in the payload. */
SERVE(serve_add_kernel_node, cudaGraphAddKernelNode) {
    Making making;
    CudaCode error = add_begin(device, &making, a->graph, a->count);
    if (error != CUDA_OK) return error;
    uint64_t nodes = a->count * sizeof(uint64_t);
    const ServeLaunch launch = {.kernel = a->kernel,
                                .grid = a->grid,
                                .block = a->block,
                                .shared = a->shared_bytes,
                                .stream = STREAM_BUILDER,
                                .parameters = device->link.payload + nodes,
                                .parameter_bytes = device->serving.request->payload_bytes - nodes};
    return add_end(device, &making, serve_launch_with(device, &launch), &r->node);
}

static CudaCode copy_node(Device *device, const ServeRows *rows, uint64_t kind) {
    return serve_copy_rows(device, rows, (ServeHow){.kind = kind, .stream = STREAM_BUILDER});
}

SERVE(serve_add_copy_node, cudaGraphAddMemcpyNode1D) {
    Making making;
    CudaCode error = add_begin(device, &making, a->graph, a->count);
    if (error != CUDA_OK) return error;
    const ServeRows run = serve_run(a->to, a->from, a->bytes);
    return add_end(device, &making, copy_node(device, &run, a->kind), &r->node);
}

SERVE(serve_add_rows_node, cudaGraphAddMemcpyNode) {
    Making making;
    CudaCode error = add_begin(device, &making, a->graph, a->count);
    if (error != CUDA_OK) return error;
    const ServeRows rows = {a->to, a->to_pitch, a->from, a->from_pitch, a->width, a->height};
    return add_end(device, &making, copy_node(device, &rows, a->kind), &r->node);
}

SERVE(serve_add_set_node, cudaGraphAddMemsetNode) {
    Making making;
    CudaCode error = add_begin(device, &making, a->graph, a->count);
    if (error != CUDA_OK) return error;
    const ServeSet set = {a->address,     a->pitch, a->width,   a->height,
                          STREAM_BUILDER, a->value, a->element, false};
    return add_end(device, &making, serve_set_elements(device, &set), &r->node);
}

/** A host function of a node: of no stream, so nothing is known of what its data holds. */
static CudaCode call_of_node(Device *device, uint64_t function, uint64_t data) {
    const DeviceHostCall call = {.function = function, .data = data, .form = WIRE_HOST_FUNCTION};
    return serve_call_in(device, STREAM_BUILDER, call);
}

SERVE(serve_add_host_node, cudaGraphAddHostNode) {
    Making making;
    CudaCode error = add_begin(device, &making, a->graph, a->count);
    if (error != CUDA_OK) return error;
    error = call_of_node(device, a->function, a->data);
    return add_end(device, &making, error, &r->node);
}

SERVE(serve_add_empty_node, cudaGraphAddEmptyNode) {
    Making making;
    CudaCode error = add_begin(device, &making, a->graph, a->count);
    if (error != CUDA_OK) return error;
    if (queue_add(device, OPERATION_EMPTY, making.where) == NULL) error = CUDA_OUT_OF_MEMORY;
    return add_end(device, &making, error, &r->node);
}

SERVE(serve_add_record_node, cudaGraphAddEventRecordNode) {
    Making making;
    CudaCode error = add_begin(device, &making, a->graph, a->count);
    if (error != CUDA_OK) return error;
    return add_end(device, &making, serve_record_in(device, a->event, STREAM_BUILDER), &r->node);
}

SERVE(serve_add_allocate_node, cudaGraphAddMemAllocNode) {
    Making making;
    if (a->device >= devices_count(device)) return CUDA_INVALID_DEVICE;
    CudaCode error = add_begin(device, &making, a->graph, a->count);
    if (error != CUDA_OK) return error;
    making.where->device = (unsigned)a->device;
    error = serve_allocate_in(device, STREAM_BUILDER, a->bytes, &r->address);
    return add_end(device, &making, error, &r->node);
}

SERVE(serve_add_free_node, cudaGraphAddMemFreeNode) {
    Making making;
    CudaCode error = add_begin(device, &making, a->graph, a->count);
    if (error != CUDA_OK) return error;
    return add_end(device, &making, serve_free_in(device, STREAM_BUILDER, a->address), &r->node);
}

/* ---- nodes with graphs of their own ---- */

/** As add_end; the reply's payload has the handles of the node's graphs. */
static CudaCode add_bodies_end(Device *device, const Making *making, CudaCode error, uint64_t *handle) {
    const GraphNode *made = making_end(device, making, &error);
    if (made == NULL) return error;
    *handle = made->handle;
    unsigned count = made->operation.bodies.count;
    uint64_t *handles = ARENA_ARRAY(device->arena, count, uint64_t);
    if (handles == NULL) return CUDA_OUT_OF_MEMORY;
    for (unsigned i = 0; i < count; i++)
        handles[i] = made->operation.bodies.graphs[i]->handle;
    return serve_reply_with(device, handles, count * sizeof *handles);
}

SERVE(serve_add_condition_node, cudaGraphAddNode) {
    Making making;
    CudaCode error = add_begin(device, &making, a->graph, a->count);
    if (error != CUDA_OK) return error;
    const BodiesCondition wanted = {a->condition, a->type, a->bodies};
    error = graph_bodies_add_condition(device, making.where, &wanted);
    return add_bodies_end(device, &making, error, &r->node);
}

SERVE(serve_add_child_node, cudaGraphAddChildGraphNode) {
    Making making;
    CudaCode error = add_begin(device, &making, a->graph, a->count);
    if (error != CUDA_OK) return error;
    const Graph *child = serve_open_graph(device, a->child);
    error = CUDA_INVALID_VALUE;
    if (child != NULL) error = graph_bodies_add_child(device, making.where, child);
    return add_bodies_end(device, &making, error, &r->node);
}

/* ---- changing ---- */

/** A node that is getting new arguments. */
typedef struct Changing {
    GraphNode *node;
    Making making; /**< of the node that has them, in a graph that lasts no longer than that */
} Changing;

/** A node of a graph; or, given an executable, the node there that was made from that node. */
static GraphNode *find_changed(Device *device, uint64_t executable, uint64_t handle) {
    if (executable == 0) return graph_find_any_node(device, handle);
    const Graph *graph = serve_executable(device, executable);
    for (GraphNode *node = graph != NULL ? graph->first : NULL; node != NULL; node = node->next)
        if (node->original == handle) return node;
    return NULL;
}

static CudaCode change_begin(Device *device, Changing *changing, uint64_t executable, uint64_t handle) {
    changing->node = find_changed(device, executable, handle);
    if (changing->node == NULL) return serve_refuse_node(device);
    Graph *scratch = graph_create(device);
    if (scratch == NULL) return CUDA_OUT_OF_MEMORY;
    changing->making = making_begin(device, scratch, (GraphSet){0});
    return CUDA_OK;
}

static CudaCode change_end(Device *device, const Changing *changing, CudaCode error) {
    GraphNode *made = making_end(device, &changing->making, &error);
    if (made != NULL && made->operation.kind != changing->node->operation.kind) error = CUDA_INVALID_VALUE;
    if (error == CUDA_OK) graph_swap_patterns(changing->node, made);
    graph_destroy(device, changing->making.graph);
    return error;
}

/** The launch is checked and made as any other, in a stream of its own; its operation then takes the place of
 * the node's. */
SERVE(serve_change_kernel_node, cudaGraphExecKernelNodeSetParams) {
    Changing changing;
    CudaCode error = change_begin(device, &changing, a->executable, a->node);
    if (error != CUDA_OK) return error;
    const ServeLaunch launch = {.kernel = a->kernel,
                                .grid = a->grid,
                                .block = a->block,
                                .shared = a->shared_bytes,
                                .stream = STREAM_BUILDER,
                                .parameters = device->link.payload,
                                .parameter_bytes = device->serving.request->payload_bytes};
    return change_end(device, &changing, serve_launch_with(device, &launch));
}

SERVE(serve_change_copy_node, cudaGraphExecMemcpyNodeSetParams1D) {
    Changing changing;
    CudaCode error = change_begin(device, &changing, a->executable, a->node);
    if (error != CUDA_OK) return error;
    const ServeRows run = serve_run(a->to, a->from, a->bytes);
    return change_end(device, &changing, copy_node(device, &run, a->kind));
}

SERVE(serve_change_set_node, cudaGraphExecMemsetNodeSetParams) {
    Changing changing;
    CudaCode error = change_begin(device, &changing, a->executable, a->node);
    if (error != CUDA_OK) return error;
    const ServeSet set = {a->address,     a->pitch, a->width,   a->height,
                          STREAM_BUILDER, a->value, a->element, false};
    return change_end(device, &changing, serve_set_elements(device, &set));
}

SERVE(serve_change_host_node, cudaGraphExecHostNodeSetParams) {
    Changing changing;
    CudaCode error = change_begin(device, &changing, a->executable, a->node);
    if (error != CUDA_OK) return error;
    return change_end(device, &changing, call_of_node(device, a->function, a->data));
}
