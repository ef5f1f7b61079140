// Lesson 14, a typical mistake: the event is recorded before the copy that it is to stand for.

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
enum { THREADS = 256 }; // of a block

// d_y[i] = sqrt(|d_x[i]|) + 0.5 for the `count` numbers of one chunk.
__global__ void root_kernel(float *d_y, const float *d_x, int count) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) d_y[i] = sqrtf(fabsf(d_x[i])) + 0.5F; // expect: missing-sync
}

// Leaves in h_y[i] the root of |h_x[i]| plus 0.5, for n numbers in pinned memory, in so many chunks; n >= 0.
void process_chunks(float *h_y, const float *h_x, int n, int chunks) {
    if (n == 0) return;
    float *d_x = NULL, *d_y = NULL;
    CHECK(cudaMalloc(&d_x, (size_t)n * sizeof(float)));
    CHECK(cudaMalloc(&d_y, (size_t)n * sizeof(float)));
    const int size = (n + chunks - 1) / chunks; // of a chunk; the last one may be shorter
    cudaStream_t in, work, out;
    CHECK(cudaStreamCreate(&in));
    CHECK(cudaStreamCreate(&work));
    CHECK(cudaStreamCreate(&out));
    cudaEvent_t copied, computed; // each stands for the newest chunk: who waits for it waits for that one
    CHECK(cudaEventCreateWithFlags(&copied, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&computed, cudaEventDisableTiming));

    for (int first = 0; first < n; first += size) {
        const int count = n - first < size ? n - first : size;
        const size_t bytes = (size_t)count * sizeof(float);
        // [events]
        CHECK(cudaEventRecord(copied, in));
        CHECK(cudaMemcpyAsync(d_x + first, h_x + first, bytes, cudaMemcpyHostToDevice, in));
        CHECK(cudaStreamWaitEvent(work, copied, 0)); // not the host waits, but the stream
        // [/events]
        const int blocks = (count + THREADS - 1) / THREADS;
        root_kernel<<<blocks, THREADS, 0, work>>>(d_y + first, d_x + first, count);
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(computed, work));
        CHECK(cudaStreamWaitEvent(out, computed, 0));
        CHECK(cudaMemcpyAsync(h_y + first, d_y + first, bytes, cudaMemcpyDeviceToHost, out));
    }

    CHECK(cudaStreamSynchronize(out)); // its last copy comes after everything else
    CHECK(cudaEventDestroy(copied));
    CHECK(cudaEventDestroy(computed));
    CHECK(cudaStreamDestroy(in));
    CHECK(cudaStreamDestroy(work));
    CHECK(cudaStreamDestroy(out));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
}
