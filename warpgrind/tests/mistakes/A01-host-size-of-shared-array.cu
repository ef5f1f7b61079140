/* clang only: nvcc stops at the declaration and says nothing of the other line */
#include "mistake.h"

int COUNT = 512;

__global__ void reverse(float *out, const float *in) {
    __shared__ float temp[COUNT]; // expect: compile-error // says: constexpr int COUNT
    temp[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = temp[COUNT - 1 - threadIdx.x]; // expect: compile-error
}

int main(void) {
    float *d_in = device_floats(512), *d_out = device_floats(512);
    reverse<<<1, 512>>>(d_out, d_in);
    finish();
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}
