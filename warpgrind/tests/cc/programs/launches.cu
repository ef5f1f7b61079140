// cudaLaunchKernelEx: arguments become the kernel's types, and attributes that change only speed are taken.
#include <cstdio>

struct Pair {
    float first, second;
};

template <typename T> __global__ void fill(T *out, T value, Pair pair, const float *in) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = value + pair.first + pair.second + *in;
}

__global__ void nothing() {}

int main() {
    double *out = nullptr;
    float *in = nullptr;
    cudaMallocManaged(&out, 8 * sizeof *out);
    cudaMallocManaged(&in, sizeof *in);
    *in = 0.25f;
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeCooperative;
    attributes[0].val.cooperative = 1;
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim.x = attributes[1].val.clusterDim.y = attributes[1].val.clusterDim.z = 1;
    cudaLaunchConfig_t configuration = {};
    configuration.gridDim = 2;
    configuration.blockDim = dim3(4);
    configuration.attrs = attributes;
    configuration.numAttrs = 2;
    int seven = 7; // neither a double nor a const float *
    cudaError_t first = cudaLaunchKernelEx(&configuration, fill<double>, out, seven, Pair{1, 2}, in);
    cudaError_t second = cudaLaunchKernelEx(&configuration, nothing);
    cudaError_t third = cudaDeviceSynchronize();
    printf("%d %d %d %g %g\n", first, second, third, out[0], out[7]);
    bool right = !first && !second && !third && out[0] == 10.25 && out[7] == 10.25;
    cudaFree(out);
    cudaFree(in);
    return !right;
}
