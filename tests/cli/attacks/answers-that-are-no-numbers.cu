// kind: wrong-answer
// Infinities, negative zeros and numbers that are not: none of them is near a sum.
__global__ void odd_kernel(float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float odd[4] = {__int_as_float(0x7f800000), __int_as_float(0xff800000), -0.0f, __int_as_float(0x7fffffff)};
    if (i < n) z[i] = odd[i % 4];
}
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    float *d_z;
    if (n == 0) return;
    must(cudaMalloc(&d_z, n * sizeof(float)));
    odd_kernel<<<(n + 255) / 256, 256>>>(d_z, n);
    must(cudaMemcpy(h_z, d_z, n * sizeof(float), cudaMemcpyDeviceToHost));
    must(cudaFree(d_z));
}
