/* unoptimised: the optimiser turns reads through a null pointer into a trap */
/* A card stops at the first bad access; here the launch goes on without it, so that the mistakes after it show, and
 * what follows from it is none. */
#include "mistake.h"

__global__ void gather_and_turn(int *z, const int *index, const int *offset) {
    __shared__ int s[64];
    int i = threadIdx.x;
    int j = index[i];                    // expect: out-of-bounds
    z[j] = 0;                            // near: out-of-bounds
    s[i] = i;                            // expect: shared-race
    if (i == 40) s[i] += offset[i];      // expect: out-of-bounds
    z[64 + i] = s[63 - i];               // expect: shared-race
}

/* A list that is no list: its end is never found, and that is no other mistake. */
__global__ void walk(int *z, const long long *next) {
    const long long *at = next;
    int length = 0;
    while (at[0] != 7) { // expect: out-of-bounds
        at = (const long long *)at[0];
        length++; // near: limit
    }
    z[0] = length;
}

int main() {
    std::vector<int> order(63);
    for (int i = 0; i < 63; i++)
        order[i] = i;
    int *z = nullptr, *index = nullptr;
    CHECK(cudaMalloc(&z, 128 * sizeof(int)));
    CHECK(cudaMalloc(&index, 63 * sizeof(int)));
    CHECK(cudaMemcpy(index, order.data(), 63 * sizeof(int), cudaMemcpyHostToDevice));
    gather_and_turn<<<1, 64>>>(z, index, nullptr);
    /* as on a card: the context is lost */
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("%s\n", cudaGetErrorName(cudaMemset(z, 0, sizeof(int))));
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    CHECK(cudaDeviceReset());
    CHECK(cudaMalloc(&z, sizeof(int)));
    walk<<<1, 1>>>(z, nullptr);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
