#include "mistake.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// The last member is asked for, as if the group were a whole warp.
__global__ void last_of_half(int *out, const int *in) {
    int got = 0;
    if (in[threadIdx.x] % 2 == 1) {
        cg::coalesced_group group = cg::coalesced_threads();
        got = group.shfl(in[threadIdx.x], 31); // expect: invalid-mask
    }
    if (got > 0) out[threadIdx.x] = got;
}

// The group's own last member, in a part of the warp and in the whole of it, where lanes count on from 0.
__global__ void last_of_group(int *out, const int *in) {
    int got = 0;
    if (in[threadIdx.x] % 2 == 1) {
        cg::coalesced_group group = cg::coalesced_threads();
        got = group.shfl(in[threadIdx.x], group.size() - 1); // near: invalid-mask
    }
    cg::coalesced_group all = cg::coalesced_threads();
    got += all.shfl(got, all.thread_rank() + 33); // near: invalid-mask
    if (got > 0) out[threadIdx.x] = got;
}

int main() {
    int values[32], *in, *out;
    for (int i = 0; i < 32; i++)
        values[i] = i;
    CHECK(cudaMalloc(&in, sizeof values));
    CHECK(cudaMalloc(&out, sizeof values));
    CHECK(cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, sizeof values));
    last_of_half<<<1, 32>>>(out, in);
    finish();
    last_of_group<<<1, 32>>>(out, in);
    finish();
    CHECK(cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
