#include "mistake.h"

// Two arrays in dynamic shared memory, and bytes for one.
__global__ void reverse_twice(float *out, const float *in) {
    extern __shared__ float first[];
    float *second = first + blockDim.x;
    const int tid = threadIdx.x;
    first[tid] = in[tid];
    second[tid] = in[tid]; // expect: out-of-bounds // first // says: a second array
    __syncthreads();
    out[tid] = first[blockDim.x - 1 - tid] + second[tid]; // expect: out-of-bounds
}

// One array, and every index is twice what it should be: more bytes would only hide that.
__global__ void twice_as_far(float *out, const float *in) {
    extern __shared__ float one[];
    const int tid = threadIdx.x;
    one[2 * tid] = in[tid]; // expect: out-of-bounds // says: has 64 elements for
    __syncthreads();
    out[tid] = one[tid & ~1];
}

int main(void) {
    const int n = 64;
    std::vector<float> in(n, 1.0f);
    float *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, n * sizeof(float)));
    CHECK(cudaMalloc(&d_out, n * sizeof(float)));
    CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    reverse_twice<<<1, n, n * sizeof(float)>>>(d_out, d_in);
    finish();
    twice_as_far<<<1, n, n * sizeof(float)>>>(d_out, d_in);
    finish();
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}
