/* graph_bodies.c - see graph_bodies.h. */
#include "device/streams/graph_bodies.h"
#include "device/state/names.h"
#include "device/streams/queue.h"

#include "base/poison.h"
#include "device/state/complain.h"
#include "device/state/state.h"

#include <stdlib.h>
#include <string.h>

static const char *function_name(const Device *device) {
    return names_function(device->serving.request->function);
}

/* ---- bodies ---- */

GraphBodies graph_bodies_of(const DeviceOperation *operation) {
    if (operation->kind != OPERATION_BODIES) return (GraphBodies){0};
    return (GraphBodies){operation->bodies.graphs, operation->bodies.count};
}

static bool has_kind(const Graph *graph, DeviceOperationKind kind) {
    for (const GraphNode *node = graph->first; node != NULL; node = node->next)
        if (node->operation.kind == kind) return true;
    return false;
}

bool graph_bodies_used(const Graph *graph) {
    return has_kind(graph, OPERATION_BODIES);
}

bool graph_bodies_conditional(const Graph *graph) {
    for (const GraphNode *node = graph->first; node != NULL; node = node->next)
        if (node->operation.kind == OPERATION_BODIES && node->operation.bodies.type != BODIES_CHILD)
            return true;
    return false;
}

/** How many graphs are inside each other in the graph. */
static unsigned height_of(const Graph *graph) {
    unsigned height = 0;
    for (const GraphNode *node = graph->first; node != NULL; node = node->next) {
        GraphBodies bodies = graph_bodies_of(&node->operation);
        for (unsigned i = 0; i < bodies.count; i++) {
            unsigned inner = 1 + height_of(bodies.graphs[i]);
            if (height < inner) height = inner;
        }
    }
    return height;
}

/** The body, with all that it brings along, is inside of the outer graph now. */
static void own(Graph *body, const Graph *outer, int type) {
    body->inner = true;
    body->child = outer->child || type == BODIES_CHILD;
    body->depth = outer->depth + 1;
    for (const GraphNode *node = body->first; node != NULL; node = node->next) {
        GraphBodies bodies = graph_bodies_of(&node->operation);
        for (unsigned i = 0; i < bodies.count; i++)
            own(bodies.graphs[i], body, node->operation.bodies.type);
    }
}

/** The copy gets bodies of its own, which belong to the graph that it is in. */
bool graph_bodies_copy(Device *device, GraphNode *node) {
    Graph **from = node->operation.bodies.graphs;
    unsigned count = node->operation.bodies.count;
    node->operation.bodies.graphs = calloc(count, sizeof *from);
    node->operation.bodies.count = 0;
    if (node->operation.bodies.graphs == NULL) return false;
    for (unsigned i = 0; i < count; i++) {
        Graph *made = graph_copy(device, from[i]);
        if (made == NULL) return false;
        own(made, node->graph, node->operation.bodies.type);
        made->made_from = from[i]->handle;
        node->operation.bodies.graphs[node->operation.bodies.count++] = made;
    }
    return true;
}

void graph_bodies_destroy(Device *device, GraphNode *node) {
    if (node->operation.kind != OPERATION_BODIES) return;
    for (unsigned i = 0; i < node->operation.bodies.count; i++)
        graph_destroy(device, node->operation.bodies.graphs[i]);
    free(node->operation.bodies.graphs);
}

bool graph_bodies_capturing(const GraphNode *node) {
    GraphBodies bodies = graph_bodies_of(&node->operation);
    for (unsigned i = 0; i < bodies.count; i++) {
        if (bodies.graphs[i]->capturing) return true;
        for (const GraphNode *any = bodies.graphs[i]->first; any != NULL; any = any->next)
            if (graph_bodies_capturing(any)) return true;
    }
    return false;
}

bool graph_bodies_sort(Graph *graph) {
    graph->executable = true;
    if (!graph_sort(graph)) return false;
    for (const GraphNode *node = graph->first; node != NULL; node = node->next) {
        GraphBodies bodies = graph_bodies_of(&node->operation);
        for (unsigned i = 0; i < bodies.count; i++)
            if (!graph_bodies_sort(bodies.graphs[i])) return false;
    }
    return true;
}

bool graph_bodies_have_host(const Graph *graph) {
    for (const GraphNode *node = graph->first; node != NULL; node = node->next)
        if (graph_bodies_call_host(&node->operation)) return true;
    return false;
}

bool graph_bodies_call_host(const DeviceOperation *operation) {
    GraphBodies bodies = graph_bodies_of(operation);
    for (unsigned i = 0; i < bodies.count; i++)
        if (graph_bodies_have_host(bodies.graphs[i])) return true;
    return operation->kind == OPERATION_HOST;
}

/** What bodies and child graphs cannot have: allocations and frees, which CUDA forbids there, and records
 * of events. */
bool graph_bodies_refuse(Device *device, DeviceOperationKind kind) {
    if (kind == OPERATION_ALLOCATE || kind == OPERATION_FREE)
        complain(device, FINDING_API_MISUSE, SAID_GRAPH(MEMORY_INSIDE, .function = function_name(device)));
    else if (kind == OPERATION_RECORD)
        complain(device, FINDING_LIMIT, said_graph(GRAPH_EVENT_INSIDE_MESSAGE, GRAPH_EVENT_INSIDE_WHY, NULL));
    else
        return false;
    device->errors.refusal = CUDA_NOT_SUPPORTED;
    return true;
}

/* ---- conditions ---- */

static DeviceCondition *find_condition(const Device *device, uint64_t handle) {
    DeviceCondition *condition = device->graphs.conditions;
    while (condition != NULL && condition->address != handle)
        condition = condition->next;
    return condition;
}

/** The condition is a word of device memory that kernels write; its handle is the address. */
CudaCode graph_bodies_make_condition(Device *device, const Graph *graph, uint32_t value, bool assigned,
                                     uint64_t *handle) {
    enum { BYTES = 4 };
    DeviceCondition *made = DEVICE_NEW(device, DeviceCondition);
    const GpuAllocation *word = gpu_memory_alloc(device->gpu, BYTES, BYTES, GPU_ALLOC_DEVICE, 0);
    if (made == NULL || word == NULL) return CUDA_OUT_OF_MEMORY;
    *made = (DeviceCondition){.address = word->address,
                              .graph = graph->handle,
                              .value = value,
                              .assigned = assigned,
                              .next = device->graphs.conditions};
    device->graphs.conditions = made;
    *handle = made->address;
    return CUDA_OK;
}

/** Those that were made for the graph of the executable, or of one inside of it. */
CudaCode graph_bodies_start(Device *device, const Graph *graph, DeviceStream *stream) {
    CudaCode error = CUDA_OK;
    for (const DeviceCondition *any = device->graphs.conditions; any != NULL && error == CUDA_OK;
         any = any->next) {
        if (any->graph != graph->made_from || !any->assigned) continue;
        DeviceOperation *operation = queue_add(device, OPERATION_SET, stream);
        if (operation == NULL) return CUDA_OUT_OF_MEMORY;
        operation->set.address = any->address;
        operation->set.pitch = operation->set.width = operation->set.element = sizeof any->value;
        operation->set.height = 1;
        operation->set.value = (int)any->value;
    }
    for (const GraphNode *node = graph->first; node != NULL; node = node->next) {
        GraphBodies bodies = graph_bodies_of(&node->operation);
        for (unsigned i = 0; i < bodies.count && error == CUDA_OK; i++)
            error = graph_bodies_start(device, bodies.graphs[i], stream);
    }
    return error;
}

/* ---- running ---- */

static CudaCode run_body(Device *device, const DeviceOperation *outer, const Graph *body) {
    CudaCode error = CUDA_OK;
    for (const GraphNode *node = body->first; node != NULL && error == CUDA_OK; node = node->next)
        error = queue_run_within(device, outer, &node->operation);
    return error;
}

/** A condition that still has what fresh memory holds is one that nobody has set: it counts as 0. */
static bool refuse_unset(Device *device, const DeviceOperation *operation) {
    uint8_t fresh[sizeof(uint32_t)];
    memset(fresh, POISON_DEVICE_BYTE, sizeof fresh);
    const void *now = gpu_memory_host(device->gpu, operation->bodies.condition, sizeof fresh);
    if (now == NULL || memcmp(now, fresh, sizeof fresh) != 0) return false;
    complain_at(device, FINDING_UNINITIALIZED_READ, operation->site, operation->mark,
                said_graph(GRAPH_UNSET_MESSAGE, GRAPH_UNSET_WHY, NULL));
    return true;
}

static uint32_t read_condition(Device *device, const DeviceOperation *operation) {
    uint32_t value = 0;
    if (refuse_unset(device, operation)) return 0;
    gpu_memory_read(device->gpu, operation->bodies.condition, &value, sizeof value, operation->site);
    return value;
}

/** Rounds are counted over all loops of the outermost node together, so the advice depends on whether this
 * loop stands alone. */
static CudaCode refuse_endless(Device *device, const DeviceOperation *operation, bool alone) {
    complain_at(device, FINDING_HANG, operation->site, operation->mark,
                SAID_GRAPH(ENDLESS, .alone = alone, .count = BODIES_MAX_ROUNDS));
    return CUDA_LAUNCH_TIMEOUT;
}

static CudaCode run_while(Device *device, const DeviceOperation *operation) {
    for (unsigned round = 0; read_condition(device, operation) != 0; round++) {
        if (*device->halt) return CUDA_LAUNCH_FAILURE;
        if (device->queue.body_rounds == BODIES_MAX_ROUNDS)
            return refuse_endless(device, operation, round == BODIES_MAX_ROUNDS);
        device->queue.body_rounds++;
        CudaCode error = run_body(device, operation, operation->bodies.graphs[0]);
        if (error != CUDA_OK) return error;
    }
    return CUDA_OK;
}

CudaCode graph_bodies_run(Device *device, const DeviceOperation *operation) {
    if (operation->bodies.type == BODIES_WHILE) return run_while(device, operation);
    uint32_t which = 0;
    if (operation->bodies.type != BODIES_CHILD) which = read_condition(device, operation);
    if (operation->bodies.type == BODIES_IF) which = which == 0;
    if (which >= operation->bodies.count) return CUDA_OK;
    return run_body(device, operation, operation->bodies.graphs[which]);
}

/* ---- making nodes: in the stream that captures for it ---- */

/** Graphs in graphs are walked by functions that call themselves. The new body is `height` graphs high. */
static CudaCode check_depth(Device *device, const Graph *outer, unsigned height) {
    if (outer->depth + 1 + height <= BODIES_MAX_DEPTH) return CUDA_OK;
    complain(device, FINDING_LIMIT, SAID_GRAPH(DEEP, .count = BODIES_MAX_DEPTH));
    return CUDA_NOT_SUPPORTED;
}

static DeviceOperation *add_node(Device *device, DeviceStream *stream, int type, unsigned count) {
    Graph **graphs = calloc(count, sizeof *graphs);
    DeviceOperation *operation = NULL;
    if (graphs != NULL) operation = queue_add(device, OPERATION_BODIES, stream);
    if (operation == NULL) {
        free(graphs);
        return NULL;
    }
    operation->bodies.graphs = graphs;
    operation->bodies.type = type;
    return operation;
}

static CudaCode refuse_condition(Device *device) {
    complain(device, FINDING_API_MISUSE, SAID_GRAPH(HANDLE, .function = function_name(device)));
    return CUDA_INVALID_VALUE;
}

static CudaCode refuse_conditional(Device *device) {
    complain(device, FINDING_API_MISUSE, SAID_GRAPH(CONDITIONAL_INSIDE, .function = function_name(device)));
    return CUDA_NOT_SUPPORTED;
}

/** Bodies are made with the node and are empty: the program fills them through the handles that it gets. */
CudaCode graph_bodies_add_condition(Device *device, DeviceStream *stream, const BodiesCondition *wanted) {
    static const unsigned most[] = {[BODIES_IF] = 2, [BODIES_WHILE] = 1, [BODIES_SWITCH] = BODIES_MAX};
    if (find_condition(device, wanted->handle) == NULL) return refuse_condition(device);
    uint64_t type = wanted->type, count = wanted->bodies;
    if (type > BODIES_SWITCH || count == 0 || count > most[type]) return CUDA_INVALID_VALUE;
    if (stream->capture->child) return refuse_conditional(device);
    CudaCode error = check_depth(device, stream->capture, 0);
    if (error != CUDA_OK) return error;
    DeviceOperation *operation = add_node(device, stream, (int)type, (unsigned)count);
    if (operation == NULL) return CUDA_OUT_OF_MEMORY;
    operation->bodies.condition = wanted->handle;
    for (unsigned i = 0; i < count; i++) {
        Graph *body = graph_create(device);
        if (body == NULL) return CUDA_OUT_OF_MEMORY;
        own(body, stream->capture, (int)type);
        operation->bodies.graphs[operation->bodies.count++] = body;
    }
    return CUDA_OK;
}

static CudaCode check_child(Device *device, const Graph *outer, const Graph *child) {
    for (const GraphNode *node = child->first; node != NULL; node = node->next)
        if (graph_bodies_refuse(device, node->operation.kind)) return device->errors.refusal;
    if (graph_bodies_conditional(child)) return refuse_conditional(device);
    return check_depth(device, outer, height_of(child));
}

CudaCode graph_bodies_add_child(Device *device, DeviceStream *stream, const Graph *graph) {
    if (graph == stream->capture) return CUDA_INVALID_VALUE;
    CudaCode error = check_child(device, stream->capture, graph);
    if (error != CUDA_OK) return error;
    Graph *body = graph_copy(device, graph); /* before the node: the node may get into this very graph */
    if (body == NULL) return CUDA_OUT_OF_MEMORY;
    DeviceOperation *operation = add_node(device, stream, BODIES_CHILD, 1);
    if (operation == NULL) {
        graph_destroy(device, body);
        return CUDA_OUT_OF_MEMORY;
    }
    own(body, stream->capture, BODIES_CHILD);
    operation->bodies.graphs[operation->bodies.count++] = body;
    return CUDA_OK;
}
