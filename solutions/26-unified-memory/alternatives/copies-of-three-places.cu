// Lesson 26: a rod that host and device use in turn. Device memory, and copies of
// the three places that the host needs in a turn.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
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
// The device's part of a turn: each inner place of next becomes the mean of three in rod; the ends are
// copied.
__global__ void smooth_kernel(float *next, const float *rod, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    float place = rod[i];
    if (i > 0 && i < n - 1) place = (rod[i - 1] + place + rod[i + 1]) / 3.0f;
    next[i] = place;
}

// Runs `turns` turns on h_rod, n places (2 or more) in the host's memory, and leaves the rod of the last turn
// there. In turn t the host sets both ends, to h_ends[2 * t] and h_ends[2 * t + 1], the device smooths the
// rod, and the host notes its middle, place n / 2, in h_middle[t].
void heat_rod(float *h_rod, float *h_middle, const float *h_ends, int n, int turns) {
    const size_t bytes = (size_t)n * sizeof(float);
    const int blocks = (n + THREADS - 1) / THREADS;
    float *rod = NULL, *next = NULL;
    CHECK(cudaMalloc(&rod, bytes));
    CHECK(cudaMalloc(&next, bytes));
    CHECK(cudaMemcpy(rod, h_rod, bytes, cudaMemcpyHostToDevice));
    for (int turn = 0; turn < turns; turn++) {
        CHECK(cudaMemcpyAsync(rod, &h_ends[2 * turn], sizeof *rod, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpyAsync(rod + n - 1, &h_ends[2 * turn + 1], sizeof *rod, cudaMemcpyHostToDevice));
        smooth_kernel<<<blocks, THREADS>>>(next, rod, n);
        CHECK(cudaGetLastError());
        std::swap(rod, next);
        CHECK(cudaMemcpyAsync(&h_middle[turn], rod + n / 2, sizeof *rod, cudaMemcpyDeviceToHost));
    }
    CHECK(cudaMemcpy(h_rod, rod, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(rod));
    CHECK(cudaFree(next));
}
