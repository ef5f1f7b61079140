/* Threads that return before a barrier have ended when it opens, also when they do something first: a note.
 * Those that wait at another barrier have not.
 */
#include "mistake.h"

enum { N = 128 };

__global__ void counts_and_returns(float *out, int *outside, int n) {
    __shared__ float s[N];
    int tid = threadIdx.x;
    if (tid >= n) { // near: barrier-divergence
        atomicAdd(outside, 1);
        return;
    }
    s[tid] = tid;
    __syncthreads(); // expect-note: barrier-divergence
    out[tid] = s[n - 1 - tid];
}

__global__ void fills_and_returns(float *out, int n) {
    __shared__ float s[N];
    int tid = threadIdx.x;
    if (tid >= n) { // near: barrier-divergence
        for (int i = tid; i < 4 * N; i += N - n)
            out[i] = 0;
        return;
    }
    s[tid] = tid;
    for (int d = 1; d < n; d *= 2) {
        __syncthreads(); // expect-note: barrier-divergence
        float other = tid >= d ? s[tid - d] : 0;
        __syncthreads(); // expect-note: barrier-divergence
        s[tid] += other;
    }
    out[tid] = s[tid];
}

__global__ void returns_in_two_places(float *out, int *outside, int n) {
    __shared__ float s[N];
    int tid = threadIdx.x;
    if (tid >= n) { // near: barrier-divergence
        if (tid == n) return;
        atomicAdd(outside, 1);
        return;
    }
    s[tid] = tid;
    __syncthreads(); // expect-note: barrier-divergence
    if (s[n - 1 - tid] > 60) return;
    out[tid] = s[n - 1 - tid];
}

__global__ void waits_and_returns(float *out, int *outside) {
    __shared__ float s[N];
    int tid = threadIdx.x;
    s[tid] = tid;
    if (tid < 64) {
        __syncthreads();
        atomicAdd(outside, (int)s[63 - tid]);
        return;
    }
    __syncthreads(); // expect: barrier-divergence
    out[tid] = s[tid];
}

int main() {
    float *out = device_floats(4 * N);
    int *outside;
    CHECK(cudaMalloc(&outside, sizeof(int)));
    CHECK(cudaMemset(outside, 0, sizeof(int)));
    counts_and_returns<<<1, N>>>(out, outside, 100);
    fills_and_returns<<<1, N>>>(out, 100);
    returns_in_two_places<<<1, N>>>(out, outside, 100);
    waits_and_returns<<<1, N>>>(out, outside);
    std::vector<float> host(4 * N);
    int count;
    CHECK(cudaMemcpy(host.data(), out, 4 * N * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&count, outside, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    CHECK(cudaFree(outside));
    finish();
}
