// Lesson 14, another way: the chunks of four streams are captured into a graph, which is launched once.

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
enum { STREAMS = 4 };   // chunks in flight at the same time
enum { THREADS = 256 }; // of a block

// d_y[i] = sqrt(|d_x[i]|) + 0.5 for the `count` numbers of one chunk.
__global__ void root_kernel(float *d_y, const float *d_x, int count) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) d_y[i] = sqrtf(fabsf(d_x[i])) + 0.5F;
}

// Asks for the chunks in turns; what is asked for while the streams are captured becomes the graph's nodes.
static void ask_for_chunks(float *h_y, const float *h_x, float *d_y, float *d_x, int n, int chunks,
                           const cudaStream_t *streams) {
    const int size = (n - 1) / chunks + 1;
    for (int first = 0, turn = 0; first < n; first += size, turn = (turn + 1) % STREAMS) {
        const int count = n - first < size ? n - first : size;
        const size_t bytes = (size_t)count * sizeof(float);
        const cudaStream_t stream = streams[turn];
        CHECK(cudaMemcpyAsync(d_x + first, h_x + first, bytes, cudaMemcpyHostToDevice, stream));
        root_kernel<<<(count + THREADS - 1) / THREADS, THREADS, 0, stream>>>(d_y + first, d_x + first, count);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(h_y + first, d_y + first, bytes, cudaMemcpyDeviceToHost, stream));
    }
}

// Leaves in h_y[i] the root of |h_x[i]| plus 0.5, for n numbers in pinned memory, in so many chunks; n >= 0.
void process_chunks(float *h_y, const float *h_x, int n, int chunks) {
    if (n == 0) return;
    float *d_x = NULL, *d_y = NULL;
    CHECK(cudaMalloc(&d_x, (size_t)n * sizeof(float)));
    CHECK(cudaMalloc(&d_y, (size_t)n * sizeof(float)));
    cudaStream_t streams[STREAMS];
    cudaEvent_t fork, joins[STREAMS];
    CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    for (int k = 0; k < STREAMS; k++) {
        CHECK(cudaStreamCreate(&streams[k]));
        CHECK(cudaEventCreateWithFlags(&joins[k], cudaEventDisableTiming));
    }

    // The other streams join the capture of the first one by an event, and come back to it by others.
    CHECK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(fork, streams[0]));
    for (int k = 1; k < STREAMS; k++)
        CHECK(cudaStreamWaitEvent(streams[k], fork, 0));
    ask_for_chunks(h_y, h_x, d_y, d_x, n, chunks, streams);
    for (int k = 1; k < STREAMS; k++) {
        CHECK(cudaEventRecord(joins[k], streams[k]));
        CHECK(cudaStreamWaitEvent(streams[0], joins[k], 0));
    }
    cudaGraph_t graph = NULL;
    cudaGraphExec_t ready = NULL;
    CHECK(cudaStreamEndCapture(streams[0], &graph));
    CHECK(cudaGraphInstantiate(&ready, graph, 0));

    CHECK(cudaGraphLaunch(ready, streams[0]));
    CHECK(cudaStreamSynchronize(streams[0]));
    CHECK(cudaGraphExecDestroy(ready));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaEventDestroy(fork));
    for (int k = 0; k < STREAMS; k++) {
        CHECK(cudaStreamDestroy(streams[k]));
        CHECK(cudaEventDestroy(joins[k]));
    }
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
}
