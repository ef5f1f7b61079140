/* clang only: nvcc's lines are those of its own code */
#include "mistake.h"

// Each of these ends the launch; what comes after it begins anew.
static void begin_anew() {
    cudaDeviceSynchronize();
    cudaGetLastError();
    CHECK(cudaDeviceReset());
}

__global__ void as_many_bytes_as_threads(double *out) {
    extern __shared__ double numbers[];
    numbers[threadIdx.x] = threadIdx.x;      // expect: out-of-bounds
    out[threadIdx.x] = numbers[threadIdx.x]; // also: out-of-bounds
}

__global__ void fewer_than_threads(float *out) {
    extern __shared__ float values[];
    values[threadIdx.x] = out[threadIdx.x]; // expect: out-of-bounds
    out[threadIdx.x] = values[threadIdx.x];
}

__global__ void next(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i + 1]; // expect: out-of-bounds
}

__global__ void fill(float *field, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    field[y * nx + x] = 1; // expect: out-of-bounds
}

__global__ void fill_by_x(float *field) {
    field[blockIdx.x * blockDim.x + threadIdx.x] = 1; // expect: out-of-bounds
}

struct Point {
    float x, y, z;
};
__global__ void set_points(Point *points) {
    points[threadIdx.x].y = 1; // expect: out-of-bounds
}

__global__ void set_one(float *out) {
    *out = 1; // expect: out-of-bounds
}

__constant__ float table[4];
__global__ void set_table(float *out) {
    *out = 1; // expect: out-of-bounds
}

__global__ void follow(float **at) {
    **at = 1; // expect: out-of-bounds
}

int main() {
    as_many_bytes_as_threads<<<1, 64, 64>>>((double *)device_floats(128));
    begin_anew();
    fewer_than_threads<<<1, 64, 62 * sizeof(float)>>>(device_floats(64));
    begin_anew();
    next<<<2, 32>>>(device_floats(64), device_floats(64), 64);
    begin_anew();
    fill<<<dim3(2, 2), dim3(16, 8)>>>(device_floats(30 * 16), 30, 16);
    begin_anew();
    fill_by_x<<<dim3(2, 2), dim3(16, 8)>>>(device_floats(20));
    begin_anew();
    set_points<<<1, 10>>>((Point *)device_floats(10));
    begin_anew();
    float *d_little;
    CHECK(cudaMalloc(&d_little, 2));
    set_one<<<1, 1>>>(d_little);
    begin_anew();
    void *d_table;
    CHECK(cudaGetSymbolAddress(&d_table, table));
    set_table<<<1, 1>>>((float *)d_table);
    begin_anew();
    follow<<<1, 1>>>((float **)device_floats(2));
    begin_anew();
}
