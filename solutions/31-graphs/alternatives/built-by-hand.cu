// Lesson 31: rounds of smoothing, each of four small kernels and with a rate of its own. The kernels of a
// round are a graph: captured, made ready once, updated for each rate, and launched in one call.

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

// Every runtime call returns a status: CHECK stops the program when a call failed, and says where.
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));                 \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

enum { THREADS = 128, STEPS = 4 };

// Each number but the first and the last moves towards its neighbours.
// [step]
__global__ void step_kernel(float *out, const float *in, int n, float rate) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    const bool end = i == 0 || i == n - 1;
    out[i] = end ? in[i] : in[i] + rate * (in[i - 1] - 2.0f * in[i] + in[i + 1]);
}
// [/step]

// What is kept from one round to the next.
struct Relaxer {
    float *d_x, *d_between;
    int n;
    cudaStream_t stream;
    // [kept]
    cudaGraph_t graph;
    cudaGraphNode_t nodes[STEPS];
    cudaGraphExec_t work;
    // [/kept]
};

// What is launched in step number `step`, with this rate.
static void describe(Relaxer *relaxer, int step, float *rate, void **arguments,
                     cudaKernelNodeParams *params) {
    const bool there = step % 2 == 0;
    arguments[0] = there ? &relaxer->d_between : &relaxer->d_x;
    arguments[1] = there ? &relaxer->d_x : &relaxer->d_between;
    arguments[2] = &relaxer->n;
    arguments[3] = rate;
    *params = {};
    params->func = (void *)step_kernel;
    params->gridDim = dim3((relaxer->n + THREADS - 1) / THREADS);
    params->blockDim = dim3(THREADS);
    params->kernelParams = arguments;
}

// [capture]
// [/capture]

// Begins with n numbers in d_x; d_between has room for as many.
Relaxer *relaxer_begin(float *d_x, float *d_between, int n) {
    Relaxer *relaxer = new Relaxer{};
    relaxer->d_x = d_x;
    relaxer->d_between = d_between;
    relaxer->n = n;
    CHECK(cudaStreamCreateWithFlags(&relaxer->stream, cudaStreamNonBlocking));
    // [begin]
    float rate = 0.0f;
    void *arguments[4];
    cudaKernelNodeParams params;
    CHECK(cudaGraphCreate(&relaxer->graph, 0));
    for (int step = 0; step < STEPS; step++) {
        describe(relaxer, step, &rate, arguments, &params);
        const cudaGraphNode_t *before = step > 0 ? &relaxer->nodes[step - 1] : NULL;
        const size_t count = step > 0 ? 1 : 0;
        CHECK(cudaGraphAddKernelNode(&relaxer->nodes[step], relaxer->graph, before, count, &params));
    }
    CHECK(cudaGraphInstantiate(&relaxer->work, relaxer->graph, 0));
    // [/begin]
    return relaxer;
}

// One round with this rate. It need not be finished when the function returns.
void relaxer_round(Relaxer *relaxer, float rate) {
    // [round]
    void *arguments[4];
    cudaKernelNodeParams params;
    for (int step = 0; step < STEPS; step++) {
        describe(relaxer, step, &rate, arguments, &params);
        CHECK(cudaGraphExecKernelNodeSetParams(relaxer->work, relaxer->nodes[step], &params));
    }
    CHECK(cudaGraphLaunch(relaxer->work, relaxer->stream));
    // [/round]
}

// Waits until all rounds are done, and gives everything back.
void relaxer_end(Relaxer *relaxer) {
    CHECK(cudaStreamSynchronize(relaxer->stream));
    // [end]
    CHECK(cudaGraphExecDestroy(relaxer->work));
    CHECK(cudaGraphDestroy(relaxer->graph));
    // [/end]
    CHECK(cudaStreamDestroy(relaxer->stream));
    delete relaxer;
}
