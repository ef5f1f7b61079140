// cuda::atomic and cuda::atomic_ref: every operation, orders and scopes, a message from block to block, the host's side.
// scoped_atomics.out is what nvcc's library gives; that of Debian has other ideas of negative numbers, which warpcc mends.
#include <cstdio>
#include <cuda/atomic>

typedef cuda::atomic<int, cuda::thread_scope_device> DeviceInt;
typedef cuda::atomic_ref<unsigned long long, cuda::thread_scope_block> BlockRef;

struct Cells {
    DeviceInt counter, lowest, flags;
    cuda::atomic<float, cuda::thread_scope_device> real;
    cuda::atomic<unsigned> plain;
    cuda::std::atomic<long long> wide;
};

__global__ void operate(Cells *cells, unsigned long long *sums, double *total) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    cells->counter.fetch_add(1, cuda::memory_order_relaxed);
    cells->counter += 2;
    cells->counter--;
    cells->lowest.fetch_min(500 - i, cuda::std::memory_order_relaxed);
    cells->flags.fetch_or(1 << i % 31);
    cells->flags.fetch_xor(0);
    float real = cells->real.load(cuda::memory_order_relaxed);
    while (!cells->real.compare_exchange_weak(real, real + 0.5f, cuda::memory_order_acq_rel)) {
    }
    cells->plain.fetch_max((unsigned)i * 3u, cuda::memory_order_release);
    cells->wide.fetch_sub(7);
    BlockRef sum(sums[blockIdx.x]);
    sum.fetch_add((unsigned long long)i);
    cuda::atomic_ref<double, cuda::thread_scope_device> all(*total);
    double seen = all.load(cuda::memory_order_relaxed);
    while (!all.compare_exchange_weak(seen, seen + i, cuda::memory_order_relaxed)) {
    }
}

/* Negative numbers have their sign. */
__global__ void order_signs(int *ints, long long *longs) {
    const int i = (int)threadIdx.x - 16;
    cuda::atomic_ref<int, cuda::thread_scope_block> low(ints[0]), high(ints[1]);
    cuda::atomic_ref<long long, cuda::thread_scope_device> least(longs[0]), most(longs[1]);
    low.fetch_min(i);
    high.fetch_max(i, cuda::memory_order_relaxed);
    least.fetch_min(i * 10000000000ll, cuda::memory_order_acquire);
    most.fetch_max(i * 10000000000ll, cuda::memory_order_release);
}

/* Block 1 waits for what block 0 has written. */
__global__ void message(int *data, DeviceInt *ready, int *out) {
    if (blockIdx.x == 0) {
        *data = 42;
        ready->store(1, cuda::memory_order_release);
    } else {
        while (ready->load(cuda::memory_order_acquire) == 0) {
        }
        *out = *data + ready->exchange(5);
    }
}

int main() {
    Cells *cells;
    unsigned long long *sums;
    double *total;
    int *data;
    DeviceInt *ready;
    cudaMallocManaged(&cells, sizeof *cells);
    cudaMallocManaged(&sums, 4 * sizeof *sums);
    cudaMallocManaged(&total, sizeof *total);
    cudaMallocManaged(&data, 2 * sizeof *data);
    cudaMallocManaged(&ready, sizeof *ready);
    new (cells) Cells{{3}, {1000}, {0}, {1.0f}, {0u}, {1000}};
    for (int b = 0; b < 4; b++) sums[b] = 0;
    *total = 0;
    new (ready) DeviceInt(0);
    operate<<<4, 64>>>(cells, sums, total);
    message<<<2, 1>>>(data, ready, data + 1);
    cudaDeviceSynchronize();
    printf("%d %d %x %g %u %lld\n", cells->counter.load(), (int)cells->lowest, (unsigned)cells->flags.load(), (double)cells->real.load(),
           cells->plain.load(), cells->wide.load());
    printf("%llu %llu %g %d %d\n", sums[0], sums[3], *total, data[1], ready->load());
    cuda::atomic<int> own(4);
    own++;
    own = own + 3;
    int expected = 8;
    const bool swapped = own.compare_exchange_strong(expected, 10);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_system);
    const int before = own.fetch_min(2), then = own.fetch_or(8);
    printf("%d %d %d %d\n", swapped, before, then, own.load());
    int *ints;
    long long *longs;
    cudaMallocManaged(&ints, 2 * sizeof *ints);
    cudaMallocManaged(&longs, 2 * sizeof *longs);
    ints[0] = 5, ints[1] = -100, longs[0] = 5, longs[1] = -1;
    order_signs<<<1, 32>>>(ints, longs);
    cudaDeviceSynchronize();
    printf("%d %d %lld %lld\n", ints[0], ints[1], longs[0], longs[1]);
    cudaFree(ints);
    cudaFree(longs);
    cudaFree(cells);
    cudaFree(sums);
    cudaFree(total);
    cudaFree(data);
    cudaFree(ready);
}
