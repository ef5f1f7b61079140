/* What tells other blocks that data are ready is there, but lets the data come later: a volatile store, an atomic that is relaxed, a release for the own block. */
#include "mistake.h"

#include <cuda/atomic>

__global__ void by_volatile(int *data, volatile int *flag, int *out) {
    if (blockIdx.x == 0) {
        data[0] = 42; // expect: global-race // says: is volatile, which orders no other access
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        *out = data[0]; // also: global-race
    }
}

__global__ void by_relaxed_count(int *part, int *done, int *out) {
    cuda::atomic_ref<int, cuda::thread_scope_device> count(*done);
    part[blockIdx.x] = (int)blockIdx.x; // expect: global-race // says: has memory_order_relaxed, so another block may see it
    if (count.fetch_add(1, cuda::memory_order_relaxed) == (int)gridDim.x - 1)
        for (unsigned i = 0; i < gridDim.x; i++) *out += part[i]; // also: global-race
}

__global__ void in_the_block(int *data, int *word, int *out) {
    cuda::atomic_ref<int, cuda::thread_scope_block> flag(*word);
    if (blockIdx.x == 0) {
        data[0] = 42; // expect: global-race // says: its scope is that of cuda::thread_scope_block
        flag.store(1, cuda::memory_order_release);
    } else {
        while (flag.load(cuda::memory_order_acquire) == 0) {
        }
        *out = data[0]; // also: global-race
    }
}

__global__ void right(int *part, int *done, int *out) {
    cuda::atomic_ref<int, cuda::thread_scope_device> count(*done);
    part[blockIdx.x] = (int)blockIdx.x; // near: global-race
    if (count.fetch_add(1, cuda::memory_order_acq_rel) == (int)gridDim.x - 1)
        for (unsigned i = 0; i < gridDim.x; i++) *out += part[i]; // near: global-race
}

int main() {
    int *all = nullptr, h[10];
    CHECK(cudaMalloc(&all, sizeof h));
    for (int i = 0; i < 4; i++) {
        CHECK(cudaMemset(all, 0, sizeof h));
        if (i == 0) by_volatile<<<2, 1>>>(all, all + 8, all + 9);
        if (i == 1) by_relaxed_count<<<8, 1>>>(all, all + 8, all + 9);
        if (i == 2) in_the_block<<<2, 1>>>(all, all + 8, all + 9);
        if (i == 3) right<<<8, 1>>>(all, all + 8, all + 9);
        finish();
        CHECK(cudaMemcpy(h, all, sizeof h, cudaMemcpyDeviceToHost));
        printf("%d\n", h[9]);
    }
    CHECK(cudaFree(all));
    return 0;
}
