/* Waits that never end, in functions of libcu++: each is a hang, at the line of the program that called it. Without optimisation these are calls of
 * calls, with loops in them that begin anew in each round (an atomic load copies its bytes one by one); with it they are inlined.
 */
#include "mistake.h"

#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/pipeline>
#include <cuda/semaphore>

using Flag = cuda::atomic<int, cuda::thread_scope_device>;
using Seats = cuda::counting_semaphore<cuda::thread_scope_block, 4>;

__global__ void for_a_flag(Flag *flag) {
    flag->store((int)threadIdx.x / 32);
    while (flag->load(cuda::memory_order_acquire) != 7) { // expect: hang
    }
}

__global__ void for_another_value(Flag *flag, int *out) {
    if (threadIdx.x == 0) {
        flag->wait(0); // expect: hang
        *out = 1;
    }
}

__global__ void for_a_seat(int *out) {
    __shared__ alignas(Seats) char room[sizeof(Seats)];
    Seats &seats = *reinterpret_cast<Seats *>(room);
    if (threadIdx.x == 0) new (&seats) Seats(2);
    __syncthreads();
    if (threadIdx.x < 3) seats.acquire(); // expect: hang
    out[threadIdx.x] = 1;
}

/* The producer does not commit. Both roles have been in the same functions of the library. */
__global__ void for_a_stage(int *out) {
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int stage[32];
    const auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state, role);
    if (role == cuda::pipeline_role::producer) {
        pipe.producer_acquire();
        stage[threadIdx.x] = 1;
    } else {
        pipe.consumer_wait(); // expect: hang
        out[threadIdx.x] = stage[threadIdx.x - 32];
    }
}

/* Rounds that are alike in all but a count far outside, with a look at the time in each; and a wait that gives up. */
__global__ void long_ones(Flag *flag, int *out, int rounds) {
    long long start = clock64(), sum = 0;
    for (int i = 0; i < rounds; i++) { // near: hang
        for (int j = 0; j < 4; j++) sum += j;
        if (clock64() < start) sum = 0;
    }
    int tries = 0;
    while (flag->load() == 9 && tries < rounds) tries++; // near: hang
    out[threadIdx.x] = (int)sum + tries;
}

static bool hangs() {
    const bool hangs = cudaDeviceSynchronize() == cudaErrorLaunchTimeout;
    cudaDeviceReset();
    return hangs;
}

int main() {
    Flag *flag = nullptr;
    int *out = nullptr;
    const int nine = 9;
    CHECK(cudaMalloc(&flag, sizeof(Flag)));
    CHECK(cudaMalloc(&out, 64 * sizeof(int)));
    CHECK(cudaMemcpy(flag, &nine, sizeof nine, cudaMemcpyHostToDevice));
    long_ones<<<1, 32>>>(flag, out, 30000);
    CHECK(cudaDeviceSynchronize());
    for_a_flag<<<1, 64>>>(flag);
    if (!hangs()) return 3;
    CHECK(cudaMalloc(&flag, sizeof(Flag)));
    CHECK(cudaMemset(flag, 0, sizeof(Flag)));
    for_another_value<<<1, 32>>>(flag, out);
    if (!hangs()) return 3;
    CHECK(cudaMalloc(&out, 64 * sizeof(int)));
    for_a_seat<<<1, 32>>>(out);
    if (!hangs()) return 3;
    CHECK(cudaMalloc(&out, 64 * sizeof(int)));
    for_a_stage<<<1, 64>>>(out);
    return hangs() ? 0 : 3;
}
