/* Waits of the newer kinds that are missing, come too soon, or wait for blocks that are gone. Each is told by what it is:
 * an asynchronous copy, an edge of a graph, an event without a record, a flag, a grid. */
#include "mistake.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/atomic>
namespace cg = cooperative_groups;

enum { THREADS = 64 };

__global__ void barrier_instead_of_wait(int *out, const int *in) {
    __shared__ int tile[THREADS];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof tile);
    block.sync(); // also: uninitialized-read
    out[threadIdx.x] = tile[THREADS - 1 - threadIdx.x]; // expect: shared-race // says: __syncthreads() alone waits for none
}

__global__ void own_copy_without_wait(int *out, const int *in) {
    __shared__ int tile[THREADS];
    cg::thread_block_tile<1> alone = cg::tiled_partition<1>(cg::this_thread_block());
    cg::memcpy_async(alone, &tile[threadIdx.x], &in[threadIdx.x], sizeof(int));
    out[threadIdx.x] = tile[threadIdx.x]; // expect: uninitialized-read // says: An asynchronous copy (memcpy_async, __pipeline_memcpy_async) to this element had been started
    cg::wait(alone);
}

__global__ void wait_then_barrier(int *out, const int *in) {
    __shared__ int tile[THREADS];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof tile);
    cg::wait(block);
    out[threadIdx.x] = tile[THREADS - 1 - threadIdx.x]; // near: shared-race
}

__device__ int flag, message;

__global__ void relaxed_flag(int *out) {
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(flag);
    if (blockIdx.x == 0) {
        message = 42;
        ready.store(1, cuda::memory_order_relaxed);
    } else {
        while (ready.load(cuda::memory_order_relaxed) == 0) {
        }
        *out = message; // expect: global-race // says: store it with memory_order_release and wait for it with memory_order_acquire
    }
}

__global__ void make(int *made) {
    made[threadIdx.x] = 1;
}

__global__ void use_in_graph(int *out, const int *made) {
    out[threadIdx.x] = made[threadIdx.x]; // expect: missing-sync // says: no edge of the graph orders the two nodes
}

__global__ void use_in_stream(int *out, const int *made) {
    out[threadIdx.x] = made[threadIdx.x]; // expect: missing-sync // says: came before the event was recorded
}

__global__ void use_in_time(int *out, const int *made) {
    out[threadIdx.x] = made[threadIdx.x]; // near: missing-sync
}

__global__ void some_blocks_leave(int *out) {
    if (blockIdx.x > 1) return;
    out[blockIdx.x] = 1;
    cg::this_grid().sync(); // expect: hang // says: because 2 of 4 blocks have ended and will not call it
}

static void add_node(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before, void *kernel, void **arguments) {
    cudaKernelNodeParams launch = {};
    launch.func = kernel;
    launch.gridDim = dim3(1);
    launch.blockDim = dim3(THREADS);
    launch.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(node, graph, before, before ? 1 : 0, &launch));
}

/* The third node names the first; the second names none. */
static void graph_without_an_edge(int *made, int *out, int *other) {
    cudaGraph_t graph;
    cudaGraphExec_t work;
    cudaGraphNode_t first, second, third;
    void *of_first[] = {&made}, *of_second[] = {&out, &made}, *of_third[] = {&other, &made};
    CHECK(cudaGraphCreate(&graph, 0));
    add_node(&first, graph, nullptr, (void *)make, of_first);
    add_node(&second, graph, nullptr, (void *)use_in_graph, of_second);
    add_node(&third, graph, &first, (void *)use_in_time, of_third);
    CHECK(cudaGraphInstantiate(&work, graph, 0));
    CHECK(cudaGraphLaunch(work, 0));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaGraphExecDestroy(work));
    CHECK(cudaGraphDestroy(graph));
}

/* The first wait comes before the record, the second after it. */
static void wait_before_the_record(int *made, int *out) {
    cudaStream_t one, two;
    cudaEvent_t done;
    CHECK(cudaStreamCreate(&one));
    CHECK(cudaStreamCreate(&two));
    CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    CHECK(cudaStreamWaitEvent(two, done, 0));
    make<<<1, THREADS, 0, one>>>(made);
    CHECK(cudaEventRecord(done, one));
    use_in_stream<<<1, THREADS, 0, two>>>(out, made);
    CHECK(cudaDeviceSynchronize());
    make<<<1, THREADS, 0, one>>>(made);
    CHECK(cudaEventRecord(done, one));
    CHECK(cudaStreamWaitEvent(two, done, 0));
    use_in_time<<<1, THREADS, 0, two>>>(out, made);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaStreamDestroy(one));
    CHECK(cudaStreamDestroy(two));
    CHECK(cudaEventDestroy(done));
}

static void read(const int *from) {
    int host[THREADS];
    CHECK(cudaMemcpy(host, from, sizeof host, cudaMemcpyDeviceToHost));
    printf("%d\n", host[0]);
}

int main() {
    int *in = nullptr, *out = nullptr, *other = nullptr;
    CHECK(cudaMalloc(&in, THREADS * sizeof(int)));
    CHECK(cudaMalloc(&out, THREADS * sizeof(int)));
    CHECK(cudaMalloc(&other, THREADS * sizeof(int)));
    CHECK(cudaMemset(in, 0, THREADS * sizeof(int)));
    barrier_instead_of_wait<<<1, THREADS>>>(out, in);
    read(out);
    own_copy_without_wait<<<1, THREADS>>>(out, in);
    read(out);
    wait_then_barrier<<<1, THREADS>>>(out, in);
    read(out);
    relaxed_flag<<<2, 1>>>(out);
    finish();
    graph_without_an_edge(in, out, other);
    read(out);
    read(other);
    wait_before_the_record(in, out);
    read(out);
    void *arguments[] = {&other};
    CHECK(cudaLaunchCooperativeKernel((void *)some_blocks_leave, dim3(4), dim3(32), arguments, 0, 0));
    finish();
}
