// expect-none: elements of all sizes, each thread its own.
#include "../../mistakes/mistake.h"

struct Pair {
    short a;
    char b;
};

__global__ void bytes(unsigned char *out, const unsigned char *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (unsigned char)(in[i] + 1);
}

__global__ void in_place(unsigned char *data, int n) {
    __shared__ unsigned char s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i < n ? data[i] : 0;
    __syncthreads();
    if (i < n) data[i] = s[63 - threadIdx.x];
}

__global__ void pairs(Pair *out) {
    out[threadIdx.x].a = (short)threadIdx.x;
    out[threadIdx.x].b = 'b';
}

__global__ void vectors(float4 *out, const float4 *in) {
    float4 v = in[threadIdx.x];
    out[threadIdx.x] = make_float4(v.w, v.z, v.y, v.x);
}

__global__ void doubles(double *out, const float *in) {
    out[threadIdx.x] = (double)in[threadIdx.x] * 0.5;
}

__global__ void flags(bool *any, const float *in) {
    __shared__ bool found;
    if (threadIdx.x == 0) found = false;
    __syncthreads();
    if (in[threadIdx.x] > 1.0f) found = true; // the same value by many: a note
    __syncthreads();
    if (threadIdx.x == 0) *any = found;
}

int main() {
    const int n = 1000;
    unsigned char *a, *b;
    Pair *p;
    double *d;
    bool *any;
    std::vector<unsigned char> host(n, 3);
    std::vector<Pair> hp(64);
    float *x = device_floats(256), *y = device_floats(256);
    CHECK(cudaMalloc(&a, n));
    CHECK(cudaMalloc(&b, n));
    CHECK(cudaMalloc(&p, 64 * sizeof(Pair)));
    CHECK(cudaMalloc(&d, 64 * sizeof(double)));
    CHECK(cudaMalloc(&any, sizeof(bool)));
    CHECK(cudaMemcpy(a, host.data(), n, cudaMemcpyHostToDevice));
    bytes<<<16, 64>>>(b, a, n);
    in_place<<<16, 64>>>(b, n - 40); // the last block reads what it sets itself
    pairs<<<1, 64>>>(p);
    vectors<<<1, 64>>>((float4 *)y, (const float4 *)x);
    doubles<<<1, 64>>>(d, x);
    flags<<<1, 64>>>(any, x);
    finish();
    CHECK(cudaMemcpy(host.data(), b, n, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(hp.data(), p, 64 * sizeof(Pair), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(p));
    CHECK(cudaFree(d));
    CHECK(cudaFree(any));
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
}
