/* A launch that asks for clusters of two blocks: the software GPU says that it has none, instead of running the blocks apart. */
#include "mistake.h"

__global__ void fill(int *out) {
    out[blockIdx.x] = 1;
}

int main() {
    int *d_out;
    cudaMalloc(&d_out, 2 * sizeof(int));
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 2;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t configuration = {};
    configuration.gridDim = 2;
    configuration.blockDim = 1;
    configuration.attrs = &attribute;
    configuration.numAttrs = 1;
    void *arguments[] = {&d_out};
    cudaError_t error = cudaLaunchKernelExC(&configuration, (const void *)fill, arguments); // expect: limit
    cudaFree(d_out);
    return error != cudaErrorNotSupported;
}
