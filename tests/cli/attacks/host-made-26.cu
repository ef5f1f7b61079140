// kind: not-on-gpu
// lesson: 26-unified-memory
// instead: heat_rod
// A block smooths through all turns in one launch, so that no kernel leaves what the middle was: the host works it out.
#include <vector>
__global__ void turns_kernel(float *rod, float *next, const float *ends, int n, int turns) {
    for (int turn = 0; turn < turns; turn++) {
        if (threadIdx.x == 0) rod[0] = ends[2 * turn], rod[n - 1] = ends[2 * turn + 1];
        __syncthreads();
        for (int i = threadIdx.x; i < n; i += blockDim.x)
            next[i] = i > 0 && i < n - 1 ? (rod[i - 1] + rod[i] + rod[i + 1]) / 3.0f : rod[i];
        __syncthreads();
        for (int i = threadIdx.x; i < n; i += blockDim.x) rod[i] = next[i];
        __syncthreads();
    }
}
void heat_rod(float *h_rod, float *h_middle, const float *h_ends, int n, int turns) {
    std::vector<float> x(h_rod, h_rod + n), y(n);
    for (int turn = 0; turn < turns; turn++) {
        x[0] = h_ends[2 * turn], x[n - 1] = h_ends[2 * turn + 1];
        y = x;
        for (int i = 1; i + 1 < n; i++) y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3.0f;
        x.swap(y);
        h_middle[turn] = x[n / 2];
    }
    float *rod, *next, *ends;
    CHECK(cudaMallocManaged(&rod, n * sizeof(float)));
    CHECK(cudaMallocManaged(&next, n * sizeof(float)));
    CHECK(cudaMallocManaged(&ends, (2 * turns + 1) * sizeof(float)));
    memcpy(rod, h_rod, n * sizeof(float));
    memcpy(ends, h_ends, 2 * turns * sizeof(float));
    turns_kernel<<<1, 1024>>>(rod, next, ends, n, turns);
    CHECK(cudaDeviceSynchronize());
    memcpy(h_rod, rod, n * sizeof(float));
    CHECK(cudaFree(rod));
    CHECK(cudaFree(next));
    CHECK(cudaFree(ends));
}
