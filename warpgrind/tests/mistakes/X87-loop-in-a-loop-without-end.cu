/* The inner loop ends each time; the outer condition is never set to 0. */
#include "mistake.h"

__global__ void begin(int *left, int rounds, cudaGraphConditionalHandle handle) {
    *left = rounds;
    cudaGraphSetConditional(handle, 1);
}

__global__ void count_down(int *left, cudaGraphConditionalHandle handle) {
    *left -= 1;
    cudaGraphSetConditional(handle, *left > 0);
}

static cudaGraphNode_t add_kernel(cudaGraph_t graph, void *function, void **arguments) {
    cudaGraphNodeParams p = {cudaGraphNodeTypeKernel};
    cudaGraphNode_t node;
    p.kernel.func = function;
    p.kernel.gridDim = p.kernel.blockDim = dim3(1, 1, 1);
    p.kernel.kernelParams = arguments;
    CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p));
    return node;
}

int main() {
    int *left = nullptr, rounds = 1000;
    CHECK(cudaMalloc(&left, sizeof(int)));
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphConditionalHandle outer, inner;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&outer, graph, 1, cudaGraphCondAssignDefault));
    CHECK(cudaGraphConditionalHandleCreate(&inner, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams loop = {cudaGraphNodeTypeConditional}, again = {cudaGraphNodeTypeConditional};
    loop.conditional.handle = outer;
    again.conditional.handle = inner;
    loop.conditional.type = again.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = again.conditional.size = 1;
    CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop));
    cudaGraph_t body = loop.conditional.phGraph_out[0];
    void *start[] = {&left, &rounds, &inner}, *step[] = {&left, &inner};
    cudaGraphNode_t started = add_kernel(body, (void *)begin, start);
    CHECK(cudaGraphAddNode(&node, body, &started, nullptr, 1, &again)); // expect: hang
    add_kernel(again.conditional.phGraph_out[0], (void *)count_down, step);
    cudaGraphExec_t executable;
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphLaunch(executable, 0));
    finish();
}
