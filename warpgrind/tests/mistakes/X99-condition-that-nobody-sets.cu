/* The handle has no value of its own at a launch, and no kernel sets it before the node asks. */
#include "mistake.h"

__global__ void clear(float *z) {
    z[threadIdx.x] = 0;
}

int main() {
    float *z = device_floats(32);
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphConditionalHandle handle;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph));
    cudaGraphNodeParams choice = {cudaGraphNodeTypeConditional};
    choice.conditional.handle = handle;
    choice.conditional.type = cudaGraphCondTypeIf;
    choice.conditional.size = 1;
    CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &choice)); // expect: uninitialized-read
    cudaGraphNodeParams body = {cudaGraphNodeTypeKernel};
    void *arguments[] = {&z};
    body.kernel.func = (void *)clear;
    body.kernel.gridDim = dim3(1, 1, 1);
    body.kernel.blockDim = dim3(32, 1, 1);
    body.kernel.kernelParams = arguments;
    CHECK(cudaGraphAddNode(&node, choice.conditional.phGraph_out[0], nullptr, nullptr, 0, &body));
    cudaGraphExec_t executable;
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphLaunch(executable, 0));
    finish();
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaFree(z));
}
