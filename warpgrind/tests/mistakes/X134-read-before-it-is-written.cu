#include "mistake.h"

__device__ double stage = 1;

/* One block's result is another's input in the same launch: whoever comes first, it is read. */
__global__ void two_stages(double *out, float *scratch) {
    if (blockIdx.x == 1) {
        stage = 2;      // near-note: unused-result
        scratch[0] = 2; // near-note: unused-result
    } else {
        out[0] = stage + scratch[0]; // expect: global-race
    }
}

int main() {
    double *out, h;
    float *scratch;
    CHECK(cudaMalloc(&out, sizeof *out));
    CHECK(cudaMalloc(&scratch, 64));
    CHECK(cudaMemset(scratch, 0, 64));
    two_stages<<<2, 1>>>(out, scratch);
    finish();
    CHECK(cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    CHECK(cudaFree(scratch));
}
