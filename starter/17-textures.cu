// Lesson 17: a picture in another size. The texture unit interpolates and minds the edges.

#include <cstdio>
#include <cstdlib>
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
// Each thread makes one element of the result. `scale` elements of the picture are as wide as one of the
// result.
__global__ void resample_kernel(float *d_out, int out_width, int out_height, cudaTextureObject_t picture,
                                float scale_x, float scale_y) {
    // Your turn: read the picture at the place where this element of the result has its centre
}

// Leaves in d_out the picture h_in of width x height floats, stretched to out_width x out_height. Row after
// row, both; width and height are at least 1.
void resample(float *d_out, int out_width, int out_height, const float *h_in, int width, int height) {
    if (out_width == 0 || out_height == 0) return;
    // Your turn: put the picture into an array, make a texture object for it, launch, give both back
}
