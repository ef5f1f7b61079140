// A program without a mistake; its argument is the exit status. It says 77, as tests do that skip themselves,
// where there is no device.
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void fill(int *out) {
    out[threadIdx.x] = (int)threadIdx.x;
}

int main(int argc, char **argv) {
    int *d_out, out[32];
    if (cudaMalloc(&d_out, sizeof out) != cudaSuccess) return 77;
    fill<<<1, 32>>>(d_out);
    if (cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost) != cudaSuccess || out[31] != 31) return 1;
    if (cudaFree(d_out) != cudaSuccess) return 1;
    return argc > 1 ? atoi(argv[1]) : 0;
}
