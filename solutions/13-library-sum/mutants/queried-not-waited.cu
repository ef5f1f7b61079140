// Lesson 13, a typical mistake: it asks whether the last event has come, in place of waiting for it.

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

// The sum of the n numbers at d_in, which are on the device; n >= 0.
float library_sum(const float *d_in, int n) {
    float *d_sum = NULL;
    void *d_scratch = NULL;
    float sum = 0.0F;
    CHECK(cudaMalloc(&d_sum, sizeof(float)));
    size_t bytes = 0;
    CHECK(cub::DeviceReduce::Sum(NULL, bytes, d_in, d_sum, n)); // asks only
    CHECK(cudaMalloc(&d_scratch, bytes));
    CHECK(cub::DeviceReduce::Sum(d_scratch, bytes, d_in, d_sum, n));
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
    CHECK(cudaEventQuery(stop)); // expect: crash
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    return milliseconds / (float)repeats;
}
// told: exited
