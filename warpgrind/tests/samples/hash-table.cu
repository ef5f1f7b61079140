/* A hash table with open addressing: a slot is taken by compare and swap, counts are added atomically; a second kernel looks up. */
#include "sample.h"

enum { SLOTS = 1024, FREE = -1 };

__device__ unsigned slot_of(int key) {
    return (unsigned)key * 2654435761u >> 22;
}

__global__ void insert(int *keys, int *counts, const int *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (unsigned slot = slot_of(in[i]);; slot = (slot + 1) % SLOTS) {
        int owner = atomicCAS(&keys[slot], FREE, in[i]);
        if (owner == FREE || owner == in[i]) {
            atomicAdd(&counts[slot], 1);
            return;
        }
    }
}

__global__ void look_up(int *found, const int *keys, const int *counts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned slot = slot_of(i);
    while (keys[slot] != FREE && keys[slot] != i) slot = (slot + 1) % SLOTS;
    found[i] = keys[slot] == i ? counts[slot] : 0;
}

int main() {
    const int n = 3000, range = 800;
    std::vector<int> in(n), want(range);
    for (int i = 0; i < n; i++) want[in[i] = (i * 7919 + i * i) % range]++;
    int *d_in = to_device(in), *d_keys = nullptr, *d_counts = nullptr, *d_found = nullptr;
    CHECK(cudaMalloc(&d_keys, SLOTS * sizeof(int)));
    CHECK(cudaMalloc(&d_counts, SLOTS * sizeof(int)));
    CHECK(cudaMalloc(&d_found, range * sizeof(int)));
    CHECK(cudaMemset(d_keys, 0xff, SLOTS * sizeof(int)));
    CHECK(cudaMemset(d_counts, 0, SLOTS * sizeof(int)));
    insert<<<(n + 127) / 128, 128>>>(d_keys, d_counts, d_in, n);
    CHECK(cudaGetLastError());
    look_up<<<(range + 127) / 128, 128>>>(d_found, d_keys, d_counts, range);
    CHECK(cudaGetLastError());
    std::vector<int> got = to_host(d_found, range);
    for (int *p : {d_in, d_keys, d_counts, d_found}) CHECK(cudaFree(p));
    return verdict(got, want);
}
