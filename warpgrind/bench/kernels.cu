/* kernels.cu - the three kernels whose speed `make bench` measures; kernels.cl and plain.c do the same work. */
#include <cuda_runtime.h>

extern "C" __global__ void vector_add(float *z, const float *x, const float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        z[i] = x[i] + y[i];
    }
}

extern "C" __global__ void tree_sum(float *sums, const float *x) {
    __shared__ float temp[256];
    int tid = threadIdx.x;
    temp[tid] = x[blockIdx.x * blockDim.x + tid];
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) {
            temp[tid] += temp[tid + d];
        }
    }
    if (tid == 0) {
        sums[blockIdx.x] = temp[0];
    }
}

extern "C" __global__ void arithmetic(float *y, const float *x, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = x[i];
    for (int step = 0; step < steps; step++) {
        value = value * 0.999f + 0.25f;
    }
    y[i] = value;
}
