// kind: any
// says: "line":5

__global__ void endless(volatile int *stop) {
    while (*stop == 0) {
    }
}

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    int *d_stop = nullptr;
    cudaMalloc(&d_stop, sizeof(int));
    cudaMemset(d_stop, 0, sizeof(int));
    endless<<<1, 32>>>(d_stop);
    cudaDeviceSynchronize();
    cudaFree(d_stop);
}
