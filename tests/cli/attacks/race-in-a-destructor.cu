// kind: global-race
// A wrong kernel runs when the driver has done its work.
__global__ void race_kernel(float *z) { z[threadIdx.x / 33] = threadIdx.x; }
static void run_late() {
    float *d;
    cudaMalloc(&d, 256);
    race_kernel<<<1, 64>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
}
__attribute__((constructor)) static void prepare() { atexit(run_late); }
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) { right_answer(h_z, h_x, h_y, n); }
