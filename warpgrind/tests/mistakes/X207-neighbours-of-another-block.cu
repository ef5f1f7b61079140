/* A step of a simulation in place: the thread at the edge of a block reads what another block writes, old or new. */
#include "mistake.h"

__global__ void in_place(float *t, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) t[i] = 0.5f * (t[i - 1] + t[i + 1]); // expect: global-race // says: let the kernel read one array and write a second one
}

__global__ void from_old(float *z, const float *t, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) z[i] = 0.5f * (t[i - 1] + t[i + 1]); // near: global-race
}

int main() {
    const int n = 256;
    float *t = device_floats(n), *z = device_floats(n);
    in_place<<<4, n / 4>>>(t, n);
    from_old<<<4, n / 4>>>(z, t, n);
    float h[n];
    CHECK(cudaMemcpy(h, z, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(t));
    CHECK(cudaFree(z));
    return h[1] > 1e9f;
}
