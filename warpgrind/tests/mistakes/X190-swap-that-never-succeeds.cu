/* A compare-and-swap that looks for a value which nobody stores: the loop counts, and never ends. */
#include "mistake.h"

__global__ void in_turn(int *turn, int *order) {
    int tries = 0;
    while (atomicCAS(turn, (int)blockIdx.x, -1) != (int)blockIdx.x) // near: hang limit
        tries++;
    order[blockIdx.x] = tries >= 0;
    __threadfence();
    atomicExch(turn, (int)blockIdx.x + 1);
}

__global__ void largest(const float *x, int *most) {
    int seen = *(volatile int *)most, mine = (int)(100 * x[threadIdx.x]);
    while (mine > seen) { // near: hang limit
        int old = atomicCAS(most, seen, mine);
        if (old == seen) break;
        seen = old;
    }
}

__global__ void one_too_late(int *turn) {
    int tries = 0;
    while (atomicCAS(turn, 1, 2) != 1) // expect: hang // says: nothing changes that word any more
        tries++;
    turn[1] = tries;
}

int main() {
    int *turn = nullptr, *order = nullptr;
    float *x = device_floats(64);
    CHECK(cudaMalloc(&turn, 2 * sizeof(int)));
    CHECK(cudaMalloc(&order, 16 * sizeof(int)));
    CHECK(cudaMemset(turn, 0, 2 * sizeof(int)));
    in_turn<<<16, 1>>>(turn, order);
    largest<<<1, 64>>>(x, turn + 1);
    one_too_late<<<1, 1>>>(turn);
    CHECK(cudaDeviceSynchronize());
}
