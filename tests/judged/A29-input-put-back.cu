/* lesson: 15 */
#include <cuda_runtime.h>

__global__ void smooth(float *to, const float *from, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = i > 0 && i + 1 < n ? (from[i - 1] + from[i] + from[i + 1]) / 3.0F : from[i];
}

void smooth_rounds(float *d_out, const float *d_in, int n, int rounds, cudaStream_t stream) {
    float *saved = nullptr, *d_from = const_cast<float *>(d_in), *d_to = d_out;
    const size_t bytes = n * sizeof(float);
    if (n == 0) return;
    cudaMallocAsync(&saved, bytes, stream);
    cudaMemcpyAsync(saved, d_in, bytes, cudaMemcpyDeviceToDevice, stream);
    for (int i = 0; i < rounds; i++) {
        smooth<<<(n + 127) / 128, 128, 0, stream>>>(d_to, d_from, n); // expect: missing-sync // first // says: If it is an input, it stays as it is: let the kernel write to memory of your own
        float *other = d_from;
        d_from = d_to;
        d_to = other;
    }
    if (d_from != d_out) cudaMemcpyAsync(d_out, d_from, bytes, cudaMemcpyDeviceToDevice, stream);
    cudaMemcpyAsync(const_cast<float *>(d_in), saved, bytes, cudaMemcpyDeviceToDevice, stream);
    cudaFreeAsync(saved, stream);
}
