#include "mistake.h"

__global__ void copy(float *out, cudaTextureObject_t texture, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    float value = tex2D<float>(texture, (float)i + 0.5f, 0.5f); // expect: uninitialized-read
    if (value > 0) out[i] = value;
}

__global__ void hand_on(float *out, cudaTextureObject_t texture) {
    out[threadIdx.x] = tex2D<float>(texture, (float)threadIdx.x + 0.5f, 0.5f); // expect: uninitialized-read
}

int main() {
    float *d_out = device_floats(32);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    CHECK(cudaMallocArray(&array, &format, 32, 2));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    copy<<<1, 32>>>(d_out, texture, 32);
    finish();
    hand_on<<<1, 32>>>(d_out, texture);
    finish();
    float out[32];
    CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(d_out));
}
