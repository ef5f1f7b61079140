/* threads.cu - two devices: a host thread for each, or one that serves both; a copy there and back each, of 101 steps. The copies wait. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <thread>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        if ((call) != cudaSuccess) exit(1);                                                                  \
    } while (0)
enum { BYTES = 100 * 128 };

static void there_and_back(int device, float *h_x) {
    float *d_x = nullptr;
    CHECK(cudaSetDevice(device));
    CHECK(cudaMalloc(&d_x, BYTES));
    CHECK(cudaMemcpy(d_x, h_x, BYTES, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(h_x, d_x, BYTES, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_x));
}

int main(int, char **argv) {
    float *h_x = nullptr;
    if (strcmp(argv[2], "pinned") == 0)
        CHECK(cudaMallocHost(&h_x, 2 * BYTES));
    else
        h_x = (float *)malloc(2 * BYTES);
    memset(h_x, 0, 2 * BYTES);
    float *parts[] = {h_x, h_x + BYTES / sizeof(float)};
    if (strcmp(argv[1], "threads") == 0) {
        std::thread other(there_and_back, 1, parts[1]);
        there_and_back(0, parts[0]);
        other.join();
    } else {
        there_and_back(1, parts[1]);
        there_and_back(0, parts[0]);
    }
    printf("fine\n");
    if (strcmp(argv[2], "pinned") == 0) CHECK(cudaFreeHost(h_x));
}
