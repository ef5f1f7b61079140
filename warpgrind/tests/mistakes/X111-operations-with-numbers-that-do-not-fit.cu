/* clang only: nvcc takes what has no value for 0 */
/* unoptimised: what has no value is left out */
#include "mistake.h"

static void begin_anew() {
    cudaDeviceSynchronize();
    cudaGetLastError();
    CHECK(cudaDeviceReset());
}

__global__ void one_more_than_a_warp(float *out) {
    asm volatile("bar.sync 1, 33;" ::: "memory"); // expect: barrier-divergence
    *out = 1;
}

__global__ void number_of_nothing(float *out) {
    int count;
    asm volatile("bar.sync 1, %0;" ::"r"(count) : "memory"); // expect: uninitialized-read
    *out = 1;
}

__global__ void lane_of_nothing(float *out) {
    int lane;
    out[threadIdx.x] = __shfl_sync(0xffffffff, out[threadIdx.x], lane); // expect: uninitialized-read
}

__global__ void two_ways(float *out) {
    if (threadIdx.x < 16)
        __syncwarp(); // expect: hang
    else
        __syncthreads();
    *out = 1;
}

__global__ void two_barriers(float *out) {
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 64;" ::: "memory"); // expect: hang // says: opens when so many have come
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    *out = 1;
}

__global__ void two_kinds_of_barriers(float *out) {
    if (threadIdx.x < 32)
        __syncthreads(); // expect: hang // says: need all threads of the block at the same barrier
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    *out = 1;
}

__global__ void sum_from_nothing(int *out) {
    __shared__ int sum;
    atomicAdd(&sum, 1); // expect: uninitialized-read
    __syncthreads();
    if (threadIdx.x == 0) *out = sum;
}

__global__ void nobody_stored(float *out) {
    __shared__ float numbers[64];
    const float own = numbers[threadIdx.x]; // expect: uninitialized-read
    if (own > 0) out[threadIdx.x] = own;
}

__global__ void neighbours(float *out) {
    out[threadIdx.x] = out[(threadIdx.x + 1) % blockDim.x]; // expect: global-race
}

__global__ void all_of_it(float *out, const float *in, int n) {
    for (int i = 0; i < n; i++)
        out[i] = in[i]; // expect-note: global-race
}

__global__ void early_sum(int *sum, int *out) {
    atomicAdd(sum, 1);
    if (blockIdx.x == 1 && threadIdx.x == 0) *out = *sum; // expect: global-race
}

int main() {
    one_more_than_a_warp<<<1, 64>>>(device_floats(4)); // also: crash barrier-divergence
    begin_anew();
    number_of_nothing<<<1, 64>>>(device_floats(4));
    begin_anew();
    lane_of_nothing<<<1, 32>>>(device_floats(32));
    begin_anew();
    two_ways<<<1, 32>>>(device_floats(32));
    begin_anew();
    two_barriers<<<1, 64>>>(device_floats(1));
    begin_anew();
    two_kinds_of_barriers<<<1, 64>>>(device_floats(1));
    begin_anew();
    nobody_stored<<<1, 64>>>(device_floats(64));
    neighbours<<<1, 64>>>(device_floats(64));
    all_of_it<<<2, 64>>>(device_floats(64), device_floats(64), 64);
    int *sums;
    CHECK(cudaMalloc(&sums, 2 * sizeof(int)));
    CHECK(cudaMemset(sums, 0, 2 * sizeof(int)));
    sum_from_nothing<<<1, 32>>>(sums);
    early_sum<<<2, 64>>>(sums, sums + 1);
    begin_anew();
}
