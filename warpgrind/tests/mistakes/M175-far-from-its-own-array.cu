#include "mistake.h"

// Far past its end an array is known by the pointer that the address was computed from, and not by what lies nearest: a member of an
// argument, one of a structure in memory, one of an array of pointers.
struct Attention {
    const float *q, *k;
    float *out;
};

__global__ void scores(Attention a, const Attention *layers, float **rows, int far) {
    int i = threadIdx.x;
    float sum = a.q[i] + a.k[i + far]; // expect: out-of-bounds // first // says: a.k[100000] of 64
    sum += layers[1].k[i + far]; // expect: out-of-bounds // says: element 100000 of the memory allocated at line
    a.out[i] = sum + rows[i % 2][i + far]; // expect: out-of-bounds // says: element 100000 of the memory allocated at line
}

int main() {
    float *arrays[5], **rows;
    for (float *&array : arrays)
        array = device_floats(64);
    Attention a = {arrays[0], arrays[1], arrays[2]}, two[2] = {{arrays[3], arrays[3], arrays[3]}, {arrays[3], arrays[3], arrays[3]}}, *layers;
    CHECK(cudaMalloc(&layers, sizeof two));
    CHECK(cudaMemcpy(layers, two, sizeof two, cudaMemcpyHostToDevice));
    CHECK(cudaMalloc(&rows, 2 * sizeof *rows));
    float *both[2] = {arrays[4], arrays[4]};
    CHECK(cudaMemcpy(rows, both, sizeof both, cudaMemcpyHostToDevice));
    scores<<<1, 32>>>(a, layers, rows, 100000);
    cudaDeviceSynchronize();
    for (float *array : arrays)
        cudaFree(array);
    cudaFree(layers);
    cudaFree(rows);
}
