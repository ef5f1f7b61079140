/* The node that allocates has given an address; the memory comes with the launch. */
#include "mistake.h"

__global__ void clear(float *z) {
    z[threadIdx.x] = 0; // expect: use-after-free
}

int main() {
    cudaMemAllocNodeParams p = {};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = 32 * sizeof(float);
    cudaGraph_t graph;
    cudaGraphNode_t node;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &p));
    clear<<<1, 32>>>((float *)p.dptr);
    finish();
}
