/* Launches in all their forms, and questions about kernels. */
#include "api.h"

#include <vector>

/* Not in every header. */
extern "C" cudaError_t CUDARTAPI cudaFuncGetName(const char **name, const void *function);
/* What nvcc makes of <<< >>>. */
extern "C" cudaError_t __cudaGetKernel(void **kernel, const void *function);
extern "C" cudaError_t __cudaLaunchKernel(void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                                          cudaStream_t stream);

struct Pair {
    char tag;
    double value;
};

__global__ void mixed(double *out, char c, Pair pair, short s, float f) {
    out[threadIdx.x] = c + pair.tag + pair.value + s + f;
}

extern __shared__ float dynamic[];

__global__ void reverse(float *out) {
    dynamic[threadIdx.x] = (float)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = dynamic[blockDim.x - 1 - threadIdx.x];
}

__global__ void fixed(float *out) {
    __shared__ float cells[256];
    cells[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = cells[threadIdx.x];
}

static void arguments() {
    double *out = nullptr, got[4] = {};
    FINE(cudaMalloc(&out, sizeof got));
    Pair pair = {2, 0.5};
    mixed<<<1, 4>>>(out, 1, pair, -3, 0.25f);
    FINE(cudaGetLastError());
    FINE(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[0] == 0.75 && got[3] == 0.75);
    char c = 10;
    short s = 1;
    float f = 0;
    void *parameters[] = {&out, &c, &pair, &s, &f};
    FINE(cudaLaunchKernel((const void *)mixed, dim3(1), dim3(2), parameters, 0, 0));
    FINE(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[1] == 13.5 && got[2] == 0.75);
    void *kernel = nullptr;
    FINE(__cudaGetKernel(&kernel, (const void *)mixed));
    FINE(__cudaLaunchKernel(kernel, dim3(1), dim3(2), parameters, 0, 0));
    FINE(cudaLaunchCooperativeKernel((const void *)mixed, dim3(1), dim3(3), parameters, 0, 0));
    cudaLaunchConfig_t configuration = {};
    configuration.gridDim = dim3(1);
    configuration.blockDim = dim3(4);
    FINE(cudaLaunchKernelExC(&configuration, (const void *)mixed, parameters));
    FINE(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[3] == 13.5);
    FINE(cudaFree(out));
}

static void shared_memory() {
    float *out = nullptr;
    std::vector<float> got(64);
    FINE(cudaMalloc(&out, 64 * sizeof(float)));
    FINE(cudaFuncSetAttribute((const void *)reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    reverse<<<1, 64, 100000>>>(out);
    FINE(cudaGetLastError());
    FINE(cudaMemcpy(got.data(), out, 64 * sizeof(float), cudaMemcpyDeviceToHost));
    EXPECT(got[0] == 63 && got[63] == 0);
    FINE(cudaFree(out));
}

static void questions() {
    cudaFuncAttributes attributes;
    FINE(cudaFuncGetAttributes(&attributes, (const void *)fixed));
    EXPECT(attributes.sharedSizeBytes == 1024 && attributes.maxThreadsPerBlock == 1024);
    FINE(cudaFuncSetCacheConfig((const void *)fixed, cudaFuncCachePreferShared));
    FINE(cudaFuncSetSharedMemConfig((const void *)fixed, cudaSharedMemBankSizeFourByte));
    int blocks = 0;
    FINE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)fixed, 256, 0));
    EXPECT(blocks == 8);
    FINE(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, (const void *)fixed, 1024, 0, 0));
    EXPECT(blocks == 2);
    int grid = 0, block = 0;
    FINE(cudaOccupancyMaxPotentialBlockSize(&grid, &block, fixed, 0, 0));
    EXPECT(block >= 32 && block % 32 == 0 && grid > 0);
    FINE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)fixed, block, 0));
    EXPECT(blocks * block == 2048);
    size_t bytes = 0;
    FINE(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, (const void *)reverse, 2, 128));
    EXPECT(bytes == 100000); /* what it has opted in to */
    FINE(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, (const void *)reverse, 4, 128));
    EXPECT(bytes == 233472 / 4 - 1024);
    const char *name = nullptr;
    FINE(cudaFuncGetName(&name, (const void *)fixed));
    EXPECT(name != nullptr && strcmp(name, "_Z5fixedPf") == 0);
}

int main() {
    arguments();
    shared_memory();
    questions();
    return finish();
}
