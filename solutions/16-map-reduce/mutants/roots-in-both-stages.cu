// Lesson 16, a typical mistake: both stages take a root.

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

// Every runtime call returns a status: CHECK stops the program when a call failed, and says where.
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));                 \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

template <typename T> struct Square {
    const T *x;
    __device__ T operator()(int i) const {
        return x[i] * x[i];
    }
};
template <typename T> struct Product {
    const T *x, *y;
    __device__ T operator()(int i) const {
        return x[i] * y[i];
    }
};
template <typename T> struct Same {
    const T *x;
    __device__ T operator()(int i) const {
        return x[i];
    }
};
struct Root {
    template <typename T> __device__ T operator()(T x) const {
        return sqrt(x);
    }
};
struct Plain {
    template <typename T> __device__ T operator()(T x) const {
        return x;
    }
};

template <typename T> __device__ T warp_sum(T x) {
    for (int apart = 16; apart > 0; apart >>= 1)
        x += __shfl_xor_sync(~0U, x, apart);
    return x;
}

enum { BLOCK = 192, MOST = 48 };

template <typename T, typename Map, typename Finish>
__global__ void reduce(T *out, Map map, int n, Finish finish) {
    __shared__ T of_warps[BLOCK / 32];
    T sum = 0;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK)
        sum += map(i);
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    sum = threadIdx.x < BLOCK / 32 ? of_warps[threadIdx.x] : T(0);
    sum = warp_sum(sum);
    if (threadIdx.x == 0) out[blockIdx.x] = finish(sum); // expect: wrong-answer
}

template <typename T, typename Map, typename Finish> T run(Map map, int n, Finish finish) {
    if (n == 0) return 0;
    const int blocks = min((n + BLOCK - 1) / BLOCK, int(MOST));
    T *d_sums, result;
    CHECK(cudaMalloc(&d_sums, (blocks + 1) * sizeof(T)));
    reduce<T><<<blocks, BLOCK>>>(d_sums + 1, map, n, finish);
    reduce<T><<<1, BLOCK>>>(d_sums, Same<T>{d_sums + 1}, blocks, finish);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&result, d_sums, sizeof result, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_sums));
    return result;
}

float l2_norm(const float *d_x, int n) {
    return run<float>(Square<float>{d_x}, n, Root());
}
double l2_norm(const double *d_x, int n) {
    return run<double>(Square<double>{d_x}, n, Root());
}
float sum_of_products(const float *d_x, const float *d_y, int n) {
    return run<float>(Product<float>{d_x, d_y}, n, Plain());
}

// told: roots-of-blocks
