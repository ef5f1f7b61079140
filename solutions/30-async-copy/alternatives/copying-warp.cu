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

// The threads of a block's last warp have no points: they bring the plates for the others.
enum { POINTS = 128, WARP = 32, THREADS = POINTS + WARP, TILE = 128 };

// What `count` plates of a tile add to the potential at x. A plate is two floats: .x its place, .y its
// charge.
__device__ float potential_of(const float2 *tile, int count, float x) {
    float sum = 0.0f;
    for (int j = 0; j < count; j++)
        sum += tile[j].y * fabsf(x - tile[j].x);
    return sum;
}

// Brings the tile that begins at plate `start`, by one warp, which waits until it is there.
__device__ void bring(float2 *tile, const float2 *d_plates, int m, int start) {
    for (int j = (int)threadIdx.x - POINTS; j < TILE && start + j < m; j += WARP)
        __pipeline_memcpy_async(&tile[j], &d_plates[start + j], sizeof(float2));
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

// Each thread computes the potential of all m plates at its point.
__global__ void potentials_kernel(float *d_y, const float *d_x, const float2 *d_plates, int n, int m) {
    const bool brings = threadIdx.x >= POINTS;
    const int i = (int)(blockIdx.x * POINTS + threadIdx.x);
    float x = 0.0f, sum = 0.0f;
    if (!brings && i < n) x = d_x[i];
    __shared__ float2 tiles[2][TILE];
    int now = 0;
    if (brings) bring(tiles[now], d_plates, m, 0);
    __syncthreads();
    for (int start = 0; start < m; start += TILE) {
        if (brings)
            bring(tiles[1 - now], d_plates, m, start + TILE);
        else
            sum += potential_of(tiles[now], min(TILE, m - start), x);
        __syncthreads(); // the next tile is here, and all have used this one
        now = 1 - now;
    }
    if (!brings && i < n) d_y[i] = sum;
}

// Leaves the potential at the n points d_x in d_y: y[i] is the sum of charge * |x[i] - place| over m plates.
// All three arrays are on the device; n and m may be 0.
void potentials(float *d_y, const float *d_x, const float2 *d_plates, int n, int m) {
    if (n == 0) return; // no point, and a grid of 0 blocks cannot be launched
    potentials_kernel<<<(n + POINTS - 1) / POINTS, THREADS>>>(d_y, d_x, d_plates, n, m);
    CHECK(cudaGetLastError());
}
