#include "mistake.h"

__global__ void twice(cudaSurfaceObject_t surface, int n) {
    int x = threadIdx.x;
    if (x >= n) return;
    float value = surf1Dread<float>(surface, x * (int)sizeof(float));
    surf1Dwrite(2 * value, surface, x); // expect: misaligned
}

int main() {
    float h[16] = {0};
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    CHECK(cudaMallocArray(&array, &format, 16, 0, cudaArraySurfaceLoadStore));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, h, sizeof h, sizeof h, 1, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    twice<<<1, 32>>>(surface, 16);
    finish();
}
