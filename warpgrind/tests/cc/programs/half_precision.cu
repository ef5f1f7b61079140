// Half precision on both sides: conversions round to nearest even, arithmetic in device code, pairs.
#include <cuda_fp16.h>
#include <cstdio>

__global__ void compute(__half *h, half2 *pair, float *f) {
    half x = h[0];
    h[1] = __hadd(x, __float2half(1.0f));
    h[2] = x * x + half(2.0f);
    h[3] = __hfma(x, x, x);
    h[4] = hsqrt(__hmul(x, x));
    pair[1] = __hadd2(pair[0], __floats2half2_rn(1.0f, 2.0f));
    f[0] = __half2float(h[1]) + __low2float(pair[1]) + __half22float2(pair[1]).y;
    if (x > half(1.0f) && !__hisnan(x)) atomicAdd(&h[5], x);
}

static int same(float value, unsigned short bits) {
    if (__half_as_ushort(__float2half(value)) == bits) return 1;
    printf("%.9g: %04x instead of %04x\n", value, __half_as_ushort(__float2half(value)), bits);
    return 0;
}

int main() {
    int fine = same(1.0f, 0x3c00) && same(-2.0f, 0xc000) && same(65504.0f, 0x7bff) && same(65519.996f, 0x7bff) &&
               same(65520.0f, 0x7c00) && same(5.9604645e-8f, 0x0001) && same(2.9802322e-8f, 0x0000) &&
               same(2.98023259e-8f, 0x0001) && same(6.097e-5f, 0x03ff) && same(6.1035156e-5f, 0x0400) &&
               same(0.33333334f, 0x3555) && same(2049.0f, 0x6800) && same(2051.0f, 0x6802) && same(0.0f, 0) &&
               same(-0.0f, 0x8000);
    for (unsigned int bits = 0; bits < 0x7c00; bits++)
        fine = fine && __half_as_ushort(__float2half(__half2float(__ushort_as_half((unsigned short)bits)))) == bits;
    __half *d_h, h[6] = {__float2half(1.5f), __float2half(0), __float2half(0), __float2half(0), __float2half(0), __float2half(0)};
    half2 *d_pair, pair[2] = {__floats2half2_rn(3, 4), __floats2half2_rn(0, 0)};
    float *d_f, f = 0;
    cudaMalloc(&d_h, sizeof h);
    cudaMalloc(&d_pair, sizeof pair);
    cudaMalloc(&d_f, sizeof f);
    cudaMemcpy(d_h, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(d_pair, pair, sizeof pair, cudaMemcpyHostToDevice);
    compute<<<1, 1>>>(d_h, d_pair, d_f);
    cudaMemcpy(h, d_h, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(&f, d_f, sizeof f, cudaMemcpyDeviceToHost);
    fine = fine && __half2float(h[1]) == 2.5f && __half2float(h[2]) == 4.25f && __half2float(h[3]) == 3.75f &&
           __half2float(h[4]) == 1.5f && __half2float(h[5]) == 1.5f && f == 2.5f + 4 + 6;
    cudaFree(d_h);
    cudaFree(d_pair);
    cudaFree(d_f);
    return !fine;
}
