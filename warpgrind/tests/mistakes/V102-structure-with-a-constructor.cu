#include "mistake.h"

// The device's debug information only declares a type whose constructor runs on the host: what is in it is no padding.
struct Range {
    int *first;
    int count;
    Range(int *numbers, int length) : first(numbers), count(length) {}
};

struct Job {
    char step;
    Range range;
    short factor;
};

__global__ void scale(Job job) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < job.range.count) job.range.first[i] = job.factor * (i + job.step); // near: out-of-bounds
}

int main() {
    int *numbers, last = 0;
    CHECK(cudaMalloc(&numbers, 100 * sizeof(int)));
    scale<<<1, 128>>>(Job{2, Range(numbers, 100), 3});
    CHECK(cudaMemcpy(&last, numbers + 99, sizeof last, cudaMemcpyDeviceToHost));
    if (last != 303) printf("wrong: %d\n", last);
    CHECK(cudaFree(numbers));
    finish();
}
