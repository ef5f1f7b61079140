/* mistake.h - shared by the programs here, each of which makes one mistake that learners make (or looks as if
 * it did).
 *
 * `// expect: KIND` stands in the margin of the line that the report must name; `// expect-none` says that
 * the program is right (notes are allowed); `near: KIND` there names the mistakes that it looks like. run.sh
 * builds and runs them all. The numbers are those of the collection the mistakes come from.
 */
#ifndef MISTAKE_H
#define MISTAKE_H

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

#endif
