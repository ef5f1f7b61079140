/* Persistent blocks take work from a counter until there is none: pieces of unequal size, shared out by one thread of each block. */
#include "sample.h"

__global__ void workers(int *out, int *next, const int *lengths, int pieces) {
    __shared__ int piece;
    for (;;) {
        if (threadIdx.x == 0) piece = atomicAdd(next, 1);
        __syncthreads();
        const int mine = piece;
        __syncthreads(); // everybody has read it before it is taken anew
        if (mine >= pieces) return;
        int sum = 0;
        for (int i = threadIdx.x; i < lengths[mine]; i += blockDim.x) sum += i;
        sum = __reduce_add_sync(0xffffffffu, sum);
        if (threadIdx.x % 32 == 0) atomicAdd(&out[mine], sum);
    }
}

int main() {
    const int pieces = 40;
    std::vector<int> lengths(pieces), want(pieces);
    for (int i = 0; i < pieces; i++) {
        lengths[i] = i * 97 % 300;
        want[i] = lengths[i] * (lengths[i] - 1) / 2;
    }
    int *d_lengths = to_device(lengths), *d_out = nullptr, *d_next = nullptr;
    CHECK(cudaMalloc(&d_out, pieces * sizeof(int)));
    CHECK(cudaMalloc(&d_next, sizeof(int)));
    CHECK(cudaMemset(d_out, 0, pieces * sizeof(int)));
    CHECK(cudaMemset(d_next, 0, sizeof(int)));
    workers<<<6, 64>>>(d_out, d_next, d_lengths, pieces);
    CHECK(cudaGetLastError());
    std::vector<int> got = to_host(d_out, pieces);
    for (int *p : {d_lengths, d_out, d_next}) CHECK(cudaFree(p));
    return verdict(got, want);
}
