/* An asynchronous copy may write at any moment from its start to its wait, and reads no more bytes than it is told to. */
#include "mistake.h"

#include <cuda_pipeline.h>

enum { THREADS = 64, LAST = THREADS - 1 };

/* The second warp reads what the first one fills again, and nothing keeps the first one back. */
__global__ void refilled_too_soon(int *out, const int *in) {
    __shared__ int tile[THREADS];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x >= 32) out[threadIdx.x] = tile[LAST - threadIdx.x]; // expect: shared-race // says: no barrier between the read and the asynchronous copy
    if (threadIdx.x < 32) __pipeline_memcpy_async(&tile[threadIdx.x], &in[THREADS], sizeof(int));
    __pipeline_commit();
    __syncthreads();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] += tile[LAST - threadIdx.x];
}

/* All barriers are there, and the copy goes to the part that is read. */
__global__ void into_what_is_read(int *out, const int *in) {
    __shared__ int tile[THREADS];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[THREADS], sizeof(int));
    __pipeline_commit();
    __syncthreads();
    out[threadIdx.x] = tile[LAST - threadIdx.x]; // expect: shared-race // says: while the asynchronous copy of block 0, thread
    __syncthreads();
    __pipeline_wait_prior(0);
}

__global__ void written_by_its_owner(int *out, const int *in) {
    __shared__ int own[THREADS];
    __pipeline_memcpy_async(&own[threadIdx.x], &in[threadIdx.x], sizeof(int));
    own[threadIdx.x] = 1; // expect: shared-race // says: while its own asynchronous copy to it is in flight
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = own[threadIdx.x];
}

__global__ void halves_in_turn(int *out, const int *in) {
    __shared__ int tile[2][THREADS];
    __pipeline_memcpy_async(&tile[0][threadIdx.x], &in[threadIdx.x], sizeof(int));
    __pipeline_commit();
    int sum = 0;
    for (int round = 0; round < 4; round++) {
        __pipeline_memcpy_async(&tile[1 - round % 2][threadIdx.x], &in[threadIdx.x], sizeof(int)); // near: shared-race
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += tile[round % 2][LAST - threadIdx.x];
        __syncthreads();
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}

/* 16 bytes at once of an array of 3 * 16 + 8: the last two numbers, and then nothing at all. */
__global__ void zeros_past_the_end(int *out, const int *in, int count) {
    __shared__ __align__(16) int tile[4 * THREADS];
    const int first = 4 * threadIdx.x, left = min(max(count - first, 0), 4);
    __pipeline_memcpy_async(&tile[first], &in[first], 16, 16 - 4 * left); // near: out-of-bounds
    __pipeline_commit();
    __pipeline_wait_prior(0);
    for (int i = 0; i < 4; i++)
        out[first + i] = tile[first + i];
}

__global__ void one_zero_too_few(int *out, const int *in, int count) {
    __shared__ __align__(16) int tile[4 * THREADS];
    const int first = 4 * threadIdx.x, left = min(max(count - first, 0), 4);
    __pipeline_memcpy_async(&tile[first], &in[first], 16, left == 2 ? 4 : 16 - 4 * left); // expect: out-of-bounds
    __pipeline_commit();
    __pipeline_wait_prior(0);
    for (int i = 0; i < 4; i++)
        out[first + i] = tile[first + i];
}

int main() {
    enum { SOME = 14 };
    int *in = nullptr, *some = nullptr, *out = nullptr, host[4 * THREADS];
    CHECK(cudaMalloc(&in, 2 * THREADS * sizeof(int)));
    CHECK(cudaMalloc(&some, SOME * sizeof(int)));
    CHECK(cudaMalloc(&out, sizeof host));
    CHECK(cudaMemset(in, 0, 2 * THREADS * sizeof(int)));
    CHECK(cudaMemset(some, 0xff, SOME * sizeof(int)));
    refilled_too_soon<<<1, THREADS>>>(out, in);
    into_what_is_read<<<1, THREADS>>>(out, in);
    written_by_its_owner<<<1, THREADS>>>(out, in);
    halves_in_turn<<<1, THREADS>>>(out, in);
    one_zero_too_few<<<1, THREADS>>>(out, some, SOME);
    zeros_past_the_end<<<1, THREADS>>>(out, some, SOME);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 4 * THREADS; i++)
        if (host[i] != (i < SOME ? -1 : 0)) return 1;
    CHECK(cudaFree(in));
    CHECK(cudaFree(some));
    CHECK(cudaFree(out));
}
