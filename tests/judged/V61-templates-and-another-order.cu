/* lesson: 10 */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s\\n", __FILE__, __LINE__, cudaGetErrorString(status_));                 \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

template <int COUNT> static __device__ float serial(const float *values, int n) {
    float sum = 0;
#pragma unroll
    for (int i = 0; i < COUNT; i++)
        if (i < n) sum += values[i];
    return sum;
}

__global__ void other_kernel(float *z) {
    extern __shared__ float temp[]; // near: compile-error; the same name and the same type
    temp[threadIdx.x] = z[threadIdx.x];
}

__global__ void backwards(float *d_out, const float *d_in) {
    extern __shared__ float temp[];
    temp[threadIdx.x] = d_in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x > 0) return;
    float sum = 0;
    for (int i = (int)blockDim.x - 1; i >= 4; i--) sum += temp[i];
    *d_out = sum + serial<4>(temp, (int)blockDim.x); // near: wrong-answer compile-error; another order, another rounding
}

void block_sum(float *d_out, const float *d_in, int threads) {
    auto launch = [=](auto kernel) { kernel<<<1, threads, threads * sizeof(float)>>>(d_out, d_in); }; // expect-note: over-budget
    launch(backwards); // near: compile-error not-on-gpu; a kernel as an argument
    CHECK(cudaGetLastError());
}
