#include "mistake.h"

/* What a shuffle brings from lanes that are not there: an address, a branch, an atomic. */
__global__ void look_up(float *out, const float *in) {
    int t = threadIdx.x;
    int next = __shfl_down_sync(0xffffffffu, t, 1); // expect: invalid-mask
    out[t] = in[next & 15];
}

__global__ void decide(float *out) {
    int t = threadIdx.x;
    float v = (float)t;
    v += __shfl_down_sync(0xffffffffu, v, 16); // expect: invalid-mask
    if (v > 20) out[t] = 1;
}

__global__ void add(float *out, const float *in) {
    float v = in[threadIdx.x];
    if (threadIdx.x < 24) {
        v += __shfl_down_sync(0x00ffffffu, v, 8); // expect: invalid-mask
        atomicAdd(out, v);
    }
}

/* The others wait in a shuffle further on, and a card may take the two for one. */
__global__ void leave_out(float *out, const float *in) {
    int t = threadIdx.x;
    float v = in[t];
    if (t < 16) v += __shfl_xor_sync(0xffffffffu, v, 8); // expect: invalid-mask
    v += __shfl_xor_sync(0xffffffffu, v, 4);
    out[t] = v;
}

int main() {
    float *in = device_floats(32), *out = device_floats(32);
    look_up<<<1, 16>>>(out, in);
    finish();
    decide<<<1, 24>>>(out);
    finish();
    add<<<1, 32>>>(out, in);
    finish();
    leave_out<<<1, 32>>>(out, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
