#include "mistake.h"

/* Guards would help none of these: it is the index that is wrong. */
__global__ void block_sums(float *partial, float *largest, float *part, const float *in, int n) {
    __shared__ float temp[64];
    const int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    temp[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    if (i < n) part[i] = 2.0f * temp[tid]; // expect: out-of-bounds // says: n is 192: a guard with it
    float pair = 0.0f;
    if (tid % 2 == 0) pair = temp[tid] + temp[tid - 1]; // expect: out-of-bounds // says: the partner lies above
    if (tid == 0) partial[blockIdx.x * blockDim.x + tid] = pair; // expect: out-of-bounds // says: one for each of the 3 blocks
    if (tid == 0) largest[i] = pair; // expect: out-of-bounds // says: its index is blockIdx.x alone
}

int main(void) {
    float *d_in = device_floats(192), *d_partial = device_floats(3), *d_largest = device_floats(5), *d_part = device_floats(64);
    block_sums<<<3, 64>>>(d_partial, d_largest, d_part, d_in, 192);
    finish();
    cudaFree(d_in);
    cudaFree(d_partial);
    cudaFree(d_largest);
    cudaFree(d_part);
    return 0;
}
