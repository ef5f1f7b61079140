/* Fast Fourier transform of 256 complex numbers by one block, against the definition. */
#include "sample.h"

enum { POINTS = 256, BITS = 8 };

__device__ float2 times(float2 a, float2 b) {
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

__global__ void transform(float2 *out, const float2 *in) {
    __shared__ float2 data[POINTS];
    int t = threadIdx.x;
    for (int i = t; i < POINTS; i += blockDim.x) data[__brev(i) >> (32 - BITS)] = in[i];
    __syncthreads();
    for (int half = 1; half < POINTS; half *= 2) {
        int k = t % half, low = (t / half) * 2 * half + k;
        float sine, cosine;
        sincospif(-(float)k / (float)half, &sine, &cosine);
        float2 a = data[low], b = times(data[low + half], make_float2(cosine, sine));
        data[low] = make_float2(a.x + b.x, a.y + b.y);
        data[low + half] = make_float2(a.x - b.x, a.y - b.y);
        __syncthreads();
    }
    for (int i = t; i < POINTS; i += blockDim.x) out[i] = data[i];
}

int main() {
    std::vector<float2> in(POINTS);
    std::vector<float> want(2 * POINTS);
    for (int i = 0; i < POINTS; i++) in[i] = make_float2(sample_value(i), sample_value(POINTS + i));
    for (int k = 0; k < POINTS; k++) {
        double re = 0, im = 0;
        for (int i = 0; i < POINTS; i++) {
            double angle = -2 * 3.14159265358979323846 * ((long)i * k % POINTS) / POINTS;
            re += in[i].x * cos(angle) - in[i].y * sin(angle);
            im += in[i].x * sin(angle) + in[i].y * cos(angle);
        }
        want[2 * k] = (float)re;
        want[2 * k + 1] = (float)im;
    }
    float2 *d_in = to_device(in), *d_out = nullptr;
    CHECK(cudaMalloc(&d_out, POINTS * sizeof(float2)));
    transform<<<1, POINTS / 2>>>(d_out, d_in);
    CHECK(cudaGetLastError());
    std::vector<float> got = to_host((const float *)d_out, 2 * POINTS);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return verdict(got, want, 1e-3);
}
