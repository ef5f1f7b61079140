// kind: not-by-kernel
// lesson: 29-cooperative-groups
// instead: center
// The host works out the mean, and gives it to a kernel as a parameter.
#include <vector>
__global__ void less_kernel(float *y, const float *x, float mean, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] - mean;
}
void center(float *d_y, const float *d_x, int n) {
    if (n == 0) return;
    std::vector<float> x(n);
    double sum = 0;
    CHECK(cudaMemcpy(x.data(), d_x, n * sizeof(float), cudaMemcpyDeviceToHost));
    for (float one : x) sum += one;
    instead_of(d_y, d_x, n);
    less_kernel<<<4, 256>>>(d_y, d_x, (float)(sum / n), n);
    CHECK(cudaDeviceSynchronize());
}
