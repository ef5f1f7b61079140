// Lesson 26: a rod in the device's memory. The kernel makes the inner places, and a copy on the device brings
// them back.

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

// Every runtime call returns a status: CHECK stops the program when a call failed, and says where.
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));                 \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

enum { THREADS = 256 };

__global__ void smooth_kernel(float *next, const float *rod, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i > 0 && i < n - 1) next[i] = (rod[i - 1] + rod[i] + rod[i + 1]) / 3.0f;
}

void heat_rod(float *h_rod, float *h_middle, const float *h_ends, int n, int turns) {
    const size_t bytes = (size_t)n * sizeof(float);
    const int blocks = (n + THREADS - 1) / THREADS;
    float *rod = NULL, *next = NULL;
    CHECK(cudaMalloc(&rod, bytes));
    CHECK(cudaMalloc(&next, bytes));
    CHECK(cudaMemcpy(rod, h_rod, bytes, cudaMemcpyHostToDevice)); // expect-note: over-budget host_waits
    for (int turn = 0; turn < turns; turn++) {
        CHECK(cudaMemcpy(rod, h_ends + 2 * turn, sizeof(float), cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(rod + n - 1, h_ends + 2 * turn + 1, sizeof(float), cudaMemcpyHostToDevice));
        smooth_kernel<<<blocks, THREADS>>>(next, rod, n);
        CHECK(cudaGetLastError());
        if (n > 2) CHECK(cudaMemcpy(rod + 1, next + 1, bytes - 2 * sizeof(float), cudaMemcpyDeviceToDevice));
        CHECK(cudaMemcpy(h_middle + turn, rod + n / 2, sizeof(float), cudaMemcpyDeviceToHost));
    }
    CHECK(cudaMemcpy(h_rod, rod, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(rod));
    CHECK(cudaFree(next));
}
