/* cudaGraphExecDestroy and cudaGraphExecUpdate do not wait: the copy in another stream comes too early. */
#include "mistake.h"

__global__ void clear(float *z) {
    z[threadIdx.x] = 0;
}

/* A conditional node whose body clears 32 floats. */
static cudaGraph_t clearing(float *z) {
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphConditionalHandle handle;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams choice = {cudaGraphNodeTypeConditional}, body = {cudaGraphNodeTypeKernel};
    choice.conditional.handle = handle;
    choice.conditional.type = cudaGraphCondTypeIf;
    choice.conditional.size = 1;
    CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &choice));
    void *arguments[] = {&z};
    body.kernel.func = (void *)clear;
    body.kernel.gridDim = dim3(1, 1, 1);
    body.kernel.blockDim = dim3(32, 1, 1);
    body.kernel.kernelParams = arguments;
    CHECK(cudaGraphAddNode(&node, choice.conditional.phGraph_out[0], nullptr, nullptr, 0, &body));
    return graph;
}

int main() {
    const size_t BYTES = 32 * sizeof(float);
    float *z = device_floats(32), *copy = device_floats(32);
    cudaStream_t streams[2];
    for (cudaStream_t &stream : streams)
        CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    cudaGraph_t graph = clearing(z);
    cudaGraphExec_t executable;
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphLaunch(executable, streams[0]));
    cudaGraphExecUpdateResultInfo result;
    CHECK(cudaGraphExecUpdate(executable, graph, &result));
    CHECK(cudaMemcpyAsync(copy, z, BYTES, cudaMemcpyDefault, streams[1])); // expect: missing-sync
    finish();
    CHECK(cudaGraphLaunch(executable, streams[0]));
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaMemcpyAsync(copy, z, BYTES, cudaMemcpyDefault, streams[1])); // expect: missing-sync
    finish();
    CHECK(cudaGraphDestroy(graph));
    for (cudaStream_t stream : streams)
        CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(z));
    CHECK(cudaFree(copy));
}
