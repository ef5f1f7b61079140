#include "mistake.h"

enum { WIDTH = 100, ROWS = 8, BYTES = WIDTH * sizeof(float) };

__device__ float *row_of(float *p, size_t pitch, int y) {
    return (float *)((char *)p + y * pitch);
}

__global__ void by_pitch(float *p, size_t pitch, int width) {
    if (threadIdx.x < width) row_of(p, pitch, blockIdx.x)[threadIdx.x] += 1; // near-note: api-misuse
}

__global__ void whole_memory(float *p, int elements) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < elements) p[i] = 0; // near-note: api-misuse; the padding too, to the very end
}

__global__ void some_rows(float *p, int elements) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < elements) p[i] = 1; // near-note: api-misuse; five rows with all their padding
}

__global__ void one_row(float *p, int width) {
    if (threadIdx.x < width) p[threadIdx.x] = 2; // near-note: api-misuse
}

__global__ void no_padding(float *p, int width) {
    p[blockIdx.x * width + threadIdx.x] = 3; // near-note: api-misuse; 512 bytes need none
}

int main() {
    std::vector<float> h(WIDTH * ROWS, 1.0f);
    float *p = nullptr, *tight = nullptr;
    size_t pitch = 0, same = 0;
    CHECK(cudaMallocPitch(&p, &pitch, BYTES, ROWS));
    CHECK(cudaMallocPitch(&tight, &same, 512, ROWS));
    int all = pitch / sizeof(float) * ROWS;
    whole_memory<<<(all + 127) / 128, 128>>>(p, all);
    some_rows<<<(all + 127) / 128, 128>>>(p, all / ROWS * 5);
    one_row<<<1, 128>>>(p, WIDTH);
    by_pitch<<<ROWS, 128>>>(p, pitch, WIDTH);
    no_padding<<<ROWS, 128>>>(tight, 128);
    finish();
    CHECK(cudaMemcpy2D(h.data(), BYTES, p, pitch, BYTES, ROWS, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy2D(h.data(), BYTES, tight, same, BYTES, ROWS, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(p));
    CHECK(cudaFree(tight));
    return h[0] != 3.0f;
}
