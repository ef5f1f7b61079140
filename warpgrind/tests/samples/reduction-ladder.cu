/* Seven ways to add numbers in a block, from the slowest to the fastest, as reduction tutorials climb them. */
#include "sample.h"

enum { BLOCK = 128, STEPS = 7 };

/* 0: neighbours first, every second thread idle. */
__device__ float interleaved_modulo(float *temp, unsigned t) {
    for (unsigned s = 1; s < BLOCK; s *= 2) {
        if (t % (2 * s) == 0) temp[t] += temp[t + s];
        __syncthreads();
    }
    return temp[0];
}

/* 1: the same pairs by adjacent threads. */
__device__ float interleaved_packed(float *temp, unsigned t) {
    for (unsigned s = 1; s < BLOCK; s *= 2) {
        unsigned i = 2 * s * t;
        if (i < BLOCK) temp[i] += temp[i + s];
        __syncthreads();
    }
    return temp[0];
}

/* 2: the upper half onto the lower. */
__device__ float sequential(float *temp, unsigned t) {
    for (unsigned s = BLOCK / 2; s > 0; s /= 2) {
        if (t < s) temp[t] += temp[t + s];
        __syncthreads();
    }
    return temp[0];
}

/* 3: the last warp without barriers of the block. */
__device__ float last_warp(float *temp, unsigned t) {
    for (unsigned s = BLOCK / 2; s > 32; s /= 2) {
        if (t < s) temp[t] += temp[t + s];
        __syncthreads();
    }
    if (t < 32) {
        float own = temp[t] + temp[t + 32];
        __syncwarp();
        for (unsigned s = 16; s > 0; s /= 2) {
            temp[t] = own;
            __syncwarp();
            own += t < s ? temp[t + s] : 0.0f;
            __syncwarp();
        }
        if (t == 0) temp[0] = own;
    }
    __syncthreads();
    return temp[0];
}

/* 4: unrolled by the compiler. */
template <unsigned Size> __device__ float unrolled(float *temp, unsigned t) {
    if constexpr (Size > 1) {
        if (t < Size / 2) temp[t] += temp[t + Size / 2];
        __syncthreads();
        return unrolled<Size / 2>(temp, t);
    } else {
        return temp[0];
    }
}

__device__ float warp_sum(float own) {
    for (int d = 16; d > 0; d /= 2) own += __shfl_down_sync(0xffffffff, own, d);
    return own;
}

/* 5: shuffles in each warp, the warps' sums by the first one. */
__device__ float shuffled(float *temp, unsigned t) {
    float own = warp_sum(temp[t]);
    __syncthreads();
    if (t % 32 == 0) temp[t / 32] = own;
    __syncthreads();
    if (t < 32) {
        own = warp_sum(t < BLOCK / 32 ? temp[t] : 0.0f);
        if (t == 0) temp[0] = own;
    }
    __syncthreads();
    return temp[0];
}

/* 6: one atomic addition a warp. */
__device__ float by_atomics(float *temp, unsigned t) {
    __shared__ float sum;
    if (t == 0) sum = 0;
    float own = warp_sum(temp[t]);
    __syncthreads();
    if (t % 32 == 0) atomicAdd(&sum, own);
    __syncthreads();
    return sum;
}

template <int Step> __global__ void reduce(float *sums, const float *in, int n) {
    __shared__ float temp[BLOCK];
    unsigned t = threadIdx.x;
    float own = 0;
    for (int i = blockIdx.x * BLOCK + t; i < n; i += gridDim.x * BLOCK) own += in[i];
    temp[t] = own;
    __syncthreads();
    float sum = Step == 0   ? interleaved_modulo(temp, t)
                : Step == 1 ? interleaved_packed(temp, t)
                : Step == 2 ? sequential(temp, t)
                : Step == 3 ? last_warp(temp, t)
                : Step == 4 ? unrolled<BLOCK>(temp, t)
                : Step == 5 ? shuffled(temp, t)
                            : by_atomics(temp, t);
    if (t == 0) atomicAdd(&sums[Step], sum);
}

int main() {
    const int n = 3001, blocks = 5;
    std::vector<float> in = sample_values(n);
    double want = 0;
    for (float value : in) want += value;
    float *d_in = to_device(in), *d_sums = to_device(std::vector<float>(STEPS, 0.0f));
    reduce<0><<<blocks, BLOCK>>>(d_sums, d_in, n);
    reduce<1><<<blocks, BLOCK>>>(d_sums, d_in, n);
    reduce<2><<<blocks, BLOCK>>>(d_sums, d_in, n);
    reduce<3><<<blocks, BLOCK>>>(d_sums, d_in, n);
    reduce<4><<<blocks, BLOCK>>>(d_sums, d_in, n);
    reduce<5><<<blocks, BLOCK>>>(d_sums, d_in, n);
    reduce<6><<<blocks, BLOCK>>>(d_sums, d_in, n);
    CHECK(cudaGetLastError());
    std::vector<float> got = to_host(d_sums, STEPS);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_sums));
    return verdict(got, std::vector<float>(STEPS, (float)want), 1e-3);
}
