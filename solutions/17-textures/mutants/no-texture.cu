// Lesson 17, a typical mistake: the picture is in plain memory, and the kernel does all by itself.

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
__global__ void resample_kernel(float *d_out, int out_width, int out_height, const float *d_in, int width,
                                int height, float scale_x, float scale_y) {
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= out_width || y >= out_height) return;
    const float u = ((float)x + 0.5F) * scale_x - 0.5F, v = ((float)y + 0.5F) * scale_y - 0.5F;
    const float a = u - floorf(u), b = v - floorf(v);
    const int x0 = max((int)floorf(u), 0), x1 = min((int)floorf(u) + 1, width - 1);
    const int y0 = max((int)floorf(v), 0), y1 = min((int)floorf(v) + 1, height - 1);
    const float upper = (1.0F - a) * d_in[y0 * width + x0] + a * d_in[y0 * width + x1];
    const float lower = (1.0F - a) * d_in[y1 * width + x0] + a * d_in[y1 * width + x1];
    d_out[y * out_width + x] = (1.0F - b) * upper + b * lower;
}

// Leaves in d_out the picture h_in of width x height floats, stretched to out_width x out_height. Row after
// row, both; width and height are at least 1.
void resample(float *d_out, int out_width, int out_height, const float *h_in, int width, int height) {
    if (out_width == 0 || out_height == 0) return;
    float *d_in = NULL;
    const size_t bytes = (size_t)width * (size_t)height * sizeof(float);
    CHECK(cudaMalloc(&d_in, bytes));
    CHECK(cudaMemcpy(d_in, h_in, bytes, cudaMemcpyHostToDevice));

    const dim3 threads(32, 8);
    const dim3 blocks((unsigned)(out_width + 31) / 32, (unsigned)(out_height + 7) / 8);
    const float scale_x = (float)width / (float)out_width, scale_y = (float)height / (float)out_height;
    resample_kernel<<<blocks, threads>>>( // expect: not-as-asked
        d_out, out_width, out_height, d_in, width, height, scale_x, scale_y);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(d_in));
}
// told: texture
