/* Threads that have left a loop with a barrier, and then the kernel, have ended when it opens: a card goes on without them, and so it is a note,
 * optimised or not. Who waits behind the loop has not ended.
 */
#include "mistake.h"

__global__ void left_by_the_condition(float *out, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        out[i] += 1;
        __syncthreads(); // expect-note: barrier-divergence
    }
}

__global__ void left_by_break(float *out, int n) {
    int i = threadIdx.x;
    while (true) {
        if (i >= n) break;
        out[i] += 1;
        i += blockDim.x;
        __syncthreads(); // expect-note: barrier-divergence
    }
    if (threadIdx.x == 0) out[n] = i;
}

__global__ void left_at_the_end(float *out, int n) {
    int i = threadIdx.x;
    do {
        out[i] += 1;
        __syncthreads(); // expect-note: barrier-divergence
        i += blockDim.x;
    } while (i < n);
    out[threadIdx.x] -= 1;
}

__global__ void waits_behind_the_loop(float *out, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        out[i] += 1;
        __syncthreads(); // expect: barrier-divergence
    }
    if (threadIdx.x >= 8) __syncthreads(); // also: barrier-divergence
}

__global__ void skips_it_inside(float *out, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        out[i] += 1;
        if (threadIdx.x % 2) __syncthreads(); // expect: barrier-divergence
    }
}

int main() {
    float *out = device_floats(64);
    left_by_the_condition<<<1, 32>>>(out, 40);
    left_by_break<<<1, 32>>>(out, 40);
    left_at_the_end<<<1, 32>>>(out, 40);
    waits_behind_the_loop<<<1, 32>>>(out, 40);
    skips_it_inside<<<1, 32>>>(out, 40);
    finish();
    float got[64];
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
}
