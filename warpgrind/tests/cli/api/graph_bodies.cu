/* Graphs inside of graphs: child graphs, conditional nodes, capture into a graph that there is. */
#include "api.h"

#include <atomic>
#include <ctime>

__global__ void add(int *out, int amount) {
    *out += amount;
}

__global__ void decide(const int *value, cudaGraphConditionalHandle handle) {
    cudaGraphSetConditional(handle, (unsigned)*value);
}

__global__ void count_down(int *value, int *rounds, cudaGraphConditionalHandle handle) {
    *rounds += 1;
    *value -= 1;
    cudaGraphSetConditional(handle, *value != 0);
}

static int *d; /* a value, and what is counted */
static cudaStream_t stream;

static void reset(int value) {
    int start[] = {value, 0};
    FINE(cudaMemcpy(d, start, sizeof start, cudaMemcpyHostToDevice));
    FINE(cudaStreamSynchronize(0)); /* a thread's own default stream is not waited for by another one */
}

static int counted() {
    int now[2] = {0, 0};
    FINE(cudaStreamSynchronize(stream));
    FINE(cudaMemcpy(now, d, sizeof now, cudaMemcpyDeviceToHost));
    return now[1];
}

static cudaGraphNodeParams kernel(void *function, void **arguments) {
    cudaGraphNodeParams p = {cudaGraphNodeTypeKernel};
    p.kernel.func = function;
    p.kernel.gridDim = p.kernel.blockDim = dim3(1, 1, 1);
    p.kernel.kernelParams = arguments;
    return p;
}

static void add_to(cudaGraph_t graph, int amount) {
    int *where = d + 1;
    void *arguments[] = {&where, &amount};
    cudaGraphNodeParams p = kernel((void *)add, arguments);
    cudaGraphNode_t node;
    FINE(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p));
}

/* A kernel, and behind it a conditional node whose bodies add 1, 10, 100, ... */
static cudaGraphExec_t deciding(cudaGraph_t *graph, enum cudaGraphConditionalNodeType type, unsigned bodies) {
    cudaGraphConditionalHandle handle;
    FINE(cudaGraphCreate(graph, 0));
    FINE(cudaGraphConditionalHandleCreate(&handle, *graph));
    void *arguments[] = {&d, &handle};
    cudaGraphNodeParams p = kernel((void *)decide, arguments), c = {cudaGraphNodeTypeConditional};
    cudaGraphNode_t first, node;
    FINE(cudaGraphAddNode(&first, *graph, nullptr, nullptr, 0, &p));
    c.conditional.handle = handle;
    c.conditional.type = type;
    c.conditional.size = bodies;
    FINE(cudaGraphAddNode(&node, *graph, &first, nullptr, 1, &c));
    int amount = 1;
    for (unsigned i = 0; i < bodies; i++, amount *= 10)
        add_to(c.conditional.phGraph_out[i], amount);
    enum cudaGraphNodeType kind;
    FINE(cudaGraphNodeGetType(node, &kind));
    EXPECT(kind == cudaGraphNodeTypeConditional);
    cudaGraphExec_t executable;
    FINE(cudaGraphInstantiate(&executable, *graph, nullptr, nullptr, 0));
    return executable;
}

static void decides(enum cudaGraphConditionalNodeType type, unsigned bodies, const int *expected,
                    int values) {
    cudaGraph_t graph;
    cudaGraphExec_t executable = deciding(&graph, type, bodies);
    for (int value = 0; value < values; value++) {
        reset(value);
        FINE(cudaGraphLaunch(executable, stream));
        EXPECT(counted() == expected[value]);
    }
    FINE(cudaGraphExecDestroy(executable));
    FINE(cudaGraphDestroy(graph));
}

/* The loop's body is captured into the graph that the node has made; the condition is true at each launch. */
static void loops() {
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphConditionalHandle handle;
    FINE(cudaGraphCreate(&graph, 0));
    FINE(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams c = {cudaGraphNodeTypeConditional};
    c.conditional.handle = handle;
    c.conditional.type = cudaGraphCondTypeWhile;
    c.conditional.size = 1;
    FINE(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &c));
    FINE(cudaStreamBeginCaptureToGraph(stream, c.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                       cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, stream>>>(d + 1, 100);
    count_down<<<1, 1, 0, stream>>>(d, d + 1, handle);
    FINE(cudaStreamEndCapture(stream, nullptr));
    cudaGraphExec_t executable;
    FINE(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
    for (int launch = 1; launch < 4; launch++) {
        reset(launch);
        FINE(cudaGraphLaunch(executable, stream));
        EXPECT(counted() == 101 * launch);
    }
    FINE(cudaGraphExecDestroy(executable));
    FINE(cudaGraphDestroy(graph));
}

/* A node that is added by hand to what a stream captures, and a child graph in it. */
static void joins() {
    cudaGraph_t graph, child, same;
    cudaGraphNode_t node;
    enum cudaStreamCaptureStatus status;
    const cudaGraphNode_t *before = nullptr;
    size_t count = 0;
    FINE(cudaGraphCreate(&child, 0));
    add_to(child, 5);
    FINE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, stream>>>(d + 1, 1);
    FINE(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &before, nullptr, &count));
    EXPECT(status == cudaStreamCaptureStatusActive && count == 1);
    FINE(cudaGraphAddChildGraphNode(&node, graph, before, count, child));
    FINE(cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1, cudaStreamSetCaptureDependencies));
    add<<<1, 1, 0, stream>>>(d + 1, 2);
    FINE(cudaStreamEndCapture(stream, &same));
    EXPECT(same == graph);
    FINE(cudaGraphChildGraphNodeGetGraph(node, &same));
    EXPECT(same != child && same != graph);
    FINE(cudaGraphDestroy(child));
    cudaGraphExec_t executable;
    FINE(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
    reset(0);
    FINE(cudaGraphLaunch(executable, stream));
    FINE(cudaGraphLaunch(executable, stream));
    EXPECT(counted() == 16);
    FINE(cudaGraphExecDestroy(executable));
    FINE(cudaGraphDestroy(graph));
}

static std::atomic<int> notes;

static void note(void *) {
    notes++;
}

/* The host function is waited for by means of the program's own. */
static bool noted(int wanted) {
    time_t end = time(nullptr) + 10;
    while (notes < wanted && time(nullptr) < end)
        ;
    return notes == wanted;
}

static void calls_back() {
    cudaGraph_t plain, nested;
    cudaGraphNode_t node;
    cudaHostNodeParams p = {};
    p.fn = note;
    FINE(cudaGraphCreate(&plain, 0));
    FINE(cudaGraphAddHostNode(&node, plain, nullptr, 0, &p));
    FINE(cudaGraphCreate(&nested, 0));
    FINE(cudaGraphAddChildGraphNode(&node, nested, nullptr, 0, plain));
    int launches = 0;
    for (cudaGraph_t graph : {plain, nested}) {
        cudaGraphExec_t executable;
        FINE(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
        FINE(cudaGraphLaunch(executable, stream));
        EXPECT(noted(++launches));
        FINE(cudaStreamSynchronize(stream));
        FINE(cudaGraphExecDestroy(executable));
        FINE(cudaGraphDestroy(graph));
    }
}

int main() {
    const int one_body[] = {0, 1, 1}, two_bodies[] = {10, 1, 1}, many[] = {1, 10, 100, 0};
    FINE(cudaMalloc(&d, 2 * sizeof(int)));
    FINE(cudaStreamCreate(&stream));
    decides(cudaGraphCondTypeIf, 1, one_body, 3);
    decides(cudaGraphCondTypeIf, 2, two_bodies, 3);
    decides(cudaGraphCondTypeSwitch, 3, many, 4);
    loops();
    joins();
    calls_back();
    FINE(cudaStreamDestroy(stream));
    FINE(cudaFree(d));
    return finish();
}
