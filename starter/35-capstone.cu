// Lesson 35: a Gaussian blur of an RGBA image, in two passes by tiles in shared memory; and a test of such filters.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

// Every runtime call returns a status: CHECK stops the program when a call failed, and says where.
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));                 \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

// A filter: leaves the blurred image d_in, of width x height pixels, in d_out. All is on the device.
typedef void Blur(float4 *d_out, const float4 *d_in, int width, int height, int radius);

enum { MOST_RADIUS = 16 };

// Your turn: your kernels, and what else you need

// The filter: see the page for its specification. radius is 0 to MOST_RADIUS; width and height may be 0.
void gaussian_blur(float4 *d_out, const float4 *d_in, int width, int height, int radius) {
    // Your turn: rows, then columns
    (void)d_out;
    (void)d_in;
    (void)width;
    (void)height;
    (void)radius;
}

// Your turn: what your test needs

// Your test of a filter: returns true when it is right, false when it is not.
bool test_blur(Blur *blur) {
    // Your turn: images for which each mistake that you can think of shows
    (void)blur;
    return true;
}
