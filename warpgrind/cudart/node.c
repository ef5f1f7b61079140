/* node.c - nodes that the program adds to graphs by hand, and new arguments for them.
 *
 * A node's arguments travel as those of the stream call that it stands for. The payload has the handles of
 * the nodes that it comes after, and behind them the parameters of a kernel.
 */
#include "cudart/client.h"

#include <stdlib.h>
#include <string.h>

/* ---- CUDA's structs ---- */

/** cudaKernelNodeParams */
typedef struct KernelNode {
    const void *function;
    CudaDim3 grid, block;
    unsigned shared;
    void **arguments, **extra;
} KernelNode;

/** cudaHostNodeParams */
typedef struct HostNode {
    void *function, *data;
} HostNode;

/** cudaMemsetParams */
typedef struct SetNode {
    void *address;
    size_t pitch;
    unsigned value, element;
    size_t width, height;
} SetNode;

/** cudaMemcpy3DParms: each side is an array, or a pointer with a position. */
typedef struct CopySide {
    void *array;
    size_t x, y, z;
    void *pointer;
    size_t pitch, width, height;
} CopySide;
typedef struct CopyNode {
    CopySide from, to;
    size_t width, height, depth;
    int kind;
} CopyNode;

/** cudaMemAllocNodeParams, which begins with cudaMemPoolProps. */
typedef struct AllocateNode {
    struct {
        int type, handles, location, device;
        void *security;
        size_t most;
        unsigned char more[56];
    } pool;
    const void *access;
    size_t access_count, bytes;
    void *address;
} AllocateNode;

/** cudaGraphNodeType, as far as there are nodes of it. */
enum {
    KERNEL_NODE = 0,
    COPY_NODE = 1,
    SET_NODE = 2,
    HOST_NODE = 3,
    GRAPH_NODE = 4,
    EMPTY_NODE = 5,
    RECORD_NODE = 7,
    ALLOCATE_NODE = 10,
    FREE_NODE = 11,
    CONDITION_NODE = 13
};

/** cudaGraphNodeParams: for each type of node what its own function takes. */
typedef struct AnyNode {
    int type, reserved[3];
    union {
        long long all[29];
        KernelNode kernel;
        SetNode set;
        HostNode host;
        AllocateNode allocate;
        struct {
            int flags, reserved[3];
            CopyNode copy;
        } copy;
        void *handle; /* of a child graph or an event; or the address to free */
        struct {
            unsigned long long handle;
            int type;
            unsigned count;
            CudaGraph *graphs;
        } condition;
    };
} AnyNode;

/* ---- what all adders share ---- */

/** Where a node goes: into a graph, behind others; and where its handle goes. */
typedef struct NodePlace {
    CudaNode *node;
    CudaGraph graph;
    const CudaNode *before;
    size_t count;
} NodePlace;
#define IN_PLACE(place) .graph = client_word((place)->graph), .count = (place)->count

/** What follows the handles in the payload, and what the payload of the reply is wanted for; both may be
 * nothing. */
typedef struct NodeBytes {
    const void *parameters;
    size_t parameter_bytes;
    void *answer;
    size_t answer_bytes;
} NodeBytes;

_Static_assert(offsetof(Results_cudaGraphAddMemAllocNode, node) == 0 && sizeof(Results_cudaGraphAddNode) == 8,
               "the results of all functions that add a node begin with it");

/* The nodes before the new one and its parameters go in one payload, in this order. */
static CudaError send_node(WireRequest *request, const NodePlace *place, NodeBytes bytes, WireReply *reply) {
    size_t before = place->count * sizeof *place->before;
    if (place->count > WIRE_PAYLOAD_LIMIT / 2 / sizeof *place->before ||
        (place->count > 0 && place->before == NULL))
        return CUDA_INVALID_VALUE;
    uint8_t *payload = malloc(before + bytes.parameter_bytes + 1);
    if (payload == NULL) return CUDA_OUT_OF_MEMORY;
    if (before > 0) memcpy(payload, place->before, before);
    if (bytes.parameter_bytes > 0) memcpy(payload + before, bytes.parameters, bytes.parameter_bytes);
    request->payload_bytes = before + bytes.parameter_bytes;
    CudaError error = client_call_into(request, payload, reply, bytes.answer, bytes.answer_bytes);
    free(payload);
    if (error == CUDA_SUCCESS) *place->node = client_pointer(reply->cudaGraphAddEmptyNode.node);
    return error;
}

/** A node that is all in its request. */
static CudaError add_plain(WireRequest request, const NodePlace *place) {
    WireReply reply;
    return send_node(&request, place, (NodeBytes){NULL, 0, NULL, 0}, &reply);
}

/* ---- adding, by kind ---- */

/* The arguments are copied now, as cudaGraphAddKernelNode promises; `extra` is the driver API's way, which
 * is not supported. */
static CudaError add_kernel(ClientSite site, const NodePlace *place, const KernelNode *p) {
    if (place->node == NULL || p == NULL) return client_null(WIRE_cudaGraphAddKernelNode, site);
    if (p->extra != NULL) return CUDA_INVALID_VALUE;
    uint8_t block[CLIENT_MAX_PARAMETER_BYTES];
    size_t bytes;
    CudaError error = client_gather(p->function, p->arguments, site, block, &bytes);
    if (error != CUDA_SUCCESS) return error;
    WireRequest request =
        CLIENT_REQUEST(cudaGraphAddKernelNode, site, IN_PLACE(place), .kernel = client_word(p->function),
                       .grid = {p->grid.x, p->grid.y, p->grid.z},
                       .block = {p->block.x, p->block.y, p->block.z}, .shared_bytes = p->shared);
    WireReply reply;
    return send_node(&request, place, (NodeBytes){block, bytes, NULL, 0}, &reply);
}

static uint64_t address_of(const CopySide *side) {
    return client_word(side->pointer) + (side->z * side->height + side->y) * side->pitch + side->x;
}

/** Layers are rows like others when there is nothing between them. */
static bool is_rows(const CopyNode *p) {
    return p->depth <= 1 || (p->from.height == p->height && p->to.height == p->height);
}

static CudaError refuse(WireFunction which, ClientSite site) {
    return client_send(CLIENT_REQUEST(REFUSED, site, .function = which));
}

static CudaError add_rows(ClientSite site, const NodePlace *place, const CopyNode *p) {
    if (place->node == NULL || p == NULL) return client_null(WIRE_cudaGraphAddMemcpyNode, site);
    if (p->from.array != NULL || p->to.array != NULL || !is_rows(p))
        return refuse(WIRE_cudaGraphAddMemcpyNode, site);
    return add_plain(CLIENT_REQUEST(cudaGraphAddMemcpyNode, site, IN_PLACE(place), .to = address_of(&p->to),
                                    .to_pitch = p->to.pitch, .from = address_of(&p->from),
                                    .from_pitch = p->from.pitch, .width = p->width,
                                    .height = p->height * p->depth, .kind = client_number(p->kind)),
                     place);
}

/** In CUDA the width is in elements, and the pitch does not matter for one row. */
static uint64_t set_width(const SetNode *p) {
    return (uint64_t)p->width * p->element;
}

static uint64_t set_pitch(const SetNode *p) {
    if (p->height <= 1) return set_width(p);
    return p->pitch;
}

static CudaError add_set(ClientSite site, const NodePlace *place, const SetNode *p) {
    if (place->node == NULL || p == NULL) return client_null(WIRE_cudaGraphAddMemsetNode, site);
    return add_plain(CLIENT_REQUEST(cudaGraphAddMemsetNode, site, IN_PLACE(place),
                                    .address = client_word(p->address), .pitch = set_pitch(p),
                                    .value = p->value, .width = set_width(p), .height = p->height,
                                    .element = p->element),
                     place);
}

static CudaError add_host(ClientSite site, const NodePlace *place, const HostNode *p) {
    if (place->node == NULL || p == NULL) return client_null(WIRE_cudaGraphAddHostNode, site);
    return add_plain(CLIENT_REQUEST(cudaGraphAddHostNode, site, IN_PLACE(place),
                                    .function = client_word(p->function), .data = client_word(p->data)),
                     place);
}

static CudaError add_empty(ClientSite site, const NodePlace *place) {
    if (place->node == NULL) return client_null(WIRE_cudaGraphAddEmptyNode, site);
    return add_plain(CLIENT_REQUEST(cudaGraphAddEmptyNode, site, IN_PLACE(place)), place);
}

static CudaError add_record(ClientSite site, const NodePlace *place, const void *event) {
    if (place->node == NULL) return client_null(WIRE_cudaGraphAddEventRecordNode, site);
    return add_plain(
        CLIENT_REQUEST(cudaGraphAddEventRecordNode, site, IN_PLACE(place), .event = client_word(event)),
        place);
}

static CudaError add_allocation(ClientSite site, const NodePlace *place, AllocateNode *p) {
    if (place->node == NULL || p == NULL) return client_null(WIRE_cudaGraphAddMemAllocNode, site);
    WireRequest request =
        CLIENT_REQUEST(cudaGraphAddMemAllocNode, site, IN_PLACE(place), .address = client_word(&p->address),
                       .bytes = p->bytes, .device = client_number(p->pool.device));
    WireReply reply;
    CudaError error = send_node(&request, place, (NodeBytes){NULL, 0, NULL, 0}, &reply);
    if (error == CUDA_SUCCESS) p->address = client_pointer(reply.cudaGraphAddMemAllocNode.address);
    return error;
}

static CudaError add_free(ClientSite site, const NodePlace *place, const void *address) {
    if (place->node == NULL) return client_null(WIRE_cudaGraphAddMemFreeNode, site);
    return add_plain(
        CLIENT_REQUEST(cudaGraphAddMemFreeNode, site, IN_PLACE(place), .address = client_word(address)),
        place);
}

static CudaError add_child(ClientSite site, const NodePlace *place, const void *child) {
    if (place->node == NULL) return client_null(WIRE_cudaGraphAddChildGraphNode, site);
    return add_plain(
        CLIENT_REQUEST(cudaGraphAddChildGraphNode, site, IN_PLACE(place), .child = client_word(child)),
        place);
}

/** The reply has the graphs that the device has made for the node. LIMIT: their list is kept until the
 * program ends, not until the node does. */
static CudaError add_condition(ClientSite site, const NodePlace *place, AnyNode *p) {
    unsigned count = p->condition.count;
    CudaGraph *graphs = calloc((size_t)count + 1, sizeof *graphs);
    if (graphs == NULL) return CUDA_OUT_OF_MEMORY;
    WireRequest request =
        CLIENT_REQUEST(cudaGraphAddNode, site, IN_PLACE(place), .condition = p->condition.handle,
                       .type = client_number(p->condition.type), .bodies = count);
    WireReply reply;
    CudaError error =
        send_node(&request, place, (NodeBytes){NULL, 0, graphs, count * sizeof *graphs}, &reply);
    if (error == CUDA_SUCCESS)
        p->condition.graphs = graphs;
    else
        free(graphs);
    return error;
}

/** A node of any kind goes as if added by its own function. */
static CudaError add_any(ClientSite site, const NodePlace *place, AnyNode *p) {
    if (place->node == NULL || p == NULL) return client_null(WIRE_cudaGraphAddNode, site);
    switch (p->type) {
    case KERNEL_NODE:
        return add_kernel(site, place, &p->kernel);
    case COPY_NODE:
        return add_rows(site, place, &p->copy.copy);
    case SET_NODE:
        return add_set(site, place, &p->set);
    case HOST_NODE:
        return add_host(site, place, &p->host);
    case GRAPH_NODE:
        return add_child(site, place, p->handle);
    case EMPTY_NODE:
        return add_empty(site, place);
    case RECORD_NODE:
        return add_record(site, place, p->handle);
    case ALLOCATE_NODE:
        return add_allocation(site, place, &p->allocate);
    case FREE_NODE:
        return add_free(site, place, p->handle);
    case CONDITION_NODE:
        return add_condition(site, place, p);
    default:
        return refuse(WIRE_cudaGraphAddNode, site);
    }
}

/* ---- what programs call to add nodes ---- */

#define ADDS(name, add, Parameter)                                                                           \
    ENTRY(CudaError, name, CudaNode *node, CudaGraph graph, const CudaNode *before, size_t count,            \
          Parameter parameter) {                                                                             \
        return add(CLIENT_SITE(), &(NodePlace){node, graph, before, count}, parameter);                      \
    }
ADDS(cudaGraphAddKernelNode, add_kernel, const KernelNode *)
ADDS(cudaGraphAddMemcpyNode, add_rows, const CopyNode *)
ADDS(cudaGraphAddMemsetNode, add_set, const SetNode *)
ADDS(cudaGraphAddHostNode, add_host, const HostNode *)
ADDS(cudaGraphAddEventRecordNode, add_record, CudaEvent)
ADDS(cudaGraphAddMemAllocNode, add_allocation, AllocateNode *)
ADDS(cudaGraphAddMemFreeNode, add_free, void *)
ADDS(cudaGraphAddChildGraphNode, add_child, CudaGraph)

ENTRY(CudaError, cudaGraphAddEmptyNode, CudaNode *node, CudaGraph graph, const CudaNode *before,
      size_t count) {
    return add_empty(CLIENT_SITE(), &(NodePlace){node, graph, before, count});
}

ENTRY(CudaError, cudaGraphAddMemcpyNode1D, CudaNode *node, CudaGraph graph, const CudaNode *before,
      size_t count, void *to, const void *from, size_t bytes, int kind) {
    const NodePlace place = {node, graph, before, count};
    if (node == NULL) return CLIENT_NULL(cudaGraphAddMemcpyNode1D);
    return add_plain(CLIENT_REQUEST(cudaGraphAddMemcpyNode1D, CLIENT_SITE(), IN_PLACE(&place),
                                    .to = client_word(to), .from = client_word(from), .bytes = bytes,
                                    .kind = client_number(kind)),
                     &place);
}

ENTRY(CudaError, cudaGraphAddNode, CudaNode *node, CudaGraph graph, const CudaNode *before,
      CLIENT_EDGES size_t count, AnyNode *parameters) {
    return add_any(CLIENT_SITE(), &(NodePlace){node, graph, before, count}, parameters);
}

/* ---- new arguments ---- */

/** Of a node's own graph, and of an executable's. */
#define CHANGES(of_graph, of_executable, change, Parameter)                                                  \
    ENTRY(CudaError, of_graph, CudaNode node, Parameter parameter) {                                         \
        return change(WIRE_##of_graph, CLIENT_SITE(), NULL, node, parameter);                                \
    }                                                                                                        \
    ENTRY(CudaError, of_executable, CudaGraphExec executable, CudaNode node, Parameter parameter) {          \
        return change(WIRE_##of_executable, CLIENT_SITE(), executable, node, parameter);                     \
    }

/* The kernel must be of the same module as before on a card; the device checks what it needs. */
static CudaError change_kernel(WireFunction which, ClientSite site, CudaGraphExec executable, CudaNode node,
                               const KernelNode *p) {
    if (p == NULL) return client_null(which, site);
    if (p->extra != NULL) return CUDA_INVALID_VALUE;
    uint8_t block[CLIENT_MAX_PARAMETER_BYTES];
    size_t bytes;
    CudaError error = client_gather(p->function, p->arguments, site, block, &bytes);
    if (error != CUDA_SUCCESS) return error;
    WireRequest request = client_request(which, site);
    request.cudaGraphExecKernelNodeSetParams =
        (Arguments_cudaGraphExecKernelNodeSetParams){.executable = client_word(executable),
                                                     .node = client_word(node),
                                                     .kernel = client_word(p->function),
                                                     .grid = {p->grid.x, p->grid.y, p->grid.z},
                                                     .block = {p->block.x, p->block.y, p->block.z},
                                                     .shared_bytes = p->shared};
    request.payload_bytes = bytes;
    return client_call(&request, block, NULL);
}

CHANGES(cudaGraphKernelNodeSetParams, cudaGraphExecKernelNodeSetParams, change_kernel, const KernelNode *)

/** An executable's copies are changed by plain.c. */
ENTRY(CudaError, cudaGraphMemcpyNodeSetParams1D, CudaNode node, void *to, const void *from, size_t bytes,
      int kind) {
    return CLIENT_SEND(cudaGraphMemcpyNodeSetParams1D, .node = client_word(node), .to = client_word(to),
                       .from = client_word(from), .bytes = bytes, .kind = client_number(kind));
}

static CudaError change_set(WireFunction which, ClientSite site, CudaGraphExec executable, CudaNode node,
                            const SetNode *p) {
    if (p == NULL) return client_null(which, site);
    WireRequest request = client_request(which, site);
    request.cudaGraphExecMemsetNodeSetParams =
        (Arguments_cudaGraphExecMemsetNodeSetParams){.executable = client_word(executable),
                                                     .node = client_word(node),
                                                     .address = client_word(p->address),
                                                     .pitch = set_pitch(p),
                                                     .value = p->value,
                                                     .width = set_width(p),
                                                     .height = p->height,
                                                     .element = p->element};
    return client_call(&request, NULL, NULL);
}

CHANGES(cudaGraphMemsetNodeSetParams, cudaGraphExecMemsetNodeSetParams, change_set, const SetNode *)

static CudaError change_host(WireFunction which, ClientSite site, CudaGraphExec executable, CudaNode node,
                             const HostNode *p) {
    if (p == NULL) return client_null(which, site);
    WireRequest request = client_request(which, site);
    request.cudaGraphExecHostNodeSetParams = (Arguments_cudaGraphExecHostNodeSetParams){
        client_word(executable), client_word(node), client_word(p->function), client_word(p->data)};
    return client_call(&request, NULL, NULL);
}

CHANGES(cudaGraphHostNodeSetParams, cudaGraphExecHostNodeSetParams, change_host, const HostNode *)

/* ---- questions ---- */

static CudaError ask_memory(WireFunction which, ClientSite site, CudaNode node, const void *to,
                            WireReply *reply) {
    WireRequest request = client_request(which, site);
    request.cudaGraphMemAllocNodeGetParams =
        (Arguments_cudaGraphMemAllocNodeGetParams){client_word(node), client_word(to)};
    return client_call(&request, NULL, reply);
}

/* The structure has more members than the device knows: the pool's type and place are those of all graph
 * memory. */
ENTRY(CudaError, cudaGraphMemAllocNodeGetParams, CudaNode node, AllocateNode *p) {
    enum { TYPE_PINNED = 1, LOCATION_DEVICE = 1 };
    WireReply reply;
    CudaError error = ask_memory(WIRE_cudaGraphMemAllocNodeGetParams, CLIENT_SITE(), node, p, &reply);
    if (error != CUDA_SUCCESS) return error;
    const Results_cudaGraphMemAllocNodeGetParams *r = &reply.cudaGraphMemAllocNodeGetParams;
    *p = (AllocateNode){.bytes = r->bytes, .address = client_pointer(r->address)};
    p->pool.type = TYPE_PINNED;
    p->pool.location = LOCATION_DEVICE;
    p->pool.device = (int)r->device;
    return CUDA_SUCCESS;
}

ENTRY(CudaError, cudaGraphMemFreeNodeGetParams, CudaNode node, void *address) {
    WireReply reply;
    CudaError error = ask_memory(WIRE_cudaGraphMemFreeNodeGetParams, CLIENT_SITE(), node, address, &reply);
    if (error == CUDA_SUCCESS) memcpy(address, &reply.cudaGraphMemAllocNodeGetParams.address, sizeof(void *));
    return error;
}
