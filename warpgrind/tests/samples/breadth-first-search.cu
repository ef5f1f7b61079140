/* Breadth-first search by frontiers: each level is a launch, new nodes are claimed by compare and swap and appended to a queue. */
#include "sample.h"

__global__ void expand(int *distance, int *next, int *next_count, const int *frontier, int count, const int *starts,
                       const int *targets, int level) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    int node = frontier[i];
    for (int e = starts[node]; e < starts[node + 1]; e++)
        if (atomicCAS(&distance[targets[e]], -1, level) == -1) next[atomicAdd(next_count, 1)] = targets[e];
}

int main() {
    const int n = 700, degree = 3;
    std::vector<int> starts(n + 1), targets, want(n, -1), queue(1, 0);
    for (int i = 0; i < n; i++) {
        starts[i] = (int)targets.size();
        for (int d = 0; d < degree; d++) targets.push_back((i * 5 + d * 131 + 1) % n);
    }
    starts[n] = (int)targets.size();
    want[0] = 0;
    for (size_t q = 0; q < queue.size(); q++)
        for (int e = starts[queue[q]]; e < starts[queue[q] + 1]; e++)
            if (want[targets[e]] < 0) {
                want[targets[e]] = want[queue[q]] + 1;
                queue.push_back(targets[e]);
            }
    int *d_starts = to_device(starts), *d_targets = to_device(targets), *d_distance, *d_queue[2], *d_count, count = 1;
    CHECK(cudaMalloc(&d_distance, n * sizeof(int)));
    CHECK(cudaMalloc(&d_queue[0], n * sizeof(int)));
    CHECK(cudaMalloc(&d_queue[1], n * sizeof(int)));
    CHECK(cudaMalloc(&d_count, sizeof(int)));
    CHECK(cudaMemset(d_distance, 0xff, n * sizeof(int)));
    CHECK(cudaMemset(d_distance, 0, sizeof(int)));
    CHECK(cudaMemset(d_queue[0], 0, sizeof(int)));
    for (int level = 1; count > 0; level++) {
        CHECK(cudaMemset(d_count, 0, sizeof(int)));
        expand<<<(count + 63) / 64, 64>>>(d_distance, d_queue[level % 2], d_count, d_queue[1 - level % 2], count, d_starts, d_targets, level);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(&count, d_count, sizeof count, cudaMemcpyDeviceToHost));
    }
    std::vector<int> got = to_host(d_distance, n);
    for (int *p : {d_starts, d_targets, d_distance, d_queue[0], d_queue[1], d_count}) CHECK(cudaFree(p));
    return verdict(got, want);
}
