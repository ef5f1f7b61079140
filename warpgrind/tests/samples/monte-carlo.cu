/* Pi by throwing darts: an own random generator in each thread, warp votes to count, one atomic a warp. */
#include "sample.h"

__host__ __device__ unsigned next_random(unsigned &state) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

__host__ __device__ bool dart_hits(unsigned &state) {
    float x = (float)(next_random(state) >> 8) / 16777216.0f, y = (float)(next_random(state) >> 8) / 16777216.0f;
    return x * x + y * y < 1.0f;
}

__global__ void throw_darts(unsigned long long *hits, int darts) {
    unsigned state = 1234567u + 7919u * (blockIdx.x * blockDim.x + threadIdx.x);
    unsigned count = 0;
    for (int i = 0; i < darts; i++) count += __popc(__ballot_sync(0xffffffffu, dart_hits(state)));
    if (threadIdx.x % warpSize == 0) atomicAdd(hits, (unsigned long long)count);
}

int main() {
    const int blocks = 6, threads = 96, darts = 40;
    unsigned long long want = 0;
    for (unsigned t = 0; t < blocks * threads; t++) {
        unsigned state = 1234567u + 7919u * t;
        for (int i = 0; i < darts; i++) want += dart_hits(state);
    }
    unsigned long long *d_hits = nullptr;
    CHECK(cudaMalloc(&d_hits, sizeof *d_hits));
    CHECK(cudaMemset(d_hits, 0, sizeof *d_hits));
    throw_darts<<<blocks, threads>>>(d_hits, darts);
    CHECK(cudaGetLastError());
    std::vector<unsigned long long> got = to_host(d_hits, 1);
    CHECK(cudaFree(d_hits));
    return verdict(got, {want});
}
