/* The copy that brought too little stands before what a kernel finds without values. */
#include "mistake.h"

enum { WIDE = 37, HIGH = 12 };

__global__ void sum_rows(const float *p, size_t pitch, float *out) {
    const float *row = (const float *)((const char *)p + threadIdx.x * pitch);
    float sum = 0;
    for (int i = 0; i < WIDE; i++)
        sum += row[i]; // expect: uninitialized-read
    out[threadIdx.x] = sum;
}

int main() {
    std::vector<float> m(WIDE * HIGH, 1.0f);
    float *p = nullptr, *out = device_floats(HIGH), sums[HIGH];
    size_t pitch = 0;
    CHECK(cudaMallocPitch(&p, &pitch, WIDE * sizeof(float), HIGH));
    CHECK(cudaMemcpy2D(p, pitch, m.data(), WIDE * sizeof(float), WIDE, HIGH, cudaMemcpyHostToDevice)); // expect-note: api-misuse // first
    sum_rows<<<1, HIGH>>>(p, pitch, out);
    finish();
    CHECK(cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(p));
    CHECK(cudaFree(out));
    printf("%g\n", sums[0]);
}
