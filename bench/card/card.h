/* card.h - timing on a real GPU for the tables of the lesson pages.
 *
 * Each NN-name.cu here is linked with one version of the lesson's solution (the file that the page shows) and
 * prints rows of the lesson's table. Times are CUDA events round the student's function, the median of many
 * calls after a warm-up. What each call leaves in the arrays of card_floats is sampled, outside of its time:
 * a call that leaves other numbers than the first one ends the program.
 */
#pragma once

#include <algorithm>
#include <cmath>
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

/* ---- what the calls leave ---- */

/* An array on the device that calls may write. */
struct CardArray {
    const float *at;
    size_t count;
};

static inline std::vector<CardArray> &card_arrays(void) {
    static std::vector<CardArray> arrays;
    return arrays;
}

static inline void card_free(float *array) {
    std::vector<CardArray> &arrays = card_arrays();
    for (size_t i = 0; i < arrays.size(); i++)
        if (arrays[i].at == array) arrays.erase(arrays.begin() + (long)i--);
    CARD_CHECK(cudaFree(array));
}

/* Some numbers of each array, the same ones each time. */
static inline std::vector<float> card_sample(void) {
    const size_t most = 256;
    std::vector<float> sample;
    for (const CardArray &array : card_arrays()) {
        const size_t rows = std::min(array.count, most), begin = sample.size();
        size_t stride = 1;
        if (rows > 1) stride = (array.count - 1) / (rows - 1);
        sample.resize(begin + rows);
        CARD_CHECK(cudaMemcpy2D(&sample[begin], sizeof(float), array.at, stride * sizeof(float),
                                sizeof(float), rows, cudaMemcpyDeviceToHost));
    }
    return sample;
}

/* Additions may come in another order from call to call: a thousandth is far more than they change. */
static inline void card_compare(const std::vector<float> &first, const std::vector<float> &now, int call) {
    for (size_t i = 0; i < first.size(); i++) {
        const float bound = 1e-3f * std::max(1.0f, std::max(std::abs(first[i]), std::abs(now[i])));
        if (std::abs(first[i] - now[i]) <= bound || (first[i] != first[i] && now[i] != now[i])) continue;
        fprintf(stderr, "call %d left %g where the first call left %g: its time says nothing\n", call + 1,
                now[i], first[i]);
        exit(EXIT_FAILURE);
    }
}

/* A line for each measurement in the file that CARD_SAMPLES names: the arrays' lengths, then the numbers. */
static inline void card_keep(const std::vector<float> &sample) {
    FILE *file = NULL;
    if (getenv("CARD_SAMPLES") != NULL) file = fopen(getenv("CARD_SAMPLES"), "a");
    if (file == NULL) return;
    for (const CardArray &array : card_arrays())
        fprintf(file, "%zu:", array.count);
    for (const float number : sample)
        fprintf(file, " %.6g", number);
    fprintf(file, "\n");
    fclose(file);
}

/* ---- times ---- */

/* The median, and where the middle half of the times begins and ends: a line in the file that CARD_SPREAD
 * names. */
static inline void card_keep_spread(const std::vector<float> &sorted) {
    FILE *file = NULL;
    if (getenv("CARD_SPREAD") != NULL) file = fopen(getenv("CARD_SPREAD"), "a");
    if (file == NULL) return;
    const size_t count = sorted.size();
    fprintf(file, "%g %g %g\n", sorted[count / 2], sorted[count / 4], sorted[count - 1 - count / 4]);
    fclose(file);
}

/* Median time of work() in microseconds. */
template <typename Work> double card_microseconds(Work work, int runs = 51) {
    cudaEvent_t start, stop;
    CARD_CHECK(cudaEventCreate(&start));
    CARD_CHECK(cudaEventCreate(&stop));
    std::vector<float> times, first;
    for (int run = 0; run < runs + 3; run++) {
        CARD_CHECK(cudaEventRecord(start));
        work();
        CARD_CHECK(cudaEventRecord(stop));
        CARD_CHECK(cudaEventSynchronize(stop));
        float milliseconds = 0;
        CARD_CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
        if (run >= 3) times.push_back(milliseconds);
        const std::vector<float> sample = card_sample();
        if (run == 0) first = sample;
        card_compare(first, sample, run);
    }
    card_keep(first);
    CARD_CHECK(cudaEventDestroy(start));
    CARD_CHECK(cudaEventDestroy(stop));
    std::sort(times.begin(), times.end());
    card_keep_spread(times);
    return 1000.0 * times[times.size() / 2];
}

/* Device memory with `count` floats 0.25, 0.5, 0.75, 0.25, ...: the first ones from the host, and copies of
 * them for the rest. */
static inline float *card_floats(size_t count) {
    const size_t piece = 3 << 20;
    std::vector<float> host(std::min(count, piece));
    for (size_t i = 0; i < host.size(); i++)
        host[i] = 0.25f * (float)(i % 3 + 1);
    float *device = NULL;
    CARD_CHECK(cudaMalloc(&device, count * sizeof(float)));
    CARD_CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
    for (size_t done = host.size(); done < count; done += piece)
        CARD_CHECK(cudaMemcpy(device + done, device, std::min(piece, count - done) * sizeof(float),
                              cudaMemcpyDeviceToDevice));
    card_arrays().push_back({device, count});
    return device;
}
