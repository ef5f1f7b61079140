/* Wrapping and mirroring are for normalized coordinates; coordinates that count texels are clamped. */
#include "mistake.h"

enum { N = 32 };

static cudaTextureObject_t make(cudaArray_t array, cudaTextureAddressMode mode, bool normalized) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    description.normalizedCoords = normalized;
    description.addressMode[0] = description.addressMode[1] = mode;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    return texture;
}

__global__ void wrapped(float *out, cudaTextureObject_t texture) {
    out[threadIdx.x] = tex2D<float>(texture, threadIdx.x - 3.5f, 0.5f); // expect-note: api-misuse // says: 4 coordinates here lie outside of the texture's 32 texels along x, and cudaAddressModeWrap
}

__global__ void mirrored(float *out, cudaTextureObject_t texture) {
    out[threadIdx.x] = tex2D<float>(texture, 0.5f, 2.0f * threadIdx.x); // expect-note: api-misuse // says: 24 coordinates here lie outside of the texture's 16 texels along y, and cudaAddressModeMirror
}

__global__ void clamped(float *out, cudaTextureObject_t texture) {
    out[threadIdx.x] = tex2D<float>(texture, threadIdx.x - 3.5f, -2.0f); // near-note: api-misuse
}

__global__ void inside(float *out, cudaTextureObject_t texture) {
    out[threadIdx.x] = tex2D<float>(texture, threadIdx.x + 0.5f, 15.5f); // near-note: api-misuse
}

__global__ void around(float *out, cudaTextureObject_t texture) {
    out[threadIdx.x] = tex2D<float>(texture, (threadIdx.x - 3.5f) / N, 1.1f); // near-note: api-misuse
}

int main() {
    float h[N * 16] = {0}, *out = device_floats(N);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    CHECK(cudaMallocArray(&array, &format, N, 16));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, h, N * 4, N * 4, 16, cudaMemcpyHostToDevice));
    cudaTextureObject_t wrap = make(array, cudaAddressModeWrap, false);
    cudaTextureObject_t mirror = make(array, cudaAddressModeMirror, false);
    cudaTextureObject_t clamp = make(array, cudaAddressModeClamp, false);
    cudaTextureObject_t tiled = make(array, cudaAddressModeWrap, true);
    wrapped<<<1, N>>>(out, wrap);
    mirrored<<<1, N>>>(out, mirror);
    clamped<<<1, N>>>(out, clamp);
    inside<<<1, N>>>(out, wrap);
    around<<<1, N>>>(out, tiled);
    finish();
    CHECK(cudaMemcpy(h, out, N * sizeof(float), cudaMemcpyDeviceToHost));
    for (cudaTextureObject_t texture : {wrap, mirror, clamp, tiled})
        CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(out));
    return h[0] > 0;
}
