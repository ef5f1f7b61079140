#include "mistake.h"

/* A maximum of floats that are not negative, by the order of their bits. */
__global__ void largest(float *most, const float *in) {
    atomicMax((int *)most, __float_as_int(in[threadIdx.x] * in[threadIdx.x])); // near: api-misuse
}

__global__ void multiply(float *product, const float *in) {
    int *bits = (int *)product, old = *(volatile int *)bits, seen;
    do {
        seen = old;
        old = atomicCAS(bits, seen, __float_as_int(__int_as_float(seen) * in[0])); // near: api-misuse
    } while (old != seen);
}

__global__ void usual(float *sum, int *count, unsigned *rounds, const float *in) {
    atomicAdd(sum, in[threadIdx.x]);        // near: api-misuse
    atomicAdd((unsigned *)count, 1u);       // near: api-misuse
    atomicAdd((int *)rounds, 1);            // near: api-misuse
    atomicExch((int *)&sum[1], 0x3f800000); // near: api-misuse
}

int main() {
    float *in = device_floats(64), *sum = device_floats(4);
    int *count = nullptr;
    CHECK(cudaMalloc(&count, 2 * sizeof(int)));
    CHECK(cudaMemset(count, 0, 2 * sizeof(int)));
    largest<<<1, 64>>>(sum, in);
    multiply<<<1, 1>>>(sum + 2, in);
    usual<<<1, 64>>>(sum, count, (unsigned *)(count + 1), in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(sum));
    CHECK(cudaFree(count));
}
