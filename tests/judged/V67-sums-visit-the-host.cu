/* lesson: 11 */
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

__global__ void sums(float *d_sums, const float *d_in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? d_in[i] : 0.0f;
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x == 0) d_sums[blockIdx.x] = sum;
}

/* Sums of 32 until one is left; between two launches the sums visit the host, which leaves them as they are. */
float grid_sum(const float *d_in, int n, int threads) {
    if (n == 0) return 0;
    int blocks = (n + 31) / 32;
    float *d_from, *d_to, *h_sums = (float *)malloc(blocks * sizeof(float));
    CHECK(cudaMalloc(&d_from, blocks * sizeof(float)));
    CHECK(cudaMalloc(&d_to, blocks * sizeof(float)));
    sums<<<blocks, 32>>>(d_to, d_in, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h_sums, d_to, blocks * sizeof(float), cudaMemcpyDeviceToHost));
    while (blocks > 1) {
        CHECK(cudaMemcpy(d_from, h_sums, blocks * sizeof(float), cudaMemcpyHostToDevice)); // near: not-by-kernel; they came from the device
        sums<<<(blocks + 31) / 32, 32>>>(d_to, d_from, blocks);                            // near: not-by-kernel; as many as there are
        CHECK(cudaGetLastError());
        blocks = (blocks + 31) / 32;
        CHECK(cudaMemcpy(h_sums, d_to, blocks * sizeof(float), cudaMemcpyDeviceToHost));
    }
    float sum = h_sums[0]; // near: not-on-gpu
    free(h_sums);
    CHECK(cudaFree(d_from));
    CHECK(cudaFree(d_to));
    return sum;
}
