#include "mistake.h"

// The kernel does the same again and again. The other stream waits for the last launch but one, and nothing
// orders the last one and the copy.

__global__ void twice(float *to, const float *from) {
    to[threadIdx.x] = 2.0f * from[threadIdx.x];
}

int main(void) {
    float *d_a = device_floats(32), *d_b = device_floats(32), *h_b;
    CHECK(cudaMallocHost(&h_b, 32 * sizeof(float)));
    cudaStream_t one, two;
    cudaEvent_t done;
    CHECK(cudaEventCreate(&done));
    CHECK(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 3; i++) {
        twice<<<1, 32, 0, one>>>(d_b, d_a);
        CHECK(cudaStreamSynchronize(one));
    }
    twice<<<1, 32, 0, one>>>(d_b, d_a);
    CHECK(cudaEventRecord(done, one));
    CHECK(cudaStreamWaitEvent(two, done, 0));
    twice<<<1, 32, 0, one>>>(d_b, d_a);
    CHECK(cudaMemcpyAsync(h_b, d_b, 32 * sizeof(float), cudaMemcpyDeviceToHost, two)); // expect: missing-sync
    CHECK(cudaStreamSynchronize(two));
    CHECK(cudaStreamSynchronize(one));
    CHECK(cudaEventDestroy(done));
    CHECK(cudaStreamDestroy(one));
    CHECK(cudaStreamDestroy(two));
    CHECK(cudaFreeHost(h_b));
    cudaFree(d_a);
    cudaFree(d_b);
    return 0;
}
