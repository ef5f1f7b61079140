// Lesson 16, a typical mistake: each block takes the root of its own sum.

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
const int THREADS = 256;    // of a block
const int MOST_BLOCKS = 64; // their sums are added up by one more block

// What is added up: an object that gives the i-th number.
template <typename T> struct Squares {
    const T *d_x;
    __device__ T operator()(int i) const {
        return d_x[i] * d_x[i];
    }
};

template <typename T> struct Products {
    const T *d_x, *d_y;
    __device__ T operator()(int i) const {
        return d_x[i] * d_y[i];
    }
};

template <typename T> struct Values {
    const T *d_x;
    __device__ T operator()(int i) const {
        return d_x[i];
    }
};

// Each block leaves in d_out[blockIdx.x] the sum of its share of map(0), ..., map(n - 1), or the root of
// that.
template <typename T, typename Map> __global__ void map_reduce_kernel(T *d_out, Map map, int n, bool root) {
    __shared__ T temp[THREADS];
    const int tid = (int)threadIdx.x, stride = (int)(gridDim.x * blockDim.x);
    T sum = 0;
    for (int i = (int)(blockIdx.x * blockDim.x) + tid; i < n; i += stride)
        sum += map(i);
    temp[tid] = sum;
    for (int d = THREADS / 2; d > 0; d /= 2) {
        __syncthreads(); // the step before must be complete
        if (tid < d) temp[tid] += temp[tid + d];
    }
    if (tid == 0) d_out[blockIdx.x] = root ? sqrt(temp[0]) : temp[0]; // expect: wrong-answer
}

// The sum of map(0), ..., map(n - 1) or its root: first a sum for each block, then the sum of those.
template <typename T, typename Map> static T map_reduce(Map map, int n, bool root) {
    if (n == 0) return 0; // a grid of 0 blocks cannot be launched
    const int wanted = (n + THREADS - 1) / THREADS, blocks = wanted < MOST_BLOCKS ? wanted : MOST_BLOCKS;
    T *d_sums = NULL, result = 0; // one for each block, and the result
    CHECK(cudaMalloc(&d_sums, (size_t)(blocks + 1) * sizeof(T)));
    T *d_result = d_sums + blocks;
    map_reduce_kernel<<<blocks, THREADS>>>(d_sums, map, n, root);
    CHECK(cudaGetLastError());
    map_reduce_kernel<<<1, THREADS>>>(d_result, Values<T>{d_sums}, blocks, root);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&result, d_result, sizeof(T), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_sums));
    return result;
}

// The root of the sum of the squares of the n numbers at d_x, which the device has worked out; n >= 0.
float l2_norm(const float *d_x, int n) {
    return map_reduce<float>(Squares<float>{d_x}, n, true);
}

double l2_norm(const double *d_x, int n) {
    return map_reduce<double>(Squares<double>{d_x}, n, true);
}

// The sum of the products d_x[i] * d_y[i], without a root; n >= 0.
float sum_of_products(const float *d_x, const float *d_y, int n) {
    return map_reduce<float>(Products<float>{d_x, d_y}, n, false);
}
// told: roots-of-blocks
