#include "mistake.h"

__global__ void twice(float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] *= 2;
}

int main() {
    float *z = device_floats(1000), milliseconds = 0, sum = 0;
    cudaStream_t other;
    cudaEvent_t start, stop, never, late;
    CHECK(cudaStreamCreate(&other));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventCreate(&never));
    CHECK(cudaEventCreate(&late));
    CHECK(cudaEventRecord(start));
    twice<<<4, 256>>>(z, 1000);
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&milliseconds, stop, start)); // expect: api-misuse
    sum += milliseconds;
    CHECK(cudaEventElapsedTime(&milliseconds, stop, stop)); // expect-note: api-misuse
    sum += milliseconds;
    CHECK(cudaStreamWaitEvent(other, stop, 0));
    CHECK(cudaEventRecord(late, other));
    CHECK(cudaEventSynchronize(late));
    CHECK(cudaEventElapsedTime(&milliseconds, late, stop)); // expect: api-misuse; its stream had waited
    sum += milliseconds;
    CHECK(cudaEventRecord(start));
    CHECK(cudaEventRecord(stop));
    twice<<<4, 256>>>(z, 1000);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop)); // expect-note: api-misuse
    sum += milliseconds;
    CHECK(cudaEventSynchronize(never)); // expect-note: api-misuse
    CHECK(cudaStreamDestroy(other));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaEventDestroy(never));
    CHECK(cudaEventDestroy(late));
    std::vector<float> h(1000);
    CHECK(cudaMemcpy(h.data(), z, 1000 * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(z));
    printf("%g %d\n", h[0], sum > 1e9f);
}
