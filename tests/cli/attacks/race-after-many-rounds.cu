// kind: any
// The detector's numbers are used up first, and the race comes after.
__global__ void blind_kernel(float *z, int n) {
    for (int round = 0; round < 270000; round++) __syncthreads();
    if (threadIdx.x < n) z[threadIdx.x / 33] = threadIdx.x;
}
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    right_answer(h_z, h_x, h_y, n);
    if (n != 257) return;
    float *d;
    must(cudaMalloc(&d, 256));
    blind_kernel<<<1, 64>>>(d, 64);
    must(cudaDeviceSynchronize());
    must(cudaFree(d));
}
