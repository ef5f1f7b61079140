// Kernels that can be divided among processes, and kernels that must not be: whose blocks see what others did. What is printed and
// reported is compared with a run on one thread.
// divided: 8
#include <cstdio>
#include <cstdlib>

enum { BLOCKS = 67, THREADS = 96, N = BLOCKS * THREADS };

__device__ unsigned long long totals[8];
__device__ float float_total;
__device__ double double_total;
__device__ unsigned counter;

#define CHECK(call) \
    if ((call) != cudaSuccess) exit(1)

/* ---- divided ---- */

__global__ void scale(int *a) { // ranges share pages, not words
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = 3 * i + 1;
}

__global__ void bytes(unsigned char *a) { // 96 bytes a block: whole words
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 5) a[i] = (unsigned char)(i % 251);
}

__global__ void every_third(int *a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 3 == 0) a[i] += i;
}

__global__ void float_sums(const int *a) { // rounding shows the order
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&float_total, 1.0f / (float)(1 + a[i] % 1000));
    atomicAdd(&double_total, 1.0 / (1 + a[i] % 777));
}

__global__ void whole_numbers(const int *a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long wide = (unsigned long long)a[i] * 0x9E3779B97F4A7C15ull;
    atomicAdd(&totals[0], wide);
    atomicMin(&totals[1], wide);
    atomicMax(&totals[2], wide);
    atomicAnd(&totals[3], wide | 0xFF);
    atomicOr(&totals[4], wide & 0xF0F0);
    atomicXor(&totals[5], wide);
    atomicMin((int *)&totals[6], -a[i]);
    atomicAdd((unsigned *)&totals[7] + 1, 1u);
}

__global__ void histogram(unsigned *counts, const int *a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&counts[a[i] % 61], 1u);
}

__global__ void block_sums(float *out, const int *a) {
    __shared__ float t[THREADS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    t[threadIdx.x] = 0.1f * (float)a[i];
    __syncthreads();
    float sum = 0;
    for (int k = 0; threadIdx.x == 0 && k < THREADS; k++) sum += t[k];
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void triangle(int *a) { // the last blocks have most to do
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int k = 0; k < (int)blockIdx.x; k++) sum += k * i;
    a[i] = sum;
}

/* ---- not divided ---- */

__global__ void tickets(unsigned *place) {
    if (threadIdx.x == 0) place[blockIdx.x] = atomicAdd(&counter, 1u);
}

__global__ void last_block(unsigned *place, const float *sums) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicInc(&counter, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) place[0] = sums[0] > 0;
}

__global__ void speaks(const int *a) {
    if (threadIdx.x == 0 && blockIdx.x % 16 == 3) printf("block %d has %d\n", blockIdx.x, a[blockIdx.x]);
}

__global__ void tells_time(long long *when) {
    if (threadIdx.x == 0) when[blockIdx.x] = clock64();
}

__global__ void exchanges(unsigned *place) { // the last block wins
    if (threadIdx.x == 0) atomicExch(place, blockIdx.x);
}

__global__ void allocates(int *a) {
    if (threadIdx.x) return;
    int *own = (int *)malloc(16);
    own[0] = a[blockIdx.x];
    a[blockIdx.x] = own[0] + 1;
    free(own);
}

template <class T> void show(const char *name, const T *device, int count) {
    T *host = (T *)malloc(count * sizeof(T));
    CHECK(cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost));
    unsigned long long hash = 0;
    for (size_t i = 0; i < count * sizeof(T); i++) hash = 31 * hash + ((unsigned char *)host)[i];
    printf("%s %llx\n", name, hash);
    free(host);
}

template <class T> void show_symbol(const char *name, const T &symbol) {
    T host;
    CHECK(cudaMemcpyFromSymbol(&host, symbol, sizeof host));
    unsigned long long hash = 0;
    for (size_t i = 0; i < sizeof host; i++) hash = 31 * hash + ((unsigned char *)&host)[i];
    printf("%s %llx\n", name, hash);
}

int main() {
    int *a, *b;
    unsigned char *c;
    unsigned *counts, *place;
    float *sums;
    long long *when;
    CHECK(cudaMalloc(&a, N * sizeof *a));
    CHECK(cudaMalloc(&b, N * sizeof *b));
    CHECK(cudaMalloc(&c, N));
    CHECK(cudaMalloc(&counts, 61 * sizeof *counts));
    CHECK(cudaMalloc(&place, BLOCKS * sizeof *place));
    CHECK(cudaMalloc(&sums, BLOCKS * sizeof *sums));
    CHECK(cudaMalloc(&when, BLOCKS * sizeof *when));
    CHECK(cudaMemset(c, 7, N));
    CHECK(cudaMemset(counts, 0, 61 * sizeof *counts));
    CHECK(cudaMemset(place, 0, BLOCKS * sizeof *place));
    scale<<<BLOCKS, THREADS>>>(a);
    bytes<<<BLOCKS, THREADS>>>(c);
    every_third<<<BLOCKS, THREADS>>>(a);
    const float nothing = 0;
    CHECK(cudaMemcpyToSymbol(float_total, &nothing, sizeof nothing));
    float_sums<<<BLOCKS, THREADS>>>(a);
    whole_numbers<<<BLOCKS, THREADS>>>(a);
    histogram<<<BLOCKS, THREADS>>>(counts, a);
    block_sums<<<BLOCKS, THREADS>>>(sums, a);
    triangle<<<BLOCKS, THREADS>>>(b);
    show("scale, every_third", a, N);
    show("bytes", c, N);
    show("histogram", counts, 61);
    show("block_sums", sums, BLOCKS);
    show("triangle", b, N);
    show_symbol("float_total", float_total);
    show_symbol("double_total", double_total);
    show_symbol("totals", totals);
    tickets<<<BLOCKS, THREADS>>>(place);
    show("tickets", place, BLOCKS);
    unsigned zero = 0;
    CHECK(cudaMemcpyToSymbol(counter, &zero, sizeof zero));
    last_block<<<BLOCKS, THREADS>>>(place, sums);
    speaks<<<BLOCKS, THREADS>>>(a);
    tells_time<<<BLOCKS, THREADS>>>(when);
    show("last_block", place, 1);
    show("tells_time", when, BLOCKS);
    exchanges<<<BLOCKS, THREADS>>>(place);
    allocates<<<BLOCKS, THREADS>>>(a);
    show("exchanges", place, 1);
    show("allocates", a, BLOCKS);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    CHECK(cudaFree(counts));
    CHECK(cudaFree(place));
    CHECK(cudaFree(sums));
    CHECK(cudaFree(when));
    puts("right");
}
