// For the picture in a browser: two streams without a wait between them, and a kernel of 40 blocks whose warps read far apart, meet in one bank and,
// in the later blocks, race.
__global__ void fill(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = i;
}
__global__ void apart(float *out, const float *a, int n) {
    __shared__ float tile[32 * 32];
    __shared__ double wide[64];
    int i = threadIdx.x;
    tile[i * 32] = a[(blockIdx.x * 32 + i) * 8 % n];
    wide[i * 2] = i;
    __syncthreads();
    if (blockIdx.x >= 20 && i < 31) tile[0] = i;
    for (int round = 0; round < 480; round++)
        out[blockIdx.x * 32 + i] = tile[i * 32] + wide[(i + round) % 16];
}
int main() {
    enum { N = 2048 };
    float *a, *out, *h;
    cudaStream_t first, second;
    cudaEvent_t filled;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreate(&filled);
    cudaMalloc(&a, N * sizeof(float));
    cudaMalloc(&out, 40 * 32 * sizeof(float));
    cudaMallocHost(&h, 1 << 16);
    fill<<<8, 256, 0, first>>>(a, N);
    apart<<<40, 32, 0, second>>>(out, a, N);
    cudaEventRecord(filled, second);
    cudaMemcpyAsync(h, a, N * sizeof(float), cudaMemcpyDeviceToHost, first);
    cudaStreamWaitEvent(first, filled, 0);
    fill<<<8, 256, 0, first>>>(a, N);
    cudaDeviceSynchronize();
}
