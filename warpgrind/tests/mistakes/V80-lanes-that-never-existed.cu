#include "mistake.h"

/* 40 threads: the second warp has 8. Nobody uses what the shuffles read from lanes that are not there. */
__global__ void sum(float *out, int *votes, const float *in) {
    __shared__ float parts[2];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    float value = in[t];
    __syncwarp();
    for (int d = 16; d > 0; d /= 2) {
        float other = __shfl_down_sync(0xffffffffu, value, d); // near: invalid-mask
        if (t + d < 40 && lane + d < 32) value += other;
    }
    if (lane == 0) parts[warp] = value;
    __syncthreads();
    if (t == 0) *out = parts[0] + parts[1];
    unsigned positive = __ballot_sync(0xffffffffu, in[t] > 0); // near: invalid-mask
    int all = __all_sync(0xffffffffu, in[t] > -100), any = __any_sync(0xffffffffu, in[t] > 100);
    unsigned same = __match_any_sync(0xffffffffu, t % 3);
    votes[t] = __popc(positive) + 100 * all + 1000 * any + 10000 * __popc(same);
}

/* Lanes that returned before do not count either, and the order in which that happens does not matter. */
__global__ void return_early(int *out, int n) {
    int t = threadIdx.x;
    if (t >= n) return;
    unsigned here = __ballot_sync(0xffffffffu, 1); // near: invalid-mask
    if (t % 2) {
        out[t] = 0;
        return;
    }
    __syncwarp();
    out[t] = __popc(here) + __reduce_add_sync(0xffffffffu, 1u);
}

int main() {
    float *in = device_floats(64), *out = device_floats(1), total, expected = 0;
    int *votes, counts[40];
    CHECK(cudaMalloc(&votes, 40 * sizeof(int)));
    sum<<<1, 40>>>(out, votes, in);
    finish();
    CHECK(cudaMemcpy(&total, out, sizeof total, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(counts, votes, sizeof counts, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 40; i++) expected += (float)(i % 17) - 7.5f;
    printf("%g, expected %g; %d\n", total, expected, counts[39]);
    return_early<<<1, 32>>>(votes, 20);
    finish();
    CHECK(cudaMemcpy(counts, votes, 20 * sizeof(int), cudaMemcpyDeviceToHost));
    printf("%d, expected 30\n", counts[18]);
    if (total != expected || counts[18] != 30) exit(3);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(votes));
}
