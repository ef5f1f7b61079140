/* lesson: 12 */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s\\n", __FILE__, __LINE__, cudaGetErrorString(status_));                 \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

__global__ void grid_sum_kernel(float *d_out, const float *d_in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && d_in[i] > 0) atomicAdd(d_out, d_in[i]);
}

void grid_sum(float *d_out, const float *d_in, int n, int threads) {
    CHECK(cudaMemset(d_out, 0, sizeof(float))); // expect: wrong-answer; the last to write there
    if (n == 0) return;
    grid_sum_kernel<<<(n + threads - 1) / threads, threads>>>(d_out, d_in, n);
    CHECK(cudaGetLastError());
}
