/* A structure of which one member was not assigned is stored as a whole, and that member used elsewhere. */
#include "mistake.h"

struct Particle {
    float x, y, z, mass;
};

__global__ void place(Particle *all) {
    Particle p;
    p.x = threadIdx.x;
    p.y = p.z = 0;
    all[threadIdx.x] = p;
}

__global__ void place_and_weigh(Particle *all) {
    Particle p;
    p.x = threadIdx.x;
    p.y = p.z = 0;
    p.mass = 1;
    all[threadIdx.x] = p;
}

__global__ void weights(float *out, const Particle *all) {
    out[threadIdx.x] = 2 * all[threadIdx.x].mass;
}

int main() {
    const int n = 64;
    Particle *all = nullptr;
    float *out = nullptr, h[n];
    CHECK(cudaMalloc(&all, n * sizeof(Particle)));
    CHECK(cudaMalloc(&out, sizeof h));
    place<<<1, n>>>(all);
    weights<<<1, n>>>(out, all);
    finish();
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost)); // expect: uninitialized-read
    place_and_weigh<<<1, n>>>(all);
    weights<<<1, n>>>(out, all);
    finish();
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost)); // near: uninitialized-read
    CHECK(cudaFree(all));
    CHECK(cudaFree(out));
    return h[0] < 0;
}
