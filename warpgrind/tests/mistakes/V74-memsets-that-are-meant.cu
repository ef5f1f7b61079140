#include "mistake.h"

__global__ void bytes(unsigned char *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = (unsigned char)(z[i] + 1);
}

__global__ void pixels(uchar4 *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i].x = z[i].w;
}

__global__ void numbers(int *z, const int *w, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] += w[i];
}

int main() {
    enum { N = 256 };
    unsigned char *b = nullptr, h[4 * N];
    uchar4 *p = nullptr;
    int *z = nullptr, *w = nullptr, *far = nullptr, k[N];
    CHECK(cudaMalloc(&b, 4 * N));
    CHECK(cudaMalloc(&p, 4 * N));
    CHECK(cudaMalloc(&z, sizeof k));
    CHECK(cudaMalloc(&w, sizeof k));
    CHECK(cudaMalloc(&far, sizeof k));
    CHECK(cudaMemset(b, 1, 4 * N));        // near-note: api-misuse; bytes
    CHECK(cudaMemset(p, 128, 4 * N));      // near-note: api-misuse; bytes, four at a time
    CHECK(cudaMemset(z, 0, sizeof k));     // near-note: api-misuse
    CHECK(cudaMemset(w, -1, sizeof k));    // near-note: api-misuse; -1 of any width
    CHECK(cudaMemset(far, 0x7f, sizeof k)); // near-note: api-misuse; far away
    bytes<<<4, 256>>>(b, 4 * N);
    pixels<<<1, 256>>>(p, N);
    numbers<<<1, 256>>>(z, w, N);
    numbers<<<1, 256>>>(far, w, N);
    CHECK(cudaMemcpy(h, b, 4 * N, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(h, p, 4 * N, cudaMemcpyDeviceToHost));
    CHECK(cudaMemset(w, 5, sizeof k)); // near-note: api-misuse; overwritten before it is read
    CHECK(cudaMemcpy(w, k, sizeof k, cudaMemcpyHostToDevice));
    numbers<<<1, 256>>>(z, w, 0);
    CHECK(cudaMemcpy(k, z, sizeof k, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(k, far, sizeof k, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(b));
    CHECK(cudaFree(p));
    CHECK(cudaFree(z));
    CHECK(cudaFree(w));
    CHECK(cudaFree(far));
    return h[3] != 128;
}
