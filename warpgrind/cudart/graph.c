/* graph.c - graphs as a whole, questions about their nodes, and executables. Handles are numbers the device
 * gave out.
 */
#include "cudart/attendant.h"
#include "cudart/client.h"

#include <stdlib.h>
#include <string.h>

/** cudaGraphExecUpdateResultInfo */
typedef struct UpdateInfo {
    int result;
    CudaNode node, from;
} UpdateInfo;

/* ---- nodes of graphs ---- */

/** Handles of nodes: how many there are when `nodes` is null, else at most *count of them and the rest null.
 */
static CudaError ask_nodes(WireFunction which, ClientSite site, const void *owner, CudaNode *nodes,
                           size_t *count) {
    if (count == NULL) return client_null(which, site);
    size_t room = 0;
    if (nodes != NULL) room = *count;
    WireRequest request = client_request(which, site);
    request.cudaGraphGetNodes.owner = client_word(owner);
    WireReply reply;
    CudaError error = client_call_into(&request, NULL, &reply, nodes, room * sizeof *nodes);
    if (error != CUDA_SUCCESS) return error;
    size_t all = (size_t)reply.cudaGraphGetNodes.count;
    for (size_t i = all; i < room; i++)
        nodes[i] = NULL;
    if (nodes == NULL || all < room)
        *count = all;
    else
        *count = room;
    return CUDA_SUCCESS;
}

ENTRY(CudaError, cudaGraphGetNodes, CudaGraph graph, CudaNode *nodes, size_t *count) {
    return ask_nodes(WIRE_cudaGraphGetNodes, CLIENT_SITE(), graph, nodes, count);
}

ENTRY(CudaError, cudaGraphGetRootNodes, CudaGraph graph, CudaNode *nodes, size_t *count) {
    return ask_nodes(WIRE_cudaGraphGetRootNodes, CLIENT_SITE(), graph, nodes, count);
}

#if CUDART_MAJOR >= 13
ENTRY(CudaError, cudaGraphNodeGetDependencies, CudaNode node, CudaNode *nodes, void *edges, size_t *count) {
    enum { EDGE_BYTES = 8 };
    CudaError error = ask_nodes(WIRE_cudaGraphNodeGetDependencies, CLIENT_SITE(), node, nodes, count);
    if (error == CUDA_SUCCESS && edges != NULL) memset(edges, 0, *count * EDGE_BYTES);
    return error;
}
#else
ENTRY(CudaError, cudaGraphNodeGetDependencies, CudaNode node, CudaNode *nodes, size_t *count) {
    return ask_nodes(WIRE_cudaGraphNodeGetDependencies, CLIENT_SITE(), node, nodes, count);
}
#endif

/** The payload is all the earlier nodes, then all the later ones. */
static CudaError add_dependencies(ClientSite site, CudaGraph graph, const CudaNode *before,
                                  const CudaNode *nodes, size_t count) {
    if (count == 0) return CUDA_SUCCESS;
    if (before == NULL || nodes == NULL || count > WIRE_PAYLOAD_LIMIT / 2 / sizeof *nodes)
        return CUDA_INVALID_VALUE;
    CudaNode *all = malloc(2 * count * sizeof *all);
    if (all == NULL) return CUDA_OUT_OF_MEMORY;
    memcpy(all, before, count * sizeof *all);
    memcpy(all + count, nodes, count * sizeof *all);
    WireRequest request =
        CLIENT_REQUEST(cudaGraphAddDependencies, site, .graph = client_word(graph), .count = count);
    request.payload_bytes = 2 * count * sizeof *all;
    CudaError error = client_call(&request, all, NULL);
    free(all);
    return error;
}

#if CUDART_MAJOR >= 13
ENTRY(CudaError, cudaGraphAddDependencies, CudaGraph graph, const CudaNode *before, const CudaNode *nodes,
      const void *edges, size_t count) {
    (void)edges;
    return add_dependencies(CLIENT_SITE(), graph, before, nodes, count);
}
#else
ENTRY(CudaError, cudaGraphAddDependencies, CudaGraph graph, const CudaNode *before, const CudaNode *nodes,
      size_t count) {
    return add_dependencies(CLIENT_SITE(), graph, before, nodes, count);
}
#endif

ENTRY(CudaError, cudaDeviceSetGraphMemAttribute, int device, int attribute, const void *value) {
    if (value == NULL) return CLIENT_NULL(cudaDeviceSetGraphMemAttribute);
    uint64_t word;
    memcpy(&word, value, sizeof word);
    return CLIENT_SEND(cudaDeviceSetGraphMemAttribute, .device = client_number(device),
                       .attribute = client_number(attribute), .value = word);
}

/* ---- executables ---- */

/** The reply has the memory that the host must leave alone while the launch is under way. */
ENTRY(CudaError, cudaGraphLaunch, CudaGraphExec executable, CudaStream stream) {
    WireRange ranges[WATCH_MAX_RANGES];
    WireRequest request = CLIENT_REQUEST(
        cudaGraphLaunch, CLIENT_SITE(), .executable = client_word(executable), .stream = client_word(stream));
    WireReply reply;
    CudaError error = client_call_into(&request, NULL, &reply, ranges, sizeof ranges);
    size_t count = (size_t)(reply.payload_bytes / sizeof *ranges);
    if (error != CUDA_SUCCESS) return error;
    if (reply.cudaGraphLaunch.calls_host != 0) attendant_expect();
    client_watch_ranges(ranges, count < WATCH_MAX_RANGES ? count : WATCH_MAX_RANGES);
    return CUDA_SUCCESS;
}

static CudaError instantiate(ClientSite site, CudaGraphExec *made, CudaGraph graph, uint64_t flags) {
    WireRequest request = CLIENT_REQUEST(cudaGraphInstantiate, site, .executable = client_word(made),
                                         .graph = client_word(graph), .flags = flags);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *made = client_pointer(reply.cudaGraphInstantiate.executable);
    return error;
}

static CudaError update(ClientSite site, CudaGraphExec executable, CudaGraph graph, int *result) {
    enum { UPDATE_ERROR = 1 }; /* cudaGraphExecUpdateError */
    WireRequest request = CLIENT_REQUEST(cudaGraphExecUpdate, site, .executable = client_word(executable),
                                         .graph = client_word(graph));
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    uint64_t told = reply.cudaGraphExecUpdate.result;
    if (error == CUDA_SUCCESS || told != 0)
        *result = (int)told;
    else
        *result = UPDATE_ERROR;
    return error;
}

#if CUDART_MAJOR >= 12
ENTRY(CudaError, cudaGraphInstantiate, CudaGraphExec *made, CudaGraph graph, unsigned long long flags) {
    return instantiate(CLIENT_SITE(), made, graph, flags);
}

ENTRY(CudaError, cudaGraphExecUpdate, CudaGraphExec executable, CudaGraph graph, UpdateInfo *info) {
    UpdateInfo own;
    if (info == NULL) info = &own;
    *info = (UpdateInfo){0};
    return update(CLIENT_SITE(), executable, graph, &info->result);
}
#else
ENTRY(CudaError, cudaGraphInstantiate, CudaGraphExec *made, CudaGraph graph, CudaNode *node, char *log,
      size_t bytes) {
    if (node != NULL) *node = NULL;
    if (log != NULL && bytes > 0) *log = 0;
    return instantiate(CLIENT_SITE(), made, graph, 0);
}

ENTRY(CudaError, cudaGraphExecUpdate, CudaGraphExec executable, CudaGraph graph, CudaNode *node,
      int *result) {
    int own;
    if (node != NULL) *node = NULL;
    return update(CLIENT_SITE(), executable, graph, result != NULL ? result : &own);
}
#endif
