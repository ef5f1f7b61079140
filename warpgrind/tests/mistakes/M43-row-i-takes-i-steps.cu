#include "mistake.h"

__global__ void rows(float *out, const float *in, int n) {
    int row = threadIdx.x, matrix = blockIdx.x * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k <= row; k++) sum += in[k]; // expect-note: divergent-branch
    out[matrix * n + row] = sum;
}

int main() {
    float *in = device_floats(32), *out = device_floats(32 * 64);
    rows<<<8, dim3(32, 8)>>>(out, in, 32);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
