#include "mistake.h"

__global__ void twice(float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] *= 2;
}

int main() {
    enum { N = 512 };
    float *z[2] = {device_floats(N), device_floats(N)}, milliseconds = 0, sum = 0;
    std::vector<float> h(N);
    cudaStream_t stream[2];
    cudaEvent_t done[2], start, stop;
    for (int i = 0; i < 2; i++) {
        CHECK(cudaStreamCreate(&stream[i]));
        CHECK(cudaEventCreate(&done[i]));
    }
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    for (int round = 0; round < 4; round++) {
        int mine = round % 2;
        CHECK(cudaEventSynchronize(done[mine])); // near-note: api-misuse; recorded from the second round on
        twice<<<2, 256, 0, stream[mine]>>>(z[mine], N);
        CHECK(cudaEventRecord(done[mine], stream[mine]));
    }
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventElapsedTime(&milliseconds, done[0], done[1])); // near-note: api-misuse; which is first is the question
    sum += milliseconds;
    CHECK(cudaEventElapsedTime(&milliseconds, done[1], done[0])); // near-note: api-misuse
    sum += milliseconds;
    cudaEvent_t spare;
    CHECK(cudaEventCreate(&spare));
    CHECK(cudaEventSynchronize(spare)); // near-note: api-misuse; since its creation nothing was queued that it could be recorded after
    CHECK(cudaEventDestroy(spare));
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventRecord(start));
    twice<<<2, 256>>>(z[0], N);
    CHECK(cudaEventRecord(stop)); // the one that counts
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop)); // near-note: api-misuse
    sum += milliseconds;
    CHECK(cudaEventRecord(start));
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop)); // near-note: api-misuse; what an event costs by itself
    for (int i = 0; i < 2; i++) {
        CHECK(cudaMemcpy(h.data(), z[i], N * sizeof(float), cudaMemcpyDeviceToHost));
        CHECK(cudaStreamDestroy(stream[i]));
        CHECK(cudaEventDestroy(done[i]));
        CHECK(cudaFree(z[i]));
    }
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    return sum > 1e9f;
}
