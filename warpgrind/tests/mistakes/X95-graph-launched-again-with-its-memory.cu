/* Each launch allocates, and nobody frees between the two. */
#include "mistake.h"

int main() {
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    float *z = nullptr;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMallocAsync((void **)&z, 32 * sizeof(float), stream)); // expect: leak
    CHECK(cudaMemsetAsync(z, 0, 32 * sizeof(float), stream));
    cudaGraph_t graph;
    CHECK(cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t executable;
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaGraphLaunch(executable, stream)); // expect: api-misuse
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
}
