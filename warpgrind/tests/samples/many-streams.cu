/* Independent chains in many streams, joined by events in one, and a callback at the end of all: what needs an order has one. */
#include "sample.h"

enum { STREAMS = 6, N = 256 };

__global__ void begin(int *data, int stream) {
    data[threadIdx.x] = stream * 1000 + (int)threadIdx.x;
}
__global__ void go_on(int *data) {
    data[threadIdx.x] = data[threadIdx.x] * 2 + 1;
}
__global__ void join(int *out, int *const *parts) {
    int sum = 0;
    for (int s = 0; s < STREAMS; s++) sum += parts[s][threadIdx.x];
    out[threadIdx.x] = sum;
}

static void CUDART_CB finished(void *flag) {
    *(int *)flag = 1;
}

int main() {
    cudaStream_t streams[STREAMS], last;
    cudaEvent_t events[STREAMS];
    std::vector<int *> parts(STREAMS);
    int *out = nullptr, *pinned = nullptr, done = 0;
    CHECK(cudaMalloc(&out, N * sizeof(int)));
    CHECK(cudaMallocHost(&pinned, N * sizeof(int)));
    CHECK(cudaStreamCreateWithFlags(&last, cudaStreamNonBlocking));
    for (int s = 0; s < STREAMS; s++) {
        CHECK(cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&events[s], cudaEventDisableTiming));
        CHECK(cudaMalloc(&parts[s], N * sizeof(int)));
    }
    int **d_parts = to_device(parts);
    CHECK(cudaStreamSynchronize(0)); /* of the copy, which may still be on its way */
    for (int s = 0; s < STREAMS; s++) begin<<<1, N, 0, streams[s]>>>(parts[s], s);
    for (int s = 0; s < STREAMS; s++) {
        go_on<<<1, N, 0, streams[s]>>>(parts[s]);
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(events[s], streams[s]));
        CHECK(cudaStreamWaitEvent(last, events[s], 0));
    }
    join<<<1, N, 0, last>>>(out, d_parts);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(pinned, out, N * sizeof(int), cudaMemcpyDeviceToHost, last));
    CHECK(cudaLaunchHostFunc(last, finished, &done));
    CHECK(cudaStreamSynchronize(last));
    std::vector<int> got(pinned, pinned + N), want(N);
    for (int i = 0; i < N; i++)
        for (int s = 0; s < STREAMS; s++) want[i] += (s * 1000 + i) * 2 + 1;
    for (int s = 0; s < STREAMS; s++) {
        CHECK(cudaStreamDestroy(streams[s]));
        CHECK(cudaEventDestroy(events[s]));
        CHECK(cudaFree(parts[s]));
    }
    CHECK(cudaStreamDestroy(last));
    CHECK(cudaFree(out));
    CHECK(cudaFree(d_parts));
    CHECK(cudaFreeHost(pinned));
    return done ? verdict(got, want) : 1;
}
