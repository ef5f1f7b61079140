/* The host uses __device__ and __constant__ variables by their names, where each name stands for a variable of the host's own. */
/* clang only: nvcc warns of such lines when it compiles them */
#include "mistake.h"

struct Point {
    int x, y;
};

__device__ int found;
__constant__ float scale[4];
__device__ Point point, corner;
__device__ int seen;

__global__ void search(int *out) {
    if (threadIdx.x == 3) found = point.x + corner.y + (int)scale[2] + seen;
    out[threadIdx.x] = threadIdx.x;
}

// Kernels alone call it.
__host__ __device__ int both(int more) {
    return seen + more; // near: api-misuse
}

__global__ void calls(int *out) {
    out[threadIdx.x] += both(1);
}

int main(int argc, char **argv) {
    int *out = nullptr, host[8], value = 5;
    CHECK(cudaMalloc(&out, sizeof host));
    scale[argc] = 2; // expect-note: api-misuse // says: assigns to scale by its name // says: cudaMemcpyToSymbol(scale, &value
    corner.y = 4; // expect-note: api-misuse // says: no kernel sees the value
    CHECK(cudaMemcpyToSymbol(seen, &value, sizeof value)); // near: api-misuse
    search<<<1, 8>>>(out);
    calls<<<1, 8>>>(out);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    Point here = point; // expect: api-misuse // first // says: the host reads point
    if (found > 3) printf("found\n"); // expect: api-misuse // says: cudaMemcpyFromSymbol(&value, found
    printf("%g\n", scale[argc]); // near: api-misuse; what the host has assigned itself
    CHECK(cudaMemcpyFromSymbol(&value, seen, sizeof value)); // near: api-misuse
    printf("%d %d %d\n", value, host[7], here.x);
    CHECK(cudaFree(out));
}
