/* A graph made node by node: two halves are scaled side by side, then added; launched again with another factor. */
#include "sample.h"

__global__ void scale(float *out, const float *in, int n, float factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = factor * in[i];
}

__global__ void add(float *out, const float *a, const float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}

static cudaGraphNode_t add_kernel(cudaGraph_t graph, const std::vector<cudaGraphNode_t> &before, void *kernel, int n, void **arguments) {
    cudaKernelNodeParams parameters = {};
    parameters.func = kernel;
    parameters.gridDim = dim3((n + 127) / 128);
    parameters.blockDim = dim3(128);
    parameters.kernelParams = arguments;
    cudaGraphNode_t node;
    CHECK(cudaGraphAddKernelNode(&node, graph, before.data(), before.size(), &parameters));
    return node;
}

int main() {
    int n = 1000;
    size_t bytes = n * sizeof(float);
    std::vector<float> x = sample_values(n), y = sample_values(2 * n), got(n), want(n);
    y.erase(y.begin(), y.begin() + n);
    float *d_x, *d_y, *d_sum, two = 2, three = 3;
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_sum, bytes));
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t in_x, in_y, out;
    CHECK(cudaGraphAddMemcpyNode1D(&in_x, graph, nullptr, 0, d_x, x.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaGraphAddMemcpyNode1D(&in_y, graph, nullptr, 0, d_y, y.data(), bytes, cudaMemcpyHostToDevice));
    void *scale_x[] = {&d_x, &d_x, &n, &two}, *scale_y[] = {&d_y, &d_y, &n, &three}, *sum[] = {&d_sum, &d_x, &d_y, &n};
    cudaGraphNode_t first = add_kernel(graph, {in_x}, (void *)scale, n, scale_x);
    cudaGraphNode_t second = add_kernel(graph, {in_y}, (void *)scale, n, scale_y);
    cudaGraphNode_t last = add_kernel(graph, {first, second}, (void *)add, n, sum);
    CHECK(cudaGraphAddMemcpyNode1D(&out, graph, &last, 1, got.data(), d_sum, bytes, cudaMemcpyDeviceToHost));
    cudaGraphExec_t executable;
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int round = 0; round < 3; round++) {
        CHECK(cudaGraphLaunch(executable, stream));
        CHECK(cudaStreamSynchronize(stream));
    }
    for (int i = 0; i < n; i++) want[i] = 2 * x[i] + 3 * y[i];
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_sum));
    return verdict(got, want);
}
