#include "mistake.h"

#include <atomic>

__global__ void count(int *total, volatile int *ready, int *data) {
    atomicAdd_system(total, 1);
    if (threadIdx.x != 0) return;
    *data = 42;
    __threadfence_system();
    *ready = 1;
}

int main() {
    int *total = nullptr, *ready = nullptr, *data = nullptr;
    CHECK(cudaMallocManaged(&total, sizeof(int)));
    CHECK(cudaMallocManaged(&ready, sizeof(int)));
    CHECK(cudaMallocManaged(&data, sizeof(int)));
    *total = *ready = *data = 0;
    count<<<1, 32>>>(total, ready, data);
    CHECK(cudaGetLastError());
    __atomic_fetch_add(total, 100, __ATOMIC_SEQ_CST);              // near: missing-sync; atomic on both sides
    int early = __atomic_load_n(total, __ATOMIC_RELAXED);          // near: missing-sync
    while (*(volatile int *)ready == 0) {                          // near: missing-sync hang; the kernel sets it
    }
    std::atomic_thread_fence(std::memory_order_acquire);
    early += *data; // near: missing-sync; written before the flag
    CHECK(cudaDeviceSynchronize());
    printf("%d %d\n", early, *total);
    int wrong = *total != 132 || *data != 42;
    CHECK(cudaFree(total));
    CHECK(cudaFree(ready));
    CHECK(cudaFree(data));
    return wrong;
}
