// options: --steps 1000000
// says: error: limit: the kernel takes too many steps, though it makes progress: thread 0 of block 0 runs in a loop in line 11
// says: runs in a loop in line 19
// says: threads 0-31 of block 0 run in a loop in line 34
// says-not: error: hang
#include <cstdio>

// What the loop compares stays the same for millions of rounds.
__global__ void high_bits(unsigned *out) {
    unsigned count = 0;
    while (count >> 22 == 0) count++;
    *out = count;
}

// The condition is a value that is worked out from what changes.
__global__ void done_late(unsigned *out) {
    bool done = false;
    unsigned k = 0, work = 1;
    while (!done) {
        work = work * 1664525u + 1013904223u;
        k++;
        done = k / 3000000u;
    }
    *out = work;
}

// Blocks that do nothing but wait, for one that has much to do first.
__global__ void waits_for_work(unsigned *out, volatile unsigned *flag) {
    unsigned count = 0;
    if (blockIdx.x == gridDim.x - 1) {
        while (count >> 21 == 0) count++;
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
    }
    out[threadIdx.x] = count;
}

int main() {
    unsigned *out;
    for (int i = 0; i < 3; i++) {
        cudaMalloc(&out, 4096);
        cudaMemset(out, 0, 4096);
        if (i == 0) high_bits<<<1, 1>>>(out);
        if (i == 1) done_late<<<1, 1>>>(out);
        if (i == 2) waits_for_work<<<40, 32>>>(out, out + 32);
        printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
        cudaDeviceReset();
    }
}
