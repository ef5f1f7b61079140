#include "mistake.h"

enum { PART = 64, PARTS = 3 };

__global__ void twice(float *y, const float *x, int count) {
    const int i = threadIdx.x;
    if (i < count) y[i] = 2 * x[i]; // expect: missing-sync // says: an offset is missing somewhere
}

__global__ void half(float *y, const float *x, int count) {
    const int i = threadIdx.x;
    if (i < count) y[i] = x[i] / 2;
}

int main(void) {
    const int n = PART * PARTS;
    float *h_x, *h_y, *h_z, *d_x, *d_y;
    cudaStream_t streams[PARTS];
    CHECK(cudaMallocHost(&h_x, n * sizeof(float)));
    CHECK(cudaMallocHost(&h_y, n * sizeof(float)));
    CHECK(cudaMallocHost(&h_z, n * sizeof(float)));
    CHECK(cudaMalloc(&d_x, n * sizeof(float)));
    CHECK(cudaMalloc(&d_y, n * sizeof(float)));
    for (int i = 0; i < n; i++) h_x[i] = i;
    CHECK(cudaMemcpy(d_x, h_x, n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_y, 0, n * sizeof(float)));
    CHECK(cudaDeviceSynchronize());
    for (cudaStream_t &stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    // The launch has the first part in each stream.
    for (int part = 0; part < PARTS; part++) {
        const int first = part * PART;
        twice<<<1, PART, 0, streams[part]>>>(d_y, d_x, PART);
        CHECK(cudaMemcpyAsync(h_y + first, d_y + first, PART * sizeof(float), cudaMemcpyDeviceToHost, streams[part]));
    }
    CHECK(cudaDeviceSynchronize());
    // Each part is copied back to the first one's place.
    for (int part = 0; part < PARTS; part++)
        CHECK(cudaMemcpyAsync(h_y, d_y + part * PART, PART * sizeof(float), cudaMemcpyDeviceToHost, streams[part])); // expect: missing-sync // says: in two streams at the same time
    CHECK(cudaDeviceSynchronize());
    // Each part is copied back in another stream than its launch.
    for (int part = 0; part < PARTS; part++) {
        const int first = part * PART;
        half<<<1, PART, 0, streams[part]>>>(d_y + first, d_x + first, PART);
        CHECK(cudaMemcpyAsync(h_z + first, d_y + first, PART * sizeof(float), cudaMemcpyDeviceToHost, streams[(part + 1) % PARTS])); // expect: missing-sync // says: or use one stream
    }
    CHECK(cudaDeviceSynchronize());
    for (cudaStream_t stream : streams) CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFreeHost(h_x));
    CHECK(cudaFreeHost(h_y));
    CHECK(cudaFreeHost(h_z));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    return 0;
}
