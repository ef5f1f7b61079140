// Indices outside of a thread's own array, where another variable lies.
#include "../../mistakes/mistake.h"

__global__ void one_too_far(int *out, int n) {
    int before[4], taps[4], after[4];
    for (int i = 0; i < 4; i++)
        before[i] = after[i] = i;
    for (int i = 0; i <= n; i++)
        taps[i] = i; // expect: out-of-bounds
    out[threadIdx.x] = before[1] + taps[1] + after[1];
}

__global__ void before_the_start(int *out, int n) {
    int before[4], taps[4];
    for (int i = 0; i < 4; i++)
        before[i] = taps[i] = i;
    out[threadIdx.x] = before[n - 1] + taps[2 - n + 1]; // expect: out-of-bounds
}

__global__ void columns(float *out, int n) {
    float tile[2][3], sum = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            tile[i][j] = 1;
    for (int i = 0; i < n; i++)
        sum += tile[1][i]; // expect: out-of-bounds
    out[threadIdx.x] = sum;
}

int main() {
    int *out;
    CHECK(cudaMalloc(&out, 32 * sizeof(int)));
    one_too_far<<<1, 32>>>(out, 4);
    before_the_start<<<1, 32>>>(out, 4);
    columns<<<1, 32>>>(reinterpret_cast<float *>(out), 4);
    finish();
    CHECK(cudaFree(out));
}
