// Lesson 13, a typical mistake: the time is taken by a clock of the host, and what the host does in between
// is in it.

#include <chrono>
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
    CHECK(cub::DeviceReduce::Sum(d_scratch, bytes, d_in, d_sum, n)); // expect: not-as-asked
    CHECK(cudaMemcpy(&sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_scratch));
    CHECK(cudaFree(d_sum));
    return sum;
}

// How long one call sum(d_in, n) takes, in milliseconds: the mean of `repeats` calls. One call before them
// warms up, and is not timed.
float milliseconds_of(float (*sum)(const float *, int), const float *d_in, int n, int repeats) {
    float milliseconds = 0.0F;
    sum(d_in, n); // warms up: not timed
    CHECK(cudaDeviceSynchronize());
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < repeats; i++)
        sum(d_in, n);
    CHECK(cudaDeviceSynchronize());
    const std::chrono::duration<float, std::milli> all = std::chrono::steady_clock::now() - start;
    milliseconds = all.count();
    return milliseconds / (float)repeats;
}
// told: events
