/* Memory that graphs allocate and free: nodes by hand, captured, the attributes. */
#include "api.h"

__global__ void fill(int *out, int value, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = value + i;
}

__global__ void twice(int *out, const int *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}

static const int n = 1000;
static const size_t bytes = 1 << 20;
static int h[n];

static cudaGraphNode_t kernel_node(cudaGraph_t graph, cudaGraphNode_t after, void *function,
                                   void **arguments) {
    cudaKernelNodeParams p = {};
    p.func = function;
    p.gridDim = dim3(8, 1, 1);
    p.blockDim = dim3(128, 1, 1);
    p.kernelParams = arguments;
    cudaGraphNode_t node;
    FINE(cudaGraphAddKernelNode(&node, graph, &after, 1, &p));
    return node;
}

static cudaMemAllocNodeParams allocation() {
    cudaMemAllocNodeParams p = {};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = bytes;
    return p;
}

static unsigned long long held(enum cudaGraphMemAttributeType what = cudaGraphMemAttrReservedMemCurrent) {
    unsigned long long value = 0;
    FINE(cudaDeviceGetGraphMemAttribute(0, what, &value));
    return value;
}

/* Allocates, fills, copies to h, and frees if asked to. */
static cudaGraph_t filling(int **memory, int *value, bool frees) {
    int count = n;
    cudaGraph_t graph;
    cudaGraphNode_t made, copied, freed;
    cudaMemAllocNodeParams p = allocation(), again = {};
    FINE(cudaGraphCreate(&graph, 0));
    FINE(cudaGraphAddMemAllocNode(&made, graph, nullptr, 0, &p));
    *memory = (int *)p.dptr;
    EXPECT(p.dptr != nullptr);
    FINE(cudaGraphMemAllocNodeGetParams(made, &again));
    EXPECT(again.dptr == p.dptr && again.bytesize == bytes && again.poolProps.location.id == 0);
    void *arguments[] = {memory, value, &count};
    cudaGraphNode_t filled = kernel_node(graph, made, (void *)fill, arguments);
    FINE(cudaGraphAddMemcpyNode1D(&copied, graph, &filled, 1, h, *memory, n * sizeof(int),
                                  cudaMemcpyDeviceToHost));
    if (frees) {
        void *which = nullptr;
        FINE(cudaGraphAddMemFreeNode(&freed, graph, &copied, 1, *memory));
        FINE(cudaGraphMemFreeNodeGetParams(freed, &which));
        EXPECT(which == p.dptr);
    }
    return graph;
}

static void expect_filled(int value) {
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += h[i] != value + i;
    EXPECT(wrong == 0);
}

static void by_hand(cudaStream_t stream) {
    int *memory, value = 5;
    cudaGraph_t graph = filling(&memory, &value, true);
    cudaGraphExec_t executable;
    EXPECT(held() == 0);
    FINE(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
    for (int launch = 0; launch < 3; launch++)
        FINE(cudaGraphLaunch(executable, stream));
    EXPECT(held() == bytes); /* each launch reuses what the one before frees */
    FINE(cudaStreamSynchronize(stream));
    expect_filled(5);
    FINE(cudaGraphExecDestroy(executable));
    FINE(cudaGraphDestroy(graph));
    EXPECT(held() == bytes);
    FINE(cudaDeviceGraphMemTrim(0));
    EXPECT(held() == 0 && held(cudaGraphMemAttrReservedMemHigh) == bytes);
    unsigned long long zero = 0;
    FINE(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &zero));
    EXPECT(held(cudaGraphMemAttrReservedMemHigh) == 0);
}

/* What the graph leaves is used after it, and freed in one of four ways. */
static void freed_elsewhere(cudaStream_t stream) {
    int *memory, value = 7;
    cudaGraph_t graph = filling(&memory, &value, false), freeing;
    cudaGraphExec_t executable, frees;
    cudaGraphNode_t node;
    FINE(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
    FINE(cudaGraphCreate(&freeing, 0));
    FINE(cudaGraphAddMemFreeNode(&node, freeing, nullptr, 0, memory));
    FINE(cudaGraphInstantiate(&frees, freeing, nullptr, nullptr, 0));
    for (int way = 0; way < 3; way++) {
        FINE(cudaGraphLaunch(executable, stream));
        twice<<<8, 128, 0, stream>>>(memory + n, memory, n);
        FINE(cudaMemcpyAsync(h, memory + n, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
        if (way == 0) FINE(cudaFreeAsync(memory, stream));
        if (way == 1) FINE(cudaGraphLaunch(frees, stream));
        FINE(cudaStreamSynchronize(stream));
        if (way == 2) FINE(cudaFree(memory));
        int wrong = 0;
        for (int i = 0; i < n; i++)
            wrong += h[i] != 2 * (7 + i);
        EXPECT(wrong == 0);
    }
    FINE(cudaGraphExecDestroy(frees));
    FINE(cudaGraphDestroy(freeing));
    FINE(cudaGraphExecDestroy(executable));
    FINE(cudaGraphInstantiateWithFlags(&executable, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    for (int launch = 0; launch < 3; launch++)
        FINE(cudaGraphLaunch(executable, stream));
    FINE(cudaStreamSynchronize(stream));
    expect_filled(7);
    FINE(cudaFree(memory));
    FINE(cudaGraphExecDestroy(executable));
    FINE(cudaGraphDestroy(graph));
}

static void captured(cudaStream_t stream) {
    int *a, *b;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    FINE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    FINE(cudaMallocAsync((void **)&a, n * sizeof(int), stream));
    fill<<<8, 128, 0, stream>>>(a, 1, n);
    FINE(cudaMallocAsync((void **)&b, n * sizeof(int), stream));
    twice<<<8, 128, 0, stream>>>(b, a, n);
    FINE(cudaFreeAsync(a, stream));
    FINE(cudaMemcpyAsync(h, b, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
    FINE(cudaFreeAsync(b, stream));
    FINE(cudaStreamEndCapture(stream, &graph));
    size_t count = 0;
    FINE(cudaGraphGetNodes(graph, nullptr, &count));
    EXPECT(count == 7);
    FINE(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
    for (int launch = 0; launch < 2; launch++)
        FINE(cudaGraphLaunch(executable, stream));
    FINE(cudaStreamSynchronize(stream));
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += h[i] != 2 * (1 + i);
    EXPECT(wrong == 0);
    FINE(cudaGraphExecDestroy(executable));
    FINE(cudaGraphDestroy(graph));
}

/* A stream that has joined a capture may go before the capture ends. */
static void side_stream(cudaStream_t stream) {
    cudaStream_t side;
    cudaEvent_t fork, join;
    int *a;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    FINE(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
    FINE(cudaEventCreate(&fork));
    FINE(cudaEventCreate(&join));
    FINE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    FINE(cudaMallocAsync((void **)&a, n * sizeof(int), stream));
    FINE(cudaEventRecord(fork, stream));
    FINE(cudaStreamWaitEvent(side, fork, 0));
    fill<<<8, 128, 0, side>>>(a, 9, n);
    FINE(cudaMemcpyAsync(h, a, n * sizeof(int), cudaMemcpyDeviceToHost, side));
    FINE(cudaFreeAsync(a, side));
    FINE(cudaEventRecord(join, side));
    FINE(cudaStreamWaitEvent(stream, join, 0));
    FINE(cudaStreamDestroy(side));
    FINE(cudaEventDestroy(fork));
    FINE(cudaEventDestroy(join));
    FINE(cudaStreamEndCapture(stream, &graph));
    FINE(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
    FINE(cudaGraphLaunch(executable, stream));
    FINE(cudaStreamSynchronize(stream));
    expect_filled(9);
    FINE(cudaGraphExecDestroy(executable));
    FINE(cudaGraphDestroy(graph));
}

int main() {
    cudaStream_t stream;
    FINE(cudaStreamCreate(&stream));
    by_hand(stream);
    freed_elsewhere(stream);
    captured(stream);
    side_stream(stream);
    FINE(cudaStreamDestroy(stream));
    return finish();
}
