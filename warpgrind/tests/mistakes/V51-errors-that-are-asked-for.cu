#include "mistake.h"

__global__ void fill(float *z) {
    z[threadIdx.x] = 1;
}

static bool too_large(void) {
    void *pointer = nullptr;
    if (cudaMalloc(&pointer, (size_t)1 << 60) == cudaSuccess) return false; // near: unchecked-error limit
    return cudaGetLastError() == cudaErrorMemoryAllocation;
}

int main() {
    float *z = device_floats(32);
    cudaStream_t s;
    cudaEvent_t done;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaEventCreate(&done));
    fill<<<1, 32, 0, s>>>(z);
    CHECK(cudaEventRecord(done, s));
    while (cudaEventQuery(done) == cudaErrorNotReady) { // near: unchecked-error hang; that is an answer
    }
    if (cudaStreamQuery(s) != cudaSuccess) return 1; // near: unchecked-error
    if (cudaPeekAtLastError() == cudaErrorNotReady) cudaGetLastError(); // near: unchecked-error api-misuse
    CHECK(cudaEventDestroy(done));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(z));
    return too_large() ? 0 : 1;
}
