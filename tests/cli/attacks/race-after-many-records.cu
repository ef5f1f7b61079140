// kind: any
// The detector's memory is used up first, byte by byte, and the race comes after.
__global__ void bytes_kernel(unsigned char *p, size_t n) {
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) p[i] = i;
}
__global__ void race_kernel(float *z) { z[threadIdx.x / 33] = threadIdx.x; }
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    right_answer(h_z, h_x, h_y, n);
    if (n != 257) return;
    unsigned char *bytes;
    size_t size = 48 << 20;
    must(cudaMalloc(&bytes, size));
    bytes_kernel<<<64, 256>>>(bytes, size);
    race_kernel<<<1, 64>>>((float *)bytes);
    must(cudaDeviceSynchronize());
    must(cudaFree(bytes));
}
