#include "warp_matrix.h"

__global__ void multiply(float *c, const half *a, unsigned a_width) {
    Left left;
    Right right;
    Sums sums;
    wmma::fill_fragment(sums, 0.0f);
    wmma::load_matrix_sync(left, a, a_width); // expect: out-of-bounds; with 32, the rows are 16 apart
    wmma::load_matrix_sync(right, a, 16);
    wmma::mma_sync(sums, left, right, sums);
    wmma::store_matrix_sync(c, sums, 16, wmma::mem_row_major); // expect: out-of-bounds; room for half of it
}

int main() {
    half *a = device_halves(ELEMENTS);
    float *c = device_floats(ELEMENTS), *half_of_it = device_floats(ELEMENTS / 2);
    multiply<<<1, 32>>>(half_of_it, a, 16);
    CHECK(cudaGetLastError());
    cudaDeviceSynchronize();
    cudaGetLastError();
    multiply<<<1, 32>>>(c, a, 32);
    cudaDeviceSynchronize();
    cudaGetLastError();
    CHECK(cudaFree(a));
    CHECK(cudaFree(c));
    CHECK(cudaFree(half_of_it));
}
