/* The copy after the kernel goes the wrong way, by a direction that is found from the pointers: the host's array is written over the result. */
#include "mistake.h"

enum { N = 64 };

__global__ void fill(int *v) {
    v[threadIdx.x] = threadIdx.x; // expect-note: unused-result // first // says: the host writes over it at // says: the host's array is the first one
}

__global__ void fill_again(int *v) {
    v[threadIdx.x] += threadIdx.x; // near-note: unused-result
}

int main() {
    int host[N] = {0}, *d = nullptr, *again = nullptr;
    CHECK(cudaMalloc(&d, sizeof host));
    CHECK(cudaMalloc(&again, sizeof host));
    fill<<<1, N>>>(d);
    CHECK(cudaMemcpy(d, host, sizeof host, cudaMemcpyDefault));
    for (int i = 0; i < 2; i++) {
        CHECK(cudaMemcpy(again, host, sizeof host, cudaMemcpyDefault));
        fill_again<<<1, N>>>(again);
        CHECK(cudaMemcpy(host, again, sizeof host, cudaMemcpyDefault));
    }
    printf("%d\n", host[3]);
    CHECK(cudaFree(d));
    CHECK(cudaFree(again));
}
