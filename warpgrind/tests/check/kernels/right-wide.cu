// expect-none: warps that touch whole segments with one, two and four words a lane, one after the other.
#include "../../mistakes/mistake.h"

__global__ void widths(float *out, const float *in) {
    __shared__ double s[512];
    float *singles = (float *)s;
    float4 *fours = (float4 *)s;
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    float sum = singles[t] + (float)s[255 - t]; // two readers of each word, of two widths
    float4 four = fours[t / 2];
    __syncthreads();
    if (t < 128) fours[t] = make_float4(sum, four.x, four.y, four.z);
    __syncthreads();
    out[t] = singles[2 * t] + (float)s[t];
}

__global__ void own_elements(double *d, float4 *f, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 0; r < rounds; r++) {
        d[i] = d[i] * 0.5 + 1.0;
        f[i].x += 1.0f;
        f[i] = make_float4(f[i].y, f[i].x, f[i].w, f[i].z);
    }
}

__global__ void parts_of_mine(float *words) { // two floats of one thread, written as a pair, read one by one
    int i = threadIdx.x;
    ((float2 *)words)[i] = make_float2((float)i, 1.0f);
    words[2 * i] += words[2 * i + 1];
}

__global__ void warp_exchange(double *out) {
    __shared__ double s[256];
    int t = threadIdx.x;
    s[t] = t;
    __syncwarp();
    double other = s[t ^ 1];
    __syncwarp();
    s[t] = other;
    out[t] = s[t];
}

int main() {
    float *x = device_floats(4096), *y = device_floats(4096);
    widths<<<1, 256>>>(y, x);
    own_elements<<<4, 256>>>((double *)x, (float4 *)y, 3);
    parts_of_mine<<<1, 256>>>(x);
    warp_exchange<<<1, 256>>>((double *)x);
    own_elements<<<4, 256>>>((double *)y, (float4 *)x, 2); // other widths than the launch before
    finish();
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
}
