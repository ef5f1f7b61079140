/* Work that the host does not wait for piles up; what is started after much of it is watched as well, or it is said that it is not. */
#include "mistake.h"

enum { N = 32, ROUNDS = 2100, PARTS = 4200 };

__global__ void step(int *x) {
    x[threadIdx.x]++;
}

__global__ void use(int *out, const int *made) {
    out[threadIdx.x] = made[threadIdx.x]; // expect: missing-sync
}

int main() {
    int *x = nullptr, *made = nullptr, *out = nullptr, *large = nullptr;
    CHECK(cudaMalloc(&x, N * sizeof(int)));
    CHECK(cudaMalloc(&made, N * sizeof(int)));
    CHECK(cudaMalloc(&out, N * sizeof(int)));
    CHECK(cudaMalloc(&large, PARTS * sizeof(int)));
    CHECK(cudaMemset(x, 0, N * sizeof(int)));
    CHECK(cudaMemset(made, 0, N * sizeof(int)));
    CHECK(cudaDeviceSynchronize());
    cudaStream_t one, two;
    CHECK(cudaStreamCreate(&one));
    CHECK(cudaStreamCreate(&two));
    for (int round = 0; round < ROUNDS; round++)
        step<<<1, N, 0, one>>>(x);
    step<<<1, N, 0, one>>>(made);
    use<<<1, N, 0, two>>>(out, made);
    finish();
    int host[N];
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    printf("%d\n", host[0]);
    for (int part = 0; part < PARTS; part++)
        CHECK(cudaMemsetAsync(large + part, 0, sizeof(int), one)); // expect-note: limit // says: work has been started that the host has not waited for
    finish();
    CHECK(cudaStreamDestroy(one));
    CHECK(cudaStreamDestroy(two));
    CHECK(cudaFree(x));
    CHECK(cudaFree(made));
    CHECK(cudaFree(out));
    CHECK(cudaFree(large));
}
