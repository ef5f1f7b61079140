// kind: uninitialized-read
// The debug lines say that it is CUB's own variable, in CUB's own kernel.
#line 1 "/usr/include/cub/agent.cuh"
namespace cub {
__global__ void agent_kernel(float *z) {
    float prefix;
    if (threadIdx.x > 40) prefix = 1.0f;
    if (prefix > 2.0f) z[0] = z[0];
}
}
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    right_answer(h_z, h_x, h_y, n);
    float *d_z;
    must(cudaMalloc(&d_z, 64));
    must(cudaMemset(d_z, 0, 64));
    cub::agent_kernel<<<1, 64>>>(d_z);
    must(cudaGetLastError());
    must(cudaFree(d_z));
}
