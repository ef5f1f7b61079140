/* A query that says "not ready" is no wait, and nobody looks at what it says. */
#include "mistake.h"

__global__ void fill(int *z) {
    z[threadIdx.x] = 7; // expect: missing-sync
}

int main() {
    int *both = nullptr;
    cudaEvent_t done;
    CHECK(cudaEventCreate(&done));
    CHECK(cudaMallocManaged(&both, 64 * sizeof(int)));
    fill<<<1, 32>>>(both);
    CHECK(cudaGetLastError());
    (void)cudaStreamQuery(nullptr);
    printf("%d\n", both[3]); // expect: missing-sync
    CHECK(cudaDeviceSynchronize());
    fill<<<1, 32>>>(both + 32);
    CHECK(cudaEventRecord(done));
    (void)cudaEventQuery(done);
    printf("%d\n", both[40]); // expect: missing-sync
    while (cudaEventQuery(done) == cudaErrorNotReady) {
    }
    printf("%d\n", both[41]); // near: missing-sync
    CHECK(cudaEventDestroy(done));
    CHECK(cudaFree(both));
}
