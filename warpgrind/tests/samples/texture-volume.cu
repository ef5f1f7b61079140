/* A three-dimensional texture: filled slice by slice with cudaMemcpy3D, read between its texels, and layers of a stack. */
#include "sample.h"

__global__ void sample_volume(float *out, cudaTextureObject_t texture, int width, int height, int depth) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= width * height * depth) return;
    int x = i % width, y = i / width % height, z = i / width / height;
    out[i] = tex3D<float>(texture, (float)x + 1.0f, (float)y + 0.5f, (float)z + 0.75f);
}

__global__ void sample_layers(float *out, cudaTextureObject_t texture, int width, int height, int layers) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= width * height * layers) return;
    int x = i % width, y = i / width % height, layer = i / width / height;
    out[i] = tex2DLayered<float>(texture, (float)(width - 1 - x) + 0.5f, (float)y + 0.5f, layer);
}

static cudaArray_t fill(const std::vector<float> &values, cudaExtent extent, unsigned flags) {
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    CHECK(cudaMalloc3DArray(&array, &format, extent, flags));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr((void *)values.data(), extent.width * sizeof(float), extent.width, extent.height);
    copy.dstArray = array;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    return array;
}

static cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureFilterMode filter) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    description.addressMode[0] = description.addressMode[1] = description.addressMode[2] = cudaAddressModeClamp;
    description.filterMode = filter;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    return texture;
}

int main() {
    const int width = 9, height = 6, depth = 5, n = width * height * depth;
    std::vector<float> volume = sample_values(n), want;
    auto at = [&](int x, int y, int z) {
        x = x < width ? x : width - 1;
        z = z < depth ? z : depth - 1;
        return volume[(z * height + y) * width + x];
    };
    for (int z = 0; z < depth; z++)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                want.push_back(0.375f * (at(x, y, z) + at(x + 1, y, z)) + 0.125f * (at(x, y, z + 1) + at(x + 1, y, z + 1)));
    for (int i = 0; i < n; i++) want.push_back(volume[i / width * width + width - 1 - i % width]);
    float *d_out = nullptr;
    CHECK(cudaMalloc(&d_out, want.size() * sizeof(float)));
    cudaExtent extent = make_cudaExtent(width, height, depth);
    cudaArray_t array = fill(volume, extent, cudaArrayDefault), stack = fill(volume, extent, cudaArrayLayered);
    cudaTextureObject_t texture = texture_of(array, cudaFilterModeLinear), layers = texture_of(stack, cudaFilterModePoint);
    sample_volume<<<(n + 127) / 128, 128>>>(d_out, texture, width, height, depth);
    CHECK(cudaGetLastError());
    sample_layers<<<(n + 127) / 128, 128>>>(d_out + n, layers, width, height, depth);
    CHECK(cudaGetLastError());
    std::vector<float> got = to_host(d_out, want.size());
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaDestroyTextureObject(layers));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFreeArray(stack));
    CHECK(cudaFree(d_out));
    return verdict(got, want, 1e-4);
}
