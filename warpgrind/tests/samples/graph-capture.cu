/* A graph captured from a stream and launched several times. */
#include "sample.h"

__global__ void add(int *values, int n, int amount) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] += amount;
}

int main() {
    const int n = 300, launches = 3;
    int *d_values = nullptr;
    CHECK(cudaMalloc(&d_values, n * sizeof(int)));
    CHECK(cudaMemset(d_values, 0, n * sizeof(int)));
    CHECK(cudaDeviceSynchronize());
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    add<<<3, 100, 0, stream>>>(d_values, n, 1);
    add<<<3, 100, 0, stream>>>(d_values, n, 10);
    cudaGraph_t graph;
    CHECK(cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t executable;
    CHECK(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
    for (int launch = 0; launch < launches; launch++)
        CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
    std::vector<int> got = to_host(d_values, n), want(n, 11 * launches);
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(d_values));
    return verdict(got, want);
}
