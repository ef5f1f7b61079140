// expect-none: the first program of many courses: a kernel of which nothing could be missed, and no wait for it.
#include "mistake.h"

__global__ void hello() {}

__global__ void unused(const float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i < n ? a[i] : 0.0f;
    (void)x;
}

int main() {
    float *a = device_floats(32);
    hello<<<1, 1>>>(); // near: missing-sync
    unused<<<1, 32>>>(a, 32); // near: missing-sync
    printf("hello\n");
    if (cudaGetLastError() != cudaSuccess) return 1;
    cudaStream_t s;
    int priority = 7, least = 7, greatest = 7;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, greatest - 1));
    CHECK(cudaStreamGetPriority(s, &priority));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(a));
    hello<<<1, 1>>>(); // near: missing-sync
    return least == 0 && priority == greatest && greatest < 0 ? 0 : 1;
}
