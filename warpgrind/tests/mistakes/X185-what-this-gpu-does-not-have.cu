/* Limits of the software GPU: each says at its cause what is not there, or not watched. */
#include <cstring>

#include "mistake.h"

enum { WATCHED = 4096, TOUCHED = WATCHED + 64 };

__global__ void half(int *z) {
    z[threadIdx.x] = threadIdx.x;
}

__global__ void nothing() {
}

/* From the 4,097th access beside a pending kernel on, the host is not watched. */
static void touch(int *both, int count) {
    half<<<1, 32>>>(both);
    for (int i = 0; i < count; i++)
        ((volatile int *)both)[64 + i] = i; // expect-note: limit // says: 4,096 times; from here on, such accesses are not watched
    CHECK(cudaDeviceSynchronize());
    half<<<1, 32>>>(both);
    for (int i = 0; i < WATCHED / 2; i++)
        ((volatile int *)both)[64 + i] += i; // near-note: limit
    CHECK(cudaDeviceSynchronize());
}

static void graphs(cudaStream_t stream) {
    cudaGraph_t graph, deep[2], outer;
    cudaGraphExec_t executable;
    cudaGraphNode_t node;
    cudaEvent_t event;
    CHECK(cudaEventCreate(&event));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    nothing<<<1, 1, 0, stream>>>();
    CHECK(cudaEventRecord(event, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaGraphLaunch(executable, stream)); // expect: limit // says: cannot capture the launch of a graph
    cudaStreamEndCapture(stream, &outer);
    cudaGetLastError();
    CHECK(cudaGraphCreate(&deep[0], 0));
    for (int i = 0; i < 100; i++) {
        CHECK(cudaGraphCreate(&deep[1], 0));
        if (cudaGraphAddChildGraphNode(&node, deep[1], nullptr, 0, deep[0]) != cudaSuccess) i = 100; // expect: limit // says: nests graphs to a depth of
        CHECK(cudaGraphDestroy(deep[0]));
        deep[0] = deep[1];
    }
    CHECK(cudaGraphDestroy(deep[0]));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaEventDestroy(event));
}

static void calls(float *x) {
    cudaMemPool_t pool;
    unsigned long long used = 0;
    cudaIpcMemHandle_t handle;
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used)); // expect: limit // says: does not count what a memory pool holds
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &used)); // near: limit
    CHECK(cudaIpcGetMemHandle(&handle, x)); // expect: limit // says: Each process has devices of its own here
}

int main() {
    int *both = nullptr;
    float *x = device_floats(32);
    cudaStream_t stream;
    CHECK(cudaMallocManaged(&both, (64 + TOUCHED) * sizeof(int)));
    memset(both, 0, (64 + TOUCHED) * sizeof(int));
    CHECK(cudaStreamCreate(&stream));
    touch(both, TOUCHED);
    graphs(stream);
    calls(x);
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(both));
    CHECK(cudaFree(x));
}
