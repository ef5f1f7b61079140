// Lesson 14, another way: a stream for each chunk, and one loop for each kind of work.

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
enum { THREADS = 256 }; // of a block

// d_y[i] = sqrt(|d_x[i]|) + 0.5 for the `count` numbers of one chunk.
__global__ void root_kernel(float *d_y, const float *d_x, int count) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) d_y[i] = sqrtf(fabsf(d_x[i])) + 0.5F;
}

// Leaves in h_y[i] the root of |h_x[i]| plus 0.5, for n numbers in pinned memory, in so many chunks; n >= 0.
void process_chunks(float *h_y, const float *h_x, int n, int chunks) {
    if (n == 0) return;
    float *d_x = NULL, *d_y = NULL;
    CHECK(cudaMalloc(&d_x, (size_t)n * sizeof(float)));
    CHECK(cudaMalloc(&d_y, (size_t)n * sizeof(float)));
    const int size = (n + chunks - 1) / chunks; // of a chunk; the last one may be shorter
    std::vector<cudaStream_t> streams((size_t)((n + size - 1) / size));
    for (cudaStream_t &stream : streams)
        CHECK(cudaStreamCreate(&stream));

    for (int chunk = 0; chunk < (int)streams.size(); chunk++) { // all copies to the device
        const int first = chunk * size, count = n - first < size ? n - first : size;
        CHECK(cudaMemcpyAsync(d_x + first, h_x + first, (size_t)count * sizeof(float), cudaMemcpyHostToDevice,
                              streams[chunk]));
    }
    for (int chunk = 0; chunk < (int)streams.size(); chunk++) { // all kernels
        const int first = chunk * size, count = n - first < size ? n - first : size;
        const int blocks = (count + THREADS - 1) / THREADS;
        root_kernel<<<blocks, THREADS, 0, streams[chunk]>>>(d_y + first, d_x + first, count);
        CHECK(cudaGetLastError());
    }
    for (int chunk = 0; chunk < (int)streams.size(); chunk++) { // all copies back
        const int first = chunk * size, count = n - first < size ? n - first : size;
        CHECK(cudaMemcpyAsync(h_y + first, d_y + first, (size_t)count * sizeof(float), cudaMemcpyDeviceToHost,
                              streams[chunk]));
    }

    CHECK(cudaDeviceSynchronize());
    for (cudaStream_t stream : streams)
        CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
}
