/* warpgrind: --stream-order early */
/* What is asked for before there is any stream is work of the default stream, for which a younger one need not wait. */
#include "mistake.h"

enum { N = 64, BYTES = N * sizeof(int) };

__global__ void fill(int *a) {
    a[threadIdx.x] = 7;
}

__global__ void after_the_memset(int *z, const int *a) {
    z[threadIdx.x] = a[threadIdx.x]; // expect: missing-sync // says: nothing orders the two
}

__global__ void after_the_copy(int *z, const int *a) {
    z[threadIdx.x] = a[threadIdx.x]; // expect: missing-sync // says: A copy from device memory to device memory returns before it is done
}

__global__ void after_the_kernel(int *z, const int *a) {
    z[threadIdx.x] = a[threadIdx.x]; // expect: missing-sync // says: Launch the kernel in the stream that the rest of its work is in
}

__global__ void after_the_wait(int *z, const int *a) {
    z[threadIdx.x] = a[threadIdx.x]; // near: missing-sync
}

int main() {
    int *a[4], *z = nullptr;
    for (int *&each : a)
        CHECK(cudaMalloc(&each, BYTES));
    CHECK(cudaMalloc(&z, 4 * BYTES));
    CHECK(cudaMemset(a[3], 0, BYTES));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemset(a[0], 0, BYTES));
    CHECK(cudaMemcpy(a[1], a[3], BYTES, cudaMemcpyDeviceToDevice));
    fill<<<1, N>>>(a[2]);
    cudaStream_t s;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    after_the_memset<<<1, N, 0, s>>>(z, a[0]);
    after_the_copy<<<1, N, 0, s>>>(z + N, a[1]);
    after_the_kernel<<<1, N, 0, s>>>(z + 2 * N, a[2]);
    after_the_wait<<<1, N, 0, s>>>(z + 3 * N, a[3]);
    finish();
    int host[4 * N];
    CHECK(cudaMemcpy(host, z, 4 * BYTES, cudaMemcpyDeviceToHost));
    printf("%d\n", host[0] + host[4 * N - 1]);
    CHECK(cudaStreamDestroy(s));
    for (int *each : a)
        CHECK(cudaFree(each));
    CHECK(cudaFree(z));
}
