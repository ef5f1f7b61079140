/* A loop that is unrolled has several instructions of one line: what they cost together is the line's. And a lock for which threads queue, whom the advice for a sum
 * does not help. */
#include "mistake.h"

__global__ void turned(float *out, const float *in, int n) {
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int k = 0; k < 32; k += 8) out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k]; // expect-note: bank-conflict // says: takes 4,096 wavefronts of shared memory where 128 would do
}

__global__ void turned_well(float *out, const float *in, int n) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int k = 0; k < 32; k += 8) out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k]; // near: bank-conflict
}

__global__ void by_lock(int *lock, int *total) {
    for (bool done = false; !done;) {
        if (atomicCAS(lock, 0, 1) != 0) continue; // expect-note: atomic-contention // says: who finds the lock taken
        __threadfence();
        *total += (int)threadIdx.x;
        __threadfence();
        atomicExch(lock, 0);
        done = true;
    }
}

int main() {
    const int n = 64;
    float *in = device_floats(n * n), *out = device_floats(n * n), h[n * n];
    int *words = nullptr, sum = 0;
    CHECK(cudaMalloc(&words, 2 * sizeof(int)));
    CHECK(cudaMemset(words, 0, 2 * sizeof(int)));
    turned<<<dim3(2, 2), dim3(32, 8)>>>(out, in, n);
    turned_well<<<dim3(2, 2), dim3(32, 8)>>>(out, in, n);
    by_lock<<<2, 128>>>(words, words + 1);
    finish();
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&sum, words + 1, sizeof sum, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(words));
    return sum != 2 * 127 * 64;
}
