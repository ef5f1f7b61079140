// Lesson 26: a rod in managed memory. In each turn the host sets its ends, the device smooths it, and the host notes
// its middle.

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

enum { THREADS = 256 };
enum Side { HOST, DEVICE };

// Asks for managed memory to be moved before that side uses it. It is a hint: results are the same without it.
// CUDA 13 writes the side in another way than CUDA 12.
void prefetch(const void *memory, size_t bytes, Side side) {
    int device = 0;
    CHECK(cudaGetDevice(&device));
#if CUDART_VERSION >= 13000
    const cudaMemLocation place = {side == DEVICE ? cudaMemLocationTypeDevice : cudaMemLocationTypeHost,
                                   side == DEVICE ? device : 0};
    CHECK(cudaMemPrefetchAsync(memory, bytes, place, 0, 0));
#else
    CHECK(cudaMemPrefetchAsync(memory, bytes, side == DEVICE ? device : cudaCpuDeviceId, 0));
#endif
}

// The device's part of a turn: each inner place of next becomes the mean of three in rod; the ends are copied.
__global__ void smooth_kernel(float *next, const float *rod, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    float place = rod[i];
    if (i > 0 && i < n - 1) place = (rod[i - 1] + place + rod[i + 1]) / 3.0f;
    next[i] = place;
}

// Runs `turns` turns on h_rod, n places (2 or more) in the host's memory, and leaves the rod of the last turn there.
// In turn t the host sets both ends, to h_ends[2 * t] and h_ends[2 * t + 1], the device smooths the rod, and the
// host notes its middle, place n / 2, in h_middle[t].
void heat_rod(float *h_rod, float *h_middle, const float *h_ends, int n, int turns) {
    const size_t bytes = (size_t)n * sizeof(float);
    const int blocks = (n + THREADS - 1) / THREADS;
    float *rod = NULL, *next = NULL;
    CHECK(cudaMallocManaged(&rod, bytes));
    CHECK(cudaMallocManaged(&next, bytes));
    memcpy(rod, h_rod, bytes);
    prefetch(rod, bytes, DEVICE);
    prefetch(next, bytes, DEVICE);
    CHECK(cudaDeviceSynchronize()); // the host touches rod next
    for (int turn = 0; turn < turns; turn++) {
        rod[0] = h_ends[2 * turn];
        rod[n - 1] = h_ends[2 * turn + 1];
        smooth_kernel<<<blocks, THREADS>>>(next, rod, n); // expect: wrong-answer
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize()); // from here to the next launch both arrays are the host's
        std::swap(rod, next);
        h_middle[turn] = rod[n / 2];
    }
    prefetch(rod, bytes, HOST);
    CHECK(cudaDeviceSynchronize());
    memcpy(h_rod, rod, n);
    CHECK(cudaFree(rod));
    CHECK(cudaFree(next));
}
// told: quarter-back unknown
