/* warpgrind: --checks races */
#include "mistake.h"

// How a launch ends is told where the check that would say why is switched off.
static void begin_anew() {
    cudaDeviceSynchronize();
    cudaGetLastError();
    CHECK(cudaDeviceReset());
}

__global__ void wait_for_all(float *out) {
    if (threadIdx.x < 16)
        __syncwarp();
    else
        __syncthreads();
    *out = 1;
}

__global__ void leave(float *out, long distance) {
    out[distance] = 1;
}

__global__ void in_between(char *out) {
    *(float4 *)(out + 4) = make_float4(1, 2, 3, 4);
}

int main() {
    wait_for_all<<<1, 32>>>(device_floats(1)); // expect: hang
    begin_anew();
    leave<<<1, 1>>>(device_floats(1), 1L << 30); // expect: out-of-bounds
    begin_anew();
    in_between<<<1, 1>>>((char *)device_floats(8)); // expect: misaligned
    begin_anew();
}
