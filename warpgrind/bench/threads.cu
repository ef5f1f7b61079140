/* threads.cu - a few launches that are long enough to be divided among cores: a line "name <tab> milliseconds" for each, the best
 * of three.
 */
#include <cuda_runtime.h>
#include <stdio.h>
#include <time.h>

#define BLOCK 256

__global__ void vector_add(float *z, const float *x, const float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}

__global__ void sum_atomic(float *sum, const float *x, int n) {
    __shared__ float temp[BLOCK];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    temp[threadIdx.x] = i < n ? x[i] : 0.0f;
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d) temp[threadIdx.x] += temp[threadIdx.x + d];
    }
    if (threadIdx.x == 0) atomicAdd(sum, temp[0]);
}

__global__ void arithmetic(float *z, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = i < n ? x[i] : 0.0f;
    for (int step = 0; step < 1024; step++) value = value * 0.999f + 0.25f;
    if (i < n) z[i] = value;
}

__global__ void multiply(float *c, const float *a, const float *b, int side) {
    __shared__ float as[16][16], bs[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
    float sum = 0.0f;
    for (int t = 0; t < side; t += 16) {
        as[y][x] = a[row * side + t + x];
        bs[y][x] = b[(t + y) * side + column];
        __syncthreads();
        for (int k = 0; k < 16; k++) sum += as[y][k] * bs[k][x];
        __syncthreads();
    }
    c[row * side + column] = sum;
}

static double now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

template <typename Launch> static void measure(const char *name, Launch launch) {
    double best = 1e30;
    for (int run = 0; run < 3; run++) {
        double start = now_ms();
        launch();
        cudaDeviceSynchronize();
        double took = now_ms() - start;
        best = took < best ? took : best;
    }
    printf("%s\t%.3f\n", name, best);
}

int main(void) {
    const int n = 1 << 22, fewer = 1 << 18, side = 512;
    float *x, *y, *z;
    cudaMalloc((void **)&x, n * sizeof(float));
    cudaMalloc((void **)&y, n * sizeof(float));
    cudaMalloc((void **)&z, n * sizeof(float));
    cudaMemset(x, 0, n * sizeof(float));
    cudaMemset(y, 0, n * sizeof(float));
    cudaMemset(z, 0, n * sizeof(float));
    measure("vector add, 2^22 threads", [&] { vector_add<<<n / BLOCK, BLOCK>>>(z, x, y, n); });
    measure("tree sum with atomics, 2^22", [&] { sum_atomic<<<n / BLOCK, BLOCK>>>(z, x, n); });
    measure("arithmetic, 2^18, 1024 steps", [&] { arithmetic<<<fewer / BLOCK, BLOCK>>>(z, x, fewer); });
    measure("matrix multiply, 512 x 512", [&] { multiply<<<dim3(side / 16, side / 16), dim3(16, 16)>>>(z, x, y, side); });
    cudaFree(x);
    cudaFree(y);
    cudaFree(z);
    return cudaGetLastError() != cudaSuccess;
}
