/* A texture object over a CUDA array with linear filtering: texel centres are at i + 0.5. */
#include "sample.h"

__global__ void sample_rows(float *out, cudaTextureObject_t texture, int width, int height, float shift) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[y * width + x] = tex2D<float>(texture, (float)x + 0.5f + shift, (float)y + 0.5f);
}

int main() {
    const int width = 33, height = 17;
    std::vector<float> image = sample_values(width * height), want(width * height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int right = x + 1 < width ? x + 1 : width - 1;
            want[y * width + x] = 0.75f * image[y * width + x] + 0.25f * image[y * width + right];
        }
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    CHECK(cudaMallocArray(&array, &format, width, height));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, image.data(), width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.filterMode = cudaFilterModeLinear;
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    float *d_out = nullptr;
    CHECK(cudaMalloc(&d_out, want.size() * sizeof(float)));
    sample_rows<<<dim3((width + 15) / 16, (height + 7) / 8), dim3(16, 8)>>>(d_out, texture, width, height, 0.25f);
    CHECK(cudaGetLastError());
    std::vector<float> got = to_host(d_out, want.size());
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(d_out));
    return verdict(got, want, 1e-2); /* the filter's weights have 8 fractional bits */
}
