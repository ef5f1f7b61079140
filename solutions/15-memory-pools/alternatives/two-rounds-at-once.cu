// Lesson 15, another way: each launch does two rounds, which halves the traffic and repeats some arithmetic.

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

// The mean that a round makes of number i.
__device__ float smoothed(const float *d_from, int i, int n) {
    const bool inside = i > 0 && i < n - 1;
    return inside ? (d_from[i - 1] + d_from[i] + d_from[i + 1]) / 3.0F : d_from[i];
}

// Two rounds at once: the first is worked out three times, so that nobody has to wait for a neighbour.
__global__ void smooth_twice_kernel(float *d_to, const float *d_from, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    const float here = smoothed(d_from, i, n);
    const bool inside = i > 0 && i < n - 1;
    d_to[i] = inside ? (smoothed(d_from, i - 1, n) + here + smoothed(d_from, i + 1, n)) / 3.0F : here;
}

// One round: each number becomes the mean of its neighbours and itself; the first and the last one stay.
__global__ void smooth_kernel(float *d_to, const float *d_from, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    d_to[i] = smoothed(d_from, i, n);
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
    float *d_scratch = NULL;
    CHECK(cudaMallocAsync(&d_scratch, bytes, stream));
    const float *d_from = d_in;
    for (int left = (rounds + 1) / 2; left > 0; left--) { // launches
        float *d_to = left % 2 == 1 ? d_out : d_scratch;  // the last one writes to d_out
        if (d_from == d_in && rounds % 2 == 1)
            smooth_kernel<<<blocks, THREADS, 0, stream>>>(d_to, d_from, n);
        else
            smooth_twice_kernel<<<blocks, THREADS, 0, stream>>>(d_to, d_from, n);
        CHECK(cudaGetLastError());
        d_from = d_to;
    }
    CHECK(cudaFreeAsync(d_scratch, stream));
}
