#include "mistake.h"

/* From Volta on, the lanes of a warp meet in an operation wherever they call it: each arm has a part of them. */
__global__ void arms(float *out, unsigned *votes, const float *in) {
    int t = threadIdx.x, lane = t % 32;
    float v = in[t];
    if (lane < 16)
        v += __shfl_xor_sync(0xffffffffu, v, 16); // near: invalid-mask
    else
        v += 2 * __shfl_xor_sync(0xffffffffu, v, 16); // near: hang
    unsigned vote, same, most;
    if (lane % 2) {
        vote = __ballot_sync(0xffffffffu, v > 0);
        same = __match_any_sync(0xffffffffu, lane % 4);
        most = __reduce_max_sync(0xffffffffu, (unsigned)lane);
        __syncwarp();
    } else {
        vote = __ballot_sync(0xffffffffu, v > 1); // near: invalid-mask
        same = __match_any_sync(0xffffffffu, lane % 4 + 1);
        most = __reduce_max_sync(0xffffffffu, 2u * lane);
        __syncwarp();
    }
    out[t] = v;
    votes[4 * t] = vote;
    votes[4 * t + 1] = same;
    votes[4 * t + 2] = most;
    votes[4 * t + 3] = __popc(vote);
}

static __device__ float from_neighbour(float v, int by) { return __shfl_xor_sync(0xffffffffu, v, by); }

/* A switch, and one of the arms in a function of its own. */
__global__ void many_arms(float *out, const float *in) {
    int t = threadIdx.x;
    float v = in[t];
    switch (t % 4) {
    case 0: v = from_neighbour(v, 1); break;
    case 1: v = __shfl_xor_sync(0xffffffffu, v + 1, 1); break;
    case 2: v = __shfl_xor_sync(0xffffffffu, v + 2, 3); break;
    default: v = __shfl_xor_sync(0xffffffffu, v + 3, 3); break;
    }
    out[t] = v;
}

int main() {
    float *in = device_floats(32), *out = device_floats(32), got[32];
    unsigned *votes, counts[4 * 32];
    CHECK(cudaMalloc(&votes, sizeof counts));
    arms<<<1, 32>>>(out, votes, in);
    finish();
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(counts, votes, sizeof counts, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++) {
        float mine = (float)(i % 17) - 7.5f, other = (float)((i ^ 16) % 17) - 7.5f;
        unsigned same = 0;
        for (int k = 0; k < 32; k++) same |= (unsigned)((k % 2 ? k % 4 : k % 4 + 1) == (i % 2 ? i % 4 : i % 4 + 1)) << k;
        if (got[i] != (i < 16 ? mine + other : mine + 2 * other)) printf("%d: %g\n", i, got[i]), exit(3);
        if (counts[4 * i + 1] != same || counts[4 * i + 2] != 60 || counts[4 * i] != counts[0])
            printf("%d: %x %u\n", i, counts[4 * i + 1], counts[4 * i + 2]), exit(3);
    }
    many_arms<<<1, 32>>>(out, in);
    finish();
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++) {
        int from = i ^ (i % 4 < 2 ? 1 : 3);
        if (got[i] != (float)(from % 17) - 7.5f + (float)(from % 4)) printf("arm %d: %g\n", i, got[i]), exit(3);
    }
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(votes));
}
