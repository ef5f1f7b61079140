/* The host sleeps until a host function in the stream wakes it: no call of CUDA waits for anything. */
#include "sample.h"

#include <condition_variable>
#include <mutex>

static std::mutex lock;
static std::condition_variable woken;
static int done;

static void CUDART_CB wake(void *) {
    std::lock_guard<std::mutex> guard(lock);
    done++;
    woken.notify_one();
}

static void CUDART_CB wake_after(cudaStream_t, cudaError_t, void *data) {
    wake(data);
}

__global__ void add_one(int *a) {
    a[threadIdx.x] += 1;
}

int main() {
    int *d_a, *h_a;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMalloc(&d_a, 32 * sizeof(int)));
    CHECK(cudaMallocHost(&h_a, 32 * sizeof(int)));
    CHECK(cudaMemsetAsync(d_a, 0, 32 * sizeof(int), stream));
    for (int round = 0; round < 2; round++) {
        add_one<<<1, 32, 0, stream>>>(d_a);
        CHECK(cudaMemcpyAsync(h_a, d_a, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream));
        if (round == 0)
            CHECK(cudaLaunchHostFunc(stream, wake, nullptr));
        else
            CHECK(cudaStreamAddCallback(stream, wake_after, nullptr, 0));
        std::unique_lock<std::mutex> guard(lock);
        woken.wait(guard, [&] { return done > round; });
    }
    std::vector<int> got(h_a, h_a + 32), want(32, 2);
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(d_a));
    CHECK(cudaFreeHost(h_a));
    return verdict(got, want);
}
