#include "mistake.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void halves(float *out, const float *in) {
    __shared__ cg::block_tile_memory<256> scratch;
    __shared__ float temp[256], swapped[256];
    auto tile = cg::tiled_partition<64>(cg::this_thread_block(scratch));
    int tid = threadIdx.x, first = tid / 64 * 64;
    temp[tid] = in[tid]; // near: shared-race
    tile.sync();
    swapped[tid] = temp[first + (tid + 32) % 64];
    out[tid] = swapped[first + (tid + 32) % 64]; // expect: shared-race
}

__global__ void sizes(float *out, const float *in) {
    __shared__ cg::block_tile_memory<256> scratch;
    __shared__ float temp[256];
    cg::thread_block block = cg::this_thread_block(scratch);
    auto pair = cg::tiled_partition<64>(block);
    auto four = cg::tiled_partition<128>(block);
    int tid = threadIdx.x, first = tid / 128 * 128;
    temp[tid] = in[tid];
    pair.sync();
    float other = temp[first + (tid + 64) % 128]; // expect: shared-race
    four.sync();
    out[tid] = other + temp[first + (tid + 96) % 128]; // near: shared-race
}

int main() {
    float *in = device_floats(256), *out = device_floats(256);
    halves<<<1, 256>>>(out, in);
    finish();
    sizes<<<1, 256>>>(out, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
