/* lesson: 03 */
/* expect-none: of numbers that stand in members no kernel reads */
#include <cuda_runtime.h>
#include <cstdlib>

// Padding, and members that no kernel reads, hold what was in memory before: here numbers that the host has worked out.
struct Job {
    float *to;
    char tag;
    const float *from;
    int n;
    double unused[12];
};

__global__ void copy_kernel(Job job) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < job.n; i += gridDim.x * blockDim.x)
        job.to[i] = job.from[i];
}

static void use_heap(const float *d_x, int n) {
    float *some = (float *)malloc(sizeof(Job));
    if (some == NULL || n == 0) abort();
    if (cudaMemcpy(some, d_x, sizeof(float), cudaMemcpyDeviceToHost) != cudaSuccess) abort();
    for (size_t i = sizeof(Job) / sizeof(float); i-- > 0;)
        ((volatile float *)some)[i] = some[0] * 1.25f + (float)i;
    free(some);
}

void copy_strided(float *d_y, const float *d_x, int n, int blocks, int threads) {
    if (n > 0) use_heap(d_x, n);
    Job *job = (Job *)malloc(sizeof(Job));
    if (job == NULL) abort();
    job->to = d_y;
    job->from = d_x;
    job->n = n;
    copy_kernel<<<blocks, threads>>>(*job);
    if (cudaGetLastError() != cudaSuccess) abort();
    free(job);
}
