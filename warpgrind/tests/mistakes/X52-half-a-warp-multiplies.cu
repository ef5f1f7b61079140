#include "warp_matrix.h"

__global__ void multiply(float *c, const half *a) {
    Left left;
    Right right;
    Sums sums;
    wmma::fill_fragment(sums, 0.0f);
    if (threadIdx.x < 16) {
        wmma::load_matrix_sync(left, a, 16); // expect: invalid-mask
        wmma::load_matrix_sync(right, a, 16); // kind: invalid-mask
        wmma::mma_sync(sums, left, right, sums); // kind: invalid-mask
        wmma::store_matrix_sync(c, sums, 16, wmma::mem_row_major); // kind: invalid-mask
    }
}

int main() {
    half *a = device_halves(ELEMENTS);
    float *c = device_floats(ELEMENTS);
    multiply<<<1, 32>>>(c, a);
    CHECK(cudaGetLastError());
    finish();
    CHECK(cudaFree(a));
    CHECK(cudaFree(c));
}
