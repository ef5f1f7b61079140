/* Normalized coordinates: a tile that repeats, and one that is mirrored; the texels are bytes read as floats from 0 to 1. */
#include "sample.h"

__global__ void repeat(float *out, cudaTextureObject_t texture, int width, int height, int size) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float u = ((float)(x - size) + 0.5f) / (float)size, v = ((float)(y - size) + 0.5f) / (float)size;
    float4 colour = tex2D<float4>(texture, u, v);
    out[y * width + x] = colour.x + 2 * colour.y + 3 * colour.z + 4 * colour.w;
}

int main() {
    const int size = 8, width = 3 * size + 1, height = 2 * size + 3;
    std::vector<uchar4> tile(size * size);
    for (int i = 0; i < size * size; i++)
        tile[i] = make_uchar4((unsigned char)(5 * i), (unsigned char)(255 - i), (unsigned char)(i * i), (unsigned char)(7 * i + 1));
    std::vector<float> want, got;
    for (int mirrored = 0; mirrored < 2; mirrored++)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                int i = (x + size) % (2 * size), j = (y + size) % (2 * size);
                if (i >= size) i = mirrored ? 2 * size - 1 - i : i - size;
                if (j >= size) j = mirrored ? 2 * size - 1 - j : j - size;
                uchar4 c = tile[j * size + i];
                want.push_back(((float)c.x + 2.0f * (float)c.y + 3.0f * (float)c.z + 4.0f * (float)c.w) / 255.0f);
            }
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    cudaArray_t array = nullptr;
    CHECK(cudaMallocArray(&array, &format, size, size));
    size_t row = size * sizeof(uchar4);
    CHECK(cudaMemcpy2DToArray(array, 0, 0, tile.data(), row, row, size, cudaMemcpyHostToDevice));
    float *d_out = nullptr;
    CHECK(cudaMalloc(&d_out, width * height * sizeof(float)));
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaTextureDesc description = {};
        description.addressMode[0] = description.addressMode[1] = mirrored ? cudaAddressModeMirror : cudaAddressModeWrap;
        description.filterMode = cudaFilterModeLinear; /* at the centres it changes nothing */
        description.readMode = cudaReadModeNormalizedFloat;
        description.normalizedCoords = 1;
        cudaTextureObject_t texture = 0;
        CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
        repeat<<<dim3((width + 7) / 8, (height + 7) / 8), dim3(8, 8)>>>(d_out, texture, width, height, size);
        CHECK(cudaGetLastError());
        std::vector<float> part = to_host(d_out, width * height);
        got.insert(got.end(), part.begin(), part.end());
        CHECK(cudaDestroyTextureObject(texture));
    }
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(d_out));
    return verdict(got, want, 1e-5);
}
