/* The barrier stands in one arm of an `if` at the kernel's end. Those in the other arm have nothing left to do: they
 * have ended when it opens, as after a return, which optimised code makes of it. A statement behind the `if` changes
 * that, and so does a barrier in the other arm.
 */
#include "mistake.h"

enum { N = 128 };

__global__ void in_the_else(float *out, int n) {
    __shared__ float s[N];
    int tid = threadIdx.x;
    if (tid >= n) {
        atomicExch(&out[tid], 0);
    } else {
        s[tid] = tid;
        __syncthreads(); // expect-note: barrier-divergence
        out[tid] = s[n - 1 - tid];
    }
}

__global__ void in_the_else_behind_a_return(float *out, int n) {
    __shared__ float s[N];
    int tid = threadIdx.x;
    if (out[tid] > 1e9f) return;
    if (tid >= n) {
        atomicExch(&out[tid], 0);
    } else {
        s[tid] = tid;
        __syncthreads(); // expect-note: barrier-divergence
        out[tid] = s[n - 1 - tid];
    }
}

__global__ void beside_a_trap(float *out, int n) {
    __shared__ float s[N];
    int tid = threadIdx.x;
    s[tid] = tid;
    if (tid < 40) {
        __syncthreads(); // expect-note: barrier-divergence
        out[tid] = s[39 - tid];
    } else {
        if (n < 0) __trap();
        out[tid] = 1;
    }
}

__global__ void before_a_statement(float *out, int n) {
    __shared__ float s[N];
    int tid = threadIdx.x;
    if (tid < n) {
        s[tid] = tid;
        __syncthreads(); // expect: barrier-divergence
        out[tid] = s[n - 1 - tid];
    }
    if (tid == 0) out[N - 1] = 1;
}

/* A barrier in the last `if` of a function stands in the middle of the kernel that calls it. */
static __device__ __noinline__ void turn(float *s, float *out, int n) {
    int tid = threadIdx.x;
    if (tid < n) {
        s[tid] = tid;
        __syncthreads(); // expect: barrier-divergence
        out[tid] = s[n - 1 - tid];
    }
}

__global__ void in_a_function(float *out, int n) {
    __shared__ float s[N];
    turn(s, out, n);
    out[threadIdx.x] += 1;
}

int main() {
    float *out = device_floats(N);
    in_the_else<<<1, N>>>(out, 100);
    in_the_else_behind_a_return<<<1, N>>>(out, 100);
    beside_a_trap<<<1, N>>>(out, 100);
    before_a_statement<<<1, N>>>(out, 100);
    in_a_function<<<1, N>>>(out, 100);
    std::vector<float> host(N);
    CHECK(cudaMemcpy(host.data(), out, N * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    finish();
}
