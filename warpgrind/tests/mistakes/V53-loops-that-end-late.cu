#include "mistake.h"

__device__ int lock_word;
__device__ int total;

__global__ void steps(unsigned *out, unsigned n) {
    unsigned x = n, count = 0;
    while (x != 1) { // near: hang; nobody has proved that it ends, and it does
        x = x % 2 ? 3 * x + 1 : x / 2;
        count++;
    }
    out[threadIdx.x] = count;
}

__global__ void one_by_one(void) {
    bool done = false;
    while (!done) { // near: hang; each lane lets go of the lock in its turn
        if (atomicCAS(&lock_word, 0, 1) == 0) {
            __threadfence();
            total++;
            __threadfence();
            atomicExch(&lock_word, 0);
            done = true;
        }
    }
}

__global__ void down(float *out, int n) {
    for (int d = n; d > 0; d /= 2) out[d % 32] = 0; // near: hang
}

int main() {
    unsigned *out = nullptr;
    float *z = device_floats(32);
    CHECK(cudaMalloc(&out, 32 * sizeof(unsigned)));
    steps<<<1, 1>>>(out, 77031);
    one_by_one<<<4, 40>>>();
    down<<<1, 1>>>(z, 1 << 30);
    finish();
    CHECK(cudaFree(out));
    CHECK(cudaFree(z));
}
