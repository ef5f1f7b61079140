/* lesson: 01 */
#include <cuda_runtime.h>

__global__ void add_kernel(float *sums, const float *x, const float *y, int n) {
    for (int i = 0; i < n; i++) // expect: limit
        sums[i] = x[i] + y[i]; // expect-note: global-race // first // says: Divide these among the threads
}

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    const size_t bytes = n * sizeof(float);
    float *d = nullptr;
    if (n == 0) return;
    cudaMalloc(&d, 3 * bytes);
    cudaMemcpy(d, h_x, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d + n, h_y, bytes, cudaMemcpyHostToDevice);
    add_kernel<<<(n + 255) / 256, 256>>>(d + 2 * n, d, d + n, n); // expect: wrong-answer
    cudaMemcpy(h_z, d + 2 * n, bytes, cudaMemcpyDeviceToHost); // expect: unchecked-error
    cudaFree(d);
}
