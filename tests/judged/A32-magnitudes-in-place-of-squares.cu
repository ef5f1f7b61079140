/* lesson: 16 */
#include <cuda_runtime.h>

template <typename T> __device__ T magnitude(T x) {
    return x < 0 ? -x : x;
}

template <typename T, bool OF_PRODUCTS> __global__ void sum_kernel(T *out, const T *x, const T *y, int n) {
    __shared__ T temp[256];
    T sum = 0;
    for (int i = threadIdx.x; i < n; i += 256)
        sum += OF_PRODUCTS ? x[i] * y[i] : magnitude(x[i]);
    temp[threadIdx.x] = sum;
    for (int d = 128; d > 0; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d) temp[threadIdx.x] += temp[threadIdx.x + d];
    }
    if (threadIdx.x == 0) *out = OF_PRODUCTS ? temp[0] : sqrt(temp[0]); // expect: wrong-answer // first // says: the squares themselves are added up
}

template <typename T, bool OF_PRODUCTS> static T sum_of(const T *d_x, const T *d_y, int n) {
    T *d_out = nullptr, out = 0;
    cudaMalloc(&d_out, sizeof(T));
    sum_kernel<T, OF_PRODUCTS><<<1, 256>>>(d_out, d_x, d_y, n);
    cudaMemcpy(&out, d_out, sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(d_out);
    return out;
}

float l2_norm(const float *d_x, int n) {
    return sum_of<float, false>(d_x, d_x, n);
}
double l2_norm(const double *d_x, int n) {
    return sum_of<double, false>(d_x, d_x, n);
}
float sum_of_products(const float *d_x, const float *d_y, int n) {
    return sum_of<float, true>(d_x, d_y, n);
}
