/* stale.cu - each thread adds its right neighbour, from a tile that the next warp has not filled yet. */
#include <cstdio>

__global__ void add_right(int *out, const int *in, int n) {
    __shared__ int tile[64];
    int i = threadIdx.x;
    tile[i] = in[i];
    int right = i + 1 < n ? tile[i + 1] : 0;
    out[i] = tile[i] + right;
}

int main() {
    int values[64], *d_in, *d_out;
    for (int i = 0; i < 64; i++) values[i] = i;
    cudaMalloc(&d_in, sizeof values);
    cudaMalloc(&d_out, sizeof values);
    cudaMemcpy(d_in, values, sizeof values, cudaMemcpyHostToDevice);
    add_right<<<1, 64>>>(d_out, d_in, 64);
    cudaMemcpy(values, d_out, sizeof values, cudaMemcpyDeviceToHost);
    printf("out[31] = %d, expected %d\n", values[31], 31 + 32);
    cudaFree(d_out);
    cudaFree(d_in);
}
