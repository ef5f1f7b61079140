// expect-none: what the PTX memory model orders by fences, flags, barriers and acquire and release, in all their forms.
#include "../../mistakes/mistake.h"

enum { THREADS = 64, BLOCKS = 40 };

__device__ int look(const int *p) { return *(const volatile int *)p; }
__device__ int look_acquire(const int *p) {
    int v;
    asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ int look_relaxed(const int *p) {
    int v;
    asm volatile("ld.relaxed.gpu.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ void set_release(int *p, int v) { asm volatile("st.release.gpu.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
__device__ void set_relaxed(int *p, int v) { asm volatile("st.relaxed.gpu.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
__device__ void add_release(int *p) { asm volatile("red.release.gpu.global.add.s32 [%0], 1;" ::"l"(p) : "memory"); }
__device__ int add_acquire(int *p) {
    int v;
    asm volatile("atom.acquire.gpu.global.add.s32 %0, [%1], 0;" : "=r"(v) : "l"(p) : "memory");
    return v;
}

// Every thread fences its own, the barrier gathers, one sets the flag; one waits and fences, the barrier hands on.
__global__ void fences_before_the_barrier(int *out, int *data, int *flag) {
    int tid = threadIdx.x;
    if (blockIdx.x == 0) {
        data[tid] = tid;
        __threadfence();
        __syncthreads();
        if (tid == 0) *(volatile int *)flag = 1;
        return;
    }
    if (tid == 0) {
        while (look(flag) == 0) {
        }
        __threadfence();
    }
    __syncthreads();
    out[blockIdx.x * THREADS + tid] = data[THREADS - 1 - tid];
}

// The same with an atomic; the readers fence behind the barrier, each its own.
__global__ void fences_behind_the_barrier(int *out, int *data, int *count) {
    int tid = threadIdx.x;
    if (blockIdx.x < 3) {
        data[blockIdx.x * THREADS + tid] = tid;
        __threadfence();
        __syncthreads();
        if (tid == 0) atomicAdd(count, 1);
        return;
    }
    if (tid == 0)
        while (look_relaxed(count) < 3) {
        }
    __syncthreads();
    __threadfence();
    out[blockIdx.x * THREADS + tid] = data[blockIdx.x % 3 * THREADS + THREADS - 1 - tid];
}

__global__ void release_and_acquire(int *out, int *data, int *flag) {
    int tid = threadIdx.x;
    if (blockIdx.x == 0) {
        data[tid] = tid;
        __syncthreads();
        if (tid == 0) set_release(flag, 1);
        return;
    }
    if (tid == 0)
        while (look_acquire(flag) == 0) {
        }
    __syncthreads();
    out[blockIdx.x * THREADS + tid] = data[THREADS - 1 - tid];
}

__global__ void reduction_releases(int *out, int *data, int *count) {
    int tid = threadIdx.x;
    if (blockIdx.x < 3) {
        data[blockIdx.x * THREADS + tid] = tid;
        __syncthreads();
        if (tid == 0) add_release(count);
        return;
    }
    if (tid == 0)
        while (add_acquire(count) < 3) {
        }
    __syncthreads();
    out[blockIdx.x * THREADS + tid] = data[blockIdx.x % 3 * THREADS + THREADS - 1 - tid];
}

__global__ void relaxed_with_fences(int *out, int *data, int *flag) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 7;
        __threadfence();
        set_relaxed(flag, 1);
    } else {
        while (look_relaxed(flag) == 0) {
        }
        __threadfence();
        out[blockIdx.x] = *data;
    }
}

// One block after the other: each knows through the one before what all before it did.
__global__ void chain(int *out, int *data, int *flags) {
    int tid = threadIdx.x;
    data[blockIdx.x * THREADS + tid] = tid + blockIdx.x;
    if (tid == 0) {
        while (blockIdx.x > 0 && look(flags + blockIdx.x - 1) == 0) {
        }
        __threadfence();
    }
    __syncthreads();
    __threadfence();
    __syncthreads();
    if (tid == 0) *(volatile int *)(flags + blockIdx.x) = 1;
    int sum = 0;
    for (int b = 0; b <= blockIdx.x; b++)
        sum += data[b * THREADS + THREADS - 1 - tid];
    out[blockIdx.x * THREADS + tid] = sum;
}

// Each lane of a warp waits for a block of its own, as a look-back does.
__global__ void lanes_wait(int *out, int *data, int *flags) {
    int tid = threadIdx.x;
    if (tid >= 32) return;
    if (tid == 0) {
        data[blockIdx.x] = 1 + (int)blockIdx.x;
        __threadfence();
        atomicExch(flags + blockIdx.x, 1);
    }
    int sum = 0;
    for (int b = tid; b < (int)blockIdx.x; b += 32) {
        while (look(flags + b) == 0) {
        }
        __threadfence();
        sum += data[b];
    }
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (tid == 0) out[blockIdx.x] = sum;
}

// A barrier of the whole grid made by hand, several rounds of it (all blocks are resident).
__global__ void hand_made_grid_barrier(int *cells, int *next, int *count) {
    for (int round = 1; round <= 4; round++) {
        next[(blockIdx.x + 1) % gridDim.x * THREADS + threadIdx.x] = cells[blockIdx.x * THREADS + threadIdx.x] + 1;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(count, 1);
            while (atomicAdd(count, 0) < round * (int)gridDim.x) {
            }
            __threadfence();
        }
        __syncthreads();
        int *other = cells;
        cells = next;
        next = other;
    }
}

// Fences of the block are enough within the block, over shared and over global memory.
__global__ void within_the_block(int *out, int *data, int *flags) {
    __shared__ int box[2];
    int tid = threadIdx.x;
    if (tid == 0) *(volatile int *)&box[1] = 0;
    __syncthreads();
    if (tid == 0) {
        box[0] = 5;
        data[blockIdx.x] = 6;
        __threadfence_block();
        *(volatile int *)&box[1] = 1;
        *(volatile int *)&flags[blockIdx.x] = 1;
    }
    if (tid == 32) {
        while (look(&box[1]) == 0 || look(flags + blockIdx.x) == 0) {
        }
        __threadfence_block();
        out[blockIdx.x] = box[0] + data[blockIdx.x];
    }
}

// A block fence gathers within the block, a wider one hands on; what the block told narrowly is told widely then.
__global__ void narrow_then_wide(int *out, int *data, int *flags) {
    if (blockIdx.x == 0 && threadIdx.x == 32) {
        *data = 9;
        __threadfence_block();
        *(volatile int *)flags = 1;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        while (look(flags) == 0) {
        }
        __threadfence_block();
        __threadfence();
        *(volatile int *)(flags + 1) = 1;
    }
    if (blockIdx.x == 1 && threadIdx.x == 0) {
        while (look(flags + 1) == 0) {
        }
        __threadfence();
        *out = *data;
    }
}

// There and back again: the slot is used again when the reader has said so.
__global__ void ping_pong(int *out, int *slot, int *turn) {
    if (threadIdx.x != 0 || blockIdx.x > 1) return;
    for (int round = 0; round < 5; round++) {
        while (look(turn) != (int)blockIdx.x) {
        }
        __threadfence();
        if (blockIdx.x == 0)
            *slot = round;
        else
            *out += *slot;
        __threadfence();
        *(volatile int *)turn = 1 - (int)blockIdx.x;
    }
}

// A lock whose unlocking is a store; the fence of the taker comes with the atomic.
__global__ void lock(int *total, int *word) {
    if (threadIdx.x % 32) return;
    while (atomicCAS(word, 0, 1) != 0) {
    }
    __threadfence();
    *total += 1;
    set_release(word, 0);
}

template <class... P> void run(void (*kernel)(P...), int blocks, P... arguments) {
    kernel<<<blocks, THREADS>>>(arguments...);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}

int main() {
    int *memory;
    const int part = BLOCKS * THREADS;
    CHECK(cudaMalloc(&memory, 3 * part * sizeof(int)));
    int *out = memory, *data = memory + part, *flags = memory + 2 * part;
    CHECK(cudaMemset(memory, 0, 3 * part * sizeof(int)));
    void (*kernels[])(int *, int *, int *) = {fences_before_the_barrier, fences_behind_the_barrier, release_and_acquire,
                                              reduction_releases,        relaxed_with_fences,       chain,
                                              lanes_wait,                within_the_block,          narrow_then_wide,
                                              ping_pong,                 hand_made_grid_barrier};
    for (auto kernel : kernels) {
        CHECK(cudaMemset(memory, 0, 3 * part * sizeof(int)));
        run(kernel, BLOCKS, out, data, flags);
    }
    CHECK(cudaMemset(memory, 0, 3 * part * sizeof(int)));
    run(lock, BLOCKS, out, flags);
    int total;
    CHECK(cudaMemcpy(&total, out, sizeof total, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(memory));
    return total != 2 * BLOCKS;
}
