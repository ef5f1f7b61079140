/* lesson: 01 */
/* expect-none: the library fills vectors with zeros, and the learner's kernel makes the answer */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <thrust/device_vector.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));                 \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

__global__ void vector_add_kernel(float *d_z, const float *d_x, const float *d_y, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) d_z[i] = d_x[i] + d_y[i];
}

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    if (n == 0) return;
    const size_t bytes = (size_t)n * sizeof(float);
    thrust::device_vector<float> x(n), y(n), z(n);
    float *d_x = thrust::raw_pointer_cast(x.data());
    float *d_y = thrust::raw_pointer_cast(y.data());
    float *d_z = thrust::raw_pointer_cast(z.data());
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, h_y, bytes, cudaMemcpyHostToDevice));
    vector_add_kernel<<<(n + 255) / 256, 256>>>(d_z, d_x, d_y, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h_z, d_z, bytes, cudaMemcpyDeviceToHost));
}
