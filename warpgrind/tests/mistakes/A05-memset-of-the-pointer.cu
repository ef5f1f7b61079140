#include "mistake.h"

static float *d_static;

int main(void) {
    float *d_out, out[4];
    CHECK(cudaMalloc(&d_out, sizeof out));
    CHECK(cudaMemset(&d_out, 0, sizeof(float *))); // expect: host-device-pointer // first // says: Leave out the &
    CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost)); // also: uninitialized-read
    CHECK(cudaMalloc(&d_static, sizeof out));
    CHECK(cudaMemset(&d_static, 0, sizeof(float *))); // expect: host-device-pointer // says: Leave out the &
    cudaFree(d_out);
    cudaFree(d_static);
    return 0;
}
