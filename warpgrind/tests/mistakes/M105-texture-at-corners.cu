#include "mistake.h"

static cudaTextureObject_t make_texture(cudaArray_t array, cudaTextureFilterMode filter) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.filterMode = filter;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    return texture;
}

__global__ void at_corners(float *out, cudaTextureObject_t texture) {
    int x = threadIdx.x, y = blockIdx.x;
    out[y * 32 + x] = tex2D<float>(texture, x, y); // expect-note: api-misuse
}

__global__ void at_centres(float *out, cudaTextureObject_t texture) {
    int x = threadIdx.x, y = blockIdx.x;
    out[y * 32 + x] = tex2D<float>(texture, x + 0.5f, y + 0.5f); // near: api-misuse
}

__global__ void between(float *out, cudaTextureObject_t texture) {
    int x = threadIdx.x, y = blockIdx.x;
    out[y * 32 + x] = tex2D<float>(texture, 0.3f * x, 0.7f * y); // near: api-misuse; some are corners
}

__global__ void nearest(float *out, cudaTextureObject_t texture) {
    int x = threadIdx.x, y = blockIdx.x;
    out[y * 32 + x] = tex2D<float>(texture, x, y); // near: api-misuse; nothing is blended
}

int main() {
    float h[32 * 32] = {0}, *out = device_floats(32 * 32);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    CHECK(cudaMallocArray(&array, &format, 32, 32));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, h, 128, 128, 32, cudaMemcpyHostToDevice));
    cudaTextureObject_t blended = make_texture(array, cudaFilterModeLinear);
    cudaTextureObject_t whole = make_texture(array, cudaFilterModePoint);
    at_corners<<<32, 32>>>(out, blended);
    at_centres<<<32, 32>>>(out, blended);
    between<<<32, 32>>>(out, blended);
    nearest<<<32, 32>>>(out, whole);
    finish();
    CHECK(cudaDestroyTextureObject(blended));
    CHECK(cudaDestroyTextureObject(whole));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(out));
}
