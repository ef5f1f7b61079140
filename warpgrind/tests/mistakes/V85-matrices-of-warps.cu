#include "warp_matrix.h"

// Four warps, each a tile of 16 x 16 of the product of two matrices of 32 x 32; by way of shared memory.
__global__ void multiply(float *c, const half *a, const half *b) {
    __shared__ float tiles[4][ELEMENTS];
    unsigned warp = threadIdx.x / 32, row = warp / 2 * 16, column = warp % 2 * 16;
    Left left;
    Right right;
    Sums sums;
    wmma::fill_fragment(sums, 0.0f); // near: uninitialized-read
    for (unsigned i = 0; i < 32; i += 16) {
        wmma::load_matrix_sync(left, a + 32 * row + i, 32); // near: misaligned out-of-bounds
        wmma::load_matrix_sync(right, b + 32 * column + i, 32);
        if (row + i < 64) wmma::mma_sync(sums, left, right, sums); // near: invalid-mask
    }
    for (int i = 0; i < sums.num_elements; i++)
        sums.x[i] *= 0.5f;
    wmma::store_matrix_sync(tiles[warp], sums, 16, wmma::mem_row_major);
    __syncwarp();
    for (unsigned i = threadIdx.x % 32; i < ELEMENTS; i += 32)
        c[32 * (row + i / 16) + column + i % 16] = tiles[warp][i]; // near: shared-race
}

int main() {
    std::vector<float> h(4 * ELEMENTS);
    half *a = device_halves(4 * ELEMENTS), *b = device_halves(4 * ELEMENTS);
    float *c = nullptr;
    CHECK(cudaMalloc(&c, h.size() * sizeof(float)));
    multiply<<<1, 128>>>(c, a, b);
    finish();
    CHECK(cudaMemcpy(h.data(), c, h.size() * sizeof(float), cudaMemcpyDeviceToHost)); // near: uninitialized-read
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
}
