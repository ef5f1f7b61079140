// Lesson 11: the sum of n numbers by many blocks. Each block leaves one partial sum, the host adds those.

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

// Each block adds up its own part of d_in and leaves the sum in d_partial[its number].
__global__ void partial_sums_kernel(float *d_partial, const float *d_in, int n) {
    // Your turn: 1. load this thread's number, or a harmless 0 where there is none, into dynamic shared memory

    // Your turn: 2. the tree; then one thread stores the block's sum in the block's slot
}

// The sum of the n numbers at d_in, on the device; n >= 0. A block has `threads` threads, a power of two.
float grid_sum(const float *d_in, int n, int threads) {
    // Your turn: 3. how many blocks? (what if n is 0?) allocate their partial sums on the device, and launch

    // Your turn: 4. copy the partial sums to the host, free what you allocated, add up and return the sum
    return 0.0F;
}
