#include "mistake.h"

struct Particle {
    float x, y, z, mass, age, charge, spin, heat;
};

__global__ void move(Particle *all, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) all[i].x += 1.0f; // expect-note: uncoalesced
}

__global__ void rows(float *out, const float *in, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += in[row * n + k]; // expect-note: uncoalesced
    out[row] = sum;
}

__global__ void chunks(float *z, int each) {
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    for (int k = 0; k < each; k++) z[first + k] = 1; // expect-note: uncoalesced
}

int main() {
    Particle *all = nullptr;
    float *z = device_floats(256 * 256), *out = device_floats(256);
    CHECK(cudaMalloc(&all, 16384 * sizeof(Particle)));
    CHECK(cudaMemset(all, 0, 16384 * sizeof(Particle)));
    move<<<64, 256>>>(all, 16384);
    rows<<<1, 256>>>(out, z, 256);
    chunks<<<4, 256>>>(z, 64);
    finish();
    CHECK(cudaFree(all));
    CHECK(cudaFree(z));
    CHECK(cudaFree(out));
}
