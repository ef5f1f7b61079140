/* graph.c - graphs. Handles are numbers the device gave out; nodes' parameters travel as those of the stream
 * call that a node stands for, with the nodes that come before it in front of the payload.
 */
#include "cudart/attendant.h"
#include "cudart/client.h"

#include <stdlib.h>
#include <string.h>

typedef void *CudaGraph, *CudaNode, *CudaGraphExec;

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

/** cudaGraphExecUpdateResultInfo */
typedef struct UpdateInfo {
    int result;
    CudaNode node, from;
} UpdateInfo;

EXPORT CudaError cudaGraphCreate(CudaGraph *graph, unsigned flags);
EXPORT CudaError cudaGraphDestroy(CudaGraph graph);
EXPORT CudaError cudaGraphClone(CudaGraph *clone, CudaGraph graph);
EXPORT CudaError cudaGraphAddKernelNode(CudaNode *node, CudaGraph graph, const CudaNode *before, size_t count,
                                        const KernelNode *parameters);
EXPORT CudaError cudaGraphAddMemcpyNode(CudaNode *node, CudaGraph graph, const CudaNode *before, size_t count,
                                        const CopyNode *parameters);
EXPORT CudaError cudaGraphAddMemcpyNode1D(CudaNode *node, CudaGraph graph, const CudaNode *before,
                                          size_t count, void *to, const void *from, size_t bytes, int kind);
EXPORT CudaError cudaGraphAddMemsetNode(CudaNode *node, CudaGraph graph, const CudaNode *before, size_t count,
                                        const SetNode *parameters);
EXPORT CudaError cudaGraphAddHostNode(CudaNode *node, CudaGraph graph, const CudaNode *before, size_t count,
                                      const HostNode *parameters);
EXPORT CudaError cudaGraphAddEmptyNode(CudaNode *node, CudaGraph graph, const CudaNode *before, size_t count);
EXPORT CudaError cudaGraphAddEventRecordNode(CudaNode *node, CudaGraph graph, const CudaNode *before,
                                             size_t count, CudaEvent event);
EXPORT CudaError cudaGraphAddMemAllocNode(CudaNode *node, CudaGraph graph, const CudaNode *before,
                                          size_t count, AllocateNode *parameters);
EXPORT CudaError cudaGraphAddMemFreeNode(CudaNode *node, CudaGraph graph, const CudaNode *before,
                                         size_t count, void *address);
EXPORT CudaError cudaGraphMemAllocNodeGetParams(CudaNode node, AllocateNode *parameters);
EXPORT CudaError cudaGraphMemFreeNodeGetParams(CudaNode node, void *address);
EXPORT CudaError cudaDeviceGetGraphMemAttribute(int device, int attribute, void *value);
EXPORT CudaError cudaDeviceSetGraphMemAttribute(int device, int attribute, const void *value);
EXPORT CudaError cudaDeviceGraphMemTrim(int device);
EXPORT CudaError cudaGraphDestroyNode(CudaNode node);
EXPORT CudaError cudaGraphGetNodes(CudaGraph graph, CudaNode *nodes, size_t *count);
EXPORT CudaError cudaGraphGetRootNodes(CudaGraph graph, CudaNode *nodes, size_t *count);
EXPORT CudaError cudaGraphNodeGetType(CudaNode node, int *type);
EXPORT CudaError cudaGraphNodeFindInClone(CudaNode *found, CudaNode node, CudaGraph clone);
EXPORT CudaError cudaGraphKernelNodeSetParams(CudaNode node, const KernelNode *parameters);
EXPORT CudaError cudaGraphInstantiateWithFlags(CudaGraphExec *made, CudaGraph graph,
                                               unsigned long long flags);
EXPORT CudaError cudaGraphLaunch(CudaGraphExec executable, CudaStream stream);
EXPORT CudaError cudaGraphUpload(CudaGraphExec executable, CudaStream stream);
EXPORT CudaError cudaGraphExecKernelNodeSetParams(CudaGraphExec executable, CudaNode node,
                                                  const KernelNode *parameters);
EXPORT CudaError cudaGraphExecMemcpyNodeSetParams1D(CudaGraphExec executable, CudaNode node, void *to,
                                                    const void *from, size_t bytes, int kind);
EXPORT CudaError cudaGraphExecMemsetNodeSetParams(CudaGraphExec executable, CudaNode node,
                                                  const SetNode *parameters);
EXPORT CudaError cudaGraphExecHostNodeSetParams(CudaGraphExec executable, CudaNode node,
                                                const HostNode *parameters);
EXPORT CudaError cudaGraphExecDestroy(CudaGraphExec executable);

/* What follows has changed its arguments: the first form is CUDA 13's, the other that of the libraries
 * before. */
EXPORT CudaError cudaGraphConditionalHandleCreate(unsigned long long *handle, CudaGraph graph, unsigned value,
                                                  unsigned flags);
EXPORT CudaError cudaGraphAddChildGraphNode(CudaNode *node, CudaGraph graph, const CudaNode *before,
                                            size_t count, CudaGraph child);
EXPORT CudaError cudaGraphChildGraphNodeGetGraph(CudaNode node, CudaGraph *graph);
#if CUDART_MAJOR >= 13
EXPORT CudaError cudaGraphAddNode(CudaNode *node, CudaGraph graph, const CudaNode *before, const void *edges,
                                  size_t count, AnyNode *parameters);
#else
EXPORT CudaError cudaGraphAddNode(CudaNode *node, CudaGraph graph, const CudaNode *before, size_t count,
                                  AnyNode *parameters);
#endif
#if CUDART_MAJOR >= 13
EXPORT CudaError cudaGraphAddDependencies(CudaGraph graph, const CudaNode *before, const CudaNode *nodes,
                                          const void *edges, size_t count);
EXPORT CudaError cudaGraphNodeGetDependencies(CudaNode node, CudaNode *nodes, void *edges, size_t *count);
#else
EXPORT CudaError cudaGraphAddDependencies(CudaGraph graph, const CudaNode *before, const CudaNode *nodes,
                                          size_t count);
EXPORT CudaError cudaGraphNodeGetDependencies(CudaNode node, CudaNode *nodes, size_t *count);
#endif
#if CUDART_MAJOR >= 12
EXPORT CudaError cudaGraphInstantiate(CudaGraphExec *made, CudaGraph graph, unsigned long long flags);
EXPORT CudaError cudaGraphExecUpdate(CudaGraphExec executable, CudaGraph graph, UpdateInfo *info);
#else
EXPORT CudaError cudaGraphInstantiate(CudaGraphExec *made, CudaGraph graph, CudaNode *node, char *log,
                                      size_t bytes);
EXPORT CudaError cudaGraphExecUpdate(CudaGraphExec executable, CudaGraph graph, CudaNode *node, int *result);
#endif

/* ---- calls ---- */

/** A call with a pointer and up to two more words whose answer is a handle at *handle. */
static CudaError ask_handle(WireFunction which, ClientSite site, void **handle, uint64_t first,
                            uint64_t second) {
    WireRequest request = client_request(which, site);
    request.arguments[0] = client_word(handle);
    request.arguments[1] = first;
    request.arguments[2] = second;
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *handle = client_pointer(reply.results[0]);
    return error;
}

/** A question about a handle whose answer is a number. */
static CudaError ask_number(WireFunction which, ClientSite site, const void *handle, int *number) {
    WireRequest request = client_request(which, site);
    request.arguments[0] = client_word(handle);
    request.arguments[1] = client_word(number);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *number = (int)reply.results[0];
    return error;
}

/** Handles of nodes: how many there are when `nodes` is null, else at most *count of them and the rest null.
 */
static CudaError ask_nodes(WireFunction which, ClientSite site, const void *handle, CudaNode *nodes,
                           size_t *count) {
    if (count == NULL) return client_null(which, site);
    size_t room = nodes != NULL ? *count : 0;
    WireRequest request = client_request(which, site);
    request.arguments[0] = client_word(handle);
    WireReply reply;
    CudaError error = client_call_into(&request, NULL, &reply, nodes, room * sizeof *nodes);
    if (error != CUDA_SUCCESS) return error;
    size_t all = (size_t)reply.results[0];
    for (size_t i = all; i < room; i++)
        nodes[i] = NULL;
    *count = nodes == NULL || all < room ? all : room;
    return CUDA_SUCCESS;
}

/* ---- graphs ---- */

CudaError cudaGraphCreate(CudaGraph *graph, unsigned flags) {
    return ask_handle(WIRE_cudaGraphCreate, CLIENT_SITE(), graph, flags, 0);
}

CudaError cudaGraphDestroy(CudaGraph graph) {
    return CLIENT_SIMPLE(cudaGraphDestroy, client_word(graph));
}

CudaError cudaGraphClone(CudaGraph *clone, CudaGraph graph) {
    return ask_handle(WIRE_cudaGraphClone, CLIENT_SITE(), clone, client_word(graph), 0);
}

CudaError cudaGraphGetNodes(CudaGraph graph, CudaNode *nodes, size_t *count) {
    return ask_nodes(WIRE_cudaGraphGetNodes, CLIENT_SITE(), graph, nodes, count);
}

CudaError cudaGraphGetRootNodes(CudaGraph graph, CudaNode *nodes, size_t *count) {
    return ask_nodes(WIRE_cudaGraphGetRootNodes, CLIENT_SITE(), graph, nodes, count);
}

CudaError cudaGraphNodeGetType(CudaNode node, int *type) {
    return ask_number(WIRE_cudaGraphNodeGetType, CLIENT_SITE(), node, type);
}

CudaError cudaGraphNodeFindInClone(CudaNode *found, CudaNode node, CudaGraph clone) {
    return ask_handle(WIRE_cudaGraphNodeFindInClone, CLIENT_SITE(), found, client_word(node),
                      client_word(clone));
}

CudaError cudaGraphDestroyNode(CudaNode node) {
    return CLIENT_SIMPLE(cudaGraphDestroyNode, client_word(node));
}

static CudaError add_dependencies(ClientSite site, CudaGraph graph, const CudaNode *before,
                                  const CudaNode *nodes, size_t count) {
    if (count == 0) return CUDA_SUCCESS;
    if (before == NULL || nodes == NULL || count > WIRE_PAYLOAD_LIMIT / 2 / sizeof *nodes)
        return CUDA_INVALID_VALUE;
    CudaNode *all = malloc(2 * count * sizeof *all);
    if (all == NULL) return CUDA_OUT_OF_MEMORY;
    memcpy(all, before, count * sizeof *all);
    memcpy(all + count, nodes, count * sizeof *all);
    WireRequest request = client_request(WIRE_cudaGraphAddDependencies, site);
    request.arguments[0] = client_word(graph);
    request.arguments[1] = count;
    request.payload_bytes = 2 * count * sizeof *all;
    CudaError error = client_call(&request, all, NULL);
    free(all);
    return error;
}

#if CUDART_MAJOR >= 13
/** Edges of other than the usual kind are for programmatic launches, which there are none of. */
CudaError cudaGraphAddDependencies(CudaGraph graph, const CudaNode *before, const CudaNode *nodes,
                                   const void *edges, size_t count) {
    (void)edges;
    return add_dependencies(CLIENT_SITE(), graph, before, nodes, count);
}

CudaError cudaGraphNodeGetDependencies(CudaNode node, CudaNode *nodes, void *edges, size_t *count) {
    enum { EDGE_BYTES = 8 };
    CudaError error = ask_nodes(WIRE_cudaGraphNodeGetDependencies, CLIENT_SITE(), node, nodes, count);
    if (error == CUDA_SUCCESS && edges != NULL) memset(edges, 0, *count * EDGE_BYTES);
    return error;
}
#else
CudaError cudaGraphAddDependencies(CudaGraph graph, const CudaNode *before, const CudaNode *nodes,
                                   size_t count) {
    return add_dependencies(CLIENT_SITE(), graph, before, nodes, count);
}

CudaError cudaGraphNodeGetDependencies(CudaNode node, CudaNode *nodes, size_t *count) {
    return ask_nodes(WIRE_cudaGraphNodeGetDependencies, CLIENT_SITE(), node, nodes, count);
}
#endif

/* ---- nodes ---- */

/** Where a node goes: into a graph behind others, or (node) in the place of what it was. */
typedef struct NodeCall {
    WireRequest request;
    CudaNode *node;
    const CudaNode *before;
    size_t count;
    void **address; /**< of the memory that the node allocates; or NULL */
    void *reply;    /**< where the reply's payload goes; or NULL */
    size_t reply_bytes;
} NodeCall;

static NodeCall adding(WireFunction which, ClientSite site, CudaNode *node, CudaGraph graph,
                       const CudaNode *before, size_t count) {
    NodeCall call = {client_request(which, site), node, before, count, NULL, NULL, 0};
    call.request.arguments[10] = client_word(graph);
    call.request.arguments[11] = count;
    return call;
}

static NodeCall changing(WireFunction which, ClientSite site, CudaGraphExec executable, CudaNode node) {
    NodeCall call = {client_request(which, site), NULL, NULL, 0, NULL, NULL, 0};
    call.request.arguments[10] = client_word(executable);
    call.request.arguments[11] = client_word(node);
    return call;
}

static CudaError send_node(NodeCall *call, const uint64_t *words, unsigned count, const void *more,
                           size_t bytes) {
    bool adds = call->node != NULL;
    size_t before = call->count * sizeof *call->before;
    if (call->count > WIRE_PAYLOAD_LIMIT / 2 / sizeof *call->before ||
        (call->count > 0 && call->before == NULL))
        return CUDA_INVALID_VALUE;
    memcpy(call->request.arguments, words, count * sizeof *words);
    uint8_t *payload = malloc(before + bytes + 1);
    if (payload == NULL) return CUDA_OUT_OF_MEMORY;
    if (before > 0) memcpy(payload, call->before, before);
    if (bytes > 0) memcpy(payload + before, more, bytes);
    call->request.payload_bytes = before + bytes;
    WireReply reply;
    CudaError error = client_call_into(&call->request, payload, &reply, call->reply, call->reply_bytes);
    free(payload);
    if (error == CUDA_SUCCESS && adds) *call->node = client_pointer(reply.results[0]);
    if (error == CUDA_SUCCESS && call->address != NULL) *call->address = client_pointer(reply.results[1]);
    return error;
}

static CudaError send_kernel(NodeCall *call, ClientSite site, const KernelNode *p) {
    if (p == NULL) return client_null_in(&call->request);
    if (p->extra != NULL) return CUDA_INVALID_VALUE;
    uint8_t block[CLIENT_MAX_PARAMETER_BYTES];
    size_t bytes;
    CudaError error = client_gather(p->function, p->arguments, site, block, &bytes);
    if (error != CUDA_SUCCESS) return error;
    const uint64_t words[] = {client_word(p->function),
                              p->grid.x,
                              p->grid.y,
                              p->grid.z,
                              p->block.x,
                              p->block.y,
                              p->block.z,
                              p->shared};
    return send_node(call, words, sizeof words / sizeof *words, block, bytes);
}

CudaError cudaGraphAddKernelNode(CudaNode *node, CudaGraph graph, const CudaNode *before, size_t count,
                                 const KernelNode *parameters) {
    ClientSite site = CLIENT_SITE();
    if (node == NULL) return CLIENT_NULL(cudaGraphAddKernelNode);
    NodeCall call = adding(WIRE_cudaGraphAddKernelNode, site, node, graph, before, count);
    return send_kernel(&call, site, parameters);
}

CudaError cudaGraphKernelNodeSetParams(CudaNode node, const KernelNode *parameters) {
    ClientSite site = CLIENT_SITE();
    NodeCall call = changing(WIRE_cudaGraphKernelNodeSetParams, site, NULL, node);
    return send_kernel(&call, site, parameters);
}

CudaError cudaGraphExecKernelNodeSetParams(CudaGraphExec executable, CudaNode node,
                                           const KernelNode *parameters) {
    ClientSite site = CLIENT_SITE();
    NodeCall call = changing(WIRE_cudaGraphExecKernelNodeSetParams, site, executable, node);
    return send_kernel(&call, site, parameters);
}

static uint64_t place(const CopySide *side) {
    return client_word(side->pointer) + (side->z * side->height + side->y) * side->pitch + side->x;
}

/** Layers are rows like others when there is nothing between them. */
static bool is_rows(const CopyNode *p) {
    return p->depth <= 1 || (p->from.height == p->height && p->to.height == p->height);
}

CudaError cudaGraphAddMemcpyNode(CudaNode *node, CudaGraph graph, const CudaNode *before, size_t count,
                                 const CopyNode *p) {
    ClientSite site = CLIENT_SITE();
    if (node == NULL || p == NULL) return CLIENT_NULL(cudaGraphAddMemcpyNode);
    if (p->from.array != NULL || p->to.array != NULL || !is_rows(p))
        return CLIENT_SIMPLE(REFUSED, WIRE_cudaGraphAddMemcpyNode);
    NodeCall call = adding(WIRE_cudaGraphAddMemcpyNode, site, node, graph, before, count);
    const uint64_t words[] = {place(&p->to), p->to.pitch,          place(&p->from),  p->from.pitch,
                              p->width,      p->height * p->depth, (uint64_t)p->kind};
    return send_node(&call, words, sizeof words / sizeof *words, NULL, 0);
}

CudaError cudaGraphAddMemcpyNode1D(CudaNode *node, CudaGraph graph, const CudaNode *before, size_t count,
                                   void *to, const void *from, size_t bytes, int kind) {
    if (node == NULL) return CLIENT_NULL(cudaGraphAddMemcpyNode1D);
    NodeCall call = adding(WIRE_cudaGraphAddMemcpyNode1D, CLIENT_SITE(), node, graph, before, count);
    const uint64_t words[] = {client_word(to), client_word(from), bytes, (uint64_t)kind};
    return send_node(&call, words, sizeof words / sizeof *words, NULL, 0);
}

CudaError cudaGraphExecMemcpyNodeSetParams1D(CudaGraphExec executable, CudaNode node, void *to,
                                             const void *from, size_t bytes, int kind) {
    NodeCall call = changing(WIRE_cudaGraphExecMemcpyNodeSetParams1D, CLIENT_SITE(), executable, node);
    const uint64_t words[] = {client_word(to), client_word(from), bytes, (uint64_t)kind};
    return send_node(&call, words, sizeof words / sizeof *words, NULL, 0);
}

/** The width is in elements; the pitch does not matter for one row. */
static CudaError send_set(NodeCall *call, const SetNode *p) {
    if (p == NULL) return client_null_in(&call->request);
    uint64_t width = (uint64_t)p->width * p->element;
    const uint64_t words[] = {client_word(p->address),
                              p->height <= 1 ? width : p->pitch,
                              p->value,
                              width,
                              p->height,
                              0,
                              p->element};
    return send_node(call, words, sizeof words / sizeof *words, NULL, 0);
}

CudaError cudaGraphAddMemsetNode(CudaNode *node, CudaGraph graph, const CudaNode *before, size_t count,
                                 const SetNode *parameters) {
    if (node == NULL) return CLIENT_NULL(cudaGraphAddMemsetNode);
    NodeCall call = adding(WIRE_cudaGraphAddMemsetNode, CLIENT_SITE(), node, graph, before, count);
    return send_set(&call, parameters);
}

CudaError cudaGraphExecMemsetNodeSetParams(CudaGraphExec executable, CudaNode node,
                                           const SetNode *parameters) {
    NodeCall call = changing(WIRE_cudaGraphExecMemsetNodeSetParams, CLIENT_SITE(), executable, node);
    return send_set(&call, parameters);
}

static CudaError send_host(NodeCall *call, const HostNode *p) {
    if (p == NULL) return client_null_in(&call->request);
    const uint64_t words[] = {0, client_word(p->function), client_word(p->data)};
    return send_node(call, words, sizeof words / sizeof *words, NULL, 0);
}

CudaError cudaGraphAddHostNode(CudaNode *node, CudaGraph graph, const CudaNode *before, size_t count,
                               const HostNode *parameters) {
    if (node == NULL) return CLIENT_NULL(cudaGraphAddHostNode);
    NodeCall call = adding(WIRE_cudaGraphAddHostNode, CLIENT_SITE(), node, graph, before, count);
    return send_host(&call, parameters);
}

CudaError cudaGraphExecHostNodeSetParams(CudaGraphExec executable, CudaNode node,
                                         const HostNode *parameters) {
    NodeCall call = changing(WIRE_cudaGraphExecHostNodeSetParams, CLIENT_SITE(), executable, node);
    return send_host(&call, parameters);
}

CudaError cudaGraphAddEmptyNode(CudaNode *node, CudaGraph graph, const CudaNode *before, size_t count) {
    if (node == NULL) return CLIENT_NULL(cudaGraphAddEmptyNode);
    NodeCall call = adding(WIRE_cudaGraphAddEmptyNode, CLIENT_SITE(), node, graph, before, count);
    const uint64_t nothing = 0;
    return send_node(&call, &nothing, 1, NULL, 0);
}

CudaError cudaGraphAddEventRecordNode(CudaNode *node, CudaGraph graph, const CudaNode *before, size_t count,
                                      CudaEvent event) {
    if (node == NULL) return CLIENT_NULL(cudaGraphAddEventRecordNode);
    NodeCall call = adding(WIRE_cudaGraphAddEventRecordNode, CLIENT_SITE(), node, graph, before, count);
    const uint64_t word = client_word(event);
    return send_node(&call, &word, 1, NULL, 0);
}

/* ---- nodes that allocate and free ---- */

CudaError cudaGraphAddMemAllocNode(CudaNode *node, CudaGraph graph, const CudaNode *before, size_t count,
                                   AllocateNode *p) {
    if (node == NULL || p == NULL) return CLIENT_NULL(cudaGraphAddMemAllocNode);
    NodeCall call = adding(WIRE_cudaGraphAddMemAllocNode, CLIENT_SITE(), node, graph, before, count);
    call.address = &p->address;
    const uint64_t words[] = {client_word(&p->address), p->bytes, 0, (uint64_t)(int64_t)p->pool.device};
    return send_node(&call, words, sizeof words / sizeof *words, NULL, 0);
}

CudaError cudaGraphAddMemFreeNode(CudaNode *node, CudaGraph graph, const CudaNode *before, size_t count,
                                  void *address) {
    if (node == NULL) return CLIENT_NULL(cudaGraphAddMemFreeNode);
    NodeCall call = adding(WIRE_cudaGraphAddMemFreeNode, CLIENT_SITE(), node, graph, before, count);
    const uint64_t word = client_word(address);
    return send_node(&call, &word, 1, NULL, 0);
}

static CudaError ask_memory_node(WireFunction which, ClientSite site, CudaNode node, const void *to,
                                 WireReply *reply) {
    WireRequest request = client_request(which, site);
    request.arguments[0] = client_word(node);
    request.arguments[1] = client_word(to);
    return client_call(&request, NULL, reply);
}

CudaError cudaGraphMemAllocNodeGetParams(CudaNode node, AllocateNode *p) {
    enum { TYPE_PINNED = 1, LOCATION_DEVICE = 1 };
    WireReply reply;
    CudaError error = ask_memory_node(WIRE_cudaGraphMemAllocNodeGetParams, CLIENT_SITE(), node, p, &reply);
    if (error != CUDA_SUCCESS) return error;
    *p = (AllocateNode){.bytes = reply.results[1], .address = client_pointer(reply.results[0])};
    p->pool.type = TYPE_PINNED;
    p->pool.location = LOCATION_DEVICE;
    p->pool.device = (int)reply.results[2];
    return CUDA_SUCCESS;
}

CudaError cudaGraphMemFreeNodeGetParams(CudaNode node, void *address) {
    WireReply reply;
    CudaError error =
        ask_memory_node(WIRE_cudaGraphMemFreeNodeGetParams, CLIENT_SITE(), node, address, &reply);
    if (error == CUDA_SUCCESS) memcpy(address, &reply.results[0], sizeof(void *));
    return error;
}

CudaError cudaDeviceGetGraphMemAttribute(int device, int attribute, void *value) {
    WireRequest request = client_request(WIRE_cudaDeviceGetGraphMemAttribute, CLIENT_SITE());
    request.arguments[0] = (uint64_t)(int64_t)device;
    request.arguments[1] = (uint64_t)(int64_t)attribute;
    request.arguments[2] = client_word(value);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) memcpy(value, &reply.results[0], sizeof(uint64_t));
    return error;
}

CudaError cudaDeviceSetGraphMemAttribute(int device, int attribute, const void *value) {
    if (value == NULL) return CLIENT_NULL(cudaDeviceSetGraphMemAttribute);
    uint64_t word;
    memcpy(&word, value, sizeof word);
    return CLIENT_SIMPLE(cudaDeviceSetGraphMemAttribute, (uint64_t)(int64_t)device,
                         (uint64_t)(int64_t)attribute, word);
}

CudaError cudaDeviceGraphMemTrim(int device) {
    return CLIENT_SIMPLE(cudaDeviceGraphMemTrim, (uint64_t)(int64_t)device);
}

/* ---- nodes with graphs of their own ---- */

CudaError cudaGraphConditionalHandleCreate(unsigned long long *handle, CudaGraph graph, unsigned value,
                                           unsigned flags) {
    WireRequest request = client_request(WIRE_cudaGraphConditionalHandleCreate, CLIENT_SITE());
    request.arguments[0] = client_word(handle);
    request.arguments[1] = client_word(graph);
    request.arguments[2] = value;
    request.arguments[3] = flags;
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *handle = reply.results[0];
    return error;
}

CudaError cudaGraphAddChildGraphNode(CudaNode *node, CudaGraph graph, const CudaNode *before, size_t count,
                                     CudaGraph child) {
    if (node == NULL) return CLIENT_NULL(cudaGraphAddChildGraphNode);
    NodeCall call = adding(WIRE_cudaGraphAddChildGraphNode, CLIENT_SITE(), node, graph, before, count);
    const uint64_t word = client_word(child);
    return send_node(&call, &word, 1, NULL, 0);
}

CudaError cudaGraphChildGraphNodeGetGraph(CudaNode node, CudaGraph *graph) {
    WireReply reply;
    CudaError error =
        ask_memory_node(WIRE_cudaGraphChildGraphNodeGetGraph, CLIENT_SITE(), node, graph, &reply);
    if (error == CUDA_SUCCESS) *graph = client_pointer(reply.results[0]);
    return error;
}

/** LIMIT: the list of bodies is kept until the program ends, not until the node does. */
static CudaError add_condition(NodeCall *call, AnyNode *p) {
    unsigned count = p->condition.count;
    CudaGraph *graphs = calloc((size_t)count + 1, sizeof *graphs);
    if (graphs == NULL) return CUDA_OUT_OF_MEMORY;
    call->reply = graphs;
    call->reply_bytes = count * sizeof *graphs;
    const uint64_t words[] = {p->condition.handle, (uint64_t)(int64_t)p->condition.type, count, 0};
    CudaError error = send_node(call, words, sizeof words / sizeof *words, NULL, 0);
    if (error == CUDA_SUCCESS)
        p->condition.graphs = graphs;
    else
        free(graphs);
    return error;
}

static CudaError refuse_type(NodeCall *call) {
    WireRequest request = call->request;
    request.arguments[0] = request.function;
    request.function = WIRE_REFUSED;
    return client_call(&request, NULL, NULL);
}

static CudaError send_copy(NodeCall *call, const CopyNode *p) {
    if (p->from.array != NULL || p->to.array != NULL || !is_rows(p)) return refuse_type(call);
    const uint64_t words[] = {place(&p->to), p->to.pitch,          place(&p->from),  p->from.pitch,
                              p->width,      p->height * p->depth, (uint64_t)p->kind};
    return send_node(call, words, sizeof words / sizeof *words, NULL, 0);
}

/** Nodes by cudaGraphNodeType; 0 is no function. */
static const uint16_t adders[] = {
    [0] = WIRE_cudaGraphAddKernelNode,      [1] = WIRE_cudaGraphAddMemcpyNode,
    [2] = WIRE_cudaGraphAddMemsetNode,      [3] = WIRE_cudaGraphAddHostNode,
    [4] = WIRE_cudaGraphAddChildGraphNode,  [5] = WIRE_cudaGraphAddEmptyNode,
    [7] = WIRE_cudaGraphAddEventRecordNode, [10] = WIRE_cudaGraphAddMemAllocNode,
    [11] = WIRE_cudaGraphAddMemFreeNode,    [13] = WIRE_cudaGraphAddNode};

static CudaError send_any(NodeCall *call, ClientSite site, AnyNode *p) {
    uint64_t word = client_word(p->handle);
    const uint64_t allocation[] = {client_word(&p->allocate.address), p->allocate.bytes, 0,
                                   (uint64_t)(int64_t)p->allocate.pool.device};
    switch (call->request.function) {
    case WIRE_cudaGraphAddKernelNode:
        return send_kernel(call, site, &p->kernel);
    case WIRE_cudaGraphAddMemcpyNode:
        return send_copy(call, &p->copy.copy);
    case WIRE_cudaGraphAddMemsetNode:
        return send_set(call, &p->set);
    case WIRE_cudaGraphAddHostNode:
        return send_host(call, &p->host);
    case WIRE_cudaGraphAddMemAllocNode:
        call->address = &p->allocate.address;
        return send_node(call, allocation, sizeof allocation / sizeof *allocation, NULL, 0);
    case WIRE_cudaGraphAddNode:
        return add_condition(call, p);
    case WIRE_cudaGraphAddEmptyNode:
        word = 0;
        return send_node(call, &word, 1, NULL, 0);
    default:
        return send_node(call, &word, 1, NULL, 0);
    }
}

static CudaError add_any(ClientSite site, CudaNode *node, CudaGraph graph, const CudaNode *before,
                         size_t count, AnyNode *p) {
    if (node == NULL || p == NULL) return client_null(WIRE_cudaGraphAddNode, site);
    size_t types = sizeof adders / sizeof *adders;
    unsigned which = p->type >= 0 && (size_t)p->type < types ? adders[p->type] : 0;
    NodeCall call =
        adding(which != 0 ? (WireFunction)which : WIRE_cudaGraphAddNode, site, node, graph, before, count);
    return which != 0 ? send_any(&call, site, p) : refuse_type(&call);
}

#if CUDART_MAJOR >= 13
CudaError cudaGraphAddNode(CudaNode *node, CudaGraph graph, const CudaNode *before, const void *edges,
                           size_t count, AnyNode *parameters) {
    (void)edges;
    return add_any(CLIENT_SITE(), node, graph, before, count, parameters);
}
#else
CudaError cudaGraphAddNode(CudaNode *node, CudaGraph graph, const CudaNode *before, size_t count,
                           AnyNode *parameters) {
    return add_any(CLIENT_SITE(), node, graph, before, count, parameters);
}
#endif

/* ---- executables ---- */

CudaError cudaGraphInstantiateWithFlags(CudaGraphExec *made, CudaGraph graph, unsigned long long flags) {
    return ask_handle(WIRE_cudaGraphInstantiateWithFlags, CLIENT_SITE(), made, client_word(graph), flags);
}

CudaError cudaGraphLaunch(CudaGraphExec executable, CudaStream stream) {
    WireRange ranges[WATCH_MAX_RANGES];
    WireRequest request = client_request(WIRE_cudaGraphLaunch, CLIENT_SITE());
    request.arguments[0] = client_word(executable);
    request.arguments[1] = client_word(stream);
    WireReply reply;
    CudaError error = client_call_into(&request, NULL, &reply, ranges, sizeof ranges);
    size_t count = (size_t)(reply.payload_bytes / sizeof *ranges);
    if (error == CUDA_SUCCESS && reply.results[0] != 0) attendant_expect();
    if (error == CUDA_SUCCESS)
        client_watch_ranges(ranges, count < WATCH_MAX_RANGES ? count : WATCH_MAX_RANGES);
    return error;
}

CudaError cudaGraphUpload(CudaGraphExec executable, CudaStream stream) {
    return CLIENT_SIMPLE(cudaGraphUpload, client_word(executable), client_word(stream));
}

CudaError cudaGraphExecDestroy(CudaGraphExec executable) {
    return CLIENT_SIMPLE(cudaGraphExecDestroy, client_word(executable));
}

static CudaError update(ClientSite site, CudaGraphExec executable, CudaGraph graph, int *result) {
    WireRequest request = client_request(WIRE_cudaGraphExecUpdate, site);
    request.arguments[0] = client_word(executable);
    request.arguments[1] = client_word(graph);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    *result = error == CUDA_SUCCESS || reply.results[0] != 0 ? (int)reply.results[0] : 1;
    return error;
}

#if CUDART_MAJOR >= 12
CudaError cudaGraphInstantiate(CudaGraphExec *made, CudaGraph graph, unsigned long long flags) {
    return ask_handle(WIRE_cudaGraphInstantiate, CLIENT_SITE(), made, client_word(graph), flags);
}

CudaError cudaGraphExecUpdate(CudaGraphExec executable, CudaGraph graph, UpdateInfo *info) {
    UpdateInfo own;
    if (info == NULL) info = &own;
    *info = (UpdateInfo){0};
    return update(CLIENT_SITE(), executable, graph, &info->result);
}
#else
CudaError cudaGraphInstantiate(CudaGraphExec *made, CudaGraph graph, CudaNode *node, char *log,
                               size_t bytes) {
    if (node != NULL) *node = NULL;
    if (log != NULL && bytes > 0) *log = 0;
    return ask_handle(WIRE_cudaGraphInstantiate, CLIENT_SITE(), made, client_word(graph), 0);
}

CudaError cudaGraphExecUpdate(CudaGraphExec executable, CudaGraph graph, CudaNode *node, int *result) {
    int own;
    if (node != NULL) *node = NULL;
    return update(CLIENT_SITE(), executable, graph, result != NULL ? result : &own);
}
#endif
