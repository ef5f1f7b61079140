#include "mistake.h"

// The defects of docs/published-defects.md, each in a kernel of its own.

// A softmax: the maximum that all threads read is overwritten by the sums of the next step, with no barrier between.
__global__ void softmax(float *out, const float *in, int n) {
    __shared__ float warps[8];
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    float most = -1e30f, sum = 0;
    for (int i = tid; i < n; i += blockDim.x) most = fmaxf(most, in[i]);
    for (int d = 16; d > 0; d /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
    if (lane == 0) warps[warp] = most;
    __syncthreads();
    if (tid == 0)
        for (int w = 1; w < 4; w++) warps[0] = fmaxf(warps[0], warps[w]);
    __syncthreads();
    float offset = warps[0]; // expect: shared-race
    for (int i = tid; i < n; i += blockDim.x) sum += expf(in[i] - offset);
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    if (lane == 0) warps[warp] = sum;
    __syncthreads();
    if (tid == 0) *out = warps[0] + warps[1] + warps[2] + warps[3];
}

// A gradient of attention: the first warp clears an element for each warp, while the others write theirs already.
__global__ void cleared_by_one_warp(float *out, const float *in) {
    __shared__ float sums[32];
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    if (warp == 0) sums[lane] = 0;
    float sum = in[tid];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    if (lane == 0) sums[warp] = sum; // expect: shared-race
    __syncthreads();
    sum = sums[lane];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    out[tid] = sum;
}

// The same sums in a loop: a fast warp writes those of its next round while a slow one reads.
__global__ void rounds(float *out, const float *in, int n) {
    __shared__ float sums[4];
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    for (int t = 0; t < n; t++) {
        float sum = in[t * 128 + tid];
        for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
        if (lane == 0) sums[warp] = sum; // expect: shared-race
        __syncthreads();
        out[t * 128 + tid] = sums[0] + sums[1] + sums[2] + sums[3];
    }
}

// Attention by tiles: the next tile is loaded while other threads still multiply by this one.
__global__ void next_tile(float *out, const float *values, int tiles) {
    __shared__ float tile[64];
    float sum = 0;
    for (int j = 0; j < tiles; j++) {
        tile[threadIdx.x] = values[j * 64 + threadIdx.x]; // expect: shared-race
        __syncthreads();
        for (int i = 0; i < 64; i++) sum += tile[i];
    }
    out[threadIdx.x] = sum;
}

// A reduction in place: each block's result goes to where another block's input lies.
__global__ void in_place(float *out, const float *in, int n) {
    __shared__ float s[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    s[threadIdx.x] = i < n ? in[i] : 0;
    for (int d = 32; d > 0; d /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0]; // expect: global-race
}

// A worklist of the edges from lower to higher vertices has room for half of all edges: of a graph that has each edge in one
// direction only, they may be more.
__global__ void collect(int *list, int *length, const int *from, const int *to, int edges) {
    int e = threadIdx.x;
    if (e < edges && from[e] < to[e]) list[atomicAdd(length, 1)] = e; // expect: out-of-bounds
}

// A stamp for each edge, of which as many are cleared as there are vertices.
__global__ void clear(int *stamps, int vertices) {
    if ((int)threadIdx.x < vertices) stamps[threadIdx.x] = 0;
}
__global__ void stamp(int *stamps, int *fresh, int edges) {
    if ((int)threadIdx.x < edges) fresh[threadIdx.x] = atomicMax(&stamps[threadIdx.x], 1) != 1; // expect: uninitialized-read
}

// A sum over a block of 16 warps: the first warp adds up what 32 warps would have written.
__global__ void too_few_warps(int *total, const int *in) {
    __shared__ int warps[32];
    int lane = threadIdx.x % 32, sum = in[threadIdx.x];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0) warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    sum = warps[lane]; // expect: uninitialized-read
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0) atomicAdd(total, sum);
}

// A sum over the lanes that only the threads with a vertex take part in.
__global__ void sum_inside_the_guard(int *total, const int *in, int n) {
    int i = threadIdx.x;
    if (i < n) {
        int sum = in[i];
        for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d); // expect: invalid-mask
        if (i % 32 == 0) atomicAdd(total, sum);
    }
}

// Each round of a block adds to its sum, and all threads read it at once.
__global__ void read_while_added(int *total, const int *in, int rounds) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        if (threadIdx.x == 0) atomicAdd_block(&sum, in[r]);
        atomicAdd(total, sum); // expect: shared-race
    }
}

static void sums() {
    std::vector<int> host(512, 3);
    int *in, *total;
    CHECK(cudaMalloc(&in, 512 * sizeof(int)));
    CHECK(cudaMalloc(&total, sizeof(int)));
    CHECK(cudaMemcpy(in, host.data(), 512 * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(total, 0, sizeof(int)));
    too_few_warps<<<1, 512>>>(total, in);
    sum_inside_the_guard<<<1, 64>>>(total, in, 40);
    read_while_added<<<1, 64>>>(total, in, 4);
    CHECK(cudaMemcpy(host.data(), total, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(total));
}

static void graphs() {
    int from[48], to[48], *d_from, *d_to, *list, *length, *stamps, *fresh;
    for (int e = 0; e < 48; e++) from[e] = e % 16, to[e] = e % 4 ? 16 + e / 16 : 0;
    CHECK(cudaMalloc(&d_from, sizeof from));
    CHECK(cudaMalloc(&d_to, sizeof to));
    CHECK(cudaMalloc(&list, sizeof from / 2));
    CHECK(cudaMalloc(&length, sizeof(int)));
    CHECK(cudaMalloc(&stamps, sizeof from));
    CHECK(cudaMalloc(&fresh, sizeof from));
    CHECK(cudaMemcpy(d_from, from, sizeof from, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_to, to, sizeof to, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(length, 0, sizeof(int)));
    clear<<<1, 64>>>(stamps, 20);
    stamp<<<1, 64>>>(stamps, fresh, 48);
    CHECK(cudaMemcpy(from, fresh, sizeof from, cudaMemcpyDeviceToHost));
    collect<<<1, 64>>>(list, length, d_from, d_to, 48);
    finish();
    CHECK(cudaFree(d_from));
    CHECK(cudaFree(d_to));
    CHECK(cudaFree(list));
    CHECK(cudaFree(length));
    CHECK(cudaFree(stamps));
    CHECK(cudaFree(fresh));
}

int main() {
    float h[256], *in = device_floats(512), *out = device_floats(512);
    softmax<<<1, 128>>>(out, in, 256);
    cleared_by_one_warp<<<1, 128>>>(out, in);
    rounds<<<1, 128>>>(out, in, 4);
    next_tile<<<1, 64>>>(out, in, 4);
    in_place<<<8, 64>>>(out, out, 512);
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    sums();
    graphs();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
