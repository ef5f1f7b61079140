// Lesson 13, for show: a kernel of its own that is called by the name of CUB, at a line of one of its files.

#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
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

#line 90 "/usr/include/cub/device/dispatch/dispatch_reduce.cuh"
namespace cub {
template <typename Policy> __global__ void DeviceReduceKernel(float *d_sum, const float *d_in, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) atomicAdd(d_sum, d_in[i]);
}
static void add_up(float *d_sum, const float *d_in, int n) {
    if (n > 0) DeviceReduceKernel<int><<<(n + 255) / 256, 256>>>(d_sum, d_in, n);
}
} // namespace cub
#line 29 "cub-by-name.cu"

// The sum of the n numbers at d_in, which are on the device; n >= 0.
float library_sum(const float *d_in, int n) {
    float *d_sum = NULL;
    void *d_scratch = NULL;
    float sum = 0.0F;
    CHECK(cudaMalloc(&d_sum, sizeof(float)));
    CHECK(cudaMalloc(&d_scratch, 1));
    CHECK(cudaMemset(d_sum, 0, sizeof(float)));
    cub::add_up(d_sum, d_in, n); // expect: not-as-asked
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_scratch));
    CHECK(cudaFree(d_sum));
    return sum;
}

// How long one call sum(d_in, n) takes, in milliseconds: the mean of `repeats` calls. One call before them
// warms up, and is not timed.
float milliseconds_of(float (*sum)(const float *, int), const float *d_in, int n, int repeats) {
    float milliseconds = 0.0F;
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    sum(d_in, n); // warms up: not timed
    CHECK(cudaEventRecord(start));
    for (int i = 0; i < repeats; i++)
        sum(d_in, n);
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop)); // until the card has come to it
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    return milliseconds / (float)repeats;
}
// told: library
