#include "mistake.h"

struct Pair {
    int count;
    int *values;
};

__global__ void twice(Pair pair, int *out) {
    if ((int)threadIdx.x < pair.count)
        out[threadIdx.x] = 2 * pair.values[threadIdx.x]; // expect: missing-sync
}

int main() {
    int *both = nullptr, *out = nullptr;
    CHECK(cudaMallocManaged(&both, 32 * sizeof(int)));
    CHECK(cudaMallocManaged(&out, 32 * sizeof(int)));
    for (int i = 0; i < 32; i++)
        both[i] = i;
    twice<<<1, 32>>>(Pair{32, both}, out); // the pointer is inside an argument
    CHECK(cudaGetLastError());
    both[5] = 1; // expect: missing-sync
    CHECK(cudaDeviceSynchronize());
    printf("%d\n", out[5]);
    CHECK(cudaFree(both));
    CHECK(cudaFree(out));
}
