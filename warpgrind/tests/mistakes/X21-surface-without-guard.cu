#include "mistake.h"

__global__ void clear(cudaSurfaceObject_t surface) {
    int x = threadIdx.x;
    surf2Dwrite(0.0f, surface, x * (int)sizeof(float), 1); // expect: out-of-bounds
}

int main() {
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    CHECK(cudaMallocArray(&array, &format, 20, 4, cudaArraySurfaceLoadStore));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    clear<<<1, 32>>>(surface);
    finish();
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaFreeArray(array));
}
