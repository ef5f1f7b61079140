/* A graph that allocates its scratch memory itself, launched several times. */
#include "sample.h"

__global__ void square(int *out, const int *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * in[i];
}

__global__ void add(int *values, const int *more, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] += more[i];
}

int main() {
    const int n = 300, launches = 3;
    std::vector<int> start(n), want(n);
    for (int i = 0; i < n; i++) start[i] = i % 3;
    int *d_values = nullptr, *d_scratch = nullptr;
    CHECK(cudaMalloc(&d_values, n * sizeof(int)));
    CHECK(cudaMemcpy(d_values, start.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMallocAsync((void **)&d_scratch, n * sizeof(int), stream));
    square<<<3, 100, 0, stream>>>(d_scratch, d_values, n);
    add<<<3, 100, 0, stream>>>(d_values, d_scratch, n);
    CHECK(cudaFreeAsync(d_scratch, stream));
    cudaGraph_t graph;
    CHECK(cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t executable;
    CHECK(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
    for (int launch = 0; launch < launches; launch++)
        CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < n; i++) {
        want[i] = start[i];
        for (int launch = 0; launch < launches; launch++) want[i] += want[i] * want[i];
    }
    std::vector<int> got = to_host(d_values, n);
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(d_values));
    return verdict(got, want);
}
