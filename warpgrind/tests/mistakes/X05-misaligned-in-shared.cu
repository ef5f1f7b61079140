#include "mistake.h"

struct alignas(16) Body {
    float x, y, z, mass;
};

__global__ void tiles(float *out, const Body *bodies) {
    extern __shared__ int counts[];
    Body *tile = (Body *)(counts + blockDim.x); // 34 ints: 8 past a multiple of 16
    tile[threadIdx.x] = bodies[threadIdx.x];    // expect: misaligned
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x].mass;
}

int main() {
    float *bodies = device_floats(34 * 4), *out = device_floats(34);
    tiles<<<1, 34, 34 * (sizeof(int) + sizeof(Body))>>>(out, (const Body *)bodies);
    cudaGetLastError();
    cudaDeviceSynchronize(); // also: unchecked-error
    cudaFree(bodies);
    cudaFree(out);
}
