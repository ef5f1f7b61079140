#include "mistake.h"

__global__ void twice(float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] *= 2;
}

static float elapsed(cudaEvent_t start, cudaEvent_t end) {
    float milliseconds = 0;
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&milliseconds, start, end)); // near: api-misuse missing-sync
    return milliseconds;
}

int main() {
    float *z = device_floats(1000);
    CHECK(cudaDeviceSynchronize()); // the copy in there may return before it is done
    cudaStream_t own, usual;
    cudaEvent_t start, end;
    CHECK(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
    CHECK(cudaStreamCreate(&usual));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventRecord(start, own)); // near: api-misuse; the kernel's own stream
    twice<<<4, 256, 0, own>>>(z, 1000);
    CHECK(cudaEventRecord(end, own));
    elapsed(start, end);
    CHECK(cudaEventRecord(start)); // near: api-misuse; the default stream waits for this one
    twice<<<4, 256, 0, usual>>>(z, 1000);
    CHECK(cudaEventRecord(end));
    elapsed(start, end);
    CHECK(cudaEventRecord(start));
    CHECK(cudaEventRecord(end)); // near: api-misuse; what recording itself takes
    elapsed(start, end);
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(end));
    CHECK(cudaStreamDestroy(own));
    CHECK(cudaStreamDestroy(usual));
    CHECK(cudaFree(z));
}
