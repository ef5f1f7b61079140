#include "mistake.h"

#include <thrust/device_vector.h>

__global__ void twice(int *values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= 2; // expect: use-after-free // also: out-of-bounds // says: a container that grows moves to other memory
}

__global__ void halve(int *values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] /= 2; // near: use-after-free
}

int main() {
    thrust::device_vector<int> values(100, 1);
    int *raw = thrust::raw_pointer_cast(values.data());
    halve<<<1, 128>>>(raw, (int)values.size());
    finish();
    values.resize(200, 1);
    halve<<<2, 128>>>(thrust::raw_pointer_cast(values.data()), (int)values.size());
    twice<<<2, 128>>>(raw, (int)values.size());
    cudaDeviceSynchronize();
    return 0;
}
