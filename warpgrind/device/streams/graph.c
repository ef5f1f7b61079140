/* graph.c - see graph.h: graphs and their nodes, copies of them, and capture. */
#include "device/streams/graph.h"
#include "base/growable.h"
#include "device/state/state.h"
#include "device/streams/graph_bodies.h"
#include "device/streams/graph_memory.h"
#include "device/streams/queue.h"
#include "device/streams/streams.h"
#include "device/watch/order.h"

#include <stdlib.h>
#include <string.h>

/* ---- sets ---- */

/** Adds a node that is not in the set yet. */
bool graph_set_add(GraphSet *set, GraphNode *node) {
    for (unsigned i = 0; i < set->count; i++)
        if (set->nodes[i] == node) return true;
    GraphNode **nodes = growable_grow(set->nodes, &set->capacity, set->count + 1, sizeof(GraphNode *));
    if (nodes == NULL) return false;
    set->nodes = nodes;
    nodes[set->count++] = node;
    return true;
}

void graph_set_clear(GraphSet *set) {
    free(set->nodes);
    *set = (GraphSet){0};
}

static void set_remove(GraphSet *set, const GraphNode *node) {
    unsigned kept = 0;
    for (unsigned i = 0; i < set->count; i++)
        if (set->nodes[i] != node) set->nodes[kept++] = set->nodes[i];
    set->count = kept;
}

bool graph_add_edge(GraphNode *node, GraphNode *before) {
    unsigned count = node->before.count;
    if (node->graph->edge_count >= GRAPH_MAX_EDGES || !graph_set_add(&node->before, before)) return false;
    node->graph->edge_count += node->before.count - count;
    return true;
}

/* ---- nodes ---- */

/** A node is at first an empty operation of its kind with a handle of its own. Both limits keep a loop that
 * adds nodes from filling the device's memory; past them the call fails as without memory. */
static GraphNode *add_node(Device *device, Graph *graph, DeviceOperationKind kind) {
    if (graph->node_count >= GRAPH_MAX_NODES || device->graphs.node_count >= GRAPH_MAX_ALL_NODES) return NULL;
    GraphNode *node = calloc(1, sizeof *node);
    if (node == NULL) return NULL;
    node->handle = device->objects.next_handle;
    device->objects.next_handle += 16;
    device->graphs.node_count++;
    node->graph = graph;
    node->operation.kind = kind;
    node->operation.site = device->serving.site;
    if (graph->last != NULL)
        graph->last->next = node;
    else
        graph->first = node;
    graph->last = node;
    graph->node_count++;
    return node;
}

static void free_node(Device *device, GraphNode *node) {
    if (node->operation.kind == OPERATION_LAUNCH) free(node->operation.launch.parameters);
    graph_memory_forget(device, node);
    graph_bodies_destroy(device, node);
    graph_set_clear(&node->before);
    device->graphs.node_count--;
    free(node);
}

void graph_swap_patterns(GraphNode *one, GraphNode *two) {
    DeviceOperation kept = one->operation;
    one->operation = two->operation;
    two->operation = kept;
}

/** What came after the node no longer does; the list is closed behind it. */
void graph_remove_node(Device *device, GraphNode *node) {
    Graph *graph = node->graph;
    GraphNode *previous = NULL;
    for (GraphNode *any = graph->first; any != NULL; any = any->next) {
        unsigned count = any->before.count;
        set_remove(&any->before, node);
        graph->edge_count -= count - any->before.count;
        if (any->next == node) previous = any;
    }
    graph->edge_count -= node->before.count;
    if (previous != NULL)
        previous->next = node->next;
    else
        graph->first = node->next;
    if (graph->last == node) graph->last = previous;
    graph->node_count--;
    free_node(device, node);
}

GraphNode *graph_find_node(const Graph *graph, uint64_t handle) {
    GraphNode *node = graph->first;
    while (node != NULL && node->handle != handle)
        node = node->next;
    return node;
}

GraphNode *graph_find_any_node(Device *device, uint64_t handle) {
    for (const Graph *graph = device->graphs.first; graph != NULL; graph = graph->next) {
        GraphNode *node;
        if (graph->capturing || graph->executable)
            node = NULL;
        else
            node = graph_find_node(graph, handle);
        if (node != NULL) return node;
    }
    return NULL;
}

/* ---- graphs ---- */

/** A new graph stands first in the list of all, with a handle of its own. It counts as a node against the
 * bound on all nodes. */
Graph *graph_create(Device *device) {
    if (device->graphs.node_count >= GRAPH_MAX_ALL_NODES) return NULL;
    Graph *graph = calloc(1, sizeof *graph);
    if (graph == NULL) return NULL;
    graph->handle = device->objects.next_handle;
    graph->site = device->serving.site;
    device->objects.next_handle += 16;
    device->graphs.node_count++;
    graph->next = device->graphs.first;
    device->graphs.first = graph;
    return graph;
}

/** No stream and no event takes part in the capture of the graph any longer. */
static void release_parts(Device *device, const Graph *graph) {
    for (DeviceStream *stream = device->objects.streams; stream != NULL; stream = stream->next) {
        if (stream->capture != graph) continue;
        stream->capture = NULL;
        graph_set_clear(&stream->tail);
    }
    for (DeviceEvent *event = device->objects.events; event != NULL; event = event->next) {
        if (event->captured != graph) continue;
        event->captured = NULL;
        graph_set_clear(&event->tail);
    }
}

/** Takes the graph out of the list and frees its nodes with what they own; streams that capture into it
 * stop doing so. */
void graph_destroy(Device *device, Graph *graph) {
    if (graph->capturing) release_parts(device, graph);
    Graph **link = &device->graphs.first;
    while (*link != graph)
        link = &(*link)->next;
    *link = graph->next;
    for (GraphNode *node = graph->first, *next; node != NULL; node = next) {
        next = node->next;
        free_node(device, node);
    }
    device->graphs.node_count--;
    free(graph);
}

void graph_destroy_all(Device *device) {
    for (DeviceStream *stream = device->objects.streams; stream != NULL; stream = stream->next)
        graph_set_clear(&stream->tail);
    for (DeviceEvent *event = device->objects.events; event != NULL; event = event->next)
        graph_set_clear(&event->tail);
    while (device->graphs.first != NULL) {
        Graph *outer = device->graphs.first; /* takes along what is inside of it */
        while (outer->inner && outer->next != NULL)
            outer = outer->next;
        graph_destroy(device, outer);
    }
}

static Graph *find(Device *device, uint64_t handle) {
    Graph *graph = device->graphs.first;
    while (graph != NULL && (graph->handle != handle || graph->capturing))
        graph = graph->next;
    return graph;
}

Graph *graph_find_open(Device *device, uint64_t handle) {
    Graph *graph = device->graphs.first;
    while (graph != NULL && graph->handle != handle)
        graph = graph->next;
    if (graph != NULL && !graph->executable) return graph;
    return NULL;
}

Graph *graph_find(Device *device, uint64_t handle) {
    Graph *graph = find(device, handle);
    if (graph != NULL && !graph->executable) return graph;
    return NULL;
}

Graph *graph_find_executable(Device *device, uint64_t handle) {
    Graph *graph = find(device, handle);
    if (graph != NULL && graph->executable && !graph->inner) return graph;
    return NULL;
}

/* ---- copies ---- */

/** A launch has its own copy of the parameters; other operations own nothing. */
static bool copy_pattern(DeviceOperation *to, const DeviceOperation *from) {
    DeviceOperation made = *from;
    if (from->kind == OPERATION_LAUNCH) {
        size_t bytes = gpu_kernel_function(from->launch.spec.kernel)->parameter_bytes;
        made.launch.parameters = malloc(bytes + 1);
        if (made.launch.parameters == NULL) return false;
        memcpy(made.launch.parameters, from->launch.parameters, bytes);
        made.launch.spec.parameters = made.launch.parameters;
    }
    *to = made;
    return true;
}

static bool copy_node(Device *device, Graph *to, GraphNode *from) {
    GraphNode *node = add_node(device, to, OPERATION_EMPTY);
    if (node == NULL || !copy_pattern(&node->operation, &from->operation)) return false;
    node->original = from->handle;
    from->copy = node;
    return node->operation.kind != OPERATION_BODIES || graph_bodies_copy(device, node);
}

/** Nodes are copied in one pass and edges in a second one, when each node knows its copy. */
Graph *graph_copy(Device *device, const Graph *graph) {
    Graph *made = graph_create(device);
    if (made == NULL) return NULL;
    bool fine = true;
    for (GraphNode *node = graph->first; node != NULL && fine; node = node->next)
        fine = copy_node(device, made, node);
    for (const GraphNode *node = graph->first; node != NULL && fine; node = node->next)
        for (unsigned i = 0; i < node->before.count && fine; i++)
            fine = graph_add_edge(node->copy, node->before.nodes[i]->copy);
    if (fine) return made;
    graph_destroy(device, made);
    return NULL;
}

/* ---- capture ---- */

void graph_begin_capture(Graph *graph, DeviceStream *stream, int mode, uint32_t thread) {
    graph->capturing = true;
    graph->mode = mode;
    graph->thread = thread;
    graph->origin = stream;
    stream->capture = graph;
    graph_set_clear(&stream->tail);
}

/** Makes the node that stands for the operation, behind all that the stream has captured last; from now on
 * the stream goes on behind it. */
DeviceOperation *graph_capture(Device *device, DeviceOperationKind kind, DeviceStream *stream) {
    Graph *graph = stream->capture;
    bool refused = graph->inner && graph_bodies_refuse(device, kind);
    GraphNode *node = NULL;
    if (!refused) node = add_node(device, graph, kind);
    bool fine = node != NULL;
    for (unsigned i = 0; fine && i < stream->tail.count; i++)
        fine = graph_add_edge(node, stream->tail.nodes[i]);
    graph_set_clear(&stream->tail);
    if (!fine || !graph_set_add(&stream->tail, node)) {
        graph->invalid = true;
        return NULL;
    }
    node->operation.device = stream->device;
    node->operation.stream = stream;
    return &node->operation;
}

bool graph_record(DeviceEvent *event, const DeviceStream *stream) {
    graph_set_clear(&event->tail);
    event->captured = stream->capture;
    bool fine = true;
    for (unsigned i = 0; i < stream->tail.count && fine; i++)
        fine = graph_set_add(&event->tail, stream->tail.nodes[i]);
    return fine;
}

CudaCode graph_wait(DeviceStream *stream, const DeviceEvent *event) {
    if (stream->capture != NULL && stream->capture != event->captured) {
        stream->capture->invalid = event->captured->invalid = true;
        return CUDA_CAPTURE_MERGE;
    }
    stream->capture = event->captured;
    for (unsigned i = 0; i < event->tail.count; i++)
        if (!graph_set_add(&stream->tail, event->tail.nodes[i])) return CUDA_OUT_OF_MEMORY;
    return CUDA_OK;
}

/** Marks what must be done before the nodes of the set. A node's `before` is older than the node here. */
static bool all_reached(Graph *graph, const GraphSet *end) {
    for (GraphNode *node = graph->first; node != NULL; node = node->next)
        node->reached = false;
    for (unsigned i = 0; i < end->count; i++)
        end->nodes[i]->reached = true;
    for (bool more = true; more;) {
        more = false;
        for (const GraphNode *node = graph->first; node != NULL; node = node->next)
            for (unsigned i = 0; node->reached && i < node->before.count; i++) {
                more |= !node->before.nodes[i]->reached;
                node->before.nodes[i]->reached = true;
            }
    }
    for (const GraphNode *node = graph->first; node != NULL; node = node->next)
        if (!node->reached) return false;
    return true;
}

/** The capture is whole when the work of every stream in it has been joined into the first stream. A graph
 * that the program gave to capture into stays, even when the capture fails. */
CudaCode graph_end_capture(Device *device, Graph *graph) {
    CudaCode error = CUDA_OK;
    if (graph->invalid)
        error = CUDA_CAPTURE_INVALIDATED;
    else if (!graph->given && !all_reached(graph, &graph->origin->tail))
        error = CUDA_CAPTURE_UNJOINED;
    release_parts(device, graph);
    graph->capturing = false;
    graph->origin = NULL;
    bool given = graph->given;
    graph->given = false;
    if (error != CUDA_OK && !given) graph_destroy(device, graph);
    return error;
}

/* ---- executables ---- */

static bool is_ready(const GraphNode *node) {
    for (unsigned i = 0; i < node->before.count; i++)
        if (!node->before.nodes[i]->reached) return false;
    return true;
}

/** A node continues the lane of one that it comes after, when nothing else has. */
static void choose_lane(Graph *graph, GraphNode *node, GraphNode **ends) {
    for (unsigned i = 0; i < node->before.count; i++) {
        unsigned lane = node->before.nodes[i]->lane;
        if (ends[lane] != node->before.nodes[i]) continue;
        node->lane = lane;
        ends[lane] = node;
        return;
    }
    if (graph->lanes < GRAPH_LANES)
        node->lane = graph->lanes++;
    else
        node->lane = (unsigned)(node->handle / 16 % GRAPH_LANES);
    ends[node->lane] = node;
}

bool graph_sort(Graph *graph) {
    GraphNode *waiting = graph->first, *ends[GRAPH_LANES] = {NULL};
    for (GraphNode *node = waiting; node != NULL; node = node->next)
        node->reached = false;
    graph->first = graph->last = NULL;
    graph->lanes = 0;
    for (bool more = true; more && waiting != NULL;) {
        more = false;
        for (GraphNode **link = &waiting; *link != NULL;) {
            GraphNode *node = *link;
            if (!is_ready(node)) {
                link = &node->next;
                continue;
            }
            more = node->reached = true;
            *link = node->next;
            node->next = NULL;
            if (graph->last != NULL)
                graph->last->next = node;
            else
                graph->first = node;
            graph->last = node;
            choose_lane(graph, node, ends);
        }
    }
    if (waiting == NULL) return true;
    /* A cycle: whole again, for graph_destroy. */
    if (graph->last != NULL)
        graph->last->next = waiting;
    else
        graph->first = waiting;
    return false;
}

/* ---- launch ---- */

static DeviceStream *lane_stream(Device *device, DeviceStream *stream, unsigned lane) {
    if (lane == 0) return stream;
    if (device->graphs.lanes[lane] == NULL) device->graphs.lanes[lane] = streams_add_hidden(device);
    return device->graphs.lanes[lane];
}

static bool add_wait(Device *device, DeviceStream *stream, DeviceOperation *target) {
    DeviceOperation *wait = queue_add(device, OPERATION_WAIT, stream);
    if (wait == NULL) return false;
    wait->wait.target = target;
    wait->wait.sequence = target->sequence;
    order_wait_operation(wait, target);
    return true;
}

static bool add_waits(Device *device, const GraphNode *node, DeviceStream *stream) {
    for (unsigned i = 0; i < node->before.count; i++) {
        const GraphNode *before = node->before.nodes[i];
        if (before->lane != node->lane && !add_wait(device, stream, before->launched)) return false;
    }
    return true;
}

/** The operation of a node, with its own parameters, as if it had just been asked for. `start` is the first
 * one of the graph's launch. */
static DeviceOperation *add_operation(Device *device, const GraphNode *node, DeviceStream *stream,
                                      const DeviceOperation *start) {
    DeviceOperation pattern;
    if (!copy_pattern(&pattern, &node->operation)) return NULL;
    DeviceOperation *operation = queue_add(device, pattern.kind, stream);
    if (operation == NULL) {
        if (pattern.kind == OPERATION_LAUNCH) free(pattern.launch.parameters);
        return NULL;
    }
    pattern.stream = stream;
    pattern.sequence = operation->sequence;
    pattern.clock = operation->clock;
    pattern.mark = operation->mark;
    pattern.asked = operation->asked;
    pattern.needed = false;
    pattern.graph = start->sequence;
    pattern.next = operation->next;
    pattern.previous = operation->previous;
    *operation = pattern;
    if (operation->kind == OPERATION_LAUNCH) operation->launch.spec.stream = stream->handle;
    if (operation->kind == OPERATION_RECORD) queue_recorded(operation);
    if (operation->kind == OPERATION_FREE) operation->memory.spare_of = start->stream;
    return operation;
}

/** One executable runs once at a time: a launch in another stream waits for the last one. */
CudaCode graph_wait_for_last(Device *device, const Graph *graph, DeviceStream *stream) {
    if (graph->last_sequence == 0) return CUDA_OK;
    DeviceOperation *end = device->queue.last;
    while (end != NULL && end->sequence > graph->last_sequence)
        end = end->previous;
    DeviceOperation *wait = queue_add(device, OPERATION_WAIT, stream);
    if (wait == NULL) return CUDA_OUT_OF_MEMORY;
    if (end != NULL && end->sequence == graph->last_sequence) wait->wait.target = end;
    wait->wait.sequence = graph->last_sequence;
    order_wait_clock(wait, &graph->done);
    return CUDA_OK;
}

/** Queues the nodes in their order, each in its lane and behind what it comes after; at the end the stream
 * waits for all lanes. */
CudaCode graph_launch(Device *device, Graph *graph, DeviceStream *stream) {
    unsigned most = 2 * graph->node_count + graph->edge_count + 2 * GRAPH_LANES + 2;
    if (device->queue.count + most > DEVICE_MAX_PENDING) queue_run_all(device);
    DeviceOperation *start = queue_add(device, OPERATION_EMPTY, stream), *ends[GRAPH_LANES] = {NULL};
    if (start == NULL) return CUDA_OUT_OF_MEMORY;
    for (GraphNode *node = graph->first; node != NULL; node = node->next) {
        DeviceStream *lane = lane_stream(device, stream, node->lane);
        if (lane == NULL) return CUDA_OUT_OF_MEMORY;
        bool first = node->lane != 0 && ends[node->lane] == NULL;
        if (first && !add_wait(device, lane, start)) return CUDA_OUT_OF_MEMORY;
        if (add_waits(device, node, lane))
            node->launched = add_operation(device, node, lane, start);
        else
            node->launched = NULL;
        if (node->launched == NULL) return CUDA_OUT_OF_MEMORY;
        ends[node->lane] = node->launched;
    }
    for (unsigned lane = 1; lane < graph->lanes; lane++)
        if (!add_wait(device, stream, ends[lane])) return CUDA_OUT_OF_MEMORY;
    graph->last_sequence = device->queue.last->sequence;
    graph->done = stream->clock;
    return CUDA_OK;
}
