#include "mistake.h"

__global__ void twice(float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] *= 2;
}

int main() {
    float *z = device_floats(1000), milliseconds = 0;
    CHECK(cudaDeviceSynchronize()); // the copy in there may return before it is done
    cudaStream_t work;
    cudaEvent_t start, end;
    CHECK(cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaDeviceSynchronize()); // a copy from ordinary memory may return before its bytes have come
    CHECK(cudaEventRecord(start));
    twice<<<4, 256, 0, work>>>(z, 1000);
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&milliseconds, start, end)); // expect: api-misuse
    CHECK(cudaStreamSynchronize(work));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(end));
    CHECK(cudaStreamDestroy(work));
    CHECK(cudaFree(z));
}
