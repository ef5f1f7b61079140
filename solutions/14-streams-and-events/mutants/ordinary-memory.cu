// Lesson 14, a typical mistake: the numbers are put into ordinary memory first, from which a copy makes the
// host wait.

#include <cstdio>
#include <cstdlib>
#include <cstring>
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
    float *own_x = (float *)malloc((size_t)n * sizeof(float));
    if (own_x == NULL) exit(EXIT_FAILURE);
    memcpy(own_x, h_x, (size_t)n * sizeof(float));
    float *own_y = (float *)malloc((size_t)n * sizeof(float));
    if (own_y == NULL) exit(EXIT_FAILURE);
    float *d_x = NULL, *d_y = NULL;
    CHECK(cudaMalloc(&d_x, (size_t)n * sizeof(float)));
    CHECK(cudaMalloc(&d_y, (size_t)n * sizeof(float)));
    cudaStream_t streams[STREAMS];
    for (int s = 0; s < STREAMS; s++)
        CHECK(cudaStreamCreate(&streams[s]));

    const int size = (n + chunks - 1) / chunks; // of a chunk; the last one may be shorter
    for (int first = 0, s = 0; first < n; first += size, s = (s + 1) % STREAMS) {
        const int count = n - first < size ? n - first : size;
        const size_t bytes = (size_t)count * sizeof(float);
        const cudaStream_t stream = streams[s];
        float *const d_part = d_x + first, *const part = own_x + first;
        CHECK(cudaMemcpyAsync(d_part, part, bytes, cudaMemcpyHostToDevice, stream)); // expect: not-as-asked
        const int blocks = (count + THREADS - 1) / THREADS;
        root_kernel<<<blocks, THREADS, 0, stream>>>(d_y + first, d_x + first, count);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(own_y + first, d_y + first, bytes, cudaMemcpyDeviceToHost, stream));
    }

    for (int s = 0; s < STREAMS; s++) {
        CHECK(cudaStreamSynchronize(streams[s]));
        CHECK(cudaStreamDestroy(streams[s]));
    }
    memcpy(h_y, own_y, (size_t)n * sizeof(float));
    free(own_x);
    free(own_y);
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
}
// told: pageable
