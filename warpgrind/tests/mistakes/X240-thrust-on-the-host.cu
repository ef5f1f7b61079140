/* thrust::sort takes an ordinary pointer for one of the host's. It crashes many functions further down. */
#include "mistake.h"

#include <thrust/execution_policy.h>
#include <thrust/sort.h>

enum { N = 64 };

int main() {
    int h[N], *d = nullptr;
    for (int i = 0; i < N; i++) h[i] = N - i;
    CHECK(cudaMalloc(&d, sizeof h));
    CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    thrust::sort(thrust::device, d, d + N); // near: host-device-pointer
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    printf("%d\n", h[0]);
    thrust::sort(d, d + N); // expect: host-device-pointer
    CHECK(cudaFree(d));
}
