#include "mistake.h"

#include <cooperative_groups.h>

__global__ void two_phases(float *out, float *parts) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    if (threadIdx.x == 0) parts[blockIdx.x] = 1;
    grid.sync();
    if (grid.thread_rank() == 0) *out = parts[0] + parts[gridDim.x - 1];
}

int main() {
    float *out = device_floats(1), *parts = device_floats(8);
    two_phases<<<8, 64>>>(out, parts); // expect: invalid-launch
    cudaDeviceSynchronize(); // also: unchecked-error
    cudaFree(out);
    cudaFree(parts);
}
