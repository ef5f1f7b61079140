/* lesson: 05 */
#include <cuda_runtime.h>

__global__ void multiply(float *z, const float *x, const float *y, int rows, int cols) {
    for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < rows; row += gridDim.y * blockDim.y)
        for (int col = blockIdx.x * blockDim.x + threadIdx.x; col < cols; col += gridDim.x * blockDim.x)
            z[row * cols + col] = (int)x[row * cols + col] * y[row * cols + col]; // expect: wrong-answer // first // says: z[0] = x[0] * y[0] =
}

void multiply2d(float *d_z, const float *d_x, const float *d_y, int rows, int cols) {
    multiply<<<dim3(8, 8), dim3(32, 8)>>>(d_z, d_x, d_y, rows, cols);
}
