// options: --steps 1000000
// says: error: hang: the kernel does not end: thread 0 of block 0 runs in a loop in line 14
// says: runs in a loop in line 20
// says: runs in a loop in line 23
// says: run in a loop in line 40
// says: runs in a loop in line 49
// says-not: error: limit
#include <cstdio>

// What goes on in a loop that waits changes nothing: rounds that are counted, sums.
__global__ void counts_rounds(int *out, volatile int *flag) {
    int rounds = 0;
    float sum = 0;
    while (*flag == 0) { rounds++; sum += 0.5f; }
    *out = rounds + (int)sum;
}

// Zero is halved for ever; what is added up on the way decides nothing.
__global__ void halves_zero(float *out, int n) {
    for (int d = n; d >= 0; d /= 2) out[d] += 1;
}

__device__ __noinline__ int step_of(int n) {
    return n / 10;
}

// The step is 0, and a function says so in every round.
__global__ void stands_still(float *out, int n) {
    float sum = 0;
    for (int i = 0; i < n; i += step_of(n)) {
        sum += 1;
    }
    *out = sum;
}

// Every block waits for a flag that nobody sets; the lanes of a warp by themselves.
__global__ void all_wait(int *out, int *flags) {
    int lane = threadIdx.x;
    if (lane % 2) {
        while (atomicAdd(flags + lane, 0) == 0) {
        }
    }
    out[lane] = 1;
}

// The lock is taken, and taken again.
__global__ void locks_twice(int *lock) {
    for (int i = 0; i < 2; i++) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
    }
}

int main() {
    int *out;
    for (int i = 0; i < 5; i++) {
        cudaMalloc(&out, 4096);
        cudaMemset(out, 0, 4096);
        if (i == 0) counts_rounds<<<1, 1>>>(out, out + 1);
        if (i == 1) halves_zero<<<1, 1>>>((float *)out, 16);
        if (i == 2) stands_still<<<1, 1>>>((float *)out, 5);
        if (i == 3) all_wait<<<3, 64>>>(out, out + 64);
        if (i == 4) locks_twice<<<2, 1>>>(out);
        printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
        cudaDeviceReset();
    }
}
