// Wrong for a block of 128 or 8: there is an instance for each size that is shown, and for no other.

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

// Run by one block; blockDim.x is a power of two and the number of elements.
template <int THREADS> __global__ void block_sum_kernel(float *d_out, const float *d_in) {
    __shared__ float temp[THREADS];
    int tid = threadIdx.x;
    temp[tid] = d_in[tid]; // expect: out-of-bounds
    for (int d = THREADS / 2; d > 0; d /= 2) {
        __syncthreads(); // what the pass before wrote is complete
        if (tid < d) temp[tid] += temp[tid + d];
    }
    if (tid == 0) d_out[0] = temp[0];
}

// d_in has `threads` elements (a power of two, at most 1024), d_out has one; both are device memory.
void block_sum(float *d_out, const float *d_in, int threads) {
    switch (threads) {
    case 1:
        block_sum_kernel<1><<<1, 1>>>(d_out, d_in);
        break;
    case 2:
        block_sum_kernel<2><<<1, 2>>>(d_out, d_in);
        break;
    case 32:
        block_sum_kernel<32><<<1, 32>>>(d_out, d_in);
        break;
    case 64:
        block_sum_kernel<64><<<1, 64>>>(d_out, d_in);
        break;
    case 256:
        block_sum_kernel<256><<<1, 256>>>(d_out, d_in);
        break;
    case 512:
        block_sum_kernel<512><<<1, 512>>>(d_out, d_in);
        break;
    default:
        block_sum_kernel<1024><<<1, 1024>>>(d_out, d_in);
    }
    CHECK(cudaGetLastError());
}
