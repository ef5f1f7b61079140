/* Atomic functions that take an order and a scope (nvcc from 12.8): blocks hand a number on to each other
 * through a flag that is stored with release and loaded with acquire, and every function on every type it is
 * for. */
#include "sample.h"

/* Block b adds its number to what block b - 1 left in `sum`, which is no atomic. */
__global__ void hand_on(int *sum, int *turn) {
    if (threadIdx.x) return;
    while (__nv_atomic_load_n(turn, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) != (int)blockIdx.x) {
    }
    *sum += blockIdx.x;
    __nv_atomic_store_n(turn, (int)blockIdx.x + 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}

template <typename T> __device__ void count_all(T *out) {
    __nv_atomic_add(&out[0], 2, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_sub(&out[1], 1, __NV_ATOMIC_RELAXED);
}

template <typename T> __device__ void order_all(T *out) {
    const T mine = (T)((int)threadIdx.x - 5);
    __nv_atomic_min(&out[2], mine, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_BLOCK);
    __nv_atomic_fetch_max(&out[3], mine, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_SYSTEM);
}

template <typename T> __device__ void mix_all(T *out) {
    count_all(out);
    order_all(out);
    __nv_atomic_or(&out[4], (T)1 << threadIdx.x, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_xor(&out[5], (T)threadIdx.x, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    __nv_atomic_and(&out[6], ~((T)1 << threadIdx.x), __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_CLUSTER);
}

struct alignas(8) Pair {
    float first, second;
};

typedef struct Results {
    int ints[4];
    unsigned words[7];
    long long longs[4];
    unsigned long long wides[7];
    float floats[2];
    double doubles[2];
    Pair pair;
    unsigned swaps;
    unsigned short half;
    unsigned char byte;
} Results;

/* Each thread makes the pair's first number one more, and the second one twice as much more: both change at
 * once. */
__device__ void step_pair(Results *out) {
    Pair old, next;
    __nv_atomic_load(&out->pair, &old, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    do {
        next.first = old.first + 1;
        next.second = old.second + 2;
    } while (!__nv_atomic_compare_exchange(&out->pair, &old, &next, true, __NV_ATOMIC_ACQ_REL,
                                           __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE));
}

__global__ void every_type(Results *out) {
    count_all(out->ints);
    order_all(out->ints);
    mix_all(out->words);
    order_all(out->longs);
    mix_all(out->wides);
    count_all(out->floats);
    count_all(out->doubles);
    step_pair(out);
    unsigned short seen = 0;
    if (__nv_atomic_compare_exchange_n(&out->half, &seen, (unsigned short)7, false, __NV_ATOMIC_RELAXED,
                                       __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE))
        __nv_atomic_add(&out->swaps, 1u, __NV_ATOMIC_RELAXED);
    else if (seen != 7)
        __nv_atomic_add(&out->swaps, 100u, __NV_ATOMIC_RELAXED);
    __syncthreads();
    if (threadIdx.x) return;
    __nv_atomic_store_n(&out->byte, (unsigned char)200, __NV_ATOMIC_RELAXED);
    Pair none = {0, 0}, last;
    __nv_atomic_exchange(&out->pair, &none, &last, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_SYSTEM);
    out->pair = last;
    __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
    const bool there = __nv_atomic_load_n(&out->byte, __NV_ATOMIC_RELAXED) == 200 &&
                       __nv_atomic_load_n(&out->half, __NV_ATOMIC_RELAXED) == 7;
    if (there) out->swaps += 1000 * __nv_atomic_exchange_n(&out->swaps, 0u, __NV_ATOMIC_RELAXED);
}

int main() {
    const int blocks = 20;
    int *d_turn = to_device(std::vector<int>(2, 0));
    hand_on<<<blocks, 32>>>(d_turn + 1, d_turn);
    CHECK(cudaGetLastError());
    std::vector<int> turn = to_host(d_turn, 2);
    Results start = {};
    start.words[6] = ~0u;
    start.wides[6] = ~0ull;
    start.words[5] = start.wides[5] = 9;
    Results *d_out = to_device(std::vector<Results>(1, start));
    every_type<<<1, 32>>>(d_out);
    CHECK(cudaGetLastError());
    const Results r = to_host(d_out, 1)[0];
    CHECK(cudaFree(d_turn));
    CHECK(cudaFree(d_out));
    std::vector<double> got = {(double)turn[0], (double)turn[1]}, want = {blocks, blocks * (blocks - 1) / 2};
    for (int v : r.ints)
        got.push_back(v);
    for (unsigned v : r.words)
        got.push_back(v);
    for (long long v : r.longs)
        got.push_back((double)v);
    for (unsigned long long v : r.wides)
        got.push_back((double)v);
    for (float v : r.floats)
        got.push_back(v);
    for (double v : r.doubles)
        got.push_back(v);
    for (double v :
         {(double)r.pair.first, (double)r.pair.second, (double)r.byte, (double)r.half, (double)r.swaps})
        got.push_back(v);
    const double all = 4294967295.0;
    for (double v : {64.0, -32.0, -5.0, 26.0})
        want.push_back(v);
    for (double v : {64.0, all - 31, 0.0, all, all, 9.0, 0.0})
        want.push_back(v);
    for (double v : {0.0, 0.0, -5.0, 26.0})
        want.push_back(v);
    for (double v : {64.0, (double)(~0ull - 31), 0.0, (double)~0ull, all, 9.0, (double)(~0ull << 32)})
        want.push_back(v);
    for (double v : {64.0, -32.0, 64.0, -32.0, 32.0, 64.0, 200.0, 7.0, 1000.0})
        want.push_back(v);
    return verdict(got, want);
}
