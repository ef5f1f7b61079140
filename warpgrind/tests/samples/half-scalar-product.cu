/* Scalar product in half precision, two at a time: fused multiply and add on pairs, a tree in shared memory, the sum in single. */
#include "sample.h"

#include <cuda_fp16.h>

__global__ void scalar_product(float *out, const half2 *a, const half2 *b, int pairs) {
    __shared__ half2 sums[128];
    half2 sum = __float2half2_rn(0.0f);
    for (int i = threadIdx.x; i < pairs; i += blockDim.x) sum = __hfma2(a[i], b[i], sum);
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) sums[threadIdx.x] = __hadd2(sums[threadIdx.x], sums[threadIdx.x + s]);
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = __low2float(sums[0]) + __high2float(sums[0]);
}

int main() {
    const int pairs = 500;
    std::vector<half2> a(pairs), b(pairs);
    std::vector<float> want(1);
    for (int i = 0; i < pairs; i++) {
        a[i] = __floats2half2_rn((float)(i % 5), 0.25f * (float)(i % 3));
        b[i] = __floats2half2_rn(0.5f, (float)(i % 4) - 1.5f);
        want[0] += __low2float(a[i]) * __low2float(b[i]) + __high2float(a[i]) * __high2float(b[i]);
    }
    half2 *d_a = to_device(a), *d_b = to_device(b);
    float *d_out = nullptr;
    CHECK(cudaMalloc(&d_out, sizeof(float)));
    scalar_product<<<1, 128>>>(d_out, d_a, d_b, pairs);
    CHECK(cudaGetLastError());
    std::vector<float> got = to_host(d_out, 1);
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_out));
    return verdict(got, want, 1.0);
}
