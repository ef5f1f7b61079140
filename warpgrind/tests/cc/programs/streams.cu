// Streams, events, pinned and managed memory, stream-ordered allocation, 2-D copies, symbols, occupancy, attributes.
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <string>

#define CUDA(call) check((call), #call, __LINE__)
inline void check(cudaError_t status, const char *call, int line) {
    if (status == cudaSuccess) return;
    fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
    exit(1);
}

__constant__ float coefficients[8];
__device__ int flag;

__global__ void scale(float *data, size_t pitch, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float *row = (float *)((char *)data + y * pitch);
    row[x] *= coefficients[y % 8];
}

__global__ void big_shared(float *out) {
    extern __shared__ double buffer[];
    buffer[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = (float)buffer[blockDim.x - 1 - threadIdx.x];
}

int main() {
    const int width = 33, height = 17;
    cudaStream_t stream, other;
    cudaEvent_t start, stop;
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    CUDA(cudaEventCreate(&start));
    CUDA(cudaEventCreateWithFlags(&stop, cudaEventDefault));

    float *pinned;
    CUDA(cudaMallocHost(&pinned, width * height * sizeof(float)));
    for (int i = 0; i < width * height; i++) pinned[i] = 1.0f;
    float host[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    CUDA(cudaMemcpyToSymbol(coefficients, host, sizeof host));
    CUDA(cudaMemcpyToSymbolAsync(coefficients, host, sizeof(float), 0, cudaMemcpyHostToDevice, stream));
    int one = 1;
    void *address;
    size_t size;
    CUDA(cudaGetSymbolAddress(&address, flag));
    CUDA(cudaGetSymbolSize(&size, coefficients));
    CUDA(cudaMemcpy(address, &one, sizeof one, cudaMemcpyHostToDevice));

    float *data;
    size_t pitch;
    CUDA(cudaMallocPitch(&data, &pitch, width * sizeof(float), height));
    CUDA(cudaEventRecord(start, stream));
    CUDA(cudaMemcpy2DAsync(data, pitch, pinned, width * sizeof(float), width * sizeof(float), height,
                           cudaMemcpyHostToDevice, stream));
    dim3 block(16, 4), grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    scale<<<grid, block, 0, stream>>>(data, pitch, width, height);
    CUDA(cudaPeekAtLastError());
    CUDA(cudaMemcpy2DAsync(pinned, width * sizeof(float), data, pitch, width * sizeof(float), height,
                           cudaMemcpyDeviceToHost, stream));
    CUDA(cudaEventRecord(stop, stream));
    CUDA(cudaStreamWaitEvent(other, stop, 0));
    CUDA(cudaEventSynchronize(stop));
    float milliseconds = -1;
    CUDA(cudaEventElapsedTime(&milliseconds, start, stop));
    CUDA(cudaStreamSynchronize(stream));
    bool fine = milliseconds >= 0 && size == sizeof host;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) fine = fine && pinned[y * width + x] == (float)(y % 8 + 1);

    float *pool;
    CUDA(cudaMallocAsync(&pool, 1024 * sizeof(float), stream));
    CUDA(cudaMemsetAsync(pool, 0, 1024 * sizeof(float), stream));
    CUDA(cudaFuncSetAttribute(big_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
    int blocks = 0, least = 0, best = 0;
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, big_shared, 128, 65536));
    CUDA(cudaOccupancyMaxPotentialBlockSize(&least, &best, scale));
    big_shared<<<1, 1024, 1024 * sizeof(double), stream>>>(pool);
    float last[2];
    CUDA(cudaMemcpyAsync(last, pool, sizeof last, cudaMemcpyDeviceToHost, stream));
    CUDA(cudaFreeAsync(pool, stream));
    CUDA(cudaStreamSynchronize(stream));
    fine = fine && last[0] == 1023 && best > 0 && best % 32 == 0;

    CUDA(cudaFree(data));
    CUDA(cudaFreeHost(pinned));
    CUDA(cudaEventDestroy(start));
    CUDA(cudaEventDestroy(stop));
    CUDA(cudaStreamDestroy(stream));
    CUDA(cudaStreamDestroy(other));
    CUDA(cudaDeviceSynchronize());
    return fine ? 0 : 2;
}
