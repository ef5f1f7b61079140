/* Memory from cudaMallocAsync belongs to its stream's order: another stream may use it once it has waited. */
#include "mistake.h"

enum { COUNT = 128, BYTES = COUNT * sizeof(int) };

__global__ void ramp_early(int *z) {
    z[threadIdx.x] = threadIdx.x; // expect: missing-sync
}

__global__ void ramp(int *z) {
    z[threadIdx.x] = threadIdx.x; // near: missing-sync
}

int main() {
    int *p = nullptr, *q = nullptr, *r = nullptr, sum = 0;
    std::vector<int> host(COUNT);
    cudaStream_t owner, worker;
    cudaEvent_t there;
    CHECK(cudaStreamCreateWithFlags(&owner, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&worker, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&there));
    CHECK(cudaMallocAsync(&p, BYTES, owner)); // expect: missing-sync
    ramp_early<<<1, COUNT, 0, worker>>>(p);
    CHECK(cudaStreamSynchronize(worker));
    CHECK(cudaMemcpy(host.data(), p, BYTES, cudaMemcpyDeviceToHost));
    sum += host[COUNT - 1];
    CHECK(cudaFreeAsync(p, worker));

    CHECK(cudaMallocAsync(&q, BYTES, owner)); // near: missing-sync
    CHECK(cudaEventRecord(there, owner));
    CHECK(cudaStreamWaitEvent(worker, there));
    ramp<<<1, COUNT, 0, worker>>>(q);
    CHECK(cudaMallocAsync(&r, BYTES, owner)); // near: missing-sync
    CHECK(cudaStreamSynchronize(owner));
    ramp<<<1, COUNT, 0, worker>>>(r);
    CHECK(cudaStreamSynchronize(worker));
    CHECK(cudaMemcpy(host.data(), q, BYTES, cudaMemcpyDeviceToHost));
    sum += host[COUNT - 1];
    CHECK(cudaMemcpy(host.data(), r, BYTES, cudaMemcpyDeviceToHost));
    sum += host[COUNT - 1];
    CHECK(cudaFreeAsync(q, worker));
    CHECK(cudaFreeAsync(r, owner));
    CHECK(cudaDeviceSynchronize());
    printf("%d\n", sum);
    CHECK(cudaEventDestroy(there));
    CHECK(cudaStreamDestroy(owner));
    CHECK(cudaStreamDestroy(worker));
}
