// expect-none: ways to work together that are all properly ordered.
#include "../../mistakes/mistake.h"

enum { THREADS = 128, BLOCKS = 6 };

// Hillis and Steele: two buffers, one barrier a step.
__global__ void scan(float *out, const float *in) {
    __shared__ float buffer[2][THREADS];
    int tid = threadIdx.x, from = 0;
    buffer[0][tid] = in[blockIdx.x * THREADS + tid];
    __syncthreads();
    for (int d = 1; d < THREADS; d *= 2) {
        buffer[1 - from][tid] = buffer[from][tid] + (tid >= d ? buffer[from][tid - d] : 0.0f);
        from = 1 - from;
        __syncthreads();
    }
    out[blockIdx.x * THREADS + tid] = buffer[from][tid];
}

// Blelloch: up and down the tree.
__global__ void scan_in_place(float *out, const float *in) {
    extern __shared__ float temp[];
    int tid = threadIdx.x;
    temp[2 * tid] = in[2 * tid];
    temp[2 * tid + 1] = in[2 * tid + 1];
    int offset = 1;
    for (int d = THREADS; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) temp[offset * (2 * tid + 2) - 1] += temp[offset * (2 * tid + 1) - 1];
        offset *= 2;
    }
    if (tid == 0) temp[2 * THREADS - 1] = 0;
    for (int d = 1; d < 2 * THREADS; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (tid < d) {
            int a = offset * (2 * tid + 1) - 1, b = offset * (2 * tid + 2) - 1;
            float t = temp[a];
            temp[a] = temp[b];
            temp[b] += t;
        }
    }
    __syncthreads();
    out[2 * tid] = temp[2 * tid];
    out[2 * tid + 1] = temp[2 * tid + 1];
}

__global__ void histogram(int *bins, const float *in, int n) {
    __shared__ int mine[32];
    if (threadIdx.x < 32) mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[(int)(in[i] + 8.0f) & 31], 1);
    __syncthreads();
    if (threadIdx.x < 32) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

__global__ void warps(float *out, const float *in) {
    __shared__ float sums[THREADS / 32];
    float value = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int d = 16; d > 0; d /= 2)
        value += __shfl_down_sync(0xffffffffu, value, d);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
        value = threadIdx.x < THREADS / 32 ? sums[threadIdx.x] : 0.0f;
        for (int d = 16; d > 0; d /= 2)
            value += __shfl_xor_sync(0xffffffffu, value, d);
        if (threadIdx.x == 0) atomicAdd(out, value);
    }
}

__global__ void transpose(float *out, const float *in, int n) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void bitonic(float *data) {
    __shared__ float s[THREADS];
    int tid = threadIdx.x;
    s[tid] = data[tid];
    for (int k = 2; k <= THREADS; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            __syncthreads();
            int other = tid ^ j;
            if (other > tid && ((tid & k) == 0) == (s[tid] > s[other])) {
                float t = s[tid];
                s[tid] = s[other];
                s[other] = t;
            }
        }
    __syncthreads();
    data[tid] = s[tid];
}

int main() {
    const int n = 65;
    float *in = device_floats(THREADS * BLOCKS), *out = device_floats(THREADS * BLOCKS),
          *square = device_floats(n * n), *turned = device_floats(n * n);
    std::vector<float> host(THREADS * BLOCKS);
    int *bins;
    CHECK(cudaMalloc(&bins, 32 * sizeof(int)));
    CHECK(cudaMemset(bins, 0, 32 * sizeof(int)));
    scan<<<BLOCKS, THREADS>>>(out, in);
    scan_in_place<<<1, THREADS, 2 * THREADS * sizeof(float)>>>(out, in);
    histogram<<<BLOCKS, THREADS>>>(bins, in, THREADS * BLOCKS);
    warps<<<BLOCKS, THREADS>>>(out, in);
    transpose<<<dim3(3, 3), dim3(32, 8)>>>(turned, square, n);
    bitonic<<<1, THREADS>>>(out);
    finish();
    CHECK(cudaMemcpy(host.data(), out, THREADS * BLOCKS * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(square));
    CHECK(cudaFree(turned));
    CHECK(cudaFree(bins));
}
