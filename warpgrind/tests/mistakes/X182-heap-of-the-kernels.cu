/* What malloc gives to a kernel is for kernels alone: no function of the host's takes it. */
#include "mistake.h"

enum { N = 16 };

__device__ int *list, *gone;

__global__ void make() {
    list = (int *)malloc(N * sizeof(int));
    gone = (int *)malloc(N * sizeof(int));
    for (int i = 0; i < N; i++)
        list[i] = gone[i] = i;
    free(gone);
}

__global__ void bring(int *out) {
    out[threadIdx.x] = list[threadIdx.x];
}

__global__ void give_back() {
    free(list);
}

int main() {
    int *address = nullptr, *freed = nullptr, *d_out = nullptr, h[N];
    make<<<1, 1>>>();
    CHECK(cudaMemcpyFromSymbol(&address, list, sizeof address)); // near: api-misuse
    CHECK(cudaMemcpyFromSymbol(&freed, gone, sizeof freed));
    CHECK(cudaMalloc(&d_out, sizeof h));
    CHECK(cudaMemcpy(h, address, sizeof h, cudaMemcpyDeviceToHost)); // expect: api-misuse // says: the source is memory of 64 bytes that a kernel allocated at line 9
    CHECK(cudaMemcpy(address, h, sizeof h, cudaMemcpyDefault)); // expect: api-misuse // says: the destination is memory of 64 bytes that a kernel
    CHECK(cudaMemcpyAsync(d_out, address + 2, 8, cudaMemcpyDeviceToDevice)); // expect: api-misuse // says: Let a kernel copy it
    CHECK(cudaMemset(address + 8, 0, 8)); // expect: api-misuse // says: Set it in a kernel
    CHECK(cudaFree(address)); // expect: api-misuse // says: which only a kernel can free
    CHECK(cudaMemcpy(h, freed, sizeof h, cudaMemcpyDeviceToHost)); // expect: use-after-free // says: freed at line 13
    bring<<<1, N>>>(d_out);
    CHECK(cudaMemcpy(h, d_out, sizeof h, cudaMemcpyDeviceToHost)); // near: api-misuse
    CHECK(cudaMemcpyToSymbol(gone, &d_out, sizeof d_out));        // near: api-misuse
    give_back<<<1, 1>>>();
    finish();
    CHECK(cudaFree(d_out)); // near: api-misuse
    return h[1] != 1;
}
