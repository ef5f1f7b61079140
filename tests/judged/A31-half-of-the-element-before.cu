/* lesson: 02 */
#include <cuda_runtime.h>

__global__ void add_halves(float *f, const float *g, int nx, int ny, int nz) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < nx * ny * nz) f[i] = g[i] + g[i / 2]; // expect: wrong-answer // first // says: f[1] = 2 * g[1] = 2 * 337.638855 = 675.27771
}

void scale3d(float *d_f, const float *d_g, int nx, int ny, int nz) {
    const int n = nx * ny * nz;
    if (n > 0) add_halves<<<(n + 255) / 256, 256>>>(d_f, d_g, nx, ny, nz);
}
