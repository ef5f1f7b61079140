/* cudaFreeAsync stands before the last copy or memset of its stream: when the call is made the memory is there, when the stream gets to it, not. */
#include "mistake.h"

__global__ void fill(int *z) {
    z[threadIdx.x] = 7;
}

static int *filled(cudaStream_t s) {
    int *d = nullptr;
    CHECK(cudaMallocAsync((void **)&d, 32 * sizeof(int), s));
    fill<<<1, 32, 0, s>>>(d);
    return d;
}

int main() {
    cudaStream_t s;
    int *to = nullptr, *h = nullptr;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaMalloc(&to, 32 * sizeof(int)));
    CHECK(cudaMallocHost(&h, 32 * sizeof(int)));

    int *d = filled(s);
    CHECK(cudaFreeAsync(d, s));
    CHECK(cudaMemsetAsync(d, 0, 32 * sizeof(int), s)); // expect: use-after-free // says: the memset writes device memory that has been freed by then
    CHECK(cudaStreamSynchronize(s));

    d = filled(s);
    CHECK(cudaMemcpyAsync(to, d, 32 * sizeof(int), cudaMemcpyDeviceToDevice, s)); // near: use-after-free
    CHECK(cudaMemcpyAsync(h, d, 32 * sizeof(int), cudaMemcpyDeviceToHost, s));    // near: use-after-free
    CHECK(cudaMemsetAsync(d, 0, 32 * sizeof(int), s));                           // near: use-after-free
    CHECK(cudaFreeAsync(d, s));
    CHECK(cudaStreamSynchronize(s));

    d = filled(s);
    CHECK(cudaFreeAsync(d, s));
    CHECK(cudaMemcpyAsync(h, d, 32 * sizeof(int), cudaMemcpyDeviceToHost, s)); // expect: use-after-free // says: the copy reads device memory that has been freed by then
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaFreeHost(h));
    CHECK(cudaFree(to));
    CHECK(cudaStreamDestroy(s));
    return 0;
}
