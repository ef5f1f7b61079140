#include "mistake.h"

int main() {
    enum { COLUMNS = 100, ROWS = 8, WIDTH = COLUMNS * sizeof(float) };
    std::vector<float> h(COLUMNS * ROWS, 1.0f);
    float *z = nullptr, *tight = nullptr, *second = nullptr;
    size_t pitch = 0, same = 0;
    CHECK(cudaMallocPitch(&z, &pitch, WIDTH, ROWS));
    CHECK(cudaMallocPitch(&second, &pitch, WIDTH, ROWS));
    CHECK(cudaMallocPitch(&tight, &same, 512, ROWS));
    std::vector<char> padded(pitch * ROWS);
    CHECK(cudaMemset(z, 0, pitch * ROWS));                                               // near-note: api-misuse; padding and all
    CHECK(cudaMemcpy2D(z, pitch, h.data(), WIDTH, WIDTH, ROWS, cudaMemcpyHostToDevice)); // near-note: api-misuse
    CHECK(cudaMemcpy(second, z, pitch * ROWS, cudaMemcpyDeviceToDevice));                // near-note: api-misuse; between equal pitches
    CHECK(cudaMemcpy(padded.data(), z, pitch * ROWS, cudaMemcpyDeviceToHost));           // near-note: api-misuse
    CHECK(cudaMemcpy(h.data(), second, WIDTH, cudaMemcpyDeviceToHost));                  // near-note: api-misuse; one row
    CHECK(cudaMemcpy2D(h.data(), WIDTH, second, 2 * pitch, WIDTH, ROWS / 2, cudaMemcpyDeviceToHost)); // near-note: api-misuse; every other row
    CHECK(cudaMemset(tight, 0, 512 * ROWS));                                             // near-note: api-misuse; no padding there
    CHECK(cudaFree(z));
    CHECK(cudaFree(second));
    CHECK(cudaFree(tight));
    return h[0] != 1.0f;
}
