#include "mistake.h"

// A result of two members of different sizes, in a buffer of bytes, as libraries have it.
struct Best {
    int index;
    double value;
};

__global__ void best(char *raw) {
    Best *result = (Best *)raw;
    result->index = 7;
    result->value = 0.5;
}

int main() {
    Best h;
    char *raw = nullptr;
    CHECK(cudaMalloc(&raw, sizeof(Best)));
    best<<<1, 1>>>(raw);
    finish();
    CHECK(cudaMemcpy(&h, raw, sizeof h, cudaMemcpyDeviceToHost)); // near: uninitialized-read
    CHECK(cudaFree(raw));
    printf("%d %g\n", h.index, h.value);
}
