/* How errors behave: the last error, errors of launches, faults that stay. */
#include "api.h"

__global__ void nothing() {}

__global__ void wild(int *p) {
    *p = 1;
}

int main() {
    EXPECT(strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
    EXPECT(strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
    EXPECT(strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code") == 0);
    EXPECT(cudaGetLastError() == cudaSuccess);

    nothing<<<1, 2048>>>();
    EXPECT(cudaPeekAtLastError() == cudaErrorInvalidValue);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    EXPECT(cudaGetLastError() == cudaSuccess); /* taken */
    nothing<<<0, 1>>>();
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    nothing<<<1, 1, 1 << 20>>>();
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess); /* a launch that never started is not the device's error */
    EXPECT(cudaSetDevice(3) == cudaErrorInvalidDevice);
    EXPECT(cudaGetLastError() == cudaErrorInvalidDevice);
    void *p = nullptr;
    EXPECT(cudaMalloc(&p, (size_t)1 << 45) == cudaErrorMemoryAllocation);
    EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation);

    wild<<<1, 1>>>((int *)64);
    EXPECT(cudaGetLastError() == cudaSuccess); /* it has not run yet */
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    EXPECT(cudaMalloc(&p, 4) == cudaErrorIllegalAddress); /* stays */
    EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);
    EXPECT(cudaDeviceReset() == cudaSuccess);
    EXPECT(cudaMalloc(&p, 4) == cudaSuccess);
    EXPECT(cudaFree(p) == cudaSuccess);
    return finish();
}
