#include "warp_matrix.h"

__global__ void sums_forgotten(float *c, const half *a) {
    Left left;
    Right right;
    Sums sums;
    wmma::load_matrix_sync(left, a, 16);
    wmma::load_matrix_sync(right, a, 16);
    wmma::mma_sync(sums, left, right, sums); // wmma::fill_fragment is missing
    wmma::store_matrix_sync(c, sums, 16, wmma::mem_row_major);
}

__global__ void right_forgotten(float *c, const half *a) {
    Left left;
    Right right;
    Sums sums;
    wmma::fill_fragment(sums, 0.0f);
    wmma::load_matrix_sync(left, a, 16);
    wmma::mma_sync(sums, left, right, sums); // no load of right
    wmma::store_matrix_sync(c, sums, 16, wmma::mem_row_major);
}

int main() {
    std::vector<float> h(ELEMENTS);
    half *a = device_halves(ELEMENTS);
    float *c = nullptr;
    CHECK(cudaMalloc(&c, ELEMENTS * sizeof(float)));
    sums_forgotten<<<1, 32>>>(c, a);
    finish();
    CHECK(cudaMemcpy(h.data(), c, ELEMENTS * sizeof(float), cudaMemcpyDeviceToHost)); // expect: uninitialized-read // says: a fragment that lacks values
    right_forgotten<<<1, 32>>>(c, a);
    finish();
    CHECK(cudaMemcpy(h.data(), c, ELEMENTS * sizeof(float), cudaMemcpyDeviceToHost)); // expect: uninitialized-read // says: a fragment that lacks values
    CHECK(cudaFree(a));
    CHECK(cudaFree(c));
}
