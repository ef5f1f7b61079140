#include "mistake.h"

__global__ void fill(int *count) {
    int n = 0;
    void *last = nullptr, *next;
    while (n < 100 && (next = malloc(1 << 20))) {
        free(last);
        if (n % 2 == 0) free(next), next = nullptr;
        last = next;
        n++;
    }
    free(last);
    *count = n;
}

__global__ void hold(int *count) {
    void *pieces[20];
    int n = 0;
    while (n < 20 && (pieces[n] = malloc(1 << 20))) // near: leak
        n++;
    *count = n;
    for (int i = 0; i < n; i++) free(pieces[i]);
}

__device__ int walk(const int *next, int at, int steps) {
    int seen[4] = {at, at + 1, at + 2, at + 3};
    if (steps > 0) seen[at & 3] += walk(next, next[at & 1], steps - 1);
    return seen[(at + steps) & 3];
}

__global__ void start(const int *next, int *out, int steps) { *out = walk(next, 0, steps); }

static void expect(int *d, int want) {
    int got;
    CHECK(cudaMemcpy(&got, d, sizeof got, cudaMemcpyDeviceToHost));
    if (got != want) abort();
}

int main() {
    int *d, *next;
    CHECK(cudaMalloc(&d, sizeof *d));
    CHECK(cudaMalloc(&next, 2 * sizeof *next));
    CHECK(cudaMemset(next, 0, 2 * sizeof *next));
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 7 << 20)); // near: api-misuse
    hold<<<1, 1>>>(d);
    expect(d, 5);
    fill<<<1, 1>>>(d);
    expect(d, 100);
    if (cudaDeviceSetLimit(cudaLimitMallocHeapSize, 9 << 20) == cudaSuccess) abort(); // expect: api-misuse
    start<<<1, 1>>>(next, d, 10);                               // near: limit
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 16384));
    start<<<1, 1>>>(next, d, 100); // near: limit
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 1024));
    start<<<1, 1>>>(next, d, 100); // expect: limit
    if (cudaDeviceSynchronize() == cudaSuccess) abort();
}
