// Lesson 15, a typical mistake: the input is used as the second array, though it belongs to the caller.

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
const int THREADS = 256; // of a block

// One round: each number becomes the mean of its neighbours and itself; the first and the last one stay.
__global__ void smooth_kernel(float *d_to, const float *d_from, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    const bool inside = i > 0 && i < n - 1;
    d_to[i] = inside ? (d_from[i - 1] + d_from[i] + d_from[i + 1]) / 3.0F : d_from[i]; // expect: global-race
}

// Leaves in d_out what `rounds` rounds make of the n numbers at d_in, all in `stream`; n >= 0, rounds >= 0.
// The caller has asked for d_in in this stream and will use d_out in it; other streams have nothing to do
// with it.
void smooth_rounds(float *d_out, const float *d_in, int n, int rounds, cudaStream_t stream) {
    if (n == 0) return;
    const size_t bytes = (size_t)n * sizeof(float);
    const int blocks = (n + THREADS - 1) / THREADS;
    if (rounds == 0) {
        CHECK(cudaMemcpyAsync(d_out, d_in, bytes, cudaMemcpyDeviceToDevice, stream));
        return;
    }
    const float *d_from = d_in;
    for (int left = rounds; left > 0; left--) {
        float *d_to = left % 2 == 1 ? d_out : (float *)d_in;
        smooth_kernel<<<blocks, THREADS, 0, stream>>>(d_to, d_from, n);
        CHECK(cudaGetLastError());
        d_from = d_to;
    }
}
// told: another input-changed lesson-copy
