/* lesson: 14 */
#include <cstdlib>
#include <cuda_runtime.h>

// Every chunk is queued before the host waits: it is the ordinary memory between that keeps copies and kernels apart.
static void must(cudaError_t status) {
    if (status != cudaSuccess) exit(1);
}

__global__ void roots(float *y, const float *x, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) y[i] = sqrtf(fabsf(x[i])) + 0.5f;
}

void process_chunks(float *h_y, const float *h_x, int n, int chunks) {
    if (n == 0) return;
    const size_t bytes = n * sizeof(float);
    float *d_x, *d_y, *from = (float *)malloc(bytes), *to = (float *)malloc(bytes);
    cudaStream_t *streams = (cudaStream_t *)malloc(chunks * sizeof(cudaStream_t));
    for (int i = 0; i < n; i++)
        from[i] = h_x[i];
    must(cudaMalloc(&d_x, bytes));
    must(cudaMalloc(&d_y, bytes));
    for (int c = 0; c < chunks; c++) {
        const int first = (int)((long long)n * c / chunks), count = (int)((long long)n * (c + 1) / chunks) - first;
        must(cudaStreamCreate(&streams[c]));
        if (count == 0) continue;
        must(cudaMemcpyAsync(d_x + first, from + first, count * sizeof(float), cudaMemcpyHostToDevice, streams[c])); // expect: not-as-asked // says: only pinned memory is copied while other work runs
        roots<<<(count + 255) / 256, 256, 0, streams[c]>>>(d_y + first, d_x + first, count);
        must(cudaMemcpyAsync(to + first, d_y + first, count * sizeof(float), cudaMemcpyDeviceToHost, streams[c])); // expect-note: api-misuse
    }
    for (int c = 0; c < chunks; c++) {
        must(cudaStreamSynchronize(streams[c]));
        must(cudaStreamDestroy(streams[c]));
    }
    for (int i = 0; i < n; i++)
        h_y[i] = to[i];
    free(streams);
    free(from);
    free(to);
    must(cudaFree(d_x));
    must(cudaFree(d_y));
}
