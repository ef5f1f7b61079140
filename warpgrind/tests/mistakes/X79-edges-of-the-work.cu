/* A guard that parts every warp costs nothing when those outside are neighbours and have nothing more to do.
 */
#include "mistake.h"

__global__ void narrow_field(float *f, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx) return; // near: divergent-branch
    if (y < ny) f[y * nx + x] = 2.0f * f[y * nx + x];
}

/* Blocks of 8 x 8: a warp is four rows of a block. */
__global__ void narrow_blocks(float *f, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < nx && y < ny) // near: divergent-branch
        f[y * nx + x] = 2.0f * f[y * nx + x];
}

__global__ void every_other(float *f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 2 == 1) return; // expect-note: divergent-branch
    if (i < n) f[i] = 2.0f * f[i];
}

/* The loop ends for one lane after the other, and the others go on. */
__global__ void triangle(float *f, const float *g, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k <= row % 32; k++) // expect-note: divergent-branch
        f[row] += g[(row + k) % n];
}

/* Half of each warp does this first, and then the other half that. */
__global__ void halves(float *f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x % 32 < 16) // expect-note: divergent-branch
        atomicExch(&f[i], 2.0f);
    else
        atomicAdd(&f[i], 3.0f);
}

int main() {
    const int n = 65536;
    float *f = device_floats(n), *g = device_floats(n);
    narrow_field<<<dim3(1, 1024), dim3(32, 8)>>>(f, 8, 8192);
    narrow_blocks<<<dim3(1, 1024), dim3(8, 8)>>>(f, 5, 8192);
    every_other<<<n / 256, 256>>>(f, n);
    triangle<<<n / 256, 256>>>(f, g, n);
    halves<<<n / 256, 256>>>(f);
    finish();
    float back;
    CHECK(cudaMemcpy(&back, f, sizeof back, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(f));
    CHECK(cudaFree(g));
}
