/* A wait for a phase of a barrier object orders what came before the arrivals of that phase, not what came before those of the next one: the object
 * may have been told of it already, and the value be there, but only by luck.
 */
#include "mistake.h"

static __device__ unsigned long long arrive(unsigned bar) {
    unsigned long long token;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(bar) : "memory");
    return token;
}

static __device__ void wait(unsigned bar, unsigned long long token) {
    unsigned over;
    do
        asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(over)
                     : "r"(bar), "l"(token)
                     : "memory");
    while (!over);
}

/* The second warp writes between its two arrivals; the first one has waited for the first phase when it reads. */
__global__ void too_early(int *out) {
    __shared__ __align__(8) unsigned long long object;
    __shared__ int value[32];
    const unsigned bar = (unsigned)__cvta_generic_to_shared(&object), lane = threadIdx.x % 32;
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(bar) : "memory");
    if (threadIdx.x < 32) value[lane] = 0;
    __syncthreads();
    wait(bar, arrive(bar));
    if (threadIdx.x >= 32) value[lane] = lane; // expect: shared-race
    if (threadIdx.x < 32) out[lane] = value[lane ^ 1];
    wait(bar, arrive(bar));
}

/* Here it has waited for both. */
__global__ void in_time(int *out) {
    __shared__ __align__(8) unsigned long long object;
    __shared__ int value[32];
    const unsigned bar = (unsigned)__cvta_generic_to_shared(&object), lane = threadIdx.x % 32;
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(bar) : "memory");
    __syncthreads();
    for (int round = 0; round < 4; round++) {
        wait(bar, arrive(bar));
        if (threadIdx.x >= 32) value[lane] = lane + round; // near: shared-race
        wait(bar, arrive(bar));
        if (threadIdx.x < 32) out[lane] = value[lane ^ 1];
    }
}

int main() {
    int *out;
    CHECK(cudaMalloc(&out, 32 * sizeof(int)));
    too_early<<<1, 64>>>(out);
    in_time<<<1, 64>>>(out);
    finish();
    int got[32];
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
}
