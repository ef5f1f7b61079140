/* card.h - timing on a real GPU for the tables of the lesson pages.
 *
 * Each NN-name.cu here is linked with one version of the lesson's solution (the file that the page shows) and
 * prints rows of the lesson's table. Times are CUDA events round the student's function, the median of many
 * calls after a warm-up.
 */
#ifndef BENCH_CARD_CARD_H
#define BENCH_CARD_CARD_H

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CARD_CHECK(call)                                                                                     \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));                 \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

/* Median time of work() in microseconds. */
template <typename Work> double card_microseconds(Work work, int runs = 51) {
    cudaEvent_t start, stop;
    CARD_CHECK(cudaEventCreate(&start));
    CARD_CHECK(cudaEventCreate(&stop));
    std::vector<float> times;
    for (int run = 0; run < runs + 3; run++) {
        CARD_CHECK(cudaEventRecord(start));
        work();
        CARD_CHECK(cudaEventRecord(stop));
        CARD_CHECK(cudaEventSynchronize(stop));
        float milliseconds = 0;
        CARD_CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
        if (run >= 3) times.push_back(milliseconds);
    }
    CARD_CHECK(cudaEventDestroy(start));
    CARD_CHECK(cudaEventDestroy(stop));
    std::sort(times.begin(), times.end());
    return 1000.0 * times[times.size() / 2];
}

/* Device memory with `count` floats 0.25, 0.5, 0.75, 0.25, ... */
static inline float *card_floats(size_t count) {
    std::vector<float> host(count);
    for (size_t i = 0; i < count; i++)
        host[i] = 0.25f * (float)(i % 3 + 1);
    float *device = NULL;
    CARD_CHECK(cudaMalloc(&device, count * sizeof(float)));
    CARD_CHECK(cudaMemcpy(device, host.data(), count * sizeof(float), cudaMemcpyHostToDevice));
    return device;
}

#endif
