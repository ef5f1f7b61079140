/* lesson: 09 */
#include <cuda_runtime.h>

__constant__ float c_curve[16];

__global__ void calibrate_kernel(float *y, const float *x, int n, const float *offset, int sensors, int terms) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = c_curve[terms - 1];
    for (int k = terms - 2; k >= 0; k--)
        sum = sum * x[i] + c_curve[k];
    y[i] = sum + offset[i % sensors]; // expect: wrong-answer
}

void calibrate(float *d_y, const float *d_x, int n, const float *d_offset, int sensors, const float *h_c, int terms) {
    static bool set = false;
    if (!set) cudaMemcpyToSymbol(c_curve, h_c, terms * sizeof(float)); // expect-note: api-misuse // first // says: The copy was made for an earlier call
    set = true;
    if (n > 0) calibrate_kernel<<<(n + 127) / 128, 128>>>(d_y, d_x, n, d_offset, sensors, terms);
}
