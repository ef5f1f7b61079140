/* warpgrind: --devices 2 */
/* Two devices: one computes, the other reads the result where it lies (peer access), and gets a copy of it as well. */
#include "sample.h"

__device__ int offset = 100;

__global__ void count_up(int *values, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = i + offset;
}

__global__ void twice(int *out, const int *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i] + offset;
}

int main() {
    const int n = 500;
    int devices = 0, can = 0, *there, *here, *copied, own = 7;
    CHECK(cudaGetDeviceCount(&devices));
    if (devices < 2) {
        printf("this needs two devices\nright\n");
        return 0;
    }
    CHECK(cudaDeviceCanAccessPeer(&can, 0, 1));
    CHECK(cudaSetDevice(1));
    CHECK(cudaMemcpyToSymbol(offset, &own, sizeof own)); /* device 1's; device 0 keeps 100 */
    CHECK(cudaMalloc(&there, n * sizeof(int)));
    count_up<<<4, 128>>>(there, n);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaSetDevice(0));
    CHECK(cudaMalloc(&here, n * sizeof(int)));
    CHECK(cudaMalloc(&copied, n * sizeof(int)));
    CHECK(cudaMemcpyPeer(copied, 0, there, 1, n * sizeof(int)));
    if (can) CHECK(cudaDeviceEnablePeerAccess(1, 0));
    twice<<<4, 128>>>(here, can ? there : copied, n);
    CHECK(cudaGetLastError());
    std::vector<int> got = to_host(here, n), same = to_host(copied, n), want(n);
    for (int i = 0; i < n; i++) want[i] = same[i] == i + 7 ? 2 * (i + 7) + 100 : -1;
    if (can) CHECK(cudaDeviceDisablePeerAccess(1));
    CHECK(cudaFree(here));
    CHECK(cudaFree(copied));
    CHECK(cudaFree(there));
    return verdict(got, want);
}
