/* Events order two streams and take time; a host function runs between. */
#include "sample.h"

__global__ void fill(int *values, int n, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = value;
}

__global__ void twice(int *out, const int *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}

static void count_call(void *calls) {
    ++*(int *)calls;
}

int main() {
    const int n = 400;
    int *d_in = nullptr, *d_out = nullptr, calls = 0;
    CHECK(cudaMalloc(&d_in, n * sizeof(int)));
    CHECK(cudaMalloc(&d_out, n * sizeof(int)));
    cudaStream_t first, second;
    CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    cudaEvent_t filled, done;
    CHECK(cudaEventCreate(&filled));
    CHECK(cudaEventCreate(&done));
    fill<<<4, 100, 0, first>>>(d_in, n, 21);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(filled, first));
    CHECK(cudaStreamWaitEvent(second, filled, 0));
    twice<<<4, 100, 0, second>>>(d_out, d_in, n);
    CHECK(cudaGetLastError());
    CHECK(cudaLaunchHostFunc(second, count_call, &calls));
    CHECK(cudaEventRecord(done, second));
    CHECK(cudaEventSynchronize(done));
    float milliseconds = -1;
    CHECK(cudaEventElapsedTime(&milliseconds, filled, done));
    std::vector<int> got = to_host(d_out, n);
    got.push_back(calls);
    got.push_back(milliseconds >= 0);
    std::vector<int> want(n, 42);
    want.push_back(1);
    want.push_back(1);
    CHECK(cudaEventDestroy(filled));
    CHECK(cudaEventDestroy(done));
    CHECK(cudaStreamDestroy(first));
    CHECK(cudaStreamDestroy(second));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return verdict(got, want);
}
