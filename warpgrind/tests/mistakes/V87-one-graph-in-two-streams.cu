/* One executable is launched in two streams: the second launch waits for the first, also with the memory that
 * is freed and the condition that is set at each launch. */
#include "mistake.h"

__global__ void count_down(int *value, cudaGraphConditionalHandle handle) {
    *value -= 1; // near: missing-sync
    cudaGraphSetConditional(handle, *value > 0);
}

static void add_loop(cudaGraph_t graph, cudaGraphNode_t after, int *value) {
    cudaGraphConditionalHandle handle;
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNode_t node;
    cudaGraphNodeParams loop = {cudaGraphNodeTypeConditional}, body = {cudaGraphNodeTypeKernel};
    loop.conditional.handle = handle;
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;
    CHECK(cudaGraphAddNode(&node, graph, &after, nullptr, 1, &loop));
    void *arguments[] = {&value, &handle};
    body.kernel.func = (void *)count_down;
    body.kernel.gridDim = body.kernel.blockDim = dim3(1, 1, 1);
    body.kernel.kernelParams = arguments;
    CHECK(cudaGraphAddNode(&node, loop.conditional.phGraph_out[0], nullptr, nullptr, 0, &body));
}

int main() {
    cudaStream_t streams[2];
    for (cudaStream_t &stream : streams)
        CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    cudaMemAllocNodeParams p = {};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = sizeof(int);
    cudaGraph_t graph;
    cudaGraphNode_t made, cleared;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemAllocNode(&made, graph, nullptr, 0, &p));
    cudaMemsetParams set = {};
    set.dst = p.dptr;
    set.elementSize = set.height = 1;
    set.width = sizeof(int);
    CHECK(cudaGraphAddMemsetNode(&cleared, graph, &made, 1, &set));
    add_loop(graph, cleared, (int *)p.dptr);
    cudaGraphExec_t executable;
    CHECK(cudaGraphInstantiate(&executable, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    for (cudaStream_t stream : streams)
        CHECK(cudaGraphLaunch(executable, stream)); // near: missing-sync
    CHECK(cudaStreamSynchronize(streams[1]));
    CHECK(cudaFree(p.dptr));
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
    for (cudaStream_t stream : streams)
        CHECK(cudaStreamDestroy(stream));
}
