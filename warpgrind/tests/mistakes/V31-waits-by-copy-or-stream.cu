#include "mistake.h"

__global__ void fill(int *z, int value) {
    z[threadIdx.x] = value;
}

__global__ void add(int *out, const int *a, const int *b) {
    out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x]; // near: missing-sync
}

int main() {
    int *a = nullptr, *b = nullptr, *c = nullptr, h[32];
    CHECK(cudaMalloc(&a, sizeof h));
    CHECK(cudaMalloc(&b, sizeof h));
    CHECK(cudaMalloc(&c, sizeof h));
    fill<<<1, 32>>>(a, 1);
    CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost)); // near: missing-sync; it waits by itself
    if (h[5] != 1) return 1;
    cudaStream_t s, t;
    cudaEvent_t filled;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&filled, cudaEventDisableTiming));
    fill<<<1, 32, 0, s>>>(b, 2);
    CHECK(cudaEventRecord(filled, s));
    CHECK(cudaStreamWaitEvent(t, filled, 0));
    add<<<1, 32, 0, t>>>(c, a, b); // near: missing-sync; it waits for the event
    CHECK(cudaStreamSynchronize(t));
    CHECK(cudaMemcpy(h, c, sizeof h, cudaMemcpyDeviceToHost)); // near: missing-sync
    CHECK(cudaEventDestroy(filled));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaStreamDestroy(t));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    return h[31] == 3 ? 0 : 1;
}
