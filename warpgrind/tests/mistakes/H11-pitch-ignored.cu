#include "mistake.h"

__global__ void fill(float *z, size_t pitch, int columns, int rows) {
    int column = threadIdx.x, row = blockIdx.x;
    if (column < columns && row < rows) ((float *)((char *)z + row * pitch))[column] = (float)(row * columns + column);
}

int main() {
    enum { COLUMNS = 100, ROWS = 8, WIDTH = COLUMNS * sizeof(float) };
    std::vector<float> h(COLUMNS * ROWS), padded(COLUMNS * ROWS * 2);
    float *z = nullptr;
    size_t pitch = 0;
    CHECK(cudaMallocPitch(&z, &pitch, WIDTH, ROWS));
    CHECK(cudaMemset(z, 0, pitch * ROWS));
    CHECK(cudaMemcpy(z, h.data(), WIDTH * ROWS, cudaMemcpyHostToDevice)); // expect-note: api-misuse
    fill<<<ROWS, 128>>>(z, pitch, COLUMNS, ROWS);
    CHECK(cudaMemcpy(h.data(), z, h.size() * sizeof(float), cudaMemcpyDeviceToHost)); // expect-note: api-misuse
    CHECK(cudaMemcpy2D(h.data(), WIDTH, z, WIDTH, WIDTH, ROWS, cudaMemcpyDeviceToHost)); // expect-note: api-misuse
    CHECK(cudaMemcpy2D(padded.data(), pitch, z, WIDTH, WIDTH, ROWS, cudaMemcpyDeviceToHost)); // expect-note: api-misuse; swapped
    CHECK(cudaMemset2D(z, WIDTH, 0, WIDTH, ROWS)); // expect-note: api-misuse
    CHECK(cudaMemset(z, 0, WIDTH * ROWS)); // expect-note: api-misuse
    CHECK(cudaFree(z));
    printf("%g\n", h[1]);
}
