/* unoptimised: an optimiser weaves such branches together, and makes selections of the others */
/* One lane of each warp stores its sum, the lanes at the edge of a tile bring its border, and a field ends within a warp: the lanes that
 * do a little more are neighbours, and packed no better in any other way. Lanes that are not neighbours could be. */
#include "mistake.h"

#include <cuda_fp16.h>

__global__ void warp_sums(float *sums, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    float sum = 0.0f;
    if (i < n) sum = in[i]; // near: divergent-branch
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_down_sync(~0u, sum, apart);
    if (lane == 0) sums[i / 32] = sum; // near: divergent-branch
}

__global__ void ends_of_runs(float *sums, const float *in, const int *rows, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    float sum = 0.0f;
    int row = 0;
    if (i < n) sum = in[i], row = rows[i]; // near: divergent-branch
    int next = __shfl_down_sync(~0u, row, 1);
    if (lane == 31 || next != row) atomicAdd(&sums[row], sum); // near: divergent-branch
}

__global__ void borders(float *out, const float *in, int nx, int planes) {
    __shared__ float tile[8][34];
    int x = blockIdx.x * 32 + threadIdx.x, y = threadIdx.y;
    bool exists = x < nx;
    for (int z = 0; z < planes; z++) {
        const float *plane = in + z * 8 * nx;
        float here = exists ? plane[y * nx + x] : 0.0f; // near: divergent-branch
        tile[y][threadIdx.x + 1] = here;
        if (exists && threadIdx.x == 0) tile[y][0] = x > 0 ? plane[y * nx + x - 1] : 0.0f; // near: divergent-branch
        if (exists && threadIdx.x == 31) tile[y][33] = x + 1 < nx ? plane[y * nx + x + 1] : 0.0f; // near: divergent-branch
        __syncthreads();
        if (x > 0 && x + 1 < nx) // near: divergent-branch
            out[z * 8 * nx + y * nx + x] = tile[y][threadIdx.x] + tile[y][threadIdx.x + 1] + tile[y][threadIdx.x + 2];
        __syncthreads();
    }
}

/* Without an optimiser the conversion of 0 is long, and full of branches. */
__global__ void halves(__half *out, const __half *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i % 32 < 25 && i < n ? in[i] : __half(0); // near: divergent-branch
}

__global__ void every_fourth(float *f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % 4 == 0) f[i] = 2.0f * f[i]; // expect-note: divergent-branch
}

__global__ void either_way(float *f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x % 32 < 16) // expect-note: divergent-branch
        f[i] = 2.0f * f[i];
    else
        f[i] = f[i] / 3.0f + 1.0f;
}

int main() {
    const int n = 96 * 600, nx = 33, planes = 220;
    float *in = device_floats(nx * 8 * planes), *out = device_floats(nx * 8 * planes);
    warp_sums<<<(n + 127) / 128, 128>>>(out, in, n - 17);
    borders<<<2, dim3(32, 8)>>>(out, in, nx, planes);
    std::vector<int> runs(n);
    for (int i = 0; i < n; i++) runs[i] = i / 48;
    int *rows = nullptr;
    float *sums = device_floats(n / 48 + 1);
    CHECK(cudaMalloc(&rows, n * sizeof(int)));
    CHECK(cudaMemcpy(rows, runs.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    ends_of_runs<<<(n + 127) / 128, 128>>>(sums, in, rows, n);
    halves<<<(n + 127) / 128, 128>>>((__half *)out, (__half *)in, n);
    every_fourth<<<(n + 127) / 128, 128>>>(out, n);
    either_way<<<n / 96, 96>>>(out, n);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(rows));
    CHECK(cudaFree(sums));
}
