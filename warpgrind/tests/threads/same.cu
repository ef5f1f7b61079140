// One mistake between two blocks far apart, which different processes run: the race is found all the same, with the same two blocks.
// divided: 0
__global__ void meet(int *a) {
    if (threadIdx.x == 0) a[blockIdx.x % 60] = (int)blockIdx.x;
}

int main() {
    int *a;
    if (cudaMalloc(&a, 60 * sizeof *a) != cudaSuccess) return 1;
    meet<<<64, 32>>>(a);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    return cudaFree(a) != cudaSuccess;
}
