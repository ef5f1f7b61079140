/* lesson: 04 */
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

__constant__ float c_b;

__global__ void multiply_add_kernel(float *d_y, const float *d_x1, const float *d_x2, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) d_y[i] = fmaf(d_x2[i], d_x1[i], c_b); // near: wrong-answer; rounded once instead of twice
}

void multiply_add(float *d_y, const float *d_x1, const float *d_x2, int n, float b) {
    CHECK(cudaMemcpyToSymbol(c_b, &b, sizeof b));
    for (int first = 0; first < n; first += 1 << 14) { // near: timeout limit not-on-gpu; several launches
        int count = n - first < 1 << 14 ? n - first : 1 << 14;
        multiply_add_kernel<<<(count + 127) / 128, 128>>>(d_y + first, d_x1 + first, d_x2 + first, count); // near: over-budget; several launches of a part each
        CHECK(cudaGetLastError());
    }
}
