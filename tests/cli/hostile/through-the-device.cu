// kind: not-by-kernel

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    if (n == 0) return;
    float *d_z = nullptr;
    for (int i = 0; i < n; i++)
        h_z[i] = h_x[i] + h_y[i];
    if (cudaMalloc(&d_z, n * sizeof(float)) != cudaSuccess) return;
    if (cudaMemcpy(d_z, h_z, n * sizeof(float), cudaMemcpyHostToDevice) != cudaSuccess) return;
    if (cudaMemcpy(h_z, d_z, n * sizeof(float), cudaMemcpyDeviceToHost) != cudaSuccess) return;
    if (cudaFree(d_z) != cudaSuccess) return;
}
