/* The body never sets the condition to 0. */
#include "mistake.h"

__global__ void count(int *rounds) {
    *rounds += 1;
}

int main() {
    int *rounds = nullptr;
    CHECK(cudaMalloc(&rounds, sizeof(int)));
    CHECK(cudaMemset(rounds, 0, sizeof(int)));
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphConditionalHandle handle;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams loop = {cudaGraphNodeTypeConditional};
    loop.conditional.handle = handle;
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;
    CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop)); // expect: hang
    cudaGraphNodeParams body = {cudaGraphNodeTypeKernel};
    void *arguments[] = {&rounds};
    body.kernel.func = (void *)count;
    body.kernel.gridDim = body.kernel.blockDim = dim3(1, 1, 1);
    body.kernel.kernelParams = arguments;
    CHECK(cudaGraphAddNode(&node, loop.conditional.phGraph_out[0], nullptr, nullptr, 0, &body));
    cudaGraphExec_t executable;
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphLaunch(executable, 0));
    finish();
}
