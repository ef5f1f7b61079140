// Lesson 31, a typical evasion: a graph does the first round, and plain launches do the others.

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

enum { THREADS = 1024 };

// A whole round in one block.
__global__ void round_kernel(float *x, float *between, int n, float rate) {
    for (int step = 0; step < 4; step++) {
        float *out = step % 2 == 0 ? between : x;
        const float *in = step % 2 == 0 ? x : between;
        for (int i = (int)threadIdx.x; i < n; i += THREADS) {
            const bool end = i == 0 || i == n - 1;
            out[i] = end ? in[i] : in[i] + rate * (in[i - 1] - 2.0f * in[i] + in[i + 1]);
        }
        __syncthreads();
    }
}

struct Relaxer {
    float *d_x, *d_between;
    int n, rounds;
    cudaStream_t stream;
    cudaGraphExec_t work;
};

Relaxer *relaxer_begin(float *d_x, float *d_between, int n) {
    Relaxer *relaxer = new Relaxer{d_x, d_between, n, 0, NULL, NULL};
    CHECK(cudaStreamCreate(&relaxer->stream));
    return relaxer;
}

// Makes the graph ready, and launches it.
static void launch_graph(Relaxer *relaxer, float rate) {
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(relaxer->stream, cudaStreamCaptureModeThreadLocal));
    round_kernel<<<1, THREADS, 0, relaxer->stream>>>(relaxer->d_x, relaxer->d_between, relaxer->n, rate);
    CHECK(cudaStreamEndCapture(relaxer->stream, &graph));
    CHECK(cudaGraphInstantiate(&relaxer->work, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphLaunch(relaxer->work, relaxer->stream));
}

void relaxer_round(Relaxer *relaxer, float rate) {
    if (relaxer->rounds++ == 0)
        launch_graph(relaxer, rate);
    else
        round_kernel<<<1, THREADS, 0, relaxer->stream>>>(relaxer->d_x, relaxer->d_between, relaxer->n, rate); // expect: not-as-asked
    CHECK(cudaGetLastError());
}

void relaxer_end(Relaxer *relaxer) {
    CHECK(cudaStreamSynchronize(relaxer->stream));
    if (relaxer->work != NULL) CHECK(cudaGraphExecDestroy(relaxer->work));
    CHECK(cudaStreamDestroy(relaxer->stream));
    delete relaxer;
}
// told: graph
