// What the attacks of this folder share: a right answer to lesson 01, to which each adds what it tries to hide.
#include <cuda_runtime.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

__global__ void right_kernel(float *z, const float *x, const float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}

static void must(cudaError_t error) {
    if (error != cudaSuccess) exit(1);
}

static void right_answer(float *h_z, const float *h_x, const float *h_y, int n) {
    if (n == 0) return;
    size_t bytes = n * sizeof(float);
    float *d_x, *d_y, *d_z;
    must(cudaMalloc(&d_x, bytes));
    must(cudaMalloc(&d_y, bytes));
    must(cudaMalloc(&d_z, bytes));
    must(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    must(cudaMemcpy(d_y, h_y, bytes, cudaMemcpyHostToDevice));
    right_kernel<<<(n + 255) / 256, 256>>>(d_z, d_x, d_y, n);
    must(cudaGetLastError());
    must(cudaMemcpy(h_z, d_z, bytes, cudaMemcpyDeviceToHost));
    must(cudaFree(d_x));
    must(cudaFree(d_y));
    must(cudaFree(d_z));
}

// One message of the runtime library, as the process could write it by itself.
struct Message {
    uint32_t magic, function, thread, own_stream;
    uint64_t site, outer, payload_bytes, arguments[12];
};
