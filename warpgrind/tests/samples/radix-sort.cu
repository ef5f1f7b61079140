/* Radix sort by bits: a stable split of zeros and ones, places from ballots of the warps and their sums in shared memory. */
#include "sample.h"

#include <algorithm>

enum { N = 512, WARPS = N / 32 };

__global__ void sort(unsigned *values) {
    __shared__ unsigned keys[N], zeros[WARPS + 1];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned key = values[threadIdx.x];
    for (int bit = 0; bit < 32; bit++) {
        const bool one = key >> bit & 1;
        const unsigned all = __ballot_sync(0xffffffffu, !one), below = __popc(all & ((1u << lane) - 1));
        if (lane == 0) zeros[warp + 1] = __popc(all);
        if (threadIdx.x == 0) zeros[0] = 0;
        __syncthreads();
        if (threadIdx.x == 0)
            for (int w = 1; w <= WARPS; w++) zeros[w] += zeros[w - 1];
        __syncthreads();
        const unsigned before = zeros[warp] + below;
        keys[one ? zeros[WARPS] + threadIdx.x - before : before] = key;
        __syncthreads();
        key = keys[threadIdx.x];
    }
    values[threadIdx.x] = key;
}

int main() {
    std::vector<unsigned> in(N), want;
    for (unsigned i = 0; i < N; i++) in[i] = i * 2654435761u ^ i << 7;
    want = in;
    std::sort(want.begin(), want.end());
    unsigned *d_values = to_device(in);
    sort<<<1, N>>>(d_values);
    CHECK(cudaGetLastError());
    std::vector<unsigned> got = to_host(d_values, N);
    CHECK(cudaFree(d_values));
    return verdict(got, want);
}
