// Lesson 01, another way: arrays on the device of whole blocks, of which the last is partly empty and copied
// back as well.

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

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

__global__ void vector_add_kernel(float *z, const float *x, const float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    if (n == 0) return;
    const int blocks = (n + THREADS - 1) / THREADS;
    const size_t room = (size_t)blocks * THREADS, bytes = (size_t)n * sizeof(float);
    float *d_x = NULL, *d_y = NULL, *d_z = NULL;
    CHECK(cudaMalloc(&d_x, room * sizeof(float)));
    CHECK(cudaMalloc(&d_y, room * sizeof(float)));
    CHECK(cudaMalloc(&d_z, room * sizeof(float)));
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, h_y, bytes, cudaMemcpyHostToDevice));
    vector_add_kernel<<<blocks, THREADS>>>(d_z, d_x, d_y, n);
    CHECK(cudaGetLastError());
    std::vector<float> all(room);
    CHECK(cudaMemcpy(all.data(), d_z, room * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        h_z[i] = all[i];
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
}
