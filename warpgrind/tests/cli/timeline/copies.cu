/* copies.cu - pieces of 12800 bytes, which take 101 steps each way on the device's clock, in the way that the
 * first argument says. tests/cli/timeline.sh works out the steps by hand. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        if ((call) != cudaSuccess) exit(1);                                                                  \
    } while (0)
enum { PIECES = 4, BYTES = 12800 };

static cudaStream_t streams[PIECES];
static char *device[PIECES], *host[PIECES];

static void there(int piece, int stream) {
    CHECK(cudaMemcpyAsync(device[piece], host[piece], BYTES, cudaMemcpyHostToDevice, streams[stream]));
}

static void back(int piece, int stream) {
    CHECK(cudaMemcpyAsync(host[piece], device[piece], BYTES, cudaMemcpyDeviceToHost, streams[stream]));
}

static void by_events(void) {
    cudaEvent_t arrived;
    CHECK(cudaEventCreate(&arrived));
    for (int i = 0; i < PIECES; i++) {
        there(i, 0);
        CHECK(cudaEventRecord(arrived, streams[0]));
        CHECK(cudaStreamWaitEvent(streams[1], arrived, 0));
        back(i, 1);
    }
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventDestroy(arrived));
}

/* More streams than there are places in a clock, each destroyed after it was waited for; then two that are
 * not ordered. */
static void many_rounds(bool wait) {
    for (int round = 0; round < 100; round++) {
        cudaStream_t stream;
        CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        CHECK(cudaMemcpyAsync(device[0], host[0], BYTES, cudaMemcpyHostToDevice, wait ? stream : streams[0]));
        CHECK(cudaMemsetAsync(device[1], 0, 128, stream));
        if (wait) CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaStreamDestroy(stream));
    }
    if (!wait) return;
    cudaStream_t a, b;
    CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    CHECK(cudaMemcpyAsync(device[0], host[0], BYTES, cudaMemcpyHostToDevice, a));
    CHECK(cudaMemcpyAsync(host[1], device[0], BYTES, cudaMemcpyDeviceToHost, b)); // the race
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaStreamDestroy(a));
    CHECK(cudaStreamDestroy(b));
}

__global__ void spin(char *out) {
    for (int i = 0; i < 1000; i++)
        out[i % 2] = (char)i;
}

/* A kernel that takes longer than a copy, and a copy asked for right after it. */
static void kernel_and_copy(cudaStream_t stream) {
    spin<<<1, 1, 0, stream>>>(device[0]);
    CHECK(cudaGetLastError());
    there(1, 1);
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    for (int i = 0; i < PIECES; i++) {
        CHECK(cudaStreamCreate(&streams[i]));
        CHECK(cudaMalloc((void **)&device[i], BYTES));
        if (strcmp(way, "pageable") == 0)
            host[i] = (char *)malloc(BYTES);
        else
            CHECK(cudaMallocHost((void **)&host[i], BYTES));
        memset(host[i], i + 1, BYTES);
    }
    for (int i = 0; i < PIECES; i++) {
        int stream = strcmp(way, "one") == 0 ? 0 : i;
        if (strcmp(way, "events") == 0 || strncmp(way, "many", 4) == 0 || strncmp(way, "kernel", 6) == 0)
            break;
        there(i, stream);
        back(i, stream);
        if (strcmp(way, "wait") == 0) CHECK(cudaStreamSynchronize(streams[stream]));
    }
    if (strcmp(way, "events") == 0) by_events();
    if (strncmp(way, "kernel", 6) == 0)
        kernel_and_copy(strcmp(way, "kernel-in-default") == 0 ? 0 : streams[0]);
    if (strncmp(way, "many", 4) == 0) many_rounds(strcmp(way, "many-waited-for") == 0);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < PIECES; i++) {
        CHECK(cudaStreamDestroy(streams[i]));
        CHECK(cudaFree(device[i]));
        if (strcmp(way, "pageable") == 0)
            free(host[i]);
        else
            CHECK(cudaFreeHost(host[i]));
    }
    puts("fine");
}
