/* mistake.h - shared by the programs here, each of which makes one mistake that learners make (or looks as if
 * it did).
 *
 * `// expect: KIND` stands in the margin of the line that the report must name, `// near: KIND` in that of a
 * line that only looks like it; margins.sh has them all. The numbers M and V are those of rows.txt, the
 * collection that the mistakes and the right programs come from.
 */
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(status_)); \
    } while (0)

static inline float *device_floats(int count) {
    std::vector<float> host(count);
    for (int i = 0; i < count; i++)
        host[i] = (float)(i % 17) - 7.5f;
    float *device = nullptr;
    CHECK(cudaMalloc(&device, count * sizeof(float)));
    CHECK(cudaMemcpy(device, host.data(), count * sizeof(float), cudaMemcpyHostToDevice));
    return device;
}

static inline void finish(void) {
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}
