// Lesson 14: y = sqrt(|x|) + 0.5 in chunks. Copies and kernels of different chunks run at the same time.

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
enum { STREAMS = 4 };   // chunks in flight at the same time
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
    // Your turn: make the streams

    // Your turn: for each chunk, in one stream: copy it to the device, launch, copy the result back

    // Your turn: wait until every stream has done its work, and give the streams back
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
}
