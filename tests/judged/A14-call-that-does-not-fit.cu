/* lesson: 08 */
#include <cstdio>
#include <cuda_runtime.h>

#define CHECKED(call) if ((call) != cudaSuccess) puts("failed")

__device__ float pick(const float *values, int index) {
    return values[index];
}

__global__ void block_sum_kernel(float *d_out, const float *d_in) {
    d_out[0] = pick(d_in); // expect: compile-error // first // says: requires 2 arguments
}

void block_sum(float *d_out, const float *d_in) {
    block_sum_kernel<<<1, 512>>>(d_out, d_in);
    CHECKED(cudaMemset(d_out, 0)); // expect: compile-error // says: CHECKED
}
