// Values from nowhere that decide something or reach the host.
#include "../../mistakes/mistake.h"

__global__ void sum_unset(float *out, const float *in) {
    float sum;
    for (int i = 0; i < 4; i++)
        sum += in[i]; // expect: uninitialized-read
    out[threadIdx.x] = sum;
}

__global__ void halo(float *out, const float *in) {
    __shared__ float s[66];
    s[threadIdx.x + 1] = in[threadIdx.x];
    __syncthreads();
    if (s[threadIdx.x] + s[threadIdx.x + 2] > 0) out[threadIdx.x] = 1; // expect: uninitialized-read
}

__global__ void count(int *total) {
    atomicAdd(total, 1); // expect: uninitialized-read
}

__global__ void indirect(float *out, const int *index) {
    out[index[threadIdx.x] & 31] = 1; // expect: uninitialized-read
}

__global__ void odd_or_even(float *out) {
    int n;
    if (n & 1) out[threadIdx.x] = 1; // expect: uninitialized-read
}

__global__ void rounded(float *out) {
    int n;
    if ((n & ~7) > 8) out[threadIdx.x] = 1; // expect: uninitialized-read
}

int main() {
    float *in = device_floats(64), *out = device_floats(64);
    int *total, *index;
    std::vector<float> host(64);
    CHECK(cudaMalloc(&total, sizeof(int)));
    CHECK(cudaMalloc(&index, 32 * sizeof(int)));
    sum_unset<<<1, 32>>>(out, in);
    CHECK(cudaMemcpy(host.data(), out, 64 * sizeof(float), cudaMemcpyDeviceToHost));
    halo<<<1, 64>>>(out, in);
    count<<<1, 32>>>(total);
    indirect<<<1, 32>>>(out, index);
    odd_or_even<<<1, 32>>>(out);
    rounded<<<1, 32>>>(out);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(total));
    CHECK(cudaFree(index));
}
