/* warpgrind: --devices 3 */
/* The array in equal parts over all devices; each part in its own stream, then gathered. */
#include "sample.h"

__global__ void scale(float *values, int n, float factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= factor;
}

int main() {
    int devices = 0;
    CHECK(cudaGetDeviceCount(&devices));
    const int part = 1009, n = part * devices;
    std::vector<float> want(n), values = sample_values(n);
    for (int i = 0; i < n; i++) want[i] = values[i] * 0.9f;
    float *h_values = nullptr;
    CHECK(cudaMallocHost(&h_values, n * sizeof(float)));
    std::copy(values.begin(), values.end(), h_values);
    std::vector<float *> parts(devices);
    std::vector<cudaStream_t> streams(devices);
    for (int device = 0; device < devices; device++) {
        CHECK(cudaSetDevice(device));
        CHECK(cudaStreamCreate(&streams[device]));
        CHECK(cudaMalloc(&parts[device], part * sizeof(float)));
        CHECK(cudaMemcpyAsync(parts[device], h_values + device * part, part * sizeof(float), cudaMemcpyHostToDevice, streams[device]));
        scale<<<(part + 255) / 256, 256, 0, streams[device]>>>(parts[device], part, 0.9f);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(h_values + device * part, parts[device], part * sizeof(float), cudaMemcpyDeviceToHost, streams[device]));
    }
    for (int device = 0; device < devices; device++) {
        CHECK(cudaSetDevice(device));
        CHECK(cudaStreamSynchronize(streams[device]));
        CHECK(cudaStreamDestroy(streams[device]));
        CHECK(cudaFree(parts[device]));
    }
    std::vector<float> got(h_values, h_values + n);
    CHECK(cudaFreeHost(h_values));
    return verdict(got, want);
}
