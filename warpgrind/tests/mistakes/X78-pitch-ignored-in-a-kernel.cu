#include "mistake.h"

enum { WIDTH = 100, ROWS = 8 };

__global__ void without_pitch(float *out, const float *in, int width, int rows) {
    int x = threadIdx.x, y = blockIdx.x;
    if (x < width && y < rows) out[y * width + x] = in[y * width + x]; // expect: uninitialized-read // says: y * pitch
}

__global__ void decides(int *out, const float *in, int width) {
    int x = threadIdx.x, y = blockIdx.x;
    if (x < width && in[y * width + x] > 0) // expect: uninitialized-read // says: from cudaMallocPitch
        out[y] = 1;
}

__global__ void with_pitch(float *out, const float *in, size_t pitch, int width, int rows) {
    int x = threadIdx.x, y = blockIdx.x;
    if (x < width && y < rows) out[y * width + x] = ((const float *)((const char *)in + y * pitch))[x]; // near: uninitialized-read
}

int main() {
    std::vector<float> h(WIDTH * ROWS, 1.0f);
    float *in = nullptr, *out = nullptr;
    int *flags = nullptr;
    size_t pitch = 0;
    CHECK(cudaMallocPitch(&in, &pitch, WIDTH * sizeof(float), ROWS));
    CHECK(cudaMalloc(&out, h.size() * sizeof(float)));
    CHECK(cudaMalloc(&flags, ROWS * sizeof(int)));
    CHECK(cudaMemset(flags, 0, ROWS * sizeof(int)));
    CHECK(cudaMemcpy2D(in, pitch, h.data(), WIDTH * 4, WIDTH * 4, ROWS, cudaMemcpyHostToDevice));
    with_pitch<<<ROWS, 128>>>(out, in, pitch, WIDTH, ROWS);
    CHECK(cudaMemcpy(h.data(), out, h.size() * sizeof(float), cudaMemcpyDeviceToHost));
    decides<<<ROWS, 128>>>(flags, in, WIDTH);
    without_pitch<<<ROWS, 128>>>(out, in, WIDTH, ROWS);
    finish();
    CHECK(cudaMemcpy(h.data(), out, h.size() * sizeof(float), cudaMemcpyDeviceToHost));
    int found[ROWS];
    CHECK(cudaMemcpy(found, flags, sizeof found, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(flags));
    printf("%g %d\n", h[300], found[0]);
}
