/* Chunks in two streams: copy in, compute, copy out, with pinned host memory; each stream is waited for before the host reads. */
#include "sample.h"

__global__ void square(float *values, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = values[i] * values[i];
}

int main() {
    const int n = 4000, chunks = 4, chunk = n / chunks;
    float *h_values = nullptr, *d_values = nullptr;
    CHECK(cudaMallocHost(&h_values, n * sizeof(float)));
    CHECK(cudaMalloc(&d_values, n * sizeof(float)));
    std::vector<float> want(n);
    for (int i = 0; i < n; i++) {
        h_values[i] = sample_value(i);
        want[i] = h_values[i] * h_values[i];
    }
    cudaStream_t streams[2];
    for (cudaStream_t &stream : streams) CHECK(cudaStreamCreate(&stream));
    for (int c = 0; c < chunks; c++) {
        cudaStream_t stream = streams[c % 2];
        float *h = h_values + c * chunk, *d = d_values + c * chunk;
        CHECK(cudaMemcpyAsync(d, h, chunk * sizeof(float), cudaMemcpyHostToDevice, stream));
        square<<<(chunk + 127) / 128, 128, 0, stream>>>(d, chunk);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(h, d, chunk * sizeof(float), cudaMemcpyDeviceToHost, stream));
    }
    for (cudaStream_t stream : streams) {
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaStreamDestroy(stream));
    }
    std::vector<float> got(h_values, h_values + n);
    CHECK(cudaFreeHost(h_values));
    CHECK(cudaFree(d_values));
    return verdict(got, want);
}
