/* cudaMemcpy2D counts the width of a row in bytes, as it does the pitches. */
#include "mistake.h"

enum { WIDE = 50, HIGH = 20 };

__global__ void fill(float *z, size_t pitch) {
    if (threadIdx.x < WIDE) ((float *)((char *)z + blockIdx.x * pitch))[threadIdx.x] = threadIdx.x;
}

/* A part on purpose: of a host matrix as wide as the part, or piece by piece. */
static void parts(float *z, size_t pitch, float *dense) {
    std::vector<float> tile(HIGH * WIDE), whole(HIGH * WIDE);
    CHECK(cudaMemcpy2D(tile.data(), WIDE, z, pitch, WIDE, HIGH, cudaMemcpyDeviceToHost)); // near-note: api-misuse
    for (int i = 0; i < 4; i++)
        CHECK(cudaMemcpy2D((char *)whole.data() + i * WIDE, WIDE * 4, (char *)dense + i * WIDE, WIDE * 4, WIDE, HIGH, cudaMemcpyDeviceToHost)); // near-note: api-misuse
}

int main() {
    float *z = nullptr, *dense = nullptr, *y = nullptr, *x = nullptr;
    size_t pitch = 0, other = 0;
    std::vector<float> h(WIDE * HIGH);
    std::vector<double> d(WIDE * HIGH);
    CHECK(cudaMallocPitch(&z, &pitch, WIDE * sizeof(float), HIGH));
    CHECK(cudaMallocPitch(&y, &other, WIDE * sizeof(float), HIGH));
    CHECK(cudaMalloc(&dense, WIDE * HIGH * sizeof(float)));
    CHECK(cudaMalloc(&x, WIDE * HIGH * sizeof(double)));
    fill<<<HIGH, 64>>>(z, pitch);
    fill<<<HIGH, 64>>>(y, other);
    fill<<<HIGH, 64>>>(dense, WIDE * sizeof(float));
    finish();
    CHECK(cudaMemcpy2D(h.data(), WIDE * sizeof(float), y, other, WIDE, HIGH, cudaMemcpyDeviceToHost)); // expect-note: api-misuse // says: 50 bytes of each row of 200 bytes: exactly one quarter
    CHECK(cudaMemcpy2D(x, WIDE * sizeof(double), d.data(), WIDE * sizeof(double), WIDE, HIGH, cudaMemcpyHostToDevice)); // expect-note: api-misuse // says: exactly one eighth, as if the width had been counted in elements
    parts(z, pitch, dense);
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    CHECK(cudaFree(z));
    CHECK(cudaFree(dense));
}
