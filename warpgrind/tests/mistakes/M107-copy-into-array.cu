#include "mistake.h"

int main() {
    float h[16] = {0};
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    CHECK(cudaMallocArray(&array, &format, 16, 1));
    CHECK(cudaMemcpy(array, h, sizeof h, cudaMemcpyHostToDevice)); // expect: api-misuse
    CHECK(cudaFreeArray(array));
}
