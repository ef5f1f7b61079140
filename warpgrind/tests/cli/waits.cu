// waits.cu - kernels that wait, by_..., and kernels that do not, not_...: which of their instructions count as work (reports.sh).
// The last argument is the kernel's name. Block 0 waits for block 1, which has its turn later.
#include <cuda_runtime.h>
#include <cstring>

__device__ int flags[64];
__device__ int sink[1024];
__device__ int zeros[1024];

__device__ int look(const int *at) {
    return *(const volatile int *)at;
}

__device__ void raise() {
    for (int i = 0; i < 300; i++)
        *(volatile int *)&sink[i] = i;
    __threadfence();
    for (int i = 0; i < 64; i++)
        atomicExch(&flags[i], 1);
}

__global__ void alone() {
    raise();
}

__global__ void by_load() {
    if (blockIdx.x == 1) raise();
    while (look(flags) == 0) {}
}

__global__ void by_add() {
    if (blockIdx.x == 1) raise();
    while (atomicAdd(flags, 0) == 0) {}
}

__global__ void by_swap() {
    if (blockIdx.x == 1) raise();
    while (atomicCAS(flags, 0, 0) == 0) {}
}

__global__ void by_either() {
    if (blockIdx.x == 1) raise();
    while (look(&flags[1]) == 0 || look(&flags[2]) == 0) {}
}

__global__ void by_both() {
    if (blockIdx.x == 1) raise();
    while (look(&flags[1]) + look(&flags[2]) == 0)
        __nanosleep(20);
}

__global__ void by_window() {
    if (blockIdx.x == 1 && threadIdx.x == 0) raise();
    while (!__all_sync(~0U, look(&flags[2 * threadIdx.x]) != 0)) {}
}

// Something else is read, something is written, or much is worked out: no wait.
__global__ void not_reading() {
    int sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += look(&zeros[i]) + look(flags);
    sink[0] = sum;
}

__global__ void not_writing() {
    for (int i = 0; i < 1000; i++)
        *(volatile int *)sink = look(flags);
}

__global__ void not_adding() {
    for (int i = 0; i < 1000; i++)
        atomicAdd(sink, 1);
}

__global__ void not_short() {
    unsigned sum = 1;
    for (int i = 0; i < 40; i++) {
        for (int j = 0; j < 200; j++)
            sum = (sum ^ sum >> 3) * 1664525U + 1013904223U;
        sum += look(flags);
    }
    sink[0] = (int)sum;
}

int main(int argc, char **argv) {
    const char *which = argv[argc - 1];
#define RUN(kernel, blocks, threads)                                                                         \
    if (strcmp(which, #kernel) == 0) kernel<<<blocks, threads>>>();
    RUN(alone, 1, 1)
    RUN(by_load, 2, 1)
    RUN(by_add, 2, 1)
    RUN(by_swap, 2, 1)
    RUN(by_either, 2, 1)
    RUN(by_both, 2, 1)
    RUN(by_window, 2, 32)
    RUN(not_reading, 1, 1)
    RUN(not_writing, 1, 1)
    RUN(not_adding, 1, 1)
    RUN(not_short, 1, 1)
    return cudaDeviceSynchronize() != cudaSuccess;
}
