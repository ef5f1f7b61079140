#include "mistake.h"

/* Barrier objects in shared memory: the last warp to leave invalidates the object; arriving is no atomic operation on 64 bits. */
__global__ void meet(int *out, const int *in) {
    __shared__ __align__(8) unsigned long long object;
    __shared__ int tile[256], left;
    const unsigned bar = (unsigned)__cvta_generic_to_shared(&object);
    if (threadIdx.x == 0) {
        left = 8;
        asm volatile("mbarrier.init.shared.b64 [%0], 256;" ::"r"(bar) : "memory");
    }
    __syncthreads();
    for (int round = 0; round < 32; round++) {
        unsigned long long token;
        unsigned over = 0;
        tile[threadIdx.x] = in[threadIdx.x] + round;
        for (int side = 0; side < 2; side++) {
            asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(bar) : "memory"); // near-note: atomic-contention
            do
                asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                             : "=r"(over)
                             : "r"(bar), "l"(token)
                             : "memory");
            while (!over);
            if (side == 0) out[threadIdx.x] = tile[threadIdx.x ^ 65];
        }
    }
    __match_any_sync(~0u, bar);
    if (threadIdx.x % 32 == 0 && atomicSub(&left, 1) == 1)
        asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(bar) : "memory"); // near: shared-race
}

int main() {
    int *d_in = nullptr, *d_out = nullptr;
    std::vector<int> in(256, 1);
    CHECK(cudaMalloc(&d_in, 256 * sizeof(int)));
    CHECK(cudaMalloc(&d_out, 256 * sizeof(int)));
    CHECK(cudaMemcpy(d_in, in.data(), 256 * sizeof(int), cudaMemcpyHostToDevice));
    meet<<<1, 256>>>(d_out, d_in);
    finish();
    CHECK(cudaMemcpy(in.data(), d_out, 256 * sizeof(int), cudaMemcpyDeviceToHost));
    printf("%d\n", in[0]);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
}
