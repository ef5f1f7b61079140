#include "mistake.h"

__global__ void copy(float *out, cudaTextureObject_t texture, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<float>(texture, i);
}

static cudaTextureObject_t texture_of(float *d_in) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = d_in;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 32 * sizeof(float);
    cudaTextureDesc description = {};
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    return texture;
}

int main() {
    float *d_in = device_floats(32), *d_out = device_floats(32);
    cudaTextureObject_t first = texture_of(d_in), second = texture_of(d_in), third = texture_of(d_in);
    copy<<<1, 32>>>(d_out, first, 32);
    CHECK(cudaDestroyTextureObject(first)); // expect: missing-sync
    copy<<<1, 32>>>(d_out, second, 32);
    CHECK(cudaDestroyTextureObject(third)); // near: missing-sync; no kernel has it
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaDestroyTextureObject(second)); // near: missing-sync
    finish();
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
}
