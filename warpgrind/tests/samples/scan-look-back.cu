/* Inclusive scan in one pass: each block adds up what the blocks before it have published so far (decoupled look-back). A block's
 * number is a ticket, so that those before it have started; flags are set by atomics and read as volatile, with fences between. */
#include "sample.h"

enum { THREADS = 128, EMPTY = 0, SUM = 1, PREFIX = 2 };
struct State {
    unsigned ticket;
    int flag[64], sum[64], prefix[64];
};

__device__ int look_back(State *state, int block) {
    int before = 0;
    for (int other = block - 1; other >= 0;) {
        int flag = *(volatile int *)&state->flag[other];
        if (flag == EMPTY) continue;
        __threadfence();
        if (flag == PREFIX) return before + state->prefix[other];
        before += state->sum[other--];
    }
    return before;
}

__global__ void scan(int *out, const int *in, int n, State *state) {
    __shared__ int values[THREADS], block, before;
    if (threadIdx.x == 0) block = (int)atomicAdd(&state->ticket, 1u);
    __syncthreads();
    int i = block * THREADS + (int)threadIdx.x;
    values[threadIdx.x] = i < n ? in[i] : 0;
    for (int d = 1; d < THREADS; d *= 2) {
        __syncthreads();
        int left = threadIdx.x >= d ? values[threadIdx.x - d] : 0;
        __syncthreads();
        values[threadIdx.x] += left;
    }
    if (threadIdx.x == THREADS - 1) {
        int sum = values[threadIdx.x];
        state->sum[block] = sum;
        __threadfence();
        atomicExch(&state->flag[block], SUM);
        before = look_back(state, block);
        state->prefix[block] = before + sum;
        __threadfence();
        atomicExch(&state->flag[block], PREFIX);
    }
    __syncthreads();
    if (i < n) out[i] = before + values[threadIdx.x];
}

int main() {
    const int n = 5000;
    std::vector<int> in(n), want(n);
    for (int i = 0, sum = 0; i < n; i++) want[i] = sum += in[i] = i * 37 % 19 - 7;
    int *d_in = to_device(in), *d_out = nullptr;
    State *d_state = nullptr;
    CHECK(cudaMalloc(&d_out, n * sizeof(int)));
    CHECK(cudaMalloc(&d_state, sizeof(State)));
    CHECK(cudaMemset(d_state, 0, sizeof(State)));
    scan<<<(n + THREADS - 1) / THREADS, THREADS>>>(d_out, d_in, n, d_state);
    CHECK(cudaGetLastError());
    std::vector<int> got = to_host(d_out, n);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_state));
    return verdict(got, want);
}
