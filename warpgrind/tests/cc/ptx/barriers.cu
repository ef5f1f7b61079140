// Barriers stay where they are written, one instruction each, at every level of optimisation.
// levels: 0 1 2 3
// ptx-count: 5 bar\.sync
__global__ void two_arms(int *p) {
    if (threadIdx.x < 5)
        __syncthreads(); // ptx: bar\.sync
    else
        __syncthreads(); // ptx: bar\.sync
    p[threadIdx.x] = 1;
}

__global__ void two_tails(int *p, int n) {
    if (threadIdx.x < 5) {
        p[3] = n;
        __syncthreads(); // ptx: bar\.sync
        p[4] = 1;
    } else {
        p[5] = n;
        __syncthreads(); // ptx: bar\.sync
        p[4] = 1;
    }
}

__global__ void in_loop(int *p) {
    for (int i = 0; i < (int)threadIdx.x; i++) {
        p[i] = 1;
        __syncthreads(); // ptx: bar\.sync
    }
}
