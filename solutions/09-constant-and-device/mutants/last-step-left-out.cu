// Lesson 09, a typical mistake: the loop ends before the first coefficient.
// told: no-first

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

enum { MAX_TERMS = 16 };

__constant__ float c_curve[MAX_TERMS];

// The polynomial c[0] + c[1] x + c[2] x^2 + ... of `terms` coefficients. Called on the device only.
__device__ float curve(float x, int terms) {
    float y = c_curve[terms - 1];
    for (int k = terms - 2; k > 0; k--)
        y = y * x + c_curve[k];
    return y;
}

__global__ void calibrate_kernel(float *d_y, const float *d_x, int n, const float *d_offset, int sensors,
                                 int terms) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) d_y[i] = curve(d_x[i], terms) + d_offset[i % sensors]; // expect: wrong-answer
}

// Leaves in d_y the n readings at d_x, corrected. Reading i is of sensor i % sensors, and d_offset has a number
// for each sensor; these three are on the device. h_c has `terms` coefficients, 1 to MAX_TERMS, on the host.
void calibrate(float *d_y, const float *d_x, int n, const float *d_offset, int sensors, const float *h_c,
               int terms) {
    if (n == 0) return; // a grid of 0 blocks cannot be launched
    CHECK(cudaMemcpyToSymbol(c_curve, h_c, terms * sizeof(float)));
    const int threads = 256;
    const int blocks = (n + threads - 1) / threads;
    calibrate_kernel<<<blocks, threads>>>(d_y, d_x, n, d_offset, sensors, terms);
    CHECK(cudaGetLastError());
}
