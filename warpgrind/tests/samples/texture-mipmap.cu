/* A mipmapped array: each level is made from the one before on the device, then read between levels, by level and by derivatives. */
#include "sample.h"

static const int size = 16, levels = 5;

__global__ void shrink(cudaSurfaceObject_t to, cudaSurfaceObject_t from, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= width) return;
    int step = (int)sizeof(float);
    float sum = surf2Dread<float>(from, 2 * x * step, 2 * y) + surf2Dread<float>(from, (2 * x + 1) * step, 2 * y) +
                surf2Dread<float>(from, 2 * x * step, 2 * y + 1) + surf2Dread<float>(from, (2 * x + 1) * step, 2 * y + 1);
    surf2Dwrite(0.25f * sum, to, x * step, y);
}

__global__ void read_levels(float *out, cudaTextureObject_t texture, float detail, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n * n) return;
    float x = ((float)(i % n) + 0.5f) / (float)n, y = ((float)(i / n) + 0.5f) / (float)n;
    out[i] = tex2DLod<float>(texture, x, y, detail);
}

__global__ void read_by_derivatives(float *out, cudaTextureObject_t texture, float step, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n * n) return;
    float x = ((float)(i % n) + 0.5f) / (float)n, y = ((float)(i / n) + 0.5f) / (float)n;
    out[i] = tex2DGrad<float>(texture, x, y, make_float2(step, 0.0f), make_float2(0.0f, step / 2));
}

static cudaSurfaceObject_t level_surface(cudaMipmappedArray_t pyramid, unsigned level, const std::vector<float> *fill) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    CHECK(cudaGetMipmappedArrayLevel(&resource.res.array.array, pyramid, level));
    size_t row = size * sizeof(float);
    if (fill != nullptr)
        CHECK(cudaMemcpy2DToArray(resource.res.array.array, 0, 0, fill->data(), row, row, size, cudaMemcpyHostToDevice));
    cudaSurfaceObject_t surface = 0;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    return surface;
}

int main() {
    std::vector<std::vector<float>> level(1, sample_values(size * size));
    for (int n = size / 2; n > 0; n /= 2) {
        const std::vector<float> &from = level.back();
        std::vector<float> small;
        for (int i = 0; i < n * n; i++) {
            int at = 2 * (i / n) * 2 * n + 2 * (i % n);
            small.push_back(0.25f * (from[at] + from[at + 1] + from[at + 2 * n] + from[at + 2 * n + 1]));
        }
        level.push_back(small);
    }
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t pyramid = nullptr;
    CHECK(cudaMallocMipmappedArray(&pyramid, &format, make_cudaExtent(size, size, 0), levels, cudaArraySurfaceLoadStore));
    cudaSurfaceObject_t below = level_surface(pyramid, 0, &level[0]);
    for (int k = 1, n = size / 2; k < levels; k++, n /= 2) {
        cudaSurfaceObject_t made = level_surface(pyramid, k, nullptr);
        shrink<<<dim3((n + 3) / 4, (n + 3) / 4), dim3(4, 4)>>>(made, below, n);
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize()); // the kernel reads through the object until it has ended
        CHECK(cudaDestroySurfaceObject(below));
        below = made;
    }
    CHECK(cudaDestroySurfaceObject(below));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = pyramid;
    cudaTextureDesc description = {};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.mipmapFilterMode = cudaFilterModeLinear;
    description.normalizedCoords = 1;
    description.maxMipmapLevelClamp = levels - 1;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    std::vector<float> want;
    float *d_out = nullptr;
    CHECK(cudaMalloc(&d_out, 4 * size * size * sizeof(float)));
    /* level 2 alone, a quarter of the way from 1 to 2, beyond the last, and one found from derivatives of two texels of level 1 */
    const float details[] = {2.0f, 1.25f, 99.0f};
    const int n = size / 4, count = n * n;
    for (int k = 0; k < 3; k++) read_levels<<<1, 32>>>(d_out + k * count, texture, details[k], n);
    read_by_derivatives<<<1, 32>>>(d_out + 3 * count, texture, 4.0f / size, n);
    CHECK(cudaGetLastError());
    for (int i = 0; i < count; i++) want.push_back(level[2][i]);
    for (int i = 0; i < count; i++) /* a centre of level 2 is a corner in level 1: the texel below and to the right */
        want.push_back(0.75f * level[1][(2 * (i / n) + 1) * 2 * n + 2 * (i % n) + 1] + 0.25f * level[2][i]);
    for (int i = 0; i < count; i++) want.push_back(level[4][0]);
    for (int i = 0; i < count; i++) want.push_back(level[2][i]);
    std::vector<float> got = to_host(d_out, want.size());
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeMipmappedArray(pyramid));
    CHECK(cudaFree(d_out));
    return verdict(got, want, 1e-5);
}
