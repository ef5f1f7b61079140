/* Each tile of eight names its own lanes, and may come in its own time. */
#include "mistake.h"

__global__ void sums(int *out) {
    unsigned tile = threadIdx.x / 8, mask = 0xffu << 8 * tile;
    int own = (int)threadIdx.x;
    for (unsigned d = 4; d > 0; d /= 2) own += __shfl_down_sync(mask, own, d, 8); // near: invalid-mask
    if (tile % 2 == 1) own += (int)__ballot_sync(mask, threadIdx.x % 2 == 0);
    if (threadIdx.x % 8 < 4) own += __all_sync(0x0fu << 8 * tile, own >= 0);
    __syncwarp(mask);
    own += __popc(__match_any_sync(mask, threadIdx.x % 4));
    out[threadIdx.x] = own;
}

int main() {
    int *out = nullptr, host[32];
    CHECK(cudaMalloc(&out, sizeof host));
    sums<<<1, 32>>>(out);
    finish();
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (unsigned tile = 0; tile < 4; tile++) {
        int sum = 28 + 64 * (int)tile + 1 + 2 + (tile % 2 == 1 ? 0x55 << 8 * tile : 0);
        if (host[8 * tile] != sum) abort();
    }
    CHECK(cudaFree(out));
}
