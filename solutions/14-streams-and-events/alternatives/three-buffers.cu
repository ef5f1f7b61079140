// Lesson 14, another way: three buffers on the device, however many chunks there are.

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
enum { BUFFERS = 3 };   // chunks that are on the device at the same time
enum { THREADS = 256 }; // of a block

// d_y[i] = sqrt(|d_x[i]|) + 0.5 for the `count` numbers of one chunk.
__global__ void root_kernel(float *d_y, const float *d_x, int count) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) d_y[i] = sqrtf(fabsf(d_x[i])) + 0.5F;
}

// Leaves in h_y[i] the root of |h_x[i]| plus 0.5, for n numbers in pinned memory, in so many chunks; n >= 0.
void process_chunks(float *h_y, const float *h_x, int n, int chunks) {
    if (n == 0) return;
    const int size = (n + chunks - 1) / chunks; // of a chunk; the last one may be shorter
    float *d_x[BUFFERS], *d_y[BUFFERS];
    cudaStream_t streams[BUFFERS];
    for (int b = 0; b < BUFFERS; b++) {
        CHECK(cudaMalloc(&d_x[b], (size_t)size * sizeof(float)));
        CHECK(cudaMalloc(&d_y[b], (size_t)size * sizeof(float)));
        CHECK(cudaStreamCreate(&streams[b]));
    }

    // A buffer always meets the same stream, so the chunk that had it before is done when the next one comes.
    for (int first = 0, b = 0; first < n; first += size, b = (b + 1) % BUFFERS) {
        const int count = n - first < size ? n - first : size;
        const size_t bytes = (size_t)count * sizeof(float);
        CHECK(cudaMemcpyAsync(d_x[b], h_x + first, bytes, cudaMemcpyHostToDevice, streams[b]));
        const int blocks = (count + THREADS - 1) / THREADS;
        root_kernel<<<blocks, THREADS, 0, streams[b]>>>(d_y[b], d_x[b], count);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(h_y + first, d_y[b], bytes, cudaMemcpyDeviceToHost, streams[b]));
    }

    for (int b = 0; b < BUFFERS; b++) {
        CHECK(cudaStreamSynchronize(streams[b]));
        CHECK(cudaStreamDestroy(streams[b]));
        CHECK(cudaFree(d_x[b]));
        CHECK(cudaFree(d_y[b]));
    }
}
