#include "mistake.h"

__global__ void clear(float *z) {
    z[threadIdx.x] = 0;
}

int main() {
    float *z = device_floats(64), h[64];
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    cudaMemcpyAsync(h, z, sizeof h, cudaMemcpyHostToHost, s); // expect: unchecked-error host-device-pointer
    CHECK(cudaStreamSynchronize(s));
    cudaSetDevice(8); // expect: unchecked-error api-misuse // says: several share one
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(z));
}
