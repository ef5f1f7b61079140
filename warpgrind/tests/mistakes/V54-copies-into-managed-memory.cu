/* expect-none: managed memory is written by the host, by copies of every direction and by a memset before host and kernels read it. */
#include "mistake.h"

__global__ void sum(const int *x, int n, int *out) {
    int total = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > 0) total += x[i];
    *out = total;
}

int main() {
    enum { N = 40 };
    int h[N], *x = nullptr, *y = nullptr, *d = nullptr, *out = nullptr;
    for (int i = 0; i < N; i++)
        h[i] = i;
    CHECK(cudaMallocManaged(&x, 2 * N * sizeof(int)));
    CHECK(cudaMallocManaged(&y, 2 * N * sizeof(int)));
    CHECK(cudaMallocHost(&out, sizeof(int)));
    CHECK(cudaMalloc(&d, N * sizeof(int)));
    CHECK(cudaMemcpy(x, h, N * sizeof(int), cudaMemcpyDefault));
    CHECK(cudaMemcpy(x + N, h, N * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d, x, N * sizeof(int), cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy(y, d, N * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemset(y + N, 0, N * sizeof(int)));
    CHECK(cudaMemset(out, 0xff, sizeof(int)));
    if (y[N] != 0 || *out != -1) return 2; // a memset of memory that the host sees is waited for
    sum<<<1, 1>>>(x, 2 * N, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    int first = *out;
    sum<<<1, 1>>>(y, 2 * N, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    if (first != 2 * 780 || *out != 780) return 1;
    x[3] = 1000; // between kernels, after a wait
    CHECK(cudaMemcpy(h, x, N * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(out));
    printf("%d\n", h[3]);
}
