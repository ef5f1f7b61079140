// One thread adds everything: right, and nothing of what the lesson is about.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));                 \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

__global__ void serial_sum_kernel(float *d_out, const float *d_in, int n) {
    float sum = 0.0F;
    for (int i = 0; i < n; i++)
        sum += d_in[i];
    *d_out = sum;
}

void grid_sum(float *d_out, const float *d_in, int n, int threads) {
    serial_sum_kernel<<<1, 1>>>(d_out, d_in, n); // expect: not-as-asked
    CHECK(cudaGetLastError());
}
// told: atomic
