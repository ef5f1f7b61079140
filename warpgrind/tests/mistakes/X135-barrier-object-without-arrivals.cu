/* A phase of a barrier object that never ends: fewer threads arrive than it was made for. Who waits looks at the time, as libraries do to wait longer and
 * longer, so that something changes in every round.
 */
#include "mistake.h"

static __device__ bool is_over(unsigned bar, unsigned long long token) {
    unsigned over;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" // expect: hang
                 : "=r"(over)
                 : "r"(bar), "l"(token)
                 : "memory");
    return over;
}

static __device__ unsigned long long arrive(unsigned bar) {
    unsigned long long token;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(bar) : "memory");
    return token;
}

__global__ void half(int *out) {
    __shared__ __align__(8) unsigned long long object;
    const unsigned bar = (unsigned)__cvta_generic_to_shared(&object);
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(bar) : "memory");
    __syncthreads();
    if (threadIdx.x < 32) {
        const unsigned long long token = arrive(bar);
        const long long start = clock64();
        while (!is_over(bar, token))
            if (clock64() - start > 1000) __nanosleep(20);
    }
    out[threadIdx.x] = 1;
}

/* As libraries wait: functions of their own compare times, one of them with what it takes seconds to reach. */
static __device__ __noinline__ bool is_longer(const long long *time, long long than) {
    return *time >= than;
}

__global__ void patient_half(int *out) {
    __shared__ __align__(8) unsigned long long object;
    const unsigned bar = (unsigned)__cvta_generic_to_shared(&object);
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(bar) : "memory");
    __syncthreads();
    if (threadIdx.x < 32) {
        const unsigned long long token = arrive(bar);
        const long long start = clock64();
        while (!is_over(bar, token)) {
            const long long time = clock64() - start;
            if (is_longer(&time, 0xffffffffll))
                __nanosleep(1000);
            else if (is_longer(&time, 1000))
                __nanosleep(20);
        }
    }
    out[threadIdx.x] = 1;
}

/* The same at a flag, without a barrier object. */
__global__ void patient_flag(int *flag, int *out) {
    const long long start = clock64();
    while (atomicAdd(flag, 0) == 0) { // expect: hang
        const long long time = clock64() - start;
        if (is_longer(&time, 0xffffffffll))
            __nanosleep(1000);
        else if (is_longer(&time, 1000))
            __nanosleep(20);
    }
    out[threadIdx.x] = 1;
}

/* A wait that has an end in time, however far away. */
__global__ void until(int *flag, int *out) {
    const long long start = clock64();
    while (atomicAdd(flag, 0) == 0) { // near: hang
        const long long time = clock64() - start;
        if (is_longer(&time, 0x1ffffffffll)) break;
    }
    out[threadIdx.x] = 1;
}

/* The one that arrives last has much to do before; others give up after so many tries. */
__global__ void late(int *out, int rounds) {
    __shared__ __align__(8) unsigned long long object;
    const unsigned bar = (unsigned)__cvta_generic_to_shared(&object);
    int sum = 0;
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 33;" ::"r"(bar) : "memory");
    __syncthreads();
    if (threadIdx.x == 32)
        for (int i = 0; i < rounds; i++) sum += i ^ sum;
    const unsigned long long token = threadIdx.x < 33 ? arrive(bar) : 0;
    if (threadIdx.x < 32)
        while (!is_over(bar, token)) { // near: hang
        }
    out[threadIdx.x] = sum;
}

__global__ void gives_up(int *out, int most) {
    __shared__ __align__(8) unsigned long long object;
    const unsigned bar = (unsigned)__cvta_generic_to_shared(&object);
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(bar) : "memory");
    __syncthreads();
    const unsigned long long token = arrive(bar);
    int tries = 0;
    while (tries < most && !is_over(bar, token)) tries++; // near: hang
    out[threadIdx.x] = tries;
}

static int hangs() {
    const bool hangs = cudaDeviceSynchronize() == cudaErrorLaunchTimeout;
    cudaDeviceReset();
    return hangs ? 0 : 3;
}

int main() {
    int *out, *flag;
    CHECK(cudaMalloc(&out, 64 * sizeof(int)));
    CHECK(cudaMalloc(&flag, sizeof(int)));
    CHECK(cudaMemset(flag, 0, sizeof(int)));
    late<<<1, 64>>>(out, 100000);
    gives_up<<<1, 32>>>(out, 20000);
    until<<<1, 32>>>(flag, out);
    CHECK(cudaDeviceSynchronize());
    patient_flag<<<1, 64>>>(flag, out);
    if (hangs()) return 3;
    CHECK(cudaMalloc(&out, 64 * sizeof(int)));
    patient_half<<<1, 64>>>(out);
    if (hangs()) return 3;
    CHECK(cudaMalloc(&out, 64 * sizeof(int)));
    half<<<1, 64>>>(out);
    return hangs();
}
