/* sum.cu - the program of the README: its answer is right, and it has a race. */
#include <cstdio>

__global__ void sum_kernel(int *out, const int *in) {
    __shared__ int temp[256];
    int tid = threadIdx.x;
    temp[tid] = in[tid];
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (tid < d) temp[tid] += temp[tid + d];
        __syncthreads();
    }
    if (tid == 0) *out = temp[0];
}

int main() {
    int values[256], *d_in, *d_out, sum;
    for (int i = 0; i < 256; i++) values[i] = i + 1;
    cudaMalloc(&d_in, sizeof values);
    cudaMalloc(&d_out, sizeof sum);
    cudaMemcpy(d_in, values, sizeof values, cudaMemcpyHostToDevice);
    sum_kernel<<<1, 256>>>(d_out, d_in);
    cudaMemcpy(&sum, d_out, sizeof sum, cudaMemcpyDeviceToHost);
    printf("sum = %d, expected %d\n", sum, 256 * 257 / 2);
    cudaFree(d_in);
    cudaFree(d_out);
}
