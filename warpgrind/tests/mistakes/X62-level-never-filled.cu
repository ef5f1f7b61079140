#include "mistake.h"

__global__ void count_bright(int *count, cudaTextureObject_t texture, float level) {
    if (tex2DLod<float>(texture, 0.5f, 0.5f, level) > 0) *count = 1; // expect: uninitialized-read
}

int main() {
    int *d_count = nullptr;
    float values[64] = {};
    CHECK(cudaMalloc(&d_count, sizeof *d_count));
    CHECK(cudaMemset(d_count, 0, sizeof *d_count));
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    CHECK(cudaMallocMipmappedArray(&resource.res.mipmap.mipmap, &format, make_cudaExtent(8, 8, 0), 2));
    cudaArray_t first = nullptr;
    CHECK(cudaGetMipmappedArrayLevel(&first, resource.res.mipmap.mipmap, 0));
    CHECK(cudaMemcpy2DToArray(first, 0, 0, values, 32, 32, 8, cudaMemcpyHostToDevice));
    cudaTextureDesc description = {};
    description.normalizedCoords = 1;
    description.maxMipmapLevelClamp = 1;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    count_bright<<<1, 1>>>(d_count, texture, 0);
    count_bright<<<1, 1>>>(d_count, texture, 1);
    finish();
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeMipmappedArray(resource.res.mipmap.mipmap));
    CHECK(cudaFree(d_count));
}
