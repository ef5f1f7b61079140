// Lesson 25, another shape: each thread counts 33 bytes at most, in 256 counters of its own of a byte each,
// so that nothing in shared memory has to be atomic. It reads 16 bytes at a time.

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

enum { BINS = 256 };
const int COUNTERS = 128; // threads of a block that count
const int THREADS = 256;  // of a block: one for each bin, when the counters are added up
const int BYTES = 16;     // of a uint4
const int WORDS_EACH = 2; // uint4s of a thread

__global__ void histogram_kernel(unsigned *d_bins, const unsigned char *d_data, int n) {
    __shared__ unsigned char counts[BINS][COUNTERS];
    const int tid = (int)threadIdx.x;
    if (tid < COUNTERS)
        for (int bin = 0; bin < BINS; bin++)
            counts[bin][tid] = 0; // only this thread uses them until all have counted
    const uint4 *d_words = (const uint4 *)d_data;
    const int words = n / BYTES;
    for (int each = 0; tid < COUNTERS && each < WORDS_EACH; each++) {
        const int word = ((int)blockIdx.x * WORDS_EACH + each) * COUNTERS + tid;
        if (word >= words) break;
        const uint4 four = d_words[word];
        const unsigned parts[4] = {four.x, four.y, four.z, four.w};
        for (int byte = 0; byte < BYTES; byte++)
            counts[parts[byte / 4] >> (byte % 4 * 8) & 255U][tid]++;
    }
    const int last = words * BYTES + tid; // the bytes that fill no uint4, up to 15
    if (blockIdx.x == 0 && tid < BYTES && last < n) counts[d_data[last]][tid]++;
    __syncthreads(); // everybody has counted
    unsigned sum = 0;
    for (int i = 0; i < COUNTERS; i++)
        sum += counts[tid][(tid + i) % COUNTERS];
    if (sum != 0) atomicAdd(&d_bins[tid], sum);
}

// Leaves in d_bins[v] how many of the n bytes at d_data are v, for v from 0 to 255; n >= 0.
void histogram(unsigned *d_bins, const unsigned char *d_data, int n) {
    CHECK(cudaMemset(d_bins, 0, BINS * sizeof(unsigned)));
    if (n == 0) return;
    const int block = COUNTERS * WORDS_EACH * BYTES;
    histogram_kernel<<<(n + block - 1) / block, THREADS>>>(d_bins, d_data, n); // expect-note: over-budget longest_thread
    CHECK(cudaGetLastError());
}
