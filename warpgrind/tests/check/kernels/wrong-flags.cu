// Volatile where it does not help: it makes no barrier, no fence and no atomic.
#include <cstdio>

static const int BLOCKS = 4, THREADS = 64;

// Both are volatile, but nothing keeps the value before the flag.
__global__ void no_fence(int *out, int *data, volatile int *ready) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 42;
        *ready = 1;
    } else {
        while (*ready == 0) {
        }
        out[blockIdx.x] = *data; // expect: global-race
    }
}

// Data that is volatile itself is not ordered either.
__global__ void volatile_data(int *out, volatile int *data, volatile int *ready) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 42;
        *ready = 1;
    } else {
        while (*ready == 0) {
        }
        out[blockIdx.x] = *data; // expect: global-race
    }
}

// The fence comes too late for the value.
__global__ void late_fence(int *out, int *data, volatile int *ready) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        __threadfence();
        *data = 42;
        *ready = 1;
    } else {
        while (*ready == 0) {
        }
        __threadfence();
        out[blockIdx.x] = *data; // expect: global-race
    }
}

// A fence of the block does not reach another block.
__global__ void narrow_fence(int *out, int *data, volatile int *ready) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence_block();
        *ready = 1;
    } else {
        while (*ready == 0) {
        }
        __threadfence_block();
        out[blockIdx.x] = *data; // expect: global-race
    }
}

// A plain flag: the compiler may read it once, before the loop.
__global__ void plain_flag(int *out, int *ready) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        __threadfence();
        *ready = 1;
    } else {
        int rounds = 0;
        while (*ready == 0 && rounds < 100) // expect: global-race
            rounds++;
        out[blockIdx.x] = rounds;
    }
}

__global__ void plain_setter(int *out, int *ready) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *ready = 1;
    } else {
        while (*(volatile int *)ready == 0) { // expect: global-race
        }
        out[blockIdx.x] = 1;
    }
}

// Volatile makes no atomic.
__global__ void count(volatile int *counter) {
    *counter = *counter + 1; // expect: global-race
}

// Volatile makes no barrier between warps, and what is compared with data is data.
__global__ void tree(int *out, const int *in) {
    __shared__ volatile int temp[THREADS];
    int tid = threadIdx.x;
    temp[tid] = in[tid] - tid;
    __syncthreads();
    for (int d = THREADS / 2; d > 0; d /= 2)
        if (tid < d) temp[tid] += temp[tid + d]; // expect: shared-race
    if (tid == 0) *out = temp[0];
}

__global__ void least(int *out, const int *in) {
    __shared__ volatile int temp[THREADS];
    int tid = threadIdx.x;
    temp[tid] = in[tid] - tid;
    __syncthreads();
    for (int d = THREADS / 2; d > 0; d /= 2)
        if (tid < d && temp[tid + d] < temp[tid]) temp[tid] = temp[tid + d]; // expect: shared-race
    __syncthreads();
    if (tid == 0) *out = temp[0];
}

int main() {
    int *memory;
    cudaMalloc(&memory, 4096);
    cudaMemset(memory, 0, 4096);
    int *out = memory, *data = memory + 64, *flags = memory + 128;
    no_fence<<<BLOCKS, THREADS>>>(out, data, flags);
    volatile_data<<<BLOCKS, THREADS>>>(out, data, flags + 1);
    late_fence<<<BLOCKS, THREADS>>>(out, data, flags + 2);
    narrow_fence<<<BLOCKS, THREADS>>>(out, data, flags + 3);
    plain_flag<<<BLOCKS, THREADS>>>(out, flags + 4);
    plain_setter<<<BLOCKS, THREADS>>>(out, flags + 5);
    count<<<BLOCKS, THREADS>>>(flags + 6);
    tree<<<1, THREADS>>>(out, data);
    least<<<1, THREADS>>>(out + 8, data);
    cudaDeviceSynchronize();
    int results[16];
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    printf("%d %d\n", results[1], results[8]);
    cudaFree(memory);
}
