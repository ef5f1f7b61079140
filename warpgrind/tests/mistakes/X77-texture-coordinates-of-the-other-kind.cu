#include "mistake.h"

static cudaTextureObject_t make_texture(cudaArray_t array, bool normalized, cudaTextureFilterMode filter) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    description.filterMode = filter;
    description.normalizedCoords = normalized;
    for (int i = 0; i < 2; i++)
        description.addressMode[i] = cudaAddressModeClamp;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    return texture;
}

__global__ void pixels(float *out, cudaTextureObject_t normalized) {
    int x = threadIdx.x, y = blockIdx.x;
    out[y * 32 + x] = tex2D<float>(normalized, x + 0.5f, y + 0.5f); // expect-note: api-misuse // says: normalizedCoords
}

__global__ void fractions(float *out, cudaTextureObject_t texels) {
    float u = (threadIdx.x + 0.5f) / 32, v = (blockIdx.x + 0.5f) / 32;
    out[blockIdx.x * 32 + threadIdx.x] = tex2D<float>(texels, u, v); // expect-note: api-misuse // says: from 0 to 1
}

__global__ void line_of_pixels(float *out, cudaTextureObject_t normalized) {
    out[threadIdx.x] = tex2D<float>(normalized, (float)threadIdx.x, 0.5f); // expect-note: api-misuse // says: x from 0 to 31
}

__global__ void right_fractions(float *out, cudaTextureObject_t normalized) {
    float u = (threadIdx.x + 0.5f) / 32, v = (blockIdx.x + 0.5f) / 32;
    out[blockIdx.x * 32 + threadIdx.x] = tex2D<float>(normalized, u, v); // near: api-misuse
}

__global__ void repeated(float *out, cudaTextureObject_t normalized) {
    float u = (threadIdx.x + 0.5f) / 32, v = (blockIdx.x + 0.5f) / 32;
    out[blockIdx.x * 32 + threadIdx.x] = tex2D<float>(normalized, 3 * u, 3 * v); // near: api-misuse; three times side by side
}

__global__ void right_texels(float *out, cudaTextureObject_t texels) {
    out[blockIdx.x * 32 + threadIdx.x] = tex2D<float>(texels, threadIdx.x + 0.5f, blockIdx.x + 0.5f); // near: api-misuse
}

__global__ void enlarged(float *out, cudaTextureObject_t texels) {
    float x = threadIdx.x / 16.0f, y = blockIdx.x / 16.0f;
    out[blockIdx.x * 32 + threadIdx.x] = tex2D<float>(texels, x, y); // near: api-misuse; two texels, sixteen times as large
}

__global__ void first_column(float *out, cudaTextureObject_t texels) {
    out[threadIdx.x] = tex2D<float>(texels, 0.5f, threadIdx.x + 0.5f); // near: api-misuse
}

int main() {
    float h[32 * 32] = {0}, *out = device_floats(32 * 32);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    CHECK(cudaMallocArray(&array, &format, 32, 32));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, h, 128, 128, 32, cudaMemcpyHostToDevice));
    cudaTextureObject_t texels = make_texture(array, false, cudaFilterModePoint);
    cudaTextureObject_t normalized = make_texture(array, true, cudaFilterModeLinear);
    pixels<<<32, 32>>>(out, normalized);
    fractions<<<32, 32>>>(out, texels);
    line_of_pixels<<<1, 32>>>(out, normalized);
    right_fractions<<<32, 32>>>(out, normalized);
    repeated<<<32, 32>>>(out, normalized);
    right_texels<<<32, 32>>>(out, texels);
    enlarged<<<32, 32>>>(out, texels);
    first_column<<<1, 32>>>(out, texels);
    finish();
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaDestroyTextureObject(texels));
    CHECK(cudaDestroyTextureObject(normalized));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(out));
    return h[0] > 0;
}
