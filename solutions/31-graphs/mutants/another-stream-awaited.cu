// Lesson 31, a typical mistake: the graph is launched in the default stream, and another one is waited for.

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
__global__ void step_kernel(float *out, const float *in, int n, float rate) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    const bool end = i == 0 || i == n - 1;
    out[i] = end ? in[i] : in[i] + rate * (in[i - 1] - 2.0f * in[i] + in[i + 1]);
}

// What is kept from one round to the next.
struct Relaxer {
    float *d_x, *d_between;
    int n;
    cudaStream_t stream;
    cudaGraphExec_t work;
};

// The four kernels of a round, in the relaxer's stream: there and back, twice.
static void launch_steps(const Relaxer *relaxer, float rate) {
    const cudaStream_t stream = relaxer->stream;
    const int n = relaxer->n;
    const int blocks = (n + THREADS - 1) / THREADS;
    for (int step = 0; step < STEPS; step += 2) {
        step_kernel<<<blocks, THREADS, 0, stream>>>(relaxer->d_between, relaxer->d_x, n, rate);
        CHECK(cudaGetLastError());
        step_kernel<<<blocks, THREADS, 0, stream>>>(relaxer->d_x, relaxer->d_between, n, rate); // expect: missing-sync
        CHECK(cudaGetLastError());
    }
}

// The graph of a round. The caller destroys it.
static cudaGraph_t capture_steps(const Relaxer *relaxer, float rate) {
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(relaxer->stream, cudaStreamCaptureModeThreadLocal));
    launch_steps(relaxer, rate);
    CHECK(cudaStreamEndCapture(relaxer->stream, &graph));
    return graph;
}

// Begins with n numbers in d_x; d_between has room for as many.
Relaxer *relaxer_begin(float *d_x, float *d_between, int n) {
    Relaxer *relaxer = new Relaxer{};
    relaxer->d_x = d_x;
    relaxer->d_between = d_between;
    relaxer->n = n;
    CHECK(cudaStreamCreateWithFlags(&relaxer->stream, cudaStreamNonBlocking));
    const cudaGraph_t graph = capture_steps(relaxer, 0.0f);
    CHECK(cudaGraphInstantiate(&relaxer->work, graph, 0));
    CHECK(cudaGraphDestroy(graph)); // the executable has a copy
    return relaxer;
}

// One round with this rate. It need not be finished when the function returns.
void relaxer_round(Relaxer *relaxer, float rate) {
    const cudaGraph_t graph = capture_steps(relaxer, rate);
    cudaGraphExecUpdateResultInfo info;
    CHECK(cudaGraphExecUpdate(relaxer->work, graph, &info));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphLaunch(relaxer->work, 0));
}

// Waits until all rounds are done, and gives everything back.
void relaxer_end(Relaxer *relaxer) {
    CHECK(cudaStreamSynchronize(relaxer->stream));
    CHECK(cudaGraphExecDestroy(relaxer->work));
    CHECK(cudaStreamDestroy(relaxer->stream));
    delete relaxer;
}
// told: host-stays no-rate
