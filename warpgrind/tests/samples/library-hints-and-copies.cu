/* Hints to the cache by <cuda/annotated_ptr>, and the forms of cuda::memcpy_async: of a group and of a thread, with sizes of all kinds. */
#include "sample.h"

#include <cuda/annotated_ptr>
#include <cuda/barrier>

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

enum { THREADS = 128 };
namespace cg = cooperative_groups;
typedef cuda::annotated_ptr<const int, cuda::access_property::persisting> Kept;

__global__ void hints(int *out, Kept kept, const int *in) {
    unsigned i = threadIdx.x;
    cuda::annotated_ptr<const int, cuda::access_property> streamed(in, cuda::access_property::streaming{});
    const int *again = cuda::associate_access_property(in, cuda::access_property::normal{});
    if (i == 0) cuda::apply_access_property(in, 128, cuda::access_property::persisting{});
    out[i] = kept[i] + streamed[i] + again[i];
}

__global__ void copies(int *out, const int *in) {
    __shared__ alignas(16) int tile[THREADS];
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    cg::thread_block block = cg::this_thread_block();
    unsigned i = threadIdx.x;
    if (i == 0) init(&barrier, THREADS);
    block.sync();
    cuda::memcpy_async(block, tile, in, sizeof tile, barrier);
    barrier.arrive_and_wait();
    int sum = tile[i ^ 1];
    block.sync();
    cuda::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(sizeof tile), barrier);
    barrier.arrive_and_wait();
    sum += tile[i ^ 64];
    block.sync();
    cuda::memcpy_async(&tile[i], &in[i], sizeof(int), barrier);
    barrier.arrive_and_wait();
    sum += tile[i ^ 3];
    block.sync();
    cg::memcpy_async(block, tile, in, sizeof tile);
    cg::wait(block);
    out[i] = sum + tile[i ^ 127];
}

int main() {
    int *in, *out;
    CHECK(cudaMallocManaged(&in, THREADS * sizeof *in));
    CHECK(cudaMallocManaged(&out, THREADS * sizeof *out));
    for (int i = 0; i < THREADS; i++)
        in[i] = 7 * i;
    hints<<<1, THREADS>>>(out, Kept(in), in);
    CHECK(cudaDeviceSynchronize());
    std::vector<int> got(out, out + THREADS), want;
    for (int i = 0; i < THREADS; i++)
        want.push_back(21 * i);
    copies<<<1, THREADS>>>(out, in);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < THREADS; i++)
        want.push_back(7 * ((i ^ 1) + (i ^ 64) + (i ^ 3) + (i ^ 127)));
    got.insert(got.end(), out, out + THREADS);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return verdict(got, want);
}
