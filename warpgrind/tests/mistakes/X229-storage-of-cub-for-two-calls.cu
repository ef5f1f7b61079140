/* What a function of CUB works in is used by two calls at once: one after the other without a barrier, or by several warps. */
#include "mistake.h"

#include <cub/cub.cuh>

enum { N = 128 };
using Block = cub::BlockReduce<int, N>;
using Warp = cub::WarpExchange<int, 4>;

__global__ void twice(const int *x, int *out) {
    __shared__ typename Block::TempStorage temp;
    int sum = Block(temp).Sum(x[threadIdx.x]);
    int most = Block(temp).Reduce(x[threadIdx.x], cub::Max()); // expect: shared-race // says: temp is the storage that a function of CUB works in
    if (threadIdx.x == 0) *out = sum + most;
}

__global__ void shared_by_warps(const int *x, int *out) {
    __shared__ typename Warp::TempStorage one;
    int items[4] = {x[threadIdx.x], 1, 2, 3};
    Warp(one).BlockedToStriped(items, items); // expect: shared-race // says: one[threads / 32], and one[threadIdx.x / 32]
    out[threadIdx.x] = items[0];
}

__global__ void again_in_one_warp(const int *x, int *out) {
    __shared__ typename Warp::TempStorage again;
    int items[4] = {x[threadIdx.x], 1, 2, 3};
    Warp(again).BlockedToStriped(items, items);
    Warp(again).BlockedToStriped(items, items); // expect: shared-race // says: all lanes have left the call before: put __syncwarp()
    out[threadIdx.x] = items[0];
}

__global__ void right(const int *x, int *out) {
    __shared__ typename Block::TempStorage temp;
    __shared__ typename Warp::TempStorage of_warp[N / 32];
    int items[4] = {x[threadIdx.x], 1, 2, 3};
    Warp(of_warp[threadIdx.x / 32]).BlockedToStriped(items, items); // near: shared-race
    int sum = Block(temp).Sum(x[threadIdx.x]);
    __syncthreads();
    int most = Block(temp).Reduce(items[0], cub::Max()); // near: shared-race
    if (threadIdx.x == 0) *out = sum + most;
}

int main() {
    int *x = nullptr, *out = nullptr, h[N];
    for (int i = 0; i < N; i++) h[i] = i;
    CHECK(cudaMalloc(&x, sizeof h));
    CHECK(cudaMalloc(&out, sizeof h));
    CHECK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    twice<<<1, N>>>(x, out);
    right<<<1, N>>>(x, out);
    again_in_one_warp<<<1, 32>>>(x, out);
    shared_by_warps<<<1, N>>>(x, out);
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    printf("%d\n", h[0]);
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
}
