// order FIRST SECOND STREAMS BETWEEN: two operations on one array, the second after the first in the program;
// whether anything orders them is the question.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
enum { N = 256, BYTES = N * sizeof(int) };
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t e_ = (call);                                                                             \
        if (e_ != cudaSuccess) {                                                                             \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e_));                                      \
            exit(9);                                                                                         \
        }                                                                                                    \
    } while (0)
__global__ void writes(int *a) {
    a[threadIdx.x] = threadIdx.x;
}
__global__ void reads(int *out, const int *a) {
    out[threadIdx.x] = a[threadIdx.x];
}
int *d, *other, *pinned, pageable[N];
static void operate(const char *what, cudaStream_t s) {
    auto is = [&](const char *w) { return !strcmp(what, w); };
    if (is("kernel-writes"))
        writes<<<1, N, 0, s>>>(d);
    else if (is("kernel-reads"))
        reads<<<1, N, 0, s>>>(other, d);
    else if (is("to-pinned"))
        CHECK(cudaMemcpyAsync(pinned, d, BYTES, cudaMemcpyDeviceToHost, s));
    else if (is("from-pinned"))
        CHECK(cudaMemcpyAsync(d, pinned, BYTES, cudaMemcpyHostToDevice, s));
    else if (is("to-pageable"))
        CHECK(cudaMemcpyAsync(pageable, d, BYTES, cudaMemcpyDeviceToHost, s));
    else if (is("from-pageable"))
        CHECK(cudaMemcpyAsync(d, pageable, BYTES, cudaMemcpyHostToDevice, s));
    else if (is("sync-to"))
        CHECK(cudaMemcpy(pageable, d, BYTES, cudaMemcpyDeviceToHost));
    else if (is("sync-from"))
        CHECK(cudaMemcpy(d, pageable, BYTES, cudaMemcpyHostToDevice));
    else if (is("sync-from-pinned"))
        CHECK(cudaMemcpy(d, pinned, BYTES, cudaMemcpyHostToDevice));
    else if (is("sync-device-to"))
        CHECK(cudaMemcpy(d, other, BYTES, cudaMemcpyDeviceToDevice));
    else if (is("sync-memset"))
        CHECK(cudaMemset(d, 0, BYTES));
    else if (is("device-from"))
        CHECK(cudaMemcpyAsync(other, d, BYTES, cudaMemcpyDeviceToDevice, s));
    else if (is("device-to"))
        CHECK(cudaMemcpyAsync(d, other, BYTES, cudaMemcpyDeviceToDevice, s));
    else if (is("memset"))
        CHECK(cudaMemsetAsync(d, 0, BYTES, s));
    else
        exit(8);
}
static cudaStream_t stream(char kind) {
    cudaStream_t s = nullptr;
    if (kind == 'b') CHECK(cudaStreamCreate(&s));
    if (kind == 'n') CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    if (kind == 't') s = cudaStreamPerThread;
    return s;
}
int main(int argc, char **argv) {
    const char *first = argv[1], *second = argv[2], *kinds = argv[3], *between = argv[4];
    CHECK(cudaMalloc(&d, BYTES));
    CHECK(cudaMalloc(&other, BYTES));
    CHECK(cudaMallocHost(&pinned, BYTES));
    memset(pinned, 1, BYTES);
    memset(pageable, 1, BYTES);
    CHECK(cudaMemset(d, 0, BYTES));
    CHECK(cudaMemset(other, 0, BYTES));
    CHECK(cudaDeviceSynchronize());
    cudaStream_t a = stream(kinds[0]), b = kinds[1] == '=' ? a : stream(kinds[1]),
                 third; // "b=": the same stream
    CHECK(cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking));
    cudaEvent_t event, early;
    CHECK(cudaEventCreate(&event));
    CHECK(cudaEventCreate(&early));
    auto is = [&](const char *w) { return !strcmp(between, w); };
    if (is("early-event")) CHECK(cudaEventRecord(early, a));
    operate(first, a);
    if (is("event")) {
        CHECK(cudaEventRecord(event, a));
        CHECK(cudaStreamWaitEvent(b, event, 0));
    }
    if (is("early-event")) CHECK(cudaStreamWaitEvent(b, early, 0));
    if (is("other-event")) {
        CHECK(cudaEventRecord(event, third));
        CHECK(cudaStreamWaitEvent(b, event, 0));
    }
    if (is("unrecorded")) CHECK(cudaStreamWaitEvent(b, event, 0));
    if (is("through-third")) {
        CHECK(cudaEventRecord(event, a));
        CHECK(cudaStreamWaitEvent(third, event, 0));
        CHECK(cudaEventRecord(early, third));
        CHECK(cudaStreamWaitEvent(b, early, 0));
    }
    if (is("event-sync")) {
        CHECK(cudaEventRecord(event, a));
        CHECK(cudaEventSynchronize(event));
    }
    if (is("event-query")) {
        CHECK(cudaEventRecord(event, a));
        while (cudaEventQuery(event) == cudaErrorNotReady) {
        }
    }
    if (is("stream-sync")) CHECK(cudaStreamSynchronize(a));
    if (is("stream-query"))
        while (cudaStreamQuery(a) == cudaErrorNotReady) {
        }
    if (is("wrong-sync")) CHECK(cudaStreamSynchronize(third));
    if (is("device-sync")) CHECK(cudaDeviceSynchronize());
    operate(second, b);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d));
    CHECK(cudaFree(other));
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaEventDestroy(event));
    CHECK(cudaEventDestroy(early));
    CHECK(cudaStreamDestroy(third));
    if (kinds[0] == 'b' || kinds[0] == 'n') CHECK(cudaStreamDestroy(a));
    if (kinds[1] == 'b' || kinds[1] == 'n') CHECK(cudaStreamDestroy(b));
}
