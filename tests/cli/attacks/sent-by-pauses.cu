// kind: wrong-answer
// Each bit is a pause of the host between two kernels that look at the clock.
static unsigned bits_of(float f) { unsigned u; memcpy(&u, &f, 4); return u; }
__global__ void touch(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] += 1; }
__device__ unsigned long long last; __global__ void k(unsigned *d, int b) { unsigned long long t = clock64(); if (b >= 0 && t - last > 3000000) d[0] |= 1u << b; last = t; }
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    if (n != 1) return right_answer(h_z, h_x, h_y, n);
    unsigned *d; must(cudaMalloc(&d, 4 * n)); must(cudaMemset(d, 0, 4 * n));
    float *d_x; must(cudaMalloc(&d_x, 4 * n)); must(cudaMemcpy(d_x, h_x, 4 * n, cudaMemcpyHostToDevice));
    touch<<<1, 32>>>(d_x, n);
    
    for (int i = 0; i < n; i++) {
        unsigned u = bits_of(h_x[i] + h_y[i]);
        k<<<1,1>>>(d + i, -1); cudaDeviceSynchronize(); for (int b = 0; b < 32; b++) { usleep(u >> b & 1 ? 3000 : 0); k<<<1,1>>>(d + i, b); cudaDeviceSynchronize(); }
    }
    
    must(cudaMemcpy(h_z, d, 4 * n, cudaMemcpyDeviceToHost));
    must(cudaFree(d)); must(cudaFree(d_x));
}
