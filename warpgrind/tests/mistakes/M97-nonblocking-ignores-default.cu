#include "mistake.h"

__global__ void fill(int *z) {
    z[threadIdx.x] = 7;
}

__global__ void copy(int *out, const int *in) {
    out[threadIdx.x] = in[threadIdx.x]; // expect: missing-sync // says: Launch the kernel in the stream that the rest of its work is in
}

int main() {
    int *a = nullptr, *b = nullptr;
    CHECK(cudaMalloc(&a, 32 * sizeof(int)));
    CHECK(cudaMalloc(&b, 32 * sizeof(int)));
    CHECK(cudaMemset(a, 0, 32 * sizeof(int)));
    CHECK(cudaDeviceSynchronize());
    cudaStream_t s;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    fill<<<1, 32>>>(a);
    copy<<<1, 32, 0, s>>>(b, a);
    finish();
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
}
