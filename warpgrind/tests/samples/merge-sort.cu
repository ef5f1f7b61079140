/* Merge sort: blocks sort tiles in shared memory, then each launch merges pairs of runs, a thread finding its element's place by
 * binary search in the other run. */
#include "sample.h"

#include <algorithm>

enum { TILE = 64 };

__global__ void sort_tiles(int *values) {
    __shared__ int tile[TILE];
    int *mine = values + blockIdx.x * TILE;
    tile[threadIdx.x] = mine[threadIdx.x];
    for (int phase = 0; phase < TILE; phase++) {
        __syncthreads();
        int left = 2 * (int)threadIdx.x + phase % 2;
        if (left + 1 < TILE && tile[left] > tile[left + 1]) {
            int larger = tile[left];
            tile[left] = tile[left + 1];
            tile[left + 1] = larger;
        }
    }
    __syncthreads();
    mine[threadIdx.x] = tile[threadIdx.x];
}

/* How many of the run are before `value`; equal ones too when it comes from the right-hand run. */
__device__ int place_in(const int *run, int length, int value, bool after_equal) {
    int low = 0, high = length;
    while (low < high) {
        int middle = (low + high) / 2;
        if (run[middle] < value || (after_equal && run[middle] == value))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

__global__ void merge_runs(int *out, const int *in, int run) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, offset = i % run, pair = i / (2 * run) * 2 * run;
    bool right = i / run % 2;
    const int *other = in + pair + (right ? 0 : run);
    out[pair + offset + place_in(other, run, in[i], right)] = in[i];
}

int main() {
    const int n = 1024;
    std::vector<int> in(n), want;
    for (int i = 0; i < n; i++) in[i] = (i * 7919 + 13) % 509 - 200;
    want = in;
    std::sort(want.begin(), want.end());
    int *from = to_device(in), *to = nullptr;
    CHECK(cudaMalloc(&to, n * sizeof(int)));
    sort_tiles<<<n / TILE, TILE>>>(from);
    CHECK(cudaGetLastError());
    for (int run = TILE; run < n; run *= 2) {
        merge_runs<<<n / 128, 128>>>(to, from, run);
        CHECK(cudaGetLastError());
        std::swap(from, to);
    }
    std::vector<int> got = to_host(from, n);
    CHECK(cudaFree(from));
    CHECK(cudaFree(to));
    return verdict(got, want);
}
