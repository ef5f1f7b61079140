/* nvcc unoptimised: without the types of debug information, which nvcc leaves out with -O2, an int added to cleared memory is an int */
#include "mistake.h"

__device__ int counter;

__global__ void count_as_integer(float *total, const float *in) {
    atomicAdd((int *)total, (int)in[threadIdx.x]); // expect: api-misuse
}

__global__ void add_to_counter(void) {
    atomicAdd((float *)&counter, 1.0f); // expect: api-misuse
}

__global__ void in_shared(double *out) {
    __shared__ double sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd((unsigned long long *)&sum, 1ull); // expect: api-misuse
    __syncthreads();
    if (threadIdx.x == 0) *out = sum;
}

int main() {
    float *in = device_floats(64), *total = nullptr;
    double *out = nullptr;
    CHECK(cudaMalloc(&total, sizeof(float)));
    CHECK(cudaMalloc(&out, sizeof(double)));
    CHECK(cudaMemset(total, 0, sizeof(float)));
    count_as_integer<<<1, 64>>>(total, in);
    add_to_counter<<<1, 64>>>();
    in_shared<<<1, 64>>>(out);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(total));
    CHECK(cudaFree(out));
}
