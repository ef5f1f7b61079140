// Who skips a barrier is told by the line of the if that parted the threads, never by the loop around it.
// says: the __syncthreads() at line 12 (32 of 64 threads reach it): some skip it at line 10
// says: the __syncthreads() at line 21 (32 of 64 threads reach it): some skip it at line 19
// says: the __syncthreads() at line 33: some skip it at line 31
// says: the __syncthreads() at line 43 (32 of 64 threads reach it): some skip it at line 42
#include "../../mistakes/mistake.h"

__global__ void inside(int *t) {
    for (int d = 32; d > 0; d /= 2) {
        if (threadIdx.x < d) {
            t[threadIdx.x] += d;
            __syncthreads();
        }
    }
}

__global__ void goes_on(int *t) {
    for (int d = 32; d > 0; d /= 2) {
        if (threadIdx.x >= d) continue;
        t[threadIdx.x] += d;
        __syncthreads();
    }
}

__global__ void leaves(int *t, int n) {
    int d = 32;
    while (d > 0) {
        d /= 2;
        t[threadIdx.x] += d;
        if (n > 0)
            if (threadIdx.x >= 32) break;

        __syncthreads();
    }
    __syncthreads();
    if (threadIdx.x == 0) t[0] = d;
}

// Here it is a loop that parts them: some threads run it more often than others.
__global__ void rounds(int *t) {
    for (int i = 0; i < 3; i++)
        for (int d = threadIdx.x; d < 32; d++)
            __syncthreads();
    t[threadIdx.x] = 1;
}

int main() {
    int *t = nullptr;
    CHECK(cudaMalloc(&t, 256));
    CHECK(cudaMemset(t, 0, 256));
    inside<<<1, 64>>>(t);
    goes_on<<<1, 64>>>(t);
    leaves<<<1, 64>>>(t, 64);
    rounds<<<1, 64>>>(t);
    finish();
    CHECK(cudaFree(t));
}
