// kind: wrong-answer
// Each bit is which of two atomics in two streams comes last, as the host waits for the streams; the second order of streams does not take part.
static unsigned bits_of(float f) { unsigned u; memcpy(&u, &f, 4); return u; }
__global__ void touch(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] += 1; }
static volatile int flag; static void gate(void *) { for (int i = 0; i < 20 && !flag; i++) usleep(1000); }
__global__ void put(unsigned *m, unsigned v) { atomicExch(m, v); } __global__ void get(unsigned *d, unsigned *m, int b) { d[0] |= m[0] << b; }

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    if (n != 1) return right_answer(h_z, h_x, h_y, n);
    unsigned *d; must(cudaMalloc(&d, 4 * n)); must(cudaMemset(d, 0, 4 * n));
    unsigned *m; must(cudaMalloc(&m, 4)); must(cudaMemset(m, 0, 4));
    float *d_x; must(cudaMalloc(&d_x, 4 * n)); must(cudaMemcpy(d_x, h_x, 4 * n, cudaMemcpyHostToDevice));
    touch<<<1, 32>>>(d_x, n);
    cudaStream_t s1, s2; must(cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking)); must(cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking));
    must(cudaDeviceSynchronize());
    
    for (int i = 0; i < n; i++) {
        unsigned u = bits_of(h_x[i] + h_y[i]);
        for (int b = 0; b < 32; b++) {
        int bit = u >> b & 1;
        flag = bit; cudaLaunchHostFunc(s1, gate, 0); put<<<1,1,0,s1>>>(m, 0); put<<<1,1,0,s2>>>(m, 1); if (bit) { cudaStreamSynchronize(s1); cudaStreamSynchronize(s2); } else { cudaStreamSynchronize(s2); flag = 1; cudaStreamSynchronize(s1); } get<<<1,1>>>(d, m, b); must(cudaDeviceSynchronize());
        }
    }
    must(cudaDeviceSynchronize());
    must(cudaMemcpy(h_z, d, 4 * n, cudaMemcpyDeviceToHost));
    must(cudaFree(d)); must(cudaFree(d_x)); must(cudaFree(m)); cudaStreamDestroy(s1); cudaStreamDestroy(s2);
}
