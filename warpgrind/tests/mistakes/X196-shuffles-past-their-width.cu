/* A shuffle whose distance is as large as its width gives each lane its own value back: a sum counts that twice. */
#include "mistake.h"

__global__ void sums(int *out, int distance) {
    int v = threadIdx.x;
    v += __shfl_down_sync(0xffffffff, v, distance, 16); // expect-note: api-misuse // says: the distance 16 is not less than the width 16
    v += __shfl_up_sync(0xffffffff, v, 2 * distance);   // expect-note: api-misuse // says: the distance 32 is not less than the width 32
    v += __shfl_xor_sync(0xffffffff, v, 2 * distance);  // expect-note: api-misuse // says: the distance 32 is not less than the width 32
    out[threadIdx.x] = v;
}

__global__ void right(int *out, int width) {
    int v = threadIdx.x;
    for (int d = width / 2; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d, width); // near: api-misuse
    for (int d = 1; d < width; d *= 2) v += __shfl_up_sync(0xffffffff, v, d, width);       // near: api-misuse
    v += __shfl_xor_sync(0xffffffff, v, 16, width);                                        // near: api-misuse
    v += __shfl_xor_sync(0xffffffff, v, 48);                                               // near: api-misuse
    v += __shfl_sync(0xffffffff, v, 16, width);                                            // near: api-misuse
    v += __shfl_down_sync(0xffffffff, v, threadIdx.x, width);                              // near: api-misuse
    v += __shfl_down_sync(0xffffffff, v, 0, width);                                        // near: api-misuse
    out[threadIdx.x] = v;
}

int main() {
    int h[32], *out = nullptr;
    CHECK(cudaMalloc(&out, sizeof h));
    sums<<<1, 32>>>(out, 16);
    right<<<1, 32>>>(out, 16);
    finish();
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    return h[0] < 0;
}
