// says: The flag was seen, but nothing stops the read of data from happening before that.
// Orders in which one piece is missing, each beside a right one in right-orders.cu.
#include "../../mistakes/mistake.h"

enum { THREADS = 64, BLOCKS = 12 };

__device__ int look(const int *p) { return *(const volatile int *)p; }
__device__ int look_acquire_in_block(const int *p) {
    int v;
    asm volatile("ld.acquire.cta.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ int look_relaxed(const int *p) {
    int v;
    asm volatile("ld.relaxed.gpu.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ int look_acquire(const int *p) {
    int v;
    asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ void set_release(int *p, int v) { asm volatile("st.release.gpu.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
__device__ void set_release_in_block(int *p, int v) { asm volatile("st.release.cta.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
__device__ void set_relaxed(int *p, int v) { asm volatile("st.relaxed.gpu.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }

// The barrier in front of the flag is forgotten: the flag tells of thread 0 alone.
__global__ void no_barrier_at_the_writer(int *out, int *data, int *flag) {
    int tid = threadIdx.x;
    if (blockIdx.x == 0) {
        data[tid] = tid; // expect: global-race
        __threadfence();
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

// ... also where the block is one warp.
__global__ void no_barrier_in_the_warp(int *out, int *data, int *flag) {
    int tid = threadIdx.x;
    if (tid >= 32) return;
    if (blockIdx.x == 0) {
        data[tid] = tid; // expect: global-race
        __threadfence();
        if (tid == 0) *(volatile int *)flag = 1;
        return;
    }
    while (look(flag) == 0) {
    }
    __threadfence();
    out[blockIdx.x * THREADS + tid] = data[31 - tid];
}

// The barrier behind the wait is forgotten: only thread 0 has waited.
__global__ void no_barrier_at_the_reader(int *out, int *data, int *flag) {
    int tid = threadIdx.x;
    if (blockIdx.x == 0) {
        data[tid] = tid; // expect: global-race
        __syncthreads();
        if (tid == 0) {
            __threadfence();
            *(volatile int *)flag = 1;
        }
        return;
    }
    if (tid == 0) {
        while (look(flag) == 0) {
        }
    }
    __threadfence();
    out[blockIdx.x * THREADS + tid] = data[THREADS - 1 - tid];
}

// The threads fence, but not the one whose write the barrier gathers... nobody does.
__global__ void no_fence_at_the_writer(int *out, int *data, int *flag) {
    int tid = threadIdx.x;
    if (blockIdx.x == 0) {
        data[tid] = tid; // expect: global-race
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

// Only the other half of the block has fenced what it wrote.
__global__ void half_the_fences(int *out, int *data, int *flag) {
    int tid = threadIdx.x;
    if (blockIdx.x == 0) {
        data[tid] = tid; // expect: global-race
        if (tid >= 32) __threadfence();
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

__global__ void no_fence_at_the_reader(int *out, int *data, int *flag) {
    int tid = threadIdx.x;
    if (blockIdx.x == 0) {
        data[tid] = tid; // expect: global-race
        __syncthreads();
        if (tid == 0) {
            __threadfence();
            *(volatile int *)flag = 1;
        }
        return;
    }
    if (tid == 0)
        while (look(flag) == 0) {
        }
    __syncthreads();
    out[blockIdx.x * THREADS + tid] = data[THREADS - 1 - tid];
}

// An atomic that changes nothing is a look like any other.
__global__ void atomic_look_without_fence(int *out, int *data, int *flag) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 42; // expect: global-race
        __threadfence();
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {
        }
        out[blockIdx.x] = *data;
    }
}

__global__ void fence_behind_the_read(int *out, int *data, int *flag) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 42; // expect: global-race
        set_release(flag, 1);
    } else {
        while (look_relaxed(flag) == 0) {
        }
        out[blockIdx.x] = *data;
        __threadfence();
    }
}

__global__ void fence_behind_the_flag(int *out, int *data, int *flag) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 42; // expect: global-race
        set_relaxed(flag, 1);
        __threadfence();
    } else {
        while (look_acquire(flag) == 0) {
        }
        out[blockIdx.x] = *data;
    }
}

__global__ void narrow_fence_at_the_writer(int *out, int *data, int *flag) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 42; // expect: global-race
        __threadfence_block();
        *(volatile int *)flag = 1;
    } else {
        while (look(flag) == 0) {
        }
        __threadfence();
        out[blockIdx.x] = *data;
    }
}

__global__ void narrow_fence_at_the_reader(int *out, int *data, int *flag) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 42; // expect: global-race
        __threadfence();
        *(volatile int *)flag = 1;
    } else {
        while (look(flag) == 0) {
        }
        __threadfence_block();
        out[blockIdx.x] = *data;
    }
}

__global__ void narrow_release(int *out, int *data, int *flag) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 42; // expect: global-race
        set_release_in_block(flag, 1);
    } else {
        while (look_acquire(flag) == 0) {
        }
        out[blockIdx.x] = *data;
    }
}

__global__ void narrow_acquire(int *out, int *data, int *flag) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 42; // expect: global-race
        set_release(flag, 1);
    } else {
        while (look_acquire_in_block(flag) == 0) {
        }
        out[blockIdx.x] = *data;
    }
}

// It waits for the wrong flag.
__global__ void wrong_flag(int *out, int *data, int *flag) {
    if (threadIdx.x != 0 || blockIdx.x > 2) return;
    if (blockIdx.x < 2) {
        data[blockIdx.x] = 42; // expect: global-race
        __threadfence();
        *(volatile int *)(flag + blockIdx.x) = 1;
    } else {
        while (look(flag) == 0) {
        }
        __threadfence();
        *out = data[1];
    }
}

// The first lane has waited; the others of its warp have not.
__global__ void one_lane_waits(int *out, int *data, int *flag) {
    int tid = threadIdx.x;
    if (tid >= 32) return;
    if (blockIdx.x == 0) {
        data[tid] = tid; // expect: global-race
        __syncwarp();
        if (tid == 0) set_release(flag, 1);
        return;
    }
    if (tid == 0)
        while (look_acquire(flag) == 0) {
        }
    out[blockIdx.x * THREADS + tid] = data[tid];
}

int main() {
    int *memory;
    const int part = BLOCKS * THREADS;
    CHECK(cudaMalloc(&memory, 3 * part * sizeof(int)));
    int *out = memory, *data = memory + part, *flags = memory + 2 * part;
    void (*kernels[])(int *, int *, int *) = {
        no_barrier_at_the_writer, no_barrier_in_the_warp,     no_barrier_at_the_reader,   no_fence_at_the_writer,
        half_the_fences,          no_fence_at_the_reader,     atomic_look_without_fence,  fence_behind_the_read,
        fence_behind_the_flag,    narrow_fence_at_the_writer, narrow_fence_at_the_reader, narrow_release,
        narrow_acquire,           wrong_flag,                 one_lane_waits};
    for (auto kernel : kernels) {
        CHECK(cudaMemset(memory, 0, 3 * part * sizeof(int)));
        kernel<<<BLOCKS, THREADS>>>(out, data, flags);
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
    }
    int first;
    CHECK(cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(memory));
    return first == 12345;
}
