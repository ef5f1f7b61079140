/* A graph's memory, used after the graph and freed in the stream before the graph is launched again. */
#include "mistake.h"

__global__ void clear(float *z) {
    z[threadIdx.x] = 0; // near: use-after-free, missing-sync
}

int main() {
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    float *z = nullptr;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMallocAsync((void **)&z, 32 * sizeof(float), stream)); // near: leak
    CHECK(cudaMemsetAsync(z, 0, 32 * sizeof(float), stream));
    cudaGraph_t graph;
    CHECK(cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t executable;
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    for (int launch = 0; launch < 3; launch++) {
        CHECK(cudaGraphLaunch(executable, stream)); // near: api-misuse
        clear<<<1, 32, 0, stream>>>(z);
        CHECK(cudaFreeAsync(z, stream));
    }
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
}
