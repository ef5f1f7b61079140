/* A cooperative grid of all blocks that the device runs at once: as many as the occupancy says, on each
 * processor. Every round each block passes a value on to its neighbour, and the grid waits for itself.
 */
#include "sample.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void pass_on(int *cells, int *next, int rounds) {
    cg::grid_group grid = cg::this_grid();
    int blocks = (int)gridDim.x;
    for (int round = 0; round < rounds; round++) {
        if (threadIdx.x == 0) next[(blockIdx.x + 1) % blocks] = cells[blockIdx.x] + 1;
        grid.sync();
        int *other = cells;
        cells = next;
        next = other;
    }
}

int main() {
    enum { THREADS = 64, ROUNDS = 4 };
    cudaDeviceProp properties;
    int each = 0;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, pass_on, THREADS, 0));
    int blocks = each * properties.multiProcessorCount, rounds = ROUNDS;
    std::vector<int> cells(blocks), want(blocks);
    for (int i = 0; i < blocks; i++)
        cells[i] = i;
    for (int i = 0; i < blocks; i++)
        want[(i + ROUNDS) % blocks] = i + ROUNDS;
    int *d_cells = to_device(cells), *d_next = nullptr;
    CHECK(cudaMalloc(&d_next, blocks * sizeof(int)));
    void *arguments[] = {&d_cells, &d_next, &rounds};
    CHECK(cudaLaunchCooperativeKernel((void *)pass_on, dim3(blocks), dim3(THREADS), arguments, 0, 0));
    std::vector<int> got = to_host(d_cells, blocks);
    CHECK(cudaFree(d_cells));
    CHECK(cudaFree(d_next));
    return verdict(got, want);
}
