// The blocks of a cooperative launch can wait for each other, and these do not.
#include "mistake.h"

__global__ void turned(float *out, float *between, const float *in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    between[i] = in[i];
    __syncthreads();
    out[i] = between[n - 1 - i]; // expect: global-race // says: put cg::this_grid().sync() between the two accesses
}

__global__ void less_mean(float *out, float *sum, const float *in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(sum, in[i]);
    __syncthreads();
    out[i] = in[i] - *sum / n; // expect: global-race // says: cg::this_grid().sync() between the last atomic and this read
}

template <typename Kernel> static void launch(Kernel kernel, float *out, float *memory, float *in) {
    int n = 256;
    void *arguments[] = {&out, &memory, &in, &n};
    CHECK(cudaMemset(memory, 0, n * sizeof(float)));
    CHECK(cudaLaunchCooperativeKernel((void *)kernel, 4, 64, arguments, 0, 0));
    finish();
}

int main() {
    float *in = device_floats(256), *out = device_floats(256), *memory = device_floats(256), host[256];
    launch(turned, out, memory, in);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    launch(less_mean, out, memory, in);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(memory));
}
