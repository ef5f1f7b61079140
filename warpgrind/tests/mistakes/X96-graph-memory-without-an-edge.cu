/* The kernel's node comes after no other: nothing says that it waits for the memory. */
#include "mistake.h"

__global__ void clear(float *z) {
    z[threadIdx.x] = 0; // expect: missing-sync
}

int main() {
    cudaMemAllocNodeParams p = {};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = 32 * sizeof(float);
    cudaGraph_t graph;
    cudaGraphNode_t made, cleared, freed;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemAllocNode(&made, graph, nullptr, 0, &p));
    void *arguments[] = {&p.dptr};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)clear;
    kernel.gridDim = dim3(1, 1, 1);
    kernel.blockDim = dim3(32, 1, 1);
    kernel.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&cleared, graph, nullptr, 0, &kernel));
    cudaGraphNode_t before[] = {made, cleared};
    CHECK(cudaGraphAddMemFreeNode(&freed, graph, before, 2, p.dptr));
    cudaGraphExec_t executable;
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphLaunch(executable, 0));
    finish();
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
}
