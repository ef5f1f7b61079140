#include "mistake.h"

__device__ float *kept;

__global__ void keep(float *z) {
    kept = z;
}

__global__ void use_kept(float *out) {
    *out = kept[5]; // expect: use-after-free
}

int main() {
    float *z = device_floats(32), *out = device_floats(1), h[32];
    keep<<<1, 1>>>(z);
    CHECK(cudaFree(z));
    use_kept<<<1, 1>>>(out);
    CHECK(cudaMemcpy(h, z, sizeof h, cudaMemcpyDeviceToHost)); // expect: use-after-free
    finish();
    CHECK(cudaFree(out));
}
