/* Graphs: captured, made by hand, changed, launched. */
#include "api.h"

__global__ void fill(int *out, int value, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = value;
}

__global__ void add(int *out, const int *a, const int *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}

static const int n = 100;
static int called;
static void CUDART_CB count_call(void *data) { called += *(int *)data; }

/* Two streams joined by events; both branches write memory of their own. */
static void captured() {
    cudaStream_t stream, side;
    cudaEvent_t fork, join;
    int *a, *b, *c, *h, one = 1;
    FINE(cudaStreamCreate(&stream));
    FINE(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
    FINE(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    FINE(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    FINE(cudaMalloc(&a, n * sizeof(int)));
    FINE(cudaMalloc(&b, n * sizeof(int)));
    FINE(cudaMalloc(&c, n * sizeof(int)));
    FINE(cudaMallocHost(&h, n * sizeof(int)));
    enum cudaStreamCaptureStatus status;
    FINE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    FINE(cudaStreamIsCapturing(stream, &status));
    EXPECT(status == cudaStreamCaptureStatusActive);
    unsigned long long id = 0;
    FINE(cudaStreamGetCaptureInfo(stream, &status, &id));
    EXPECT(status == cudaStreamCaptureStatusActive && id != 0);
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    int *other = nullptr;
    FINE(cudaThreadExchangeStreamCaptureMode(&mode));
    EXPECT(mode == cudaStreamCaptureModeGlobal);
    FINE(cudaMalloc(&other, 4)); /* allowed meanwhile */
    FINE(cudaFree(other));
    FINE(cudaThreadExchangeStreamCaptureMode(&mode));
    EXPECT(mode == cudaStreamCaptureModeRelaxed);
    FINE(cudaEventRecord(fork, stream));
    FINE(cudaStreamWaitEvent(side, fork, 0));
    FINE(cudaStreamIsCapturing(side, &status));
    EXPECT(status == cudaStreamCaptureStatusActive);
    fill<<<1, 128, 0, stream>>>(a, 3, n);
    fill<<<1, 128, 0, side>>>(b, 4, n);
    FINE(cudaEventRecord(join, side));
    FINE(cudaStreamWaitEvent(stream, join, 0));
    add<<<1, 128, 0, stream>>>(c, a, b, n);
    FINE(cudaMemcpyAsync(h, c, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
    FINE(cudaLaunchHostFunc(stream, count_call, &one));
    cudaGraph_t graph, clone;
    FINE(cudaStreamEndCapture(stream, &graph));
    FINE(cudaStreamIsCapturing(side, &status));
    EXPECT(status == cudaStreamCaptureStatusNone && called == 0);
    size_t count = 0;
    FINE(cudaGraphGetNodes(graph, nullptr, &count));
    EXPECT(count == 5);
    FINE(cudaGraphClone(&clone, graph));
    FINE(cudaGraphDestroy(graph));
    cudaGraphExec_t executable;
    FINE(cudaGraphInstantiate(&executable, clone, 0));
    FINE(cudaGraphDestroy(clone));
    FINE(cudaGraphUpload(executable, stream));
    h[99] = 0;
    FINE(cudaGraphLaunch(executable, stream));
    FINE(cudaStreamSynchronize(stream));
    EXPECT(h[0] == 7 && h[99] == 7 && called == 1);
    FINE(cudaGraphLaunch(executable, side));
    FINE(cudaGraphLaunch(executable, side));
    FINE(cudaDeviceSynchronize());
    EXPECT(called == 3);
    FINE(cudaGraphExecDestroy(executable));
    FINE(cudaEventDestroy(fork));
    FINE(cudaEventDestroy(join));
    FINE(cudaStreamDestroy(side));
    FINE(cudaStreamDestroy(stream));
    FINE(cudaFreeHost(h));
    FINE(cudaFree(a));
    FINE(cudaFree(b));
    FINE(cudaFree(c));
}

static cudaKernelNodeParams kernel(void *function, void **arguments) {
    cudaKernelNodeParams made = {};
    made.func = function;
    made.gridDim = dim3(1);
    made.blockDim = dim3(128);
    made.kernelParams = arguments;
    return made;
}

/* memset a; fill b; both before the sum; then copies back, a host function, an event. */
static void by_hand() {
    int *a, *b, *c, h[n], more[n], five = 5, nine = 9, count = n, ten = 10, hundred = 100;
    FINE(cudaMalloc(&a, sizeof h));
    FINE(cudaMalloc(&b, sizeof h));
    FINE(cudaMalloc(&c, sizeof h));
    cudaEvent_t event;
    FINE(cudaEventCreate(&event));
    cudaGraph_t graph;
    cudaGraphNode_t set, filling, both, sum, copy, rows, host, record, spare;
    FINE(cudaGraphCreate(&graph, 0));
    cudaMemsetParams memset_a = {};
    memset_a.dst = a;
    memset_a.value = 1000;
    memset_a.elementSize = sizeof(int);
    memset_a.width = n;
    memset_a.height = 1;
    FINE(cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &memset_a));
    void *fill_arguments[] = {&b, &five, &count}, *sum_arguments[] = {&c, &a, &b, &count};
    cudaKernelNodeParams fill_b = kernel((void *)fill, fill_arguments), add_c = kernel((void *)add, sum_arguments);
    FINE(cudaGraphAddKernelNode(&filling, graph, nullptr, 0, &fill_b));
    cudaGraphNode_t two[] = {set, filling};
    FINE(cudaGraphAddEmptyNode(&both, graph, two, 2));
    FINE(cudaGraphAddKernelNode(&sum, graph, nullptr, 0, &add_c));
    FINE(cudaGraphAddDependencies(graph, &both, &sum, nullptr, 1));
    FINE(cudaGraphAddMemcpyNode1D(&copy, graph, &sum, 1, h, c, sizeof h, cudaMemcpyDeviceToHost));
    cudaMemcpy3DParms rows_of_c = {};
    rows_of_c.srcPtr = make_cudaPitchedPtr(c, 10 * sizeof(int), 10, 10);
    rows_of_c.dstPtr = make_cudaPitchedPtr(more, 10 * sizeof(int), 10, 10);
    rows_of_c.extent = make_cudaExtent(10 * sizeof(int), 10, 1);
    rows_of_c.kind = cudaMemcpyDeviceToHost;
    FINE(cudaGraphAddMemcpyNode(&rows, graph, &sum, 1, &rows_of_c));
    cudaHostNodeParams call = {count_call, &ten};
    cudaGraphNode_t ends[] = {copy, rows};
    FINE(cudaGraphAddHostNode(&host, graph, ends, 2, &call));
    FINE(cudaGraphAddEventRecordNode(&record, graph, &host, 1, event));
    FINE(cudaGraphAddEmptyNode(&spare, graph, &record, 1));
    FINE(cudaGraphDestroyNode(spare));

    cudaGraphNode_t nodes[16], found;
    size_t number = 16;
    FINE(cudaGraphGetNodes(graph, nodes, &number));
    EXPECT(number == 8 && nodes[0] == set && nodes[7] == record && nodes[8] == nullptr);
    number = 16;
    FINE(cudaGraphGetRootNodes(graph, nodes, &number));
    EXPECT(number == 2 && nodes[1] == filling);
    number = 16;
    FINE(cudaGraphNodeGetDependencies(host, nodes, nullptr, &number));
    EXPECT(number == 2 && nodes[0] == copy);
    enum cudaGraphNodeType type;
    FINE(cudaGraphNodeGetType(rows, &type));
    EXPECT(type == cudaGraphNodeTypeMemcpy);
    cudaGraph_t clone;
    FINE(cudaGraphClone(&clone, graph));
    FINE(cudaGraphNodeFindInClone(&found, host, clone));
    FINE(cudaGraphNodeGetType(found, &type));
    EXPECT(type == cudaGraphNodeTypeHost && found != host);

    cudaGraphExec_t executable;
    FINE(cudaGraphInstantiateWithFlags(&executable, graph, 0));
    called = 0;
    FINE(cudaGraphLaunch(executable, 0));
    FINE(cudaEventSynchronize(event));
    EXPECT(h[0] == 1005 && h[99] == 1005 && more[99] == 1005 && called == 10);

    fill_arguments[1] = &nine;
    memset_a.value = 0;
    call.userData = &hundred;
    FINE(cudaGraphExecKernelNodeSetParams(executable, filling, &fill_b));
    FINE(cudaGraphExecMemsetNodeSetParams(executable, set, &memset_a));
    FINE(cudaGraphExecHostNodeSetParams(executable, host, &call));
    FINE(cudaGraphExecMemcpyNodeSetParams1D(executable, copy, h, a, sizeof h, cudaMemcpyDeviceToHost));
    FINE(cudaGraphLaunch(executable, 0));
    FINE(cudaDeviceSynchronize());
    EXPECT(h[99] == 0 && more[99] == 9 && called == 110);

    /* the graph's own nodes, of which an executable learns when it is updated: 20 + 9 */
    memset_a.value = 20;
    call.userData = &ten;
    FINE(cudaGraphKernelNodeSetParams(filling, &fill_b));
    FINE(cudaGraphMemsetNodeSetParams(set, &memset_a));
    FINE(cudaGraphHostNodeSetParams(host, &call));
    FINE(cudaGraphMemcpyNodeSetParams1D(copy, h, b, sizeof h, cudaMemcpyDeviceToHost));
    EXPECT(cudaGraphMemcpyNodeSetParams1D(host, h, b, sizeof h, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    (void)cudaGetLastError();
    FINE(cudaGraphLaunch(executable, 0));
    FINE(cudaDeviceSynchronize());
    EXPECT(h[99] == 0 && more[99] == 9 && called == 210);
    cudaGraphExecUpdateResultInfo info;
    FINE(cudaGraphExecUpdate(executable, graph, &info));
    EXPECT(info.result == cudaGraphExecUpdateSuccess);
    FINE(cudaGraphLaunch(executable, 0));
    FINE(cudaDeviceSynchronize());
    EXPECT(h[50] == 9 && more[50] == 29 && called == 220);
    FINE(cudaGraphExecDestroy(executable));
    FINE(cudaGraphDestroy(clone));
    FINE(cudaGraphDestroy(graph));
    FINE(cudaEventDestroy(event));
    FINE(cudaFree(a));
    FINE(cudaFree(b));
    FINE(cudaFree(c));
}

int main() {
    captured();
    by_hand();
    return finish();
}
