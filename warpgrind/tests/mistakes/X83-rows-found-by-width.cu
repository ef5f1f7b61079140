#include "mistake.h"

enum { WIDTH = 100, ROWS = 8, BYTES = WIDTH * sizeof(float) };

__global__ void fill(float *out, int width) {
    int x = threadIdx.x, y = blockIdx.x;
    if (x < width) out[y * width + x] = x; // expect-note: api-misuse // says: as if 8 rows of 400 bytes lay side by side
}

__global__ void scale(float *both, int width) {
    int x = threadIdx.x, y = blockIdx.x;
    if (x < width) both[y * width + x] *= 2; // expect-note: api-misuse // says: (float *)((char *)p + y * pitch)
}

__global__ void mean(float *out, const float *in, int width, int rows) {
    int x = threadIdx.x, y = blockIdx.x, i = y * width + x;
    if (x > 0 && x < width - 1 && y > 0 && y < rows - 1)
        out[i] = in[i - 1] + in[i + 1] + in[i - width] + in[i + width]; // expect-note: api-misuse
}

/* The pitch is there, but it counts bytes. */
__global__ void by_elements(float *out, const float *in, size_t pitch, int width) {
    int x = threadIdx.x, y = blockIdx.x;
    if (x < width) out[y * width + x] = in[y * pitch + x]; // expect: out-of-bounds // says: counts bytes and an index counts elements
}

int main() {
    std::vector<float> h(WIDTH * ROWS, 1.0f);
    float *in = nullptr, *out = nullptr, *both = nullptr, *plain = nullptr;
    size_t pitch = 0;
    CHECK(cudaMallocPitch(&in, &pitch, BYTES, ROWS));
    CHECK(cudaMallocPitch(&out, &pitch, BYTES, ROWS));
    CHECK(cudaMallocPitch(&both, &pitch, BYTES, ROWS));
    CHECK(cudaMalloc(&plain, BYTES * ROWS));
    CHECK(cudaMemset(in, 0, pitch * ROWS));
    CHECK(cudaMemset(both, 0, pitch * ROWS));
    CHECK(cudaMemset(plain, 0, BYTES * ROWS));
    CHECK(cudaMemcpy2D(in, pitch, h.data(), BYTES, BYTES, ROWS, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2D(both, pitch, h.data(), BYTES, BYTES, ROWS, cudaMemcpyHostToDevice));
    fill<<<ROWS, 128>>>(out, WIDTH);
    scale<<<ROWS, 128>>>(both, WIDTH);
    mean<<<ROWS, 128>>>(plain, in, WIDTH, ROWS);
    finish();
    CHECK(cudaMemcpy(h.data(), plain, BYTES * ROWS, cudaMemcpyDeviceToHost));
    by_elements<<<ROWS, 128>>>(plain, in, pitch, WIDTH);
    finish();
    CHECK(cudaMemcpy2D(h.data(), BYTES, both, pitch, BYTES, ROWS, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy2D(h.data(), BYTES, out, pitch, BYTES, ROWS, cudaMemcpyDeviceToHost)); // expect: uninitialized-read
    CHECK(cudaMemcpy(h.data(), plain, 4, cudaMemcpyDeviceToHost)); // also: uninitialized-read out-of-bounds
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(both));
    CHECK(cudaFree(plain));
    printf("%g\n", h[300]);
}
