/* Outputs that a library cannot write as the call says. What goes wrong does so deep in its headers, whose functions the compiler puts into
 * main; the line to name is the call's. */
#include "mistake.h"

#include <cub/cub.cuh>
#include <thrust/copy.h>
#include <thrust/device_vector.h>

enum { N = 100 };

struct Even {
    __host__ __device__ bool operator()(int v) const { return v % 2 == 0; }
};

static void too_little_room() {
    thrust::device_vector<int> in(N, 2), enough(N), few(10);
    thrust::copy_if(in.begin(), in.end(), enough.begin(), Even()); // near: out-of-bounds
    thrust::copy_if(in.begin(), in.end(), few.begin(), Even()); // expect: out-of-bounds // says: resize() or cudaMalloc makes it
    printf("%d %d\n", (int)enough[3], (int)few[3]);
}

static void count_on_the_host(const int *in, int *out, int *d_count) {
    int count = 0;
    void *storage = nullptr;
    size_t bytes = 0;
    CHECK(cub::DeviceSelect::If(storage, bytes, in, out, d_count, N, Even()));
    CHECK(cudaMalloc(&storage, bytes));
    CHECK(cub::DeviceSelect::If(storage, bytes, in, out, d_count, N, Even())); // near: host-device-pointer
    CHECK(cub::DeviceSelect::If(storage, bytes, in, out, &count, N, Even())); // expect: host-device-pointer
    if (cudaDeviceSynchronize() == cudaSuccess) CHECK(cudaFree(storage));
}

int main() {
    int host[N], *in = nullptr, *out = nullptr, *count = nullptr;
    for (int i = 0; i < N; i++) host[i] = i;
    too_little_room();
    CHECK(cudaMalloc(&in, sizeof host));
    CHECK(cudaMalloc(&out, sizeof host));
    CHECK(cudaMalloc(&count, sizeof *count));
    CHECK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
    count_on_the_host(in, out, count);
}
