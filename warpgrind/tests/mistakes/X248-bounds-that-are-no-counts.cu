/* A factor is no length, whatever its bits say as a whole number; and a pointer that was moved on is not the one to free. */
#include "mistake.h"

enum { N = 1000 };

__global__ void saxpy(float a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = a * x[i]; // expect: out-of-bounds // says: Guard the access with if (i < n)
}

__global__ void insert(unsigned *row, unsigned n) {
    unsigned x = row[n - 1], j = n - 1;
    while (row[j - 1] > x) { // expect: out-of-bounds // says: whether there is as much (j > 0)
        row[j] = row[j - 1];
        j--;
    }
    row[j] = x;
}

int main() {
    float *x = device_floats(N), *y = device_floats(N), *at = nullptr;
    saxpy<<<4, 256>>>(2.0f, x, y);
    CHECK(cudaMalloc(&at, 4 * sizeof(float)));
    for (int i = 0; i < 4; i++) at++;
    if (cudaFree(at) == cudaSuccess) return 1; // expect: api-misuse // says: the very pointer that cudaMalloc gave
    CHECK(cudaFree(at - 4));
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    unsigned *row = nullptr, host[8] = {10, 20, 30, 40, 50, 60, 70, 5};
    CHECK(cudaMalloc(&row, sizeof host));
    CHECK(cudaMemcpy(row, host, sizeof host, cudaMemcpyHostToDevice));
    insert<<<1, 1>>>(row, 8);
    if (cudaMemcpy(host, row, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess) printf("%u\n", host[0]);
    if (cudaFree(row) == cudaSuccess) return 1;
}
