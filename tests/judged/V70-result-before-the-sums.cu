/* lesson: 16 */
#include <cuda_runtime.h>

// One array: the result, then the blocks' sums.
template <typename T, bool ROOT> __global__ void last(T *all, int blocks) {
    T sum = 0;
    for (int b = threadIdx.x; b < blocks; b += 32)
        sum += all[1 + b] == -INFINITY ? 0 : all[1 + b]; // near-note: compiler-warning; nothing is rounded to that
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x == 0) all[0] = ROOT ? sqrt(sum) : sum;
}

template <typename T> __global__ void products(T *sums, const T *x, const T *y, int n) {
    __shared__ T warps[8];
    T sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += x[i] * y[i];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; w++)
            sum += warps[w];
        sums[blockIdx.x] = sum;
    }
}

template <typename T, bool ROOT> T sum_up(const T *x, const T *y, int n) {
    T *d_all, result;
    if (n == 0) return 0;
    cudaMalloc(&d_all, 65 * sizeof(T));
    products<<<64, 256>>>(d_all + 1, x, y, n);
    last<T, ROOT><<<1, 32>>>(d_all, 64);
    cudaMemcpy(&result, d_all, sizeof(T), cudaMemcpyDeviceToHost); // near-note: api-misuse; a double, as long as a pointer
    cudaFree(d_all);
    return result;
}

float l2_norm(const float *d_x, int n) { return sum_up<float, true>(d_x, d_x, n); }

double l2_norm(const double *d_x, int n) { return sum_up<double, true>(d_x, d_x, n); }

float sum_of_products(const float *d_x, const float *d_y, int n) { return sum_up<float, false>(d_x, d_y, n); }
