// One race.
#include <cuda_runtime.h>
__global__ void last(int *out) {
    *out = (int)threadIdx.x;
}

int main() {
    int *d_out, out;
    if (cudaMalloc(&d_out, sizeof out) != cudaSuccess) return 77;
    last<<<1, 64>>>(d_out);
    if (cudaMemcpy(&out, d_out, sizeof out, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    return cudaFree(d_out) != cudaSuccess;
}
