/* Inclusive prefix sum over many blocks: scan each block, scan the block sums, add them. */
#include "sample.h"

enum { BLOCK = 128 };

__global__ void scan_blocks(int *values, int *sums, int n) {
    __shared__ int temp[2][BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x, from = 0;
    temp[0][threadIdx.x] = i < n ? values[i] : 0;
    __syncthreads();
    for (int distance = 1; distance < BLOCK; distance *= 2) {
        int sum = temp[from][threadIdx.x];
        if ((int)threadIdx.x >= distance) sum += temp[from][threadIdx.x - distance];
        temp[1 - from][threadIdx.x] = sum;
        from = 1 - from;
        __syncthreads();
    }
    if (i < n) values[i] = temp[from][threadIdx.x];
    if (sums && threadIdx.x == BLOCK - 1) sums[blockIdx.x] = temp[from][BLOCK - 1];
}

__global__ void add_sums(int *values, const int *sums, int n) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (blockIdx.x > 0 && i < n) values[i] += sums[blockIdx.x - 1];
}

int main() {
    const int n = 10007, blocks = (n + BLOCK - 1) / BLOCK;
    std::vector<int> values(n), want(n);
    for (int i = 0, sum = 0; i < n; i++) {
        values[i] = (i * 7) % 11 - 5;
        want[i] = sum += values[i];
    }
    int *d_values = to_device(values), *d_sums = nullptr;
    CHECK(cudaMalloc(&d_sums, blocks * sizeof(int)));
    scan_blocks<<<blocks, BLOCK>>>(d_values, d_sums, n);
    CHECK(cudaGetLastError());
    static_assert((n + BLOCK - 1) / BLOCK <= BLOCK, "one block scans the sums");
    scan_blocks<<<1, BLOCK>>>(d_sums, nullptr, blocks);
    CHECK(cudaGetLastError());
    add_sums<<<blocks, BLOCK>>>(d_values, d_sums, n);
    CHECK(cudaGetLastError());
    std::vector<int> got = to_host(d_values, n);
    CHECK(cudaFree(d_values));
    CHECK(cudaFree(d_sums));
    return verdict(got, want);
}
