// Lesson 20, a typical mistake: what is left after the rounds of four is never read.
// told: rounds-alone

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

// Every runtime call returns a status: CHECK stops the program when a call failed, and says where.
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));                 \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)
enum { THREADS = 256 }; // of a block
const int WARP = 32;
const int EACH = 16; // numbers that a thread reads at least, where there are enough

// The sum of the values of all threads of the block, in thread 0. All threads must call it.
__device__ float block_sum(float value) {
    __shared__ float warp_sums[THREADS / WARP];
    const int lane = (int)threadIdx.x % WARP;
    const int warp = (int)threadIdx.x / WARP;
    for (int apart = WARP / 2; apart > 0; apart /= 2)
        value += __shfl_down_sync(0xffffffffU, value, apart);
    if (lane == 0) warp_sums[warp] = value;
    __syncthreads(); // all warps' sums are there
    float sum = 0.0F;
    if (threadIdx.x == 0)
        for (float part : warp_sums)
            sum += part;
    return sum;
}

__device__ float sum_of_four(float4 four) {
    return (four.x + four.y) + (four.z + four.w);
}

// Adds the sum of the n numbers at d_in to *d_out. The threads of the grid take turns.
__global__ void peak_sum_kernel(float *d_out, const float *d_in, int n) {
    const int thread = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int threads = (int)(gridDim.x * blockDim.x);
    float own = 0.0F;
    const int past = (int)((uintptr_t)d_in % sizeof(float4) /
                           sizeof(float)); // numbers since the last multiple of 16 bytes
    const int head = min(n, (4 - past) % 4);
    const float4 *d_fours = (const float4 *)(d_in + head);
    const int fours = (n - head) / 4;
    const int tail = head + 4 * fours;
    if (thread < head) own += d_in[thread];
    if (thread < n - tail) own += d_in[tail + thread];
    int i = thread;
    for (; i + 3 * threads < fours; i += 4 * threads) {
        const float4 a = d_fours[i];
        const float4 b = d_fours[i + threads];
        const float4 c = d_fours[i + 2 * threads];
        const float4 d = d_fours[i + 3 * threads];
        own += (sum_of_four(a) + sum_of_four(b)) + (sum_of_four(c) + sum_of_four(d));
    }
    const float sum = block_sum(own);
    if (threadIdx.x == 0) atomicAdd(d_out, sum); // expect: wrong-answer
}

// How many blocks of the kernel the card can hold at once.
static int resident_blocks() {
    int device = 0, processors = 0, blocks = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, peak_sum_kernel, THREADS, 0));
    return processors * blocks;
}

// Leaves in *d_out the sum of the n numbers at d_in, both on the device; n >= 0. d_in may start anywhere in a
// larger array.
void peak_sum(float *d_out, const float *d_in, int n) {
    CHECK(cudaMemset(d_out, 0, sizeof(float)));
    if (n == 0) return;                        // a grid of 0 blocks cannot be launched
    static const int most = resident_blocks(); // asked once: the answer stays the same
    const int wanted = (n - 1) / (THREADS * EACH) + 1;
    const int blocks = wanted < most ? wanted : most;
    peak_sum_kernel<<<blocks, THREADS>>>(d_out, d_in, n);
    CHECK(cudaGetLastError());
}
