/* unoptimised: optimised code makes the same jump of a return and of going around the rest */
/* The barrier stands in one arm of an `if` at the kernel's end. Nobody returns, and that is not the same:
 * with one more statement behind the `if` the kernel hangs.
 */
#include "mistake.h"

enum { N = 128 };

__global__ void in_the_else(float *out, int n) {
    __shared__ float s[N];
    int tid = threadIdx.x;
    if (tid >= n) {
        out[tid] = 0;
    } else {
        s[tid] = tid;
        __syncthreads(); // expect: barrier-divergence
        out[tid] = s[n - 1 - tid];
    }
}

__global__ void in_the_else_behind_a_return(float *out, int n) {
    __shared__ float s[N];
    int tid = threadIdx.x;
    if (out[tid] > 1e9f) return;
    if (tid >= n) {
        out[tid] = 0;
    } else {
        s[tid] = tid;
        __syncthreads(); // expect: barrier-divergence
        out[tid] = s[n - 1 - tid];
    }
}

__global__ void beside_a_trap(float *out, int n) {
    __shared__ float s[N];
    int tid = threadIdx.x;
    s[tid] = tid;
    if (tid < 40) {
        __syncthreads(); // expect: barrier-divergence
        out[tid] = s[39 - tid];
    } else {
        if (n < 0) __trap();
        out[tid] = 1;
    }
}

int main() {
    float *out = device_floats(N);
    in_the_else<<<1, N>>>(out, 100);
    in_the_else_behind_a_return<<<1, N>>>(out, 100);
    beside_a_trap<<<1, N>>>(out, 100);
    std::vector<float> host(N);
    CHECK(cudaMemcpy(host.data(), out, N * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    finish();
}
