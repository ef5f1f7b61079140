/* Stream compaction: the threads that keep their element take their places with one atomic for all of them, then for each label. */
#include "sample.h"

#include <algorithm>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int take_place(int *counter) {
    cg::coalesced_group active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0) first = atomicAdd(counter, (int)active.size());
    return active.shfl(first, 0) + (int)active.thread_rank();
}

__global__ void compact(int *out, int *count, const int *in, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        if (in[i] > 0) out[take_place(count)] = in[i];
}

__global__ void count_labels(int *counts, const int *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto same = cg::labeled_partition(warp, i < n ? in[i] & 3 : -1);
    if (i < n && same.thread_rank() == 0) atomicAdd(&counts[in[i] & 3], (int)same.size());
    auto halves = cg::binary_partition(warp, i < n && in[i] % 2 != 0);
    if (i < n && halves.thread_rank() == 0 && in[i] % 2 != 0) atomicAdd(&counts[4], (int)halves.size());
}

int main() {
    const int n = 2000;
    std::vector<int> in(n), want(n + 5);
    int kept = 0;
    for (int i = 0; i < n; i++) {
        in[i] = (i * 61) % 203 - 90;
        if (in[i] > 0) want[kept++] = in[i];
        want[n + (in[i] & 3)]++;
        want[n + 4] += in[i] % 2 != 0;
    }
    std::sort(want.begin(), want.begin() + kept);
    int *d_in = to_device(in), *d_out = nullptr, *d_count = nullptr, count = 0;
    CHECK(cudaMalloc(&d_out, (n + 5) * sizeof(int)));
    CHECK(cudaMemset(d_out, 0, (n + 5) * sizeof(int)));
    CHECK(cudaMalloc(&d_count, sizeof(int)));
    CHECK(cudaMemset(d_count, 0, sizeof(int)));
    compact<<<3, 128>>>(d_out, d_count, d_in, n);
    CHECK(cudaGetLastError());
    count_labels<<<(n + 127) / 128, 128>>>(d_out + n, d_in, n);
    CHECK(cudaGetLastError());
    std::vector<int> got = to_host(d_out, n + 5);
    CHECK(cudaMemcpy(&count, d_count, sizeof count, cudaMemcpyDeviceToHost));
    if (count != kept) return printf("wrong: %d kept, expected %d\n", count, kept), 1;
    std::sort(got.begin(), got.begin() + kept);
    for (int *p : {d_in, d_out, d_count}) CHECK(cudaFree(p));
    return verdict(got, want);
}
