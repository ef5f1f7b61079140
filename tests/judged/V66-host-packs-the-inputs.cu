/* lesson: 01 */
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

struct Two {
    float x, y;
};

__global__ void add(float *z, const Two *two, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[n - 1 - i] = two[i].x + two[i].y;
}

/* The host may pass on what it was given, in an order of its own. */
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    if (n == 0) return;
    Two *two = (Two *)calloc(n + 2, sizeof(Two)), *d_two;
    float *d_z;
    for (int i = 0; i < n; i++) {
        two[i].x = h_x[n - 1 - i]; // near: not-by-kernel not-as-asked; turned round, and interleaved
        two[i].y = h_y[n - 1 - i];
    }
    CHECK(cudaMalloc(&d_two, (n + 2) * sizeof(Two)));
    CHECK(cudaMalloc(&d_z, n * sizeof(float)));
    CHECK(cudaMemcpy(d_two, two, (n + 2) * sizeof(Two), cudaMemcpyHostToDevice)); // near: not-by-kernel; zeros behind them
    free(two);
    add<<<(n + 127) / 128, 128>>>(d_z, d_two, n); // expect-note: over-budget
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h_z, d_z, n * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_two));
    CHECK(cudaFree(d_z));
}
