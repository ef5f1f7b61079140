/* Conjugate gradient in one cooperative launch: sparse product, dot products with one global atomic a block, grid barriers between. */
#include "sample.h"

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ void dot(double *result, const float *a, const float *b, int n, cg::grid_group grid, cg::thread_block block) {
    __shared__ double partial;
    if (block.thread_rank() == 0) partial = 0;
    block.sync();
    double sum = 0;
    for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size()) sum += (double)a[i] * b[i];
    atomicAdd(&partial, sum);
    block.sync();
    if (block.thread_rank() == 0) atomicAdd(result, partial);
}

/* -1 2 -1 with 4 on the diagonal. */
__device__ float row_product(const float *p, int i, int n) {
    return 4 * p[i] - (i > 0 ? p[i - 1] : 0) - (i + 1 < n ? p[i + 1] : 0);
}

__global__ void solve(float *x, float *r, float *p, float *ap, double *dots, int n, int rounds) {
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    const int first = (int)grid.thread_rank(), step = (int)grid.size();
    dot(&dots[0], r, r, n, grid, block);
    for (int round = 0; round < rounds; round++) {
        for (int i = first; i < n; i += step) ap[i] = row_product(p, i, n);
        grid.sync();
        dot(&dots[2 * round + 1], p, ap, n, grid, block);
        grid.sync();
        const float alpha = (float)(dots[2 * round] / dots[2 * round + 1]);
        for (int i = first; i < n; i += step) {
            x[i] += alpha * p[i];
            r[i] -= alpha * ap[i];
        }
        grid.sync();
        dot(&dots[2 * round + 2], r, r, n, grid, block);
        grid.sync();
        const float beta = (float)(dots[2 * round + 2] / dots[2 * round]);
        for (int i = first; i < n; i += step) p[i] = r[i] + beta * p[i];
        grid.sync();
    }
}

int main() {
    int n = 1000, rounds = 12;
    std::vector<float> want = sample_values(n), b(n), zero(n);
    for (int i = 0; i < n; i++) b[i] = 4 * want[i] - (i > 0 ? want[i - 1] : 0) - (i + 1 < n ? want[i + 1] : 0);
    float *x = to_device(zero), *r = to_device(b), *p = to_device(b), *ap = to_device(zero);
    double *dots = to_device(std::vector<double>(2 * rounds + 1));
    void *arguments[] = {&x, &r, &p, &ap, &dots, &n, &rounds};
    CHECK(cudaLaunchCooperativeKernel((void *)solve, dim3(4), dim3(128), arguments, 0, 0));
    std::vector<float> got = to_host(x, n);
    for (float *memory : {x, r, p, ap}) CHECK(cudaFree(memory));
    CHECK(cudaFree(dots));
    return verdict(got, want, 1e-3);
}
