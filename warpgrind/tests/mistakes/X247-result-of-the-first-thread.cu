/* What BlockReduce and WarpReduce return is the result in one thread alone, and something else in the others. */
#include "mistake.h"

#include <cub/cub.cuh>

enum { THREADS = 128 };

using Block = cub::BlockReduce<float, THREADS>;
using Warp = cub::WarpReduce<double>;

__global__ void block_for_all(float *x) {
    __shared__ typename Block::TempStorage storage;
    float v = x[threadIdx.x];
    float mean = Block(storage).Sum(v) / THREADS; // expect: uninitialized-read // says: gives its result to thread 0 of the block
    x[threadIdx.x] = v - mean;
}

__global__ void warp_for_all(int *found, const float *x) {
    __shared__ typename Warp::TempStorage storage[THREADS / 32];
    double most = Warp(storage[threadIdx.x / 32]).Reduce((double)x[threadIdx.x], cub::Max());
    if (x[threadIdx.x] > most / 2) atomicAdd(found, 1); // expect: uninitialized-read // says: the result of a reduction by CUB
}

__global__ void right(float *x, double *most) {
    __shared__ typename Block::TempStorage storage;
    __shared__ typename Warp::TempStorage of_warps[THREADS / 32];
    __shared__ float mean;
    float v = x[threadIdx.x];
    float sum = Block(storage).Reduce(v, cub::Sum(), THREADS) / THREADS; // near: uninitialized-read
    if (threadIdx.x == 0) mean = sum;
    __syncthreads();
    x[threadIdx.x] = v - mean;
    double largest = Warp(of_warps[threadIdx.x / 32]).Reduce((double)v, cub::Max());
    largest = __shfl_sync(0xffffffff, largest, 0); // near: uninitialized-read
    if (threadIdx.x % 32 == 31) most[threadIdx.x / 32] = largest;
}

int main() {
    float *x = device_floats(THREADS), h[THREADS];
    double *most = nullptr, largest[THREADS / 32];
    int *found = nullptr;
    CHECK(cudaMalloc(&most, sizeof largest));
    CHECK(cudaMalloc(&found, sizeof *found));
    CHECK(cudaMemset(found, 0, sizeof *found));
    right<<<1, THREADS>>>(x, most);
    CHECK(cudaMemcpy(largest, most, sizeof largest, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
    printf("%g %g\n", largest[3], h[1]);
    warp_for_all<<<1, THREADS>>>(found, x);
    CHECK(cudaMemcpy(h, found, sizeof *found, cudaMemcpyDeviceToHost));
    block_for_all<<<1, THREADS>>>(x);
    CHECK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(most));
    CHECK(cudaFree(found));
}
