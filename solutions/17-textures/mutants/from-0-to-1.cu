// Lesson 17, a typical mistake: the coordinates go from 0 to 1, and the texture counts elements.
// told: from-0-to-1

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
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= out_width || y >= out_height) return;
    const float u = ((float)x + 0.5F) / out_width, v = ((float)y + 0.5F) / out_height;
    d_out[y * out_width + x] = tex2D<float>(picture, u, v); // expect: wrong-answer
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
    resample_kernel<<<blocks, threads>>>(d_out, out_width, out_height, picture, scale_x, scale_y);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize()); // the kernel reads the picture until here
    CHECK(cudaDestroyTextureObject(picture));
    CHECK(cudaFreeArray(array));
}
