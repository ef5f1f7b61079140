#include "mistake.h"

/* Rows that are too short are filled up with column -1. */
__global__ void padded_rows(float *y, const float *x, const int *columns, const float *values, int rows, int width) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int k = 0; k < width; k++) {
        const int at = k * rows + row;
        sum += values[at] * x[columns[at]]; // expect: out-of-bounds // says: a mark for
    }
    for (int k = 0; k < width; k++) {
        const int at = k * rows + row;
        if (columns[at] >= 0) sum += values[at] * x[columns[at]]; // near: out-of-bounds
    }
    y[row] = sum;
}

/* A block has its own sums, of the segments from the first one that it meets: of which there may be more than the array has room for. */
__global__ void segments(float *sums, const int *segment, int n) {
    __shared__ float own[8], all[64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 8) own[threadIdx.x] = 0;
    all[threadIdx.x] = 0;
    __syncthreads();
    const int first = segment[blockIdx.x * blockDim.x];
    if (i < n) atomicAdd(&own[segment[i] - first], 1.0f); // expect: out-of-bounds // says: is made from a value that the thread has read
    if (i < n) atomicAdd(&all[segment[i] - first], 1.0f); // near: out-of-bounds
    __syncthreads();
    if (threadIdx.x < 8) sums[threadIdx.x] = own[threadIdx.x] + all[threadIdx.x];
}

__global__ void gather(float *y, const float *x, const int *from) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[from[i]]; // expect: out-of-bounds // says: is allocated too small for the values that there are
}

/* The neighbour on the left of the first thread, which no data chose. */
__global__ void left(float *y, const float *x) {
    y[threadIdx.x] = x[(int)threadIdx.x - 1]; // expect: out-of-bounds // says: has no left neighbour
}

int main(void) {
    const int n = 64, width = 2;
    int columns[n * width], from[n], *d_columns, *d_from;
    float *x = device_floats(n), *values = device_floats(n * width), *y;
    for (int i = 0; i < n * width; i++) columns[i] = i < n + 20 ? i % n : -1;
    for (int i = 0; i < n; i++) from[i] = i / 4;
    CHECK(cudaMalloc(&y, n * sizeof(float)));
    CHECK(cudaMalloc(&d_columns, sizeof columns));
    CHECK(cudaMalloc(&d_from, sizeof from));
    CHECK(cudaMemcpy(d_columns, columns, sizeof columns, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_from, from, sizeof from, cudaMemcpyHostToDevice));
    padded_rows<<<1, n>>>(y, x, d_columns, values, n, width);
    segments<<<1, n>>>(y, d_from, n);
    for (int i = 0; i < n; i++) from[i] = i + i % 3;
    CHECK(cudaMemcpy(d_from, from, sizeof from, cudaMemcpyHostToDevice));
    gather<<<1, n>>>(y, x, d_from);
    left<<<1, n>>>(y, x);
    finish();
    CHECK(cudaMemcpy(from, y, sizeof from, cudaMemcpyDeviceToHost));
    for (void *p : {(void *)x, (void *)values, (void *)y, (void *)d_columns, (void *)d_from}) CHECK(cudaFree(p));
    return 0;
}
