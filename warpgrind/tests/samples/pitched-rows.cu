/* A padded 2-D allocation: rows start at multiples of the pitch; 2-D copies in and out, 2-D memset. */
#include "sample.h"

__global__ void row_sums(float *sums, const char *image, size_t pitch, int width, int height) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= height) return;
    const float *values = (const float *)(image + row * pitch);
    float sum = 0;
    for (int column = 0; column < width; column++) sum += values[column];
    sums[row] = sum;
}

int main() {
    const int width = 45, height = 70;
    std::vector<float> image = sample_values(width * height), want(height);
    for (int row = 0; row < height; row++)
        for (int column = 0; column < width; column++) want[row] += row < 3 ? 0.0f : image[row * width + column];
    char *d_image = nullptr;
    float *d_sums = nullptr;
    size_t pitch = 0;
    CHECK(cudaMallocPitch((void **)&d_image, &pitch, width * sizeof(float), height));
    CHECK(cudaMemcpy2D(d_image, pitch, image.data(), width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice));
    CHECK(cudaMemset2D(d_image, pitch, 0, width * sizeof(float), 3));
    CHECK(cudaMalloc(&d_sums, height * sizeof(float)));
    row_sums<<<(height + 31) / 32, 32>>>(d_sums, d_image, pitch, width, height);
    CHECK(cudaGetLastError());
    std::vector<float> got = to_host(d_sums, height);
    CHECK(cudaFree(d_image));
    CHECK(cudaFree(d_sums));
    return verdict(got, want, 1e-4);
}
