/* serve_graph.c - graphs and their nodes: made, copied, taken apart, and asked about. */
#include "device/serve/serve.h"
#include "device/state/complain.h"
#include "device/streams/graph_bodies.h"
#include "device/streams/graph_memory.h"

#include <string.h>

/* ---- handles ---- */

CheckCapture serve_missed_capture(const Device *device) {
    if (device->graphs.lost) return CHECK_CAPTURE_MISSED;
    return CHECK_NO_CAPTURE;
}

/** A capture that came to nothing has left 0 where its graph should be. */
static Graph *need_graph(Device *device, Graph *graph, uint64_t handle) {
    CheckCapture missed = CHECK_NO_CAPTURE;
    if (handle == 0) missed = serve_missed_capture(device);
    if (graph == NULL)
        complain_captured(device, missed, SAID_GRAPH(NOT_GRAPH, .function = serve_function(device)));
    return graph;
}

Graph *serve_graph(Device *device, uint64_t handle) {
    return need_graph(device, graph_find(device, handle), handle);
}

Graph *serve_open_graph(Device *device, uint64_t handle) {
    return need_graph(device, graph_find_open(device, handle), handle);
}

CudaCode serve_refuse_node(Device *device) {
    complain(device, FINDING_API_MISUSE, SAID_GRAPH(NOT_NODE, .function = serve_function(device)));
    return CUDA_INVALID_VALUE;
}

CudaCode serve_refuse_graph(Device *device, GraphText message, GraphText why) {
    complain(device, FINDING_API_MISUSE,
             said_graph(message, why, &(GraphFacts){.function = serve_function(device)}));
    return CUDA_NOT_SUPPORTED;
}

static uint64_t payload_word(const Device *device, uint64_t index) {
    uint64_t word;
    memcpy(&word, device->link.payload + index * sizeof word, sizeof word);
    return word;
}

CudaCode serve_read_nodes(Device *device, const Graph *graph, uint64_t count, GraphSet *nodes) {
    if (count > device->serving.request->payload_bytes / sizeof(uint64_t)) return CUDA_INVALID_VALUE;
    for (uint64_t i = 0; i < count; i++) {
        GraphNode *node = graph_find_node(graph, payload_word(device, i));
        if (node == NULL) return serve_refuse_node(device);
        if (!graph_set_add(nodes, node)) return CUDA_OUT_OF_MEMORY;
    }
    return CUDA_OK;
}

CudaCode serve_list_nodes(Device *device, const GraphSet *set, uint64_t *count) {
    uint64_t *handles = ARENA_ARRAY(device->arena, set->count + 1, uint64_t);
    if (handles == NULL) return CUDA_OUT_OF_MEMORY;
    for (unsigned i = 0; i < set->count; i++)
        handles[i] = set->nodes[i]->handle;
    *count = set->count;
    return serve_reply_with(device, handles, set->count * sizeof *handles);
}

/* ---- graphs ---- */

SERVE(serve_graph_create, cudaGraphCreate) {
    const Graph *graph = graph_create(device);
    if (graph == NULL) return CUDA_OUT_OF_MEMORY;
    r->graph = graph->handle;
    return CUDA_OK;
}

static CudaCode refuse_inner(Device *device) {
    complain(device, FINDING_API_MISUSE, SAID_GRAPH(INNER, .function = serve_function(device)));
    return CUDA_INVALID_VALUE;
}

static CudaCode refuse_captured_body(Device *device) {
    complain(device, FINDING_API_MISUSE, SAID_GRAPH(CAPTURING, .function = serve_function(device)));
    return CUDA_INVALID_VALUE;
}

SERVE(serve_graph_destroy, cudaGraphDestroy) {
    Graph *graph = serve_graph(device, a->graph);
    if (graph == NULL) return CUDA_INVALID_VALUE;
    if (graph->inner) return refuse_inner(device);
    for (const GraphNode *node = graph->first; node != NULL; node = node->next)
        if (graph_bodies_capturing(node)) return refuse_captured_body(device);
    graph_destroy(device, graph);
    return CUDA_OK;
}

/** A clone has nodes of its own that remember their originals (cudaGraphNodeFindInClone). Memory nodes and
 * conditional nodes cannot be cloned, as the manual says of them. */
SERVE(serve_graph_clone, cudaGraphClone) {
    const Graph *graph = serve_graph(device, a->graph);
    if (graph == NULL) return CUDA_INVALID_VALUE;
    if (graph_memory_used(graph))
        return serve_refuse_graph(device, GRAPH_CLONE_MEMORY_MESSAGE, GRAPH_CLONE_MEMORY_WHY);
    if (graph_bodies_conditional(graph))
        return serve_refuse_graph(device, GRAPH_CLONE_CONDITIONAL_MESSAGE, GRAPH_CLONE_CONDITIONAL_WHY);
    const Graph *made = graph_copy(device, graph);
    if (made == NULL) return CUDA_OUT_OF_MEMORY;
    r->clone = made->handle;
    return CUDA_OK;
}

/** All nodes of the graph, or those that come after no other. */
SERVE(serve_graph_nodes, cudaGraphGetNodes) {
    const Graph *graph = serve_graph(device, a->owner);
    if (graph == NULL) return CUDA_INVALID_VALUE;
    bool roots_only = device->serving.request->function == WIRE_cudaGraphGetRootNodes;
    uint64_t *handles = ARENA_ARRAY(device->arena, graph->node_count + 1, uint64_t);
    if (handles == NULL) return CUDA_OUT_OF_MEMORY;
    for (const GraphNode *node = graph->first; node != NULL; node = node->next)
        if (!roots_only || node->before.count == 0) handles[r->count++] = node->handle;
    return serve_reply_with(device, handles, r->count * sizeof *handles);
}

SERVE(serve_node_dependencies, cudaGraphGetNodes) {
    const GraphNode *node = graph_find_any_node(device, a->owner);
    if (node == NULL) return serve_refuse_node(device);
    return serve_list_nodes(device, &node->before, &r->count);
}

/** A child graph runs as bodies do, and has a type of its own. */
SERVE(serve_node_type, cudaGraphNodeGetType) {
    static const uint8_t types[] = {
        /* cudaGraphNodeType */
        [OPERATION_LAUNCH] = 0, [OPERATION_COPY] = 1,   [OPERATION_SET] = 2,    [OPERATION_HOST] = 3,
        [OPERATION_EMPTY] = 5,  [OPERATION_WAIT] = 6,   [OPERATION_RECORD] = 7, [OPERATION_ALLOCATE] = 10,
        [OPERATION_FREE] = 11,  [OPERATION_BODIES] = 13};
    const GraphNode *node = graph_find_any_node(device, a->node);
    if (node == NULL) return serve_refuse_node(device);
    enum { TYPE_GRAPH = 4 };
    r->type = types[node->operation.kind];
    if (node->operation.kind == OPERATION_BODIES && node->operation.bodies.type == BODIES_CHILD)
        r->type = TYPE_GRAPH;
    return CUDA_OK;
}

SERVE(serve_find_in_clone, cudaGraphNodeFindInClone) {
    const Graph *clone = serve_graph(device, a->clone);
    if (clone == NULL) return CUDA_INVALID_VALUE;
    for (const GraphNode *node = clone->first; node != NULL; node = node->next) {
        if (node->original != a->node) continue;
        r->found = node->handle;
        return CUDA_OK;
    }
    return serve_refuse_node(device);
}

SERVE(serve_destroy_node, cudaGraphDestroyNode) {
    GraphNode *node = graph_find_any_node(device, a->node);
    if (node == NULL) return serve_refuse_node(device);
    if (graph_memory_used(node->graph))
        return serve_refuse_graph(device, GRAPH_TAKE_OUT_MESSAGE, GRAPH_TAKE_OUT_WHY);
    if (graph_bodies_capturing(node)) return refuse_captured_body(device);
    graph_remove_node(device, node);
    return CUDA_OK;
}

/** Payload: all the earlier nodes, then all the later ones. */
SERVE(serve_add_dependencies, cudaGraphAddDependencies) {
    Graph *graph = serve_graph(device, a->graph);
    if (graph == NULL || a->count != device->serving.request->payload_bytes / sizeof(uint64_t) / 2)
        return CUDA_INVALID_VALUE;
    for (uint64_t i = 0; i < a->count; i++) {
        GraphNode *before = graph_find_node(graph, payload_word(device, i));
        GraphNode *node = graph_find_node(graph, payload_word(device, a->count + i));
        if (before == NULL || node == NULL) return serve_refuse_node(device);
        if (before == node) return CUDA_INVALID_VALUE;
        if (!graph_add_edge(node, before)) return CUDA_OUT_OF_MEMORY;
    }
    return CUDA_OK;
}

/** The address and the size of a node that allocates or frees, and the device. */
SERVE(serve_memory_node, cudaGraphMemAllocNodeGetParams) {
    const GraphNode *node = graph_find_any_node(device, a->node);
    if (node == NULL) return serve_refuse_node(device);
    bool frees = device->serving.request->function == WIRE_cudaGraphMemFreeNodeGetParams;
    if (node->operation.kind != (frees ? OPERATION_FREE : OPERATION_ALLOCATE)) return CUDA_INVALID_VALUE;
    r->address = node->operation.memory.address;
    r->bytes = node->operation.memory.bytes;
    r->device = gpu_memory_part(device->gpu, r->address);
    return CUDA_OK;
}

SERVE(serve_child_graph, cudaGraphChildGraphNodeGetGraph) {
    const GraphNode *node = graph_find_any_node(device, a->node);
    if (node == NULL) return serve_refuse_node(device);
    const DeviceOperation *operation = &node->operation;
    if (operation->kind != OPERATION_BODIES || operation->bodies.type != BODIES_CHILD)
        return CUDA_INVALID_VALUE;
    r->graph = operation->bodies.graphs[0]->handle;
    return CUDA_OK;
}

SERVE(serve_create_condition, cudaGraphConditionalHandleCreate) {
    enum { ASSIGN_DEFAULT = 1 };
    const Graph *graph = serve_open_graph(device, a->graph);
    if (graph == NULL) return CUDA_INVALID_VALUE;
    bool assigned = (a->flags & ASSIGN_DEFAULT) != 0;
    return graph_bodies_make_condition(device, graph, (uint32_t)a->value, assigned, &r->handle);
}
