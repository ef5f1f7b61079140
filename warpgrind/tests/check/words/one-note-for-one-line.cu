// says: uncoalesced: p is read in pieces that lie far apart
// says: (4 more like this)
// says-not: (1 more like this)
// says: this launch has one block. Launch as many blocks as it takes
// says-not: may be swapped
#include "../../mistakes/mistake.h"
struct Row {
    float a[8];
};
__global__ void sums(float *out, const Row *p) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = p[i].a[0] + p[i].a[1] + p[i].a[2] + p[i].a[3] + p[i].a[4];
}
int main() {
    Row *p;
    float h[8], *out = device_floats(8192);
    CHECK(cudaMalloc(&p, 8192 * sizeof *p));
    CHECK(cudaMemset(p, 0, 8192 * sizeof *p));
    sums<<<32, 256>>>(out, p);
    finish();
    sums<<<1, 1000000>>>(out, p);
    if (cudaGetLastError() == cudaSuccess) return 1;
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(p));
    CHECK(cudaFree(out));
}
