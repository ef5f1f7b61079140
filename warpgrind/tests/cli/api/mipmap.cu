/* Mipmapped arrays and their levels, and views of resources. */
#include "api.h"

__global__ void fetch(unsigned *out, cudaTextureObject_t texture, float level) {
    out[threadIdx.x] = tex2DLod<unsigned>(texture, ((float)threadIdx.x + 0.5f) / 4, 0.5f, level);
}

__global__ void fetch_layer(float *out, cudaTextureObject_t texture) {
    out[threadIdx.x] = tex2DLayered<float>(texture, 0.5f, 0.5f, (int)threadIdx.x);
}

static void fill_level(cudaMipmappedArray_t pyramid, unsigned level, size_t width) {
    float values[16];
    for (size_t i = 0; i < width * width; i++) values[i] = (float)(10 * level + i);
    cudaArray_t array = nullptr, again = nullptr;
    cudaExtent extent;
    FINE(cudaGetMipmappedArrayLevel(&array, pyramid, level));
    FINE(cudaGetMipmappedArrayLevel(&again, pyramid, level));
    EXPECT(array == again);
    FINE(cudaArrayGetInfo(nullptr, &extent, nullptr, array));
    EXPECT(extent.width == width && extent.height == width && extent.depth == 0);
    size_t row = width * sizeof(float);
    FINE(cudaMemcpy2DToArray(array, 0, 0, values, row, row, width, cudaMemcpyHostToDevice));
}

/* Level 1 alone, its floats read as whole numbers. */
static void levels() {
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t pyramid = nullptr;
    FINE(cudaMallocMipmappedArray(&pyramid, &format, make_cudaExtent(4, 4, 0), 99));
    for (unsigned level = 0; level < 3; level++) fill_level(pyramid, level, 4 >> level);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = pyramid;
    cudaResourceViewDesc view = {}, made = {};
    view.format = cudaResViewFormatUnsignedInt1;
    view.width = view.height = 4;
    view.firstMipmapLevel = 1;
    view.lastMipmapLevel = 2;
    cudaTextureDesc description = {};
    description.normalizedCoords = 1;
    description.maxMipmapLevelClamp = 9;
    cudaTextureObject_t texture = 0;
    FINE(cudaCreateTextureObject(&texture, &resource, &description, &view));
    FINE(cudaGetTextureObjectResourceViewDesc(&made, texture));
    EXPECT(made.format == view.format && made.width == 4 && made.firstMipmapLevel == 1 && made.lastMipmapLevel == 2);
    unsigned *d = nullptr, got[8];
    FINE(cudaMalloc(&d, sizeof got));
    fetch<<<1, 4>>>(d, texture, 0);
    fetch<<<1, 4>>>(d + 4, texture, 5);
    FINE(cudaGetLastError());
    FINE(cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost));
    float want[] = {12, 12, 13, 13, 20, 20, 20, 20};
    EXPECT(memcmp(got, want, sizeof got) == 0);
    FINE(cudaDestroyTextureObject(texture));
    FINE(cudaFreeMipmappedArray(pyramid));
    FINE(cudaFree(d));
}

static void layers() {
    float values[4] = {1, 2, 3, 4}, got[2], *d = nullptr;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    FINE(cudaMalloc3DArray(&resource.res.array.array, &format, make_cudaExtent(1, 1, 4), cudaArrayLayered));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(values, sizeof(float), 1, 1);
    copy.dstArray = resource.res.array.array;
    copy.extent = make_cudaExtent(1, 1, 4);
    copy.kind = cudaMemcpyHostToDevice;
    FINE(cudaMemcpy3D(&copy));
    cudaResourceViewDesc view = {};
    view.format = cudaResViewFormatFloat1;
    view.width = view.height = 1;
    view.depth = 2;
    view.firstLayer = 1;
    view.lastLayer = 2;
    cudaTextureDesc description = {};
    cudaTextureObject_t texture = 0;
    FINE(cudaCreateTextureObject(&texture, &resource, &description, &view));
    FINE(cudaMalloc(&d, sizeof got));
    fetch_layer<<<1, 2>>>(d, texture);
    FINE(cudaGetLastError());
    FINE(cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[0] == 2 && got[1] == 3);
    FINE(cudaDestroyTextureObject(texture));
    FINE(cudaFreeArray(resource.res.array.array));
    FINE(cudaFree(d));
}

int main() {
    levels();
    layers();
    return finish();
}
