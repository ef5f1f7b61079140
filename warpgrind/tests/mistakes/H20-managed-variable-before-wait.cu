#include "mistake.h"

__device__ __managed__ int total;
__managed__ float parts[64];

__global__ void add(int n) {
    if (threadIdx.x < n) {
        atomicAdd(&total, 1);
        parts[threadIdx.x] = threadIdx.x; // expect: missing-sync
    }
}

int main() {
    total = 0;
    add<<<1, 64>>>(64);
    CHECK(cudaGetLastError());
    parts[0] = 1; // expect: missing-sync
    finish();
    printf("%d %g\n", total, parts[3]); // near: missing-sync unused-result
    add<<<1, 65>>>(65); // kind: out-of-bounds
    finish();
}
