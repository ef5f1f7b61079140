#include "mistake.h"

// Three launches that are alike; before the last one the texture has gone.

__global__ void copy(float *out, cudaTextureObject_t texture, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<float>(texture, i); // expect: use-after-free
}

int main() {
    float *d_in = device_floats(32), *d_out = device_floats(32), out[32];
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = d_in;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 32 * sizeof(float);
    cudaTextureDesc description = {};
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    copy<<<1, 32>>>(d_out, texture, 32);
    copy<<<1, 32>>>(d_out, texture, 32);
    CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    CHECK(cudaDestroyTextureObject(texture));
    copy<<<1, 32>>>(d_out, texture, 32);
    finish();
}
