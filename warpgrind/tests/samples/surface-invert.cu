/* A kernel reads and writes a CUDA array through a surface object. */
#include "sample.h"

__global__ void invert(cudaSurfaceObject_t surface, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float value;
    surf2Dread(&value, surface, x * (int)sizeof(float), y);
    surf2Dwrite(1.0f - value, surface, x * (int)sizeof(float), y);
}

int main() {
    const int width = 20, height = 30;
    std::vector<float> image = sample_values(width * height), got(width * height), want(width * height);
    for (size_t i = 0; i < image.size(); i++) want[i] = 1.0f - image[i];
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    CHECK(cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore));
    size_t row = width * sizeof(float);
    CHECK(cudaMemcpy2DToArray(array, 0, 0, image.data(), row, row, height, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    invert<<<dim3((width + 7) / 8, (height + 7) / 8), dim3(8, 8)>>>(surface, width, height);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy2DFromArray(got.data(), row, array, 0, 0, row, height, cudaMemcpyDeviceToHost));
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaFreeArray(array));
    return verdict(got, want);
}
