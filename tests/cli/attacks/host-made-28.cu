// kind: not-on-gpu
// lesson: 28-find-the-bug
// instead: halve
// The kernel runs, and the host halves.
#include <vector>
void halve(float *h_y, float *d_y, const float *d_x, int n) {
    square_kernel<<<blocks_for(n), THREADS>>>(d_y, d_x, n);
    CHECK(cudaMemcpy(h_y, d_x, n * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) h_y[i] /= 2.0f;
}
