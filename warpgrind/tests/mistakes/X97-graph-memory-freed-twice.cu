/* cudaFree has freed what the second graph is to free. */
#include "mistake.h"

int main() {
    cudaMemAllocNodeParams p = {};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = 32 * sizeof(float);
    cudaGraph_t allocating, freeing;
    cudaGraphNode_t node;
    CHECK(cudaGraphCreate(&allocating, 0));
    CHECK(cudaGraphAddMemAllocNode(&node, allocating, nullptr, 0, &p));
    CHECK(cudaGraphCreate(&freeing, 0));
    CHECK(cudaGraphAddMemFreeNode(&node, freeing, nullptr, 0, p.dptr));
    cudaGraphExec_t allocates, frees;
    CHECK(cudaGraphInstantiate(&allocates, allocating, 0));
    CHECK(cudaGraphInstantiate(&frees, freeing, 0));
    CHECK(cudaGraphLaunch(allocates, 0));
    CHECK(cudaFree(p.dptr));
    CHECK(cudaGraphLaunch(frees, 0)); // expect: api-misuse
    finish();
    CHECK(cudaGraphExecDestroy(allocates));
    CHECK(cudaGraphExecDestroy(frees));
    CHECK(cudaGraphDestroy(allocating));
    CHECK(cudaGraphDestroy(freeing));
}
