#include "mistake.h"

/* Lanes leave one by one, and those left agree on their mask before each round. nvcc makes four rounds of one, and has a loop for the rest: lanes
 * with equal masks are then in different copies of one operation. */
__global__ void peel(const int *steps, int *votes, int *sums) {
    int left = steps[threadIdx.x], voted = 0, sum = 0;
    unsigned mask = __ballot_sync(0xffffffffu, left > 0);
    while (left > 0) {
        voted += __popc(mask);
        sum += __shfl_sync(mask, left, 31); // near: invalid-mask
        __syncwarp(mask);                   // near: barrier-divergence
        left--;
        mask = __ballot_sync(mask, left > 0); // near: hang
    }
    votes[threadIdx.x] = voted;
    sums[threadIdx.x] = sum;
}

int main() {
    int steps[32], *d, got[64];
    for (int i = 0; i < 32; i++) steps[i] = i;
    CHECK(cudaMalloc(&d, 3 * sizeof steps));
    CHECK(cudaMemcpy(d, steps, sizeof steps, cudaMemcpyHostToDevice));
    peel<<<1, 32>>>(d, d + 32, d + 64);
    finish();
    CHECK(cudaMemcpy(got, d + 32, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++) { // round k has the lanes above k, and lane 31 has 31 - k rounds left
        int votes = 0, sum = 0;
        for (int k = 0; k < i; k++) votes += 31 - k, sum += 31 - k;
        if (got[i] != votes || got[32 + i] != sum) printf("%d: %d %d\n", i, got[i], got[32 + i]), exit(3);
    }
    CHECK(cudaFree(d));
}
