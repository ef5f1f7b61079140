/* lesson: 25 */
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));                 \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

void histogram(unsigned *d_bins, const unsigned char *d_data, int n) {
    size_t bytes = 0;
    void *d_scratch = NULL;
    CHECK(cub::DeviceHistogram::HistogramEven(NULL, bytes, d_data, d_bins, 257, 0, 256, n));
    CHECK(cudaMalloc(&d_scratch, bytes));
    CHECK(cub::DeviceHistogram::HistogramEven(d_scratch, bytes, d_data, d_bins, 257, 0, 256, n)); // expect: not-as-asked // says: a kernel of the library
    CHECK(cudaFree(d_scratch));
}
