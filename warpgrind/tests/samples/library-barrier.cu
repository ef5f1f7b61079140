/* Barriers and pipelines of libcu++: mbarrier objects and asynchronous copies; on older cards atomics (clang also: sm_70). */
#include "sample.h"

#include <cuda/barrier>
#include <cuda/pipeline>

#include <cooperative_groups.h>

enum { THREADS = 128, ROUNDS = 4 };
typedef cuda::barrier<cuda::thread_scope_block> Barrier;

/* Each thread fetches an element, and reads one that another thread has fetched. */
__global__ void exchange(int *out, const int *in) {
    __shared__ Barrier barrier;
    __shared__ int tile[THREADS];
    unsigned i = threadIdx.x;
    if (i == 0) init(&barrier, THREADS);
    __syncthreads();
    tile[i] = in[i];
    Barrier::arrival_token token = barrier.arrive();
    barrier.wait(std::move(token));
    int first = tile[i ^ 33];
    barrier.arrive_and_wait();
    cuda::memcpy_async(&tile[i], &in[i], cuda::aligned_size_t<4>(4), barrier);
    barrier.arrive_and_wait();
    out[i] = first + tile[i ^ 65];
}

/* Tiles: one is filled while another is summed. A template, which clang is more particular about. */
template <int stages>
__global__ void columns(int *out, const int *in) {
    __shared__ int tile[stages][THREADS];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    auto block = cooperative_groups::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        pipeline.producer_acquire();
        cuda::memcpy_async(block, tile[round % stages], in + THREADS * round, sizeof tile[0], pipeline);
        pipeline.producer_commit();
        pipeline.consumer_wait();
        sum += tile[round % stages][threadIdx.x ^ 65];
        pipeline.consumer_release();
    }
    out[threadIdx.x] = sum;
}

/* Both stages are filled ahead, and a stage is filled again as soon as all have released it: nothing else orders the two. */
__global__ void ahead(int *out, const int *in) {
    enum { STAGES = 2 };
    __shared__ int tile[STAGES][THREADS];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    auto pipeline = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
    int sum = 0;
    for (int round = 0, fetched = 0; round < ROUNDS; round++) {
        for (; fetched < ROUNDS && fetched < round + STAGES; fetched++) {
            pipeline.producer_acquire();
            cuda::memcpy_async(&tile[fetched % STAGES][threadIdx.x], &in[fetched * THREADS + threadIdx.x], sizeof(int), pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        sum += tile[round % STAGES][threadIdx.x ^ 65];
        pipeline.consumer_release();
    }
    out[threadIdx.x] = sum;
}

int main() {
    std::vector<int> in(ROUNDS * THREADS), want(3 * THREADS);
    for (int i = 0; i < ROUNDS * THREADS; i++)
        in[i] = (i * 29) % 83 - 40;
    for (int i = 0; i < THREADS; i++) {
        want[i] = in[i ^ 33] + in[i ^ 65];
        for (int round = 0; round < ROUNDS; round++)
            want[THREADS + i] += in[THREADS * round + (i ^ 65)];
        want[2 * THREADS + i] = want[THREADS + i];
    }
    int *d_in = to_device(in), *d_out = nullptr;
    CHECK(cudaMalloc(&d_out, want.size() * sizeof(int)));
    exchange<<<1, THREADS>>>(d_out, d_in);
    CHECK(cudaGetLastError());
    columns<2><<<1, THREADS>>>(d_out + THREADS, d_in);
    CHECK(cudaGetLastError());
    ahead<<<1, THREADS>>>(d_out + 2 * THREADS, d_in);
    CHECK(cudaGetLastError());
    std::vector<int> got = to_host(d_out, want.size());
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return verdict(got, want);
}
