/* unoptimised: the optimiser turns the store into a trap */
#include "mistake.h"

struct Node {
    float *data;
    int n;
};

__global__ void read_nodes(float *out, const Node *nodes) {
    out[threadIdx.x] = nodes[0].data[threadIdx.x]; // expect: out-of-bounds // says: reads through a null pointer
}

int main(void) {
    Node node = {nullptr, 3}, *d_nodes;
    float *d_out = device_floats(256);
    CHECK(cudaMalloc(&d_nodes, sizeof node));
    CHECK(cudaMemcpy(d_nodes, &node, sizeof node, cudaMemcpyHostToDevice));
    read_nodes<<<1, 256>>>(d_out, d_nodes);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
