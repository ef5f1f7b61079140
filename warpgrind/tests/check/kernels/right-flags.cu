// Threads that wait for each other through volatile, as the PTX memory model lets them.
// expect-none: no finding in this program
#include <cstdio>

static const int BLOCKS = 6, THREADS = 64;

// Data behind a flag: write, fence, set; wait, fence, read.
__global__ void hand_over(int *out, int *data, volatile int *ready) {
    if (blockIdx.x == 0) {
        data[threadIdx.x] = threadIdx.x;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            *ready = 1;
        }
    } else {
        if (threadIdx.x == 0) {
            while (*ready == 0) {
            }
            __threadfence();
        }
        __syncthreads();
        out[blockIdx.x * THREADS + threadIdx.x] = data[threadIdx.x];
    }
}

// The same in shared memory, from warp to warp, as a pipeline with a slot and two flags.
__global__ void between_warps(int *out) {
    __shared__ int value;
    __shared__ volatile int full;
    if (threadIdx.x == 0) full = 0;
    __syncthreads();
    for (int round = 1; round <= 3; round++) {
        if (threadIdx.x == 0) {
            while (full != 0) {
            }
            __threadfence_block();
            value = round;
            __threadfence_block();
            full = 1;
        }
        if (threadIdx.x == 32) {
            int seen;
            do {
                seen = full;
            } while (!seen);
            __threadfence_block();
            out[round] = value;
            __threadfence_block();
            full = 0;
        }
    }
}

// Look-back: value and flag in one word, so no fence.
__global__ void look_back(unsigned *out, volatile unsigned *states) {
    int bin = threadIdx.x;
    unsigned sum = 0, mine = blockIdx.x + bin;
    if (blockIdx.x > 0) {
        unsigned state;
        while (((state = states[(blockIdx.x - 1) * THREADS + bin]) & 0x80000000u) == 0) {
        }
        sum = state & 0x7fffffffu;
    }
    states[blockIdx.x * THREADS + bin] = (sum + mine) | 0x80000000u;
    out[blockIdx.x * THREADS + bin] = sum;
}

// The warp waits together; the value travels by shuffle.
__global__ void vote(int *out, volatile int *states) {
    if (blockIdx.x == 0) {
        states[threadIdx.x] = 1 + (int)threadIdx.x;
        return;
    }
    int state = 0;
    while (__any_sync(0xffffffffu, state == 0))
        state = states[threadIdx.x];
    out[blockIdx.x * THREADS + threadIdx.x] = __shfl_sync(0xffffffffu, state, 3);
}

// A lock that is opened by a volatile store.
__global__ void lock_and_unlock(int *total, int *lock) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *total += 1;
    __threadfence();
    *(volatile int *)lock = 0;
}

// As CUB 1.17 does: value and flag in one vector, past the first-level cache.
__global__ void cached(int *out, int2 *states) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        asm volatile("st.cg.v2.s32 [%0], {%1, %2};" ::"l"(states), "r"(1), "r"(42) : "memory");
        return;
    }
    int flag, value;
    do {
        asm volatile("ld.cg.v2.s32 {%0, %1}, [%2];" : "=r"(flag), "=r"(value) : "l"(states) : "memory");
    } while (flag == 0);
    out[blockIdx.x] = value;
}

// Whoever finds it first tells the others to stop looking; late news do no harm.
__device__ __noinline__ int stopped(volatile int *stop) {
    return *stop;
}

__global__ void search(int *found, volatile int *stop, const int *in) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (*stop || stopped(stop)) return;
    if (in[i] == 77) {
        *found = i;
        *stop = 1;
    }
}

int main() {
    int *memory;
    const size_t bytes = 4 * BLOCKS * THREADS * sizeof(int);
    cudaMalloc(&memory, bytes);
    cudaMemset(memory, 0, bytes);
    int *out = memory, *flags = memory + BLOCKS * THREADS, *data = flags + BLOCKS * THREADS,
        *more = data + BLOCKS * THREADS;
    hand_over<<<BLOCKS, THREADS>>>(out, data, flags);
    between_warps<<<1, THREADS>>>(more);
    cudaMemset(flags, 0, bytes / 4);
    look_back<<<BLOCKS, THREADS>>>((unsigned *)out, (unsigned *)flags);
    cudaMemset(flags, 0, bytes / 4);
    vote<<<BLOCKS, THREADS>>>(out, flags);
    cudaMemset(flags, 0, bytes / 4);
    lock_and_unlock<<<BLOCKS, THREADS>>>(data, flags);
    cached<<<BLOCKS, THREADS>>>(out, (int2 *)(flags + 2));
    search<<<BLOCKS, THREADS>>>(more, flags + 8, data);
    cudaDeviceSynchronize();
    int results[BLOCKS];
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    printf("%d %d\n", results[1], results[BLOCKS - 1]);
    cudaFree(memory);
    return results[1] != 42;
}
