// Sums in shared memory: dynamic, static, through constant memory and a device function, for any block size; partial sums
// and atomics over a grid.
#include <cstdio>
#include <vector>
#include <cmath>
#include <cuda_runtime.h>

static void check(cudaError_t status, const char *what) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    std::exit(1);
}

__global__ void sum_dynamic(float *out, const float *in) {
    extern __shared__ float temp[];
    int tid = threadIdx.x;
    temp[tid] = in[tid];
    __syncthreads();
    for (int d = blockDim.x >> 1; d >= 1; d >>= 1) {
        if (tid < d) temp[tid] += temp[tid + d];
        __syncthreads();
    }
    if (tid == 0) *out = temp[0];
}

__global__ void sum_static(float *out, const float *in) {
    __shared__ float temp[512];
    unsigned int tid = threadIdx.x;
    temp[tid] = in[tid];
    for (unsigned int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) temp[tid] = temp[tid] + temp[tid + d];
    }
    if (tid == 0) out[0] = temp[0];
}

__constant__ int divisor;
__constant__ float scale[4] = {1.0f, 1.0f, 2.0f, 4.0f};
__device__ int shrink(int d) {
    return d / divisor;
}

__global__ void sum_constant(float *out, const float *in) {
    __shared__ float temp[512];
    int tid = threadIdx.x;
    temp[tid] = in[tid] * scale[tid & 1];
    for (int d = shrink(blockDim.x); d > 0; d = shrink(d)) {
        __syncthreads();
        if (tid < d) temp[tid] += temp[tid + d];
    }
    if (tid == 0) *out = temp[0];
}

__global__ void sum_any(float *out, const float *in) {
    extern __shared__ float temp[];
    int tid = threadIdx.x;
    temp[tid] = in[tid];
    __syncthreads();
    int active = blockDim.x;
    while (active > 1) {
        int half = (active + 1) / 2;
        if (tid + half < active) temp[tid] += temp[tid + half];
        __syncthreads();
        active = half;
    }
    if (tid == 0) *out = temp[0];
}

__global__ void sum_partials(float *partial, const float *in, int n) {
    extern __shared__ float temp[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    temp[threadIdx.x] = i < n ? in[i] : 0.0f;
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d) temp[threadIdx.x] += temp[threadIdx.x + d];
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = temp[0];
}

__global__ void sum_atomic(float *out, const float *in, int n) {
    float mine = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += in[i];
    for (int offset = warpSize / 2; offset > 0; offset /= 2) mine += __shfl_down_sync(0xffffffff, mine, offset);
    if (threadIdx.x % 32 == 0) atomicAdd(out, mine);
}

static int wrong;
static void expect(const char *what, float *d_out, float want) {
    float got;
    check(cudaDeviceSynchronize(), what);
    check(cudaMemcpy(&got, d_out, sizeof got, cudaMemcpyDeviceToHost), what);
    if (!(std::fabs(got - want) <= 1e-3f * std::fabs(want))) {
        std::printf("%s: %g instead of %g\n", what, got, want);
        wrong++;
    }
}

int main() {
    const int n = 1000;
    std::vector<float> values(n);
    double prefix[1001] = {0};
    for (int i = 0; i < n; i++) {
        values[i] = 1.0f + i % 7;
        prefix[i + 1] = prefix[i] + values[i];
    }
    float *d_in, *d_out;
    check(cudaMalloc(&d_in, n * sizeof(float)), "malloc");
    check(cudaMalloc(&d_out, 64 * sizeof(float)), "malloc");
    check(cudaMemcpy(d_in, values.data(), n * sizeof(float), cudaMemcpyHostToDevice), "copy");
    const int two = 2;
    check(cudaMemcpyToSymbol(divisor, &two, sizeof two), "symbol");
    sum_dynamic<<<1, 256, 256 * sizeof(float)>>>(d_out, d_in);
    expect("dynamic", d_out, prefix[256]);
    sum_static<<<1, 512>>>(d_out, d_in);
    expect("static", d_out, prefix[512]);
    sum_constant<<<dim3(1), dim3(512)>>>(d_out, d_in);
    expect("constant", d_out, prefix[512]);
    sum_any<<<1, 192, 192 * sizeof(float)>>>(d_out, d_in);
    expect("any", d_out, prefix[192]);
    sum_partials<<<8, 128, 128 * sizeof(float)>>>(d_out, d_in, n);
    float partial[8];
    check(cudaMemcpy(partial, d_out, sizeof partial, cudaMemcpyDeviceToHost), "partials");
    float total = 0;
    for (float p : partial) total += p;
    if (total != (float)prefix[n]) wrong++;
    check(cudaMemset(d_out, 0, sizeof(float)), "memset");
    sum_atomic<<<4, 64>>>(d_out, d_in, n);
    expect("atomic", d_out, prefix[n]);
    check(cudaFree(d_in), "free");
    check(cudaFree(d_out), "free");
    return wrong;
}
