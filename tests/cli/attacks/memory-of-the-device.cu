// kind: limit
// says: needed more memory
// Large arrays of single threads: gigabytes of local memory behind a few instructions.
__global__ void local_kernel(int *out) {
    volatile char large[200000];
    for (int i = 0; i < 200000; i += 1000) large[i] = i;
    if (large[5000] == 77) *out = 1;
}
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    right_answer(h_z, h_x, h_y, n);
    int *out;
    must(cudaMalloc(&out, 4));
    local_kernel<<<64, 1024>>>(out);
    must(cudaDeviceSynchronize());
    must(cudaFree(out));
}
