#include "mistake.h"

__global__ void fill(int *z) {
    z[threadIdx.x] = 7;
}

int main() {
    int *d = nullptr, *h = nullptr;
    CHECK(cudaMalloc(&d, 32 * sizeof(int)));
    CHECK(cudaMallocHost(&h, 32 * sizeof(int)));
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t work;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    fill<<<1, 32, 0, s>>>(d);
    CHECK(cudaMemcpyAsync(h, d, 32 * sizeof(int), cudaMemcpyDeviceToHost, s)); // expect: missing-sync
    CHECK(cudaStreamEndCapture(s, &graph));
    CHECK(cudaGraphInstantiate(&work, graph, 0));
    CHECK(cudaGraphLaunch(work, s));
    printf("%d\n", h[0]); // expect: missing-sync
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaGraphExecDestroy(work));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFreeHost(h));
    CHECK(cudaFree(d));
}
