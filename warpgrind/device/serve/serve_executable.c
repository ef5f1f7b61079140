/* serve_executable.c - executable graphs: made from a graph, launched, updated, destroyed. */
#include "device/serve/serve.h"
#include "device/state/complain.h"
#include "device/streams/graph_bodies.h"
#include "device/streams/graph_memory.h"
#include "device/streams/queue.h"
#include "device/streams/ranges.h"
#include "device/watch/order.h"
#include "device/watch/withhold.h"

#include <string.h>

Graph *serve_executable(Device *device, uint64_t handle) {
    Graph *graph = graph_find_executable(device, handle);
    if (graph == NULL)
        complain_captured(device, serve_missed_capture(device),
                          SAID_GRAPH(NOT_EXECUTABLE, .function = serve_function(device)));
    return graph;
}

static CudaCode instantiate(Device *device, const Graph *graph, Graph **made) {
    *made = graph_copy(device, graph);
    if (*made == NULL) return CUDA_OUT_OF_MEMORY;
    if (graph_bodies_sort(*made)) return CUDA_OK;
    graph_destroy(device, *made);
    complain(device, FINDING_API_MISUSE, SAID_GRAPH(CYCLE, .function = serve_function(device)));
    return CUDA_INVALID_VALUE;
}

/** One address, or one condition, for two launches at a time. */
static bool in_use(const Device *device, const Graph *graph) {
    if (!graph_memory_used(graph) && !graph_bodies_conditional(graph)) return false;
    for (const Graph *any = device->graphs.first; any != NULL; any = any->next)
        if (any->executable && !any->inner && any->made_from == graph->handle) return true;
    return false;
}

/** The executable is a copy of the graph. With memory of its own, or bodies, a graph can have one executable
 * at a time, as its addresses are fixed when it is built. */
SERVE(serve_graph_instantiate, cudaGraphInstantiate) {
    enum { FREES_AT_LAUNCH = 1 };
    const Graph *graph = serve_graph(device, a->graph);
    if (graph == NULL) return CUDA_INVALID_VALUE;
    if (in_use(device, graph))
        return serve_refuse_graph(device, GRAPH_ONE_EXECUTABLE_MESSAGE, GRAPH_ONE_EXECUTABLE_WHY);
    Graph *made;
    CudaCode error = instantiate(device, graph, &made);
    if (error != CUDA_OK) return error;
    made->made_from = graph->handle;
    made->frees_at_launch = (a->flags & FREES_AT_LAUNCH) != 0;
    r->executable = made->handle;
    return CUDA_OK;
}

/** Memory that a copy or memset used when it was captured may have been freed since. */
static CudaCode check_address(Device *device, const GraphNode *node, uint64_t address) {
    if (objects_address_kind(device, address) != ADDRESS_FREED) return CUDA_OK;
    const GpuAllocation *allocation = gpu_memory_nearest(device->gpu, address);
    complain_both(device, FINDING_USE_AFTER_FREE, allocation->free_site, "freed",
                  SAID_GRAPH(FREED_SINCE, .copy = node->operation.kind == OPERATION_COPY,
                             .node = complain_line(device, node->operation.site),
                             .place = complain_line(device, allocation->free_site)));
    return CUDA_INVALID_VALUE;
}

/** Looks at the addresses of every copy and memset before a launch, those in bodies included. Kernels are
 * left to the machine, which sees each access. */
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

static void reply_ranges(Device *device, const Graph *graph) {
    RangeList used = {.list = device->serving.ranges, .room = DEVICE_MAX_RANGES};
    ranges_of_graph(device, graph, &used);
    device->serving.payload = used.list;
    device->serving.reply.payload_bytes = used.count * sizeof *used.list;
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

/** Launching is refused in a stream that captures, since the software GPU has no nodes that are executables.
 * Once queued, the reply tells the client which of its pages the graph uses, and whether it has host
 * functions to run. */
SERVE(serve_graph_launch, cudaGraphLaunch) {
    Graph *graph = serve_executable(device, a->executable);
    if (graph == NULL) return CUDA_INVALID_VALUE;
    DeviceStream *stream = serve_stream(device, a->stream);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    if (stream->capture != NULL) {
        stream->capture->invalid = true;
        complain(device, FINDING_LIMIT, said_graph(GRAPH_LAUNCH_MESSAGE, SAY_NOTHING, NULL));
        return CUDA_NOT_SUPPORTED;
    }
    if (withhold_skips_graphs(device)) return CUDA_OK;
    order_watch(device);
    CudaCode error = graph_memory_check(device, graph);
    if (error == CUDA_OK) error = prepare(device, graph, stream);
    if (error != CUDA_OK) return error;
    graph_memory_count(device, graph, stream);
    error = graph_launch(device, graph, stream);
    if (error == CUDA_OK) reply_ranges(device, graph);
    r->calls_host = graph_bodies_have_host(graph);
    return error;
}

SERVE(serve_graph_upload, cudaGraphUpload) {
    if (serve_executable(device, a->executable) == NULL) return CUDA_INVALID_VALUE;
    if (serve_stream(device, a->stream) != NULL) return CUDA_OK;
    return CUDA_INVALID_HANDLE;
}

/** Pending launches run the bodies of the executable itself, and use addresses that it keeps. The host has
 * not waited for them: to destroy or to change an executable is no wait. */
static void run_launches(Device *device, const Graph *executable) {
    if (graph_bodies_used(executable) || graph_memory_used(executable)) queue_run_early(device);
}

SERVE(serve_executable_destroy, cudaGraphExecDestroy) {
    Graph *graph = serve_executable(device, a->executable);
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

/** Both graphs have the same nodes in the same order, so that patterns are exchanged one by one. */
SERVE(serve_graph_update, cudaGraphExecUpdate) {
    enum { TOPOLOGY_CHANGED = 2 };
    Graph *old = serve_executable(device, a->executable);
    const Graph *graph = NULL;
    if (old != NULL) graph = serve_graph(device, a->graph);
    if (graph == NULL) return CUDA_INVALID_VALUE;
    Graph *made;
    CudaCode error = instantiate(device, graph, &made);
    if (error != CUDA_OK) return error;
    bool same = same_shape(old, made);
    run_launches(device, old);
    for (GraphNode *one = old->first, *two = made->first; same && one != NULL;
         one = one->next, two = two->next)
        graph_swap_patterns(one, two);
    graph_destroy(device, made);
    if (same) return CUDA_OK;
    r->result = TOPOLOGY_CHANGED;
    return CUDA_GRAPH_UPDATE_FAILURE;
}
