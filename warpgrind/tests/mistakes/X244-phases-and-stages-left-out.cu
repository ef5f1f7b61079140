/* Barrier objects whose wait is for a phase that is over, and a pipeline whose stages nobody gives back. */
#include "mistake.h"

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <utility>

enum { N = 64 };
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void old_token(int *out) {
    __shared__ Barrier barrier;
    __shared__ int s[N];
    const int t = threadIdx.x;
    if (t == 0) init(&barrier, N);
    __syncthreads();
    auto token = barrier.arrive(), again = token;
    barrier.wait(std::move(token));
    s[t] = t;
    (void)barrier.arrive();
    barrier.wait(std::move(again));
    out[t] = s[N - 1 - t]; // expect: shared-race // also: uninitialized-read // says: the token or the parity of an earlier one lets through at once
}

__global__ void own_token(int *out) {
    __shared__ Barrier barrier;
    __shared__ int s[N];
    const int t = threadIdx.x;
    if (t == 0) init(&barrier, N);
    __syncthreads();
    for (int round = 0; round < 2; round++) {
        s[t] = t;
        barrier.wait(barrier.arrive());
        out[t] = s[N - 1 - t]; // near: shared-race
        barrier.wait(barrier.arrive());
    }
}

__global__ void stages(const int *in, int *out, int batches, bool release) {
    __shared__ int stage[2][N];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int batch = 0; batch < batches; batch++) {
        pipe.producer_acquire(); // expect: hang // says: producer_acquire() waits for a consumer_release()
        cuda::memcpy_async(block, stage[batch % 2], in + batch * N, sizeof(int) * N, pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        sum += stage[batch % 2][N - 1 - threadIdx.x]; // also: shared-race
        if (release) pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}

int main() {
    int *in = nullptr, *out = nullptr, h[N];
    CHECK(cudaMalloc(&in, 4 * sizeof h));
    CHECK(cudaMemset(in, 0, 4 * sizeof h));
    CHECK(cudaMalloc(&out, sizeof h));
    own_token<<<1, N>>>(out);
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    stages<<<1, N>>>(in, out, 4, true); // near: hang
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    old_token<<<1, N>>>(out);
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    stages<<<1, N>>>(in, out, 4, false);
    if (cudaDeviceSynchronize() == cudaSuccess) puts("no error");
    printf("%d\n", h[0]);
}
