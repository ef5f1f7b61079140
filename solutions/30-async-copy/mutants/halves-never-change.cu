// Lesson 30: the potential of charged plates at many points of a line. A block uses one tile of plates while
// the next one is on its way, by asynchronous copies.

#include <cstdio>
#include <cstdlib>
#include <cuda_pipeline.h>
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

// A thread has one point, and brings one plate of each tile.
enum { THREADS = 128, TILE = THREADS };

// What `count` plates of a tile add to the potential at x. A plate is two floats: .x its place, .y its
// charge.
__device__ float potential_of(const float2 *tile, int count, float x) {
    float sum = 0.0f;
    for (int j = 0; j < count; j++)
        sum += tile[j].y * fabsf(x - tile[j].x);
    return sum;
}

// Starts the copies of the tile that begins at plate `start`, and makes a group of them: an empty one when
// there is no such plate. Each thread copies one plate.
__device__ void start_copies(float2 *tile, const float2 *d_plates, int m, int start) {
    const int mine = start + (int)threadIdx.x;
    if (mine < m) __pipeline_memcpy_async(&tile[threadIdx.x], &d_plates[mine], sizeof(float2));
    __pipeline_commit();
}

// Each thread computes the potential of all m plates at its point.
__global__ void potentials_kernel(float *d_y, const float *d_x, const float2 *d_plates, int n, int m) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    float x = 0.0f, sum = 0.0f;
    if (i < n) x = d_x[i]; // a thread without a point brings plates, too
    __shared__ float2 tiles[2][TILE];
    const int now = 0;
    start_copies(tiles[now], d_plates, m, 0);
    for (int start = 0; start < m; start += TILE) {
        start_copies(tiles[1 - now], d_plates, m, start + TILE);
        __pipeline_wait_prior(1); // all groups but the newest: this thread's plate of tiles[now] has come
        __syncthreads();          // and those of all other threads
        sum += potential_of(tiles[now], min(TILE, m - start), x);
        __syncthreads(); // all have used it: the next round fills it again
    }
    if (i < n) d_y[i] = sum; // expect: wrong-answer
}

// Leaves the potential at the n points d_x in d_y: y[i] is the sum of charge * |x[i] - place| over m plates.
// All three arrays are on the device; n and m may be 0.
void potentials(float *d_y, const float *d_x, const float2 *d_plates, int n, int m) {
    if (n == 0) return; // no point, and a grid of 0 blocks cannot be launched
    potentials_kernel<<<(n + THREADS - 1) / THREADS, THREADS>>>(d_y, d_x, d_plates, n, m);
    CHECK(cudaGetLastError());
}
// told: tile-taken-again
