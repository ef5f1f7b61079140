/* Prefix sums: shuffles in each warp, the warps' totals by the first warp, the blocks' totals by a second kernel. */
#include "sample.h"

enum { BLOCK = 256, WARPS = BLOCK / 32 };

__device__ int warp_scan(int own) {
    for (int d = 1; d < 32; d *= 2) {
        int before = __shfl_up_sync(0xffffffff, own, d);
        if ((int)(threadIdx.x % 32) >= d) own += before;
    }
    return own;
}

__device__ int block_scan(int own) {
    __shared__ int totals[WARPS];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    own = warp_scan(own);
    if (lane == 31) totals[warp] = own;
    __syncthreads();
    if (warp == 0) {
        int total = warp_scan(lane < WARPS ? totals[lane] : 0);
        if (lane < WARPS) totals[lane] = total;
    }
    __syncthreads();
    return warp > 0 ? own + totals[warp - 1] : own;
}

__global__ void scan_blocks(int *out, int *totals, const int *in, int n) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int sum = block_scan(i < n ? in[i] : 0);
    if (i < n) out[i] = sum;
    if (threadIdx.x == BLOCK - 1) totals[blockIdx.x] = sum;
}

__global__ void scan_totals(int *totals, int blocks) {
    int i = threadIdx.x;
    int sum = block_scan(i < blocks ? totals[i] : 0);
    if (i < blocks) totals[i] = sum;
}

__global__ void add_totals(int *out, const int *totals, int n) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && blockIdx.x > 0) out[i] += totals[blockIdx.x - 1];
}

int main() {
    const int n = 5000, blocks = (n + BLOCK - 1) / BLOCK;
    std::vector<int> in(n), want(n);
    for (int i = 0, sum = 0; i < n; i++) {
        in[i] = (i * 31) % 17 - 8;
        want[i] = sum += in[i];
    }
    int *d_in = to_device(in), *d_out = nullptr, *d_totals = nullptr;
    CHECK(cudaMalloc(&d_out, n * sizeof(int)));
    CHECK(cudaMalloc(&d_totals, blocks * sizeof(int)));
    scan_blocks<<<blocks, BLOCK>>>(d_out, d_totals, d_in, n);
    scan_totals<<<1, BLOCK>>>(d_totals, blocks);
    add_totals<<<blocks, BLOCK>>>(d_out, d_totals, n);
    CHECK(cudaGetLastError());
    std::vector<int> got = to_host(d_out, n);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_totals));
    return verdict(got, want);
}
