/* A __device__ variable that is a pointer: on the host its name means a placeholder, which no kernel sees. */
#include "mistake.h"

enum { N = 64 };

__device__ int *table, *right_table, *rows[2];
__managed__ int *shared_table;

__global__ void fill_right() {
    right_table[threadIdx.x] = shared_table[threadIdx.x] = threadIdx.x;
}

__global__ void fill() {
    if (table) table[threadIdx.x] = threadIdx.x;
}

int main() {
    int *d_table = nullptr, h[N];
    CHECK(cudaMalloc(&d_table, sizeof h));
    CHECK(cudaMemcpyToSymbol(right_table, &d_table, sizeof d_table)); // near: api-misuse
    CHECK(cudaMalloc(&shared_table, sizeof h)); // near: api-misuse
    fill_right<<<1, N>>>();
    CHECK(cudaMemcpy(h, d_table, sizeof h, cudaMemcpyDeviceToHost));
    printf("%d\n", h[3]);
    CHECK(cudaMemcpy(h, shared_table, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaMalloc(&table, sizeof h)); // expect: api-misuse // says: cudaMemcpyToSymbol(table, &d_x, sizeof d_x)
    CHECK(cudaMalloc(&rows[1], sizeof h)); // expect: api-misuse // says: the host's placeholder of the device variable rows
    fill<<<1, N>>>();
    finish();
    CHECK(cudaFree(d_table));
    CHECK(cudaFree(shared_table));
    CHECK(cudaFree(table)); // expect: api-misuse // says: the host reads table by its name
    CHECK(cudaFree(rows[1])); // also: api-misuse
}
