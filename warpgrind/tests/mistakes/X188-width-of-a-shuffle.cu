/* A shuffle's width is a power of two from 1 to 32. */
#include "mistake.h"

__global__ void parts(int *out, int width) {
    int v = threadIdx.x;
    v = __shfl_sync(0xffffffff, v, 0, 24);              // expect: api-misuse // says: with a width of 24
    v += __shfl_down_sync(0xffffffff, v, 1, width);     // expect: api-misuse // says: with a width of 20
    v += __shfl_xor_sync(0xffffffff, v, 1, 2 * width);  // expect: api-misuse // says: with a width of 40
    v += __shfl_up_sync(0xffffffff, v, 1, width - 20);  // expect: api-misuse // says: 1, 2, 4, 8, 16 or 32
    out[threadIdx.x] = v;
}

__global__ void right(int *out, int width) {
    int v = threadIdx.x;
    for (int w = 1; w <= width; w *= 2) {
        v += __shfl_sync(0xffffffff, v, 3, w);      // near: api-misuse
        v += __shfl_down_sync(0xffffffff, v, 1, w); // near: api-misuse
        v += __shfl_up_sync(0xffffffff, v, 1, w);   // near: api-misuse
        v += __shfl_xor_sync(0xffffffff, v, 1, w);  // near: api-misuse
    }
    int own;
    asm volatile("shfl.sync.down.b32 %0, %1, 1, -1, 0xffffffff;" : "=r"(own) : "r"(v)); // near: api-misuse
    out[threadIdx.x] = own + __shfl_sync(0xffffffff, v, 33);                            // near: api-misuse
}

int main() {
    int h[32], *out = nullptr;
    CHECK(cudaMalloc(&out, sizeof h));
    parts<<<1, 32>>>(out, 20);
    right<<<1, 32>>>(out, 32);
    finish();
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    return h[0] < 0;
}
