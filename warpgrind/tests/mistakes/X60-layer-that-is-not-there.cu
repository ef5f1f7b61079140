#include "mistake.h"

__global__ void copy(float *out, cudaTextureObject_t texture, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    out[i] = tex1DLayered<float>(texture, 0.5f, i); // expect: out-of-bounds
}

int main() {
    float *d_out = device_floats(32), values[24] = {};
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(8, 0, 3), cudaArrayLayered));
    cudaMemcpy3DParms all = {};
    all.srcPtr = make_cudaPitchedPtr(values, 8 * sizeof(float), 8, 1);
    all.dstArray = array;
    all.extent = make_cudaExtent(8, 1, 3);
    all.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&all));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    copy<<<1, 32>>>(d_out, texture, 3); // near-miss: out-of-bounds
    copy<<<1, 32>>>(d_out, texture, 4);
    finish();
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(d_out));
}
