#include "mistake.h"

int main() {
    int *h = nullptr;
    cudaArray_t array;
    cudaStream_t s;
    CHECK(cudaMallocHost(&h, 64 * sizeof(int)));
    for (int i = 0; i < 64; i++)
        h[i] = i;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    CHECK(cudaMallocArray(&array, &format, 8, 8));
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaMemcpy2DToArrayAsync(array, 0, 0, h, 32, 32, 8, cudaMemcpyDefault, s)); // expect: missing-sync
    h[63] = 0; // expect: missing-sync
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFreeHost(h));
}
