/* free and delete in a kernel take what malloc and new in a kernel gave: not the host's memory, no variable, and no place within. */
#include "mistake.h"

__device__ int table[4];
__device__ int *volatile kept;

__global__ void of_the_host(int *x, int *out) {
    out[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) free(x); // expect: api-misuse // says: neither malloc nor new in a kernel gave: 128 bytes // says: with cudaFree after the last kernel
}

__global__ void within() {
    int *list = (int *)malloc(8 * sizeof(int));
    if (list == nullptr) return;
    for (int i = 0; i < 8; i++) *list++ = i;
    kept = list;
    free(list - 7); // expect: api-misuse // says: 4 bytes past the beginning of what malloc or new gave // says: the very address
}

struct Counted {
    int value;
    __device__ ~Counted() { value = 0; }
};

__device__ Counted *volatile all;

__global__ void one_for_many() {
    all = new Counted[4];
    delete all; // expect: api-misuse // says: What new[] gave is for delete[]
}

__global__ void variable() {
    free(table + 1); // expect: api-misuse // says: frees table, a variable
}

__global__ void made_up(size_t address) {
    free((void *)address); // expect: api-misuse // says: an address at which neither malloc nor new in a kernel gave memory
}

__global__ void right(int *out) {
    int *list = new int[8], *end = list;
    if (list == nullptr) return;
    for (int i = 0; i < 8; i++) *end++ = i;
    out[threadIdx.x] = end[-1];
    delete[] list; // near: api-misuse
    free(nullptr); // near: api-misuse
}

template <typename Kernel, typename... Arguments> static void try_alone(Kernel kernel, Arguments... arguments) {
    kernel<<<1, 1>>>(arguments...);
    if (cudaDeviceSynchronize() != cudaSuccess) CHECK(cudaDeviceReset());
}

int main() {
    int *x = nullptr, *out = nullptr, seven = 0;
    CHECK(cudaMalloc(&out, sizeof(int)));
    right<<<1, 1>>>(out);
    CHECK(cudaMemcpy(&seven, out, sizeof seven, cudaMemcpyDeviceToHost));
    printf("%d\n", seven);
    CHECK(cudaMalloc(&x, 32 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 32 * sizeof(int)));
    try_alone(of_the_host, x, out);
    try_alone(within);
    try_alone(one_for_many);
    try_alone(variable);
    try_alone(made_up, (size_t)0x123456789000);
}
