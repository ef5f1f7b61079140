/* A copy to a __constant__ array whose length counts elements: what it says of one value of another type does not fit. */
#include "mistake.h"

enum { TAPS = 9 };

__constant__ float taps[TAPS], others[TAPS];

__global__ void weigh(float *out) {
    float sum = 0;
    for (int i = 0; i < TAPS; i++) sum += taps[i];
    out[threadIdx.x] = sum;
}

__global__ void weigh_others(float *out) {
    float sum = 0;
    for (int i = 0; i < TAPS; i++) sum += others[i];
    out[threadIdx.x] = sum;
}

int main() {
    float *out = nullptr, h[32], weights[TAPS];
    for (int i = 0; i < TAPS; i++) weights[i] = 1;
    CHECK(cudaMalloc(&out, sizeof h));
    CHECK(cudaMemcpyToSymbol(taps, weights, TAPS)); // expect-note: api-misuse // says: and 9 is the number of elements of taps
    CHECK(cudaMemcpyToSymbol(others, weights, sizeof others)); // near-note: api-misuse
    weigh<<<1, 32>>>(out);
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    weigh_others<<<1, 32>>>(out);
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    return h[0] == 12345;
}
