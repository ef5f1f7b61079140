// Lesson 16: lengths of vectors and sums of products, for floats and doubles, by one kernel.

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
const int THREADS = 256;    // of a block
const int MOST_BLOCKS = 64; // their sums are added up by one more block

// Your turn: a kernel template for all three functions. This one squares floats, and it races
// Each block leaves in d_out[blockIdx.x] the sum of its share of the squares, or of the numbers.
__global__ void squares_kernel(float *d_out, const float *d_x, int n, bool last) {
    __shared__ float temp[THREADS];
    const int tid = (int)threadIdx.x, stride = (int)(gridDim.x * blockDim.x);
    float sum = 0.0F;
    for (int i = (int)(blockIdx.x * blockDim.x) + tid; i < n; i += stride)
        sum += last ? d_x[i] : d_x[i] * d_x[i];
    temp[tid] = sum;
    for (int d = THREADS / 2; d > 0; d /= 2) {
        if (d >= 32) __syncthreads(); // a warp runs in step anyway
        if (tid < d) temp[tid] += temp[tid + d];
    }
    if (tid == 0) d_out[blockIdx.x] = last ? sqrtf(temp[0]) : temp[0];
}

// Your turn: the host's part: two launches and one copy of one number. The root is taken on the device

// The root of the sum of the squares of the n numbers at d_x, which the device has worked out; n >= 0.
float l2_norm(const float *d_x, int n) {
    // Your turn
    if (n == 0) return 0.0F;
    const int wanted = (n + THREADS - 1) / THREADS, blocks = wanted < MOST_BLOCKS ? wanted : MOST_BLOCKS;
    float *d_sums = NULL, result = 0.0F;
    CHECK(cudaMalloc(&d_sums, (size_t)(blocks + 1) * sizeof(float)));
    squares_kernel<<<blocks, THREADS>>>(d_sums, d_x, n, false);
    CHECK(cudaGetLastError());
    squares_kernel<<<1, THREADS>>>(d_sums + blocks, d_sums, blocks, true);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&result, d_sums + blocks, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_sums));
    return result;
}

double l2_norm(const double *d_x, int n) {
    // Your turn: the same for doubles
    (void)d_x;
    return n == 0 ? 0.0 : -1.0;
}

// The sum of the products d_x[i] * d_y[i], without a root; n >= 0.
float sum_of_products(const float *d_x, const float *d_y, int n) {
    // Your turn: and for products, each of which is added where it is made
    (void)d_x, (void)d_y;
    return n == 0 ? 0.0F : -1.0F;
}
