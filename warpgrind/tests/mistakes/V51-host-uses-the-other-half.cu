/* expect-none: the host touches memory of a running kernel's arrays, but no byte that the kernel uses and one
 * of them writes; and it reads what both only read. */
#include "mistake.h"

__global__ void half(const int *table, int *z) {
    z[threadIdx.x] = table[threadIdx.x];
}

int main() {
    int *table = nullptr, *both = nullptr;
    CHECK(cudaMallocManaged(&table, 32 * sizeof(int)));
    CHECK(cudaMallocManaged(&both, 64 * sizeof(int)));
    for (int i = 0; i < 32; i++)
        table[i] = -1; // all bits set
    half<<<1, 32>>>(table, both);
    CHECK(cudaGetLastError());
    int sum = 0;
    for (int i = 0; i < 32; i++) {
        both[32 + i] = i;
        sum += table[i];
    }
    CHECK(cudaDeviceSynchronize());
    printf("%d %d %d\n", sum, both[31], both[63]);
    half<<<1, 32>>>(both + 32, table); // what the host wrote beside the kernel
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    printf("%d\n", table[31]);
    CHECK(cudaFree(table));
    CHECK(cudaFree(both));
}
