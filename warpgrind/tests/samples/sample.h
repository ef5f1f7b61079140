/* sample.h - what every sample program shares: checked calls and a verdict.
 *
 * Each program here is ordinary CUDA C++ in the style of the samples people learn from. It checks its own
 * answer against a plain loop on the host, prints "right" and exits 0, or says what is wrong and exits 1.
 * run.sh builds each with clang and with nvcc and expects the right answer and no finding.
 */
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status_));      \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

/* Device memory holding a copy of the host's vector. */
template <typename T> T *to_device(const std::vector<T> &host) {
    T *device = nullptr;
    CHECK(cudaMalloc(&device, host.size() * sizeof(T)));
    CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

template <typename T> std::vector<T> to_host(const T *device, size_t count) {
    std::vector<T> host(count);
    CHECK(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
}

/* A repeatable value in (-1, 1) for element i. */
static inline float sample_value(size_t i) {
    unsigned x = (unsigned)i * 2654435761u + 12345u;
    x ^= x >> 16;
    x *= 2246822519u;
    x ^= x >> 13;
    return (float)(x & 0xffff) / 32768.0f - 1.0f;
}

static inline std::vector<float> sample_values(size_t count) {
    std::vector<float> values(count);
    for (size_t i = 0; i < count; i++)
        values[i] = sample_value(i);
    return values;
}

/* Compares and ends the program. */
template <typename T>
int verdict(const std::vector<T> &got, const std::vector<T> &want, double tolerance = 0) {
    for (size_t i = 0; i < want.size(); i++) {
        if (!(std::fabs((double)got[i] - (double)want[i]) <= tolerance)) {
            printf("wrong: element %zu is %g, expected %g\n", i, (double)got[i], (double)want[i]);
            return 1;
        }
    }
    printf("right\n");
    return 0;
}
