#include "mistake.h"

/* A scan in one pass: a block takes its predecessors' sums, or the sum of all before, whichever is there when it looks. That nobody came to read a sum by itself is no result
 * that was forgotten. */
enum { BLOCK = 32, OWN = 1, ALL = 2 };

__global__ void scan(int *out, const int *in, int *ticket, volatile int *state, volatile int *own, volatile int *all) {
    __shared__ int tile, before;
    if (threadIdx.x == 0) tile = atomicAdd(ticket, 1);
    __syncthreads();
    int sum = in[tile * BLOCK + threadIdx.x];
    for (int d = 1; d < BLOCK; d *= 2) {
        const int other = __shfl_up_sync(0xffffffff, sum, d);
        if (threadIdx.x >= d) sum += other;
    }
    if (threadIdx.x == BLOCK - 1) {
        own[tile] = sum; // near-note: unused-result
        __threadfence();
        if (tile > 0) state[tile] = OWN;
        int found = 0;
        for (int at = tile - 1; at >= 0;) {
            const int here = state[at];
            __threadfence();
            if (here == ALL) {
                found += all[at];
                break;
            }
            if (here == OWN) found += own[at--];
        }
        all[tile] = found + sum;
        __threadfence();
        state[tile] = ALL;
        before = found;
    }
    __syncthreads();
    out[tile * BLOCK + threadIdx.x] = before + sum;
}

int main(void) {
    const int tiles = 8, n = tiles * BLOCK;
    int host[n], *in, *out, *words[4];
    for (int i = 0; i < n; i++) host[i] = i % 5;
    CHECK(cudaMalloc(&in, sizeof host));
    CHECK(cudaMalloc(&out, sizeof host));
    for (int *&word : words) CHECK(cudaMalloc(&word, tiles * sizeof(int)));
    for (int *word : words) CHECK(cudaMemset(word, 0, tiles * sizeof(int)));
    CHECK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
    scan<<<tiles, BLOCK>>>(out, in, words[0], words[1], words[2], words[3]);
    finish();
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int *word : words) CHECK(cudaFree(word));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return host[n - 1] == 510 ? 0 : 1;
}
