#include "warp_matrix.h"

__global__ void multiply(float *c, const half *a) {
    Left left;
    Right right;
    Sums sums;
    wmma::fill_fragment(sums, 0.0f);
    wmma::load_matrix_sync(left, a + 1, 16); // expect: misaligned // says: Keep a tile in shared memory
    wmma::load_matrix_sync(right, a, 16);
    wmma::mma_sync(sums, left, right, sums);
    wmma::store_matrix_sync(c, sums, 16, wmma::mem_row_major);
}

int main() {
    half *a = device_halves(2 * ELEMENTS);
    float *c = device_floats(ELEMENTS);
    multiply<<<1, 32>>>(c, a);
    CHECK(cudaGetLastError());
    finish();
}
