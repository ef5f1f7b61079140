#include "mistake.h"

__global__ void count(int *out, const char *text, int n) {
    __shared__ int bins[256];
    const int tid = threadIdx.x;
    bins[tid] = 0;
    __syncthreads();
    if (tid < n) atomicAdd(&bins[(unsigned char)text[tid]], 1); // near: out-of-bounds
    if (tid < n) atomicAdd(&bins[text[tid]], 1); // expect: out-of-bounds // says: a char is signed here
    __syncthreads();
    out[tid] = bins[tid];
}

int main(void) {
    char text[4] = {'a', 'b', (char)200, 'd'}, *d_text;
    int *d_out;
    CHECK(cudaMalloc(&d_text, sizeof text));
    CHECK(cudaMalloc(&d_out, 256 * sizeof(int)));
    CHECK(cudaMemcpy(d_text, text, sizeof text, cudaMemcpyHostToDevice));
    count<<<1, 256>>>(d_out, d_text, 4);
    finish();
    cudaFree(d_text);
    cudaFree(d_out);
    return 0;
}
