/* A hash table whose keys say that there is a value: the atomicCAS that takes a place is seen before the value is there. */
#include "mistake.h"

enum { EMPTY = -1, BUSY = -2, PLACES = 64, KEYS = 20, THREADS = 128 };

__global__ void too_early(int *keys, int *values, int *seen) {
    const int key = threadIdx.x % KEYS;
    for (int slot = key * 3 % PLACES;; slot = (slot + 1) % PLACES) {
        int old = atomicCAS(&keys[slot], EMPTY, key);
        if (old == EMPTY) {
            values[slot] = key * 10;
            break;
        }
        if (old == key) {
            seen[threadIdx.x] = values[slot]; // expect: global-race // says: The atomicCAS at line 9 comes before the write
            break;
        }
    }
}

__global__ void in_time(int *keys, int *values, int *seen) {
    const int key = threadIdx.x % KEYS;
    for (int slot = key * 3 % PLACES;;) {
        int old = atomicCAS(&keys[slot], EMPTY, BUSY);
        if (old == EMPTY) {
            values[slot] = key * 10;
            __threadfence();
            atomicExch(&keys[slot], key);
            break;
        }
        if (old == key) {
            __threadfence();
            seen[threadIdx.x] = values[slot]; // near: global-race
            break;
        }
        if (old != BUSY) slot = (slot + 1) % PLACES;
    }
}

/* A lock that lacks its fence has something to give it back by: another advice is for that. */
__global__ void lock_without_fence(int *lock, int *values) {
    if (threadIdx.x) return;
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    int sum = values[0]; // also: global-race
    values[0] = sum + 1; // expect: global-race // says: Put __threadfence()
    atomicExch(lock, 0);
}

int main() {
    int *keys = nullptr, *values = nullptr, *seen = nullptr, *lock = nullptr, h[THREADS];
    CHECK(cudaMalloc(&keys, PLACES * sizeof(int)));
    CHECK(cudaMalloc(&values, PLACES * sizeof(int)));
    CHECK(cudaMalloc(&seen, sizeof h));
    CHECK(cudaMalloc(&lock, sizeof(int)));
    CHECK(cudaMemset(lock, 0, sizeof(int)));
    for (int round = 0; round < 2; round++) {
        CHECK(cudaMemset(keys, 0xff, PLACES * sizeof(int)));
        CHECK(cudaMemset(values, 0, PLACES * sizeof(int)));
        CHECK(cudaMemset(seen, 0, sizeof h));
        if (round == 0)
            in_time<<<1, THREADS>>>(keys, values, seen);
        else
            too_early<<<1, THREADS>>>(keys, values, seen);
        CHECK(cudaMemcpy(h, seen, sizeof h, cudaMemcpyDeviceToHost));
        printf("%d\n", h[THREADS - 1]);
    }
    lock_without_fence<<<2, 32>>>(lock, values);
    finish();
    CHECK(cudaFree(keys));
    CHECK(cudaFree(values));
    CHECK(cudaFree(seen));
    CHECK(cudaFree(lock));
}
