// Lesson 18, a typical mistake: a share begins at a multiple of its own length.

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <mpi.h>
#include <vector>
// Every runtime call returns a status: CHECK stops the program when a call failed, and says where.
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));                 \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

__global__ void decay(float *x, int count, int steps) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x)
        for (int step = 0; step < steps; step++)
            x[i] *= 0.9F; // expect: wrong-answer
}

static int first_of(int n, int parts, int part) {
    return (int)((long long)n * part / parts);
}

struct Worker {
    float *d_x;
    cudaStream_t stream;
    cudaEvent_t done;
};

void decay_on_all(float *h_x, int n, int steps) {
    int devices, before;
    CHECK(cudaGetDeviceCount(&devices));
    CHECK(cudaGetDevice(&before));
    std::vector<Worker> workers(devices);
    for (int d = 0; d < devices; d++) {
        const int first = first_of(n, devices, d), count = first_of(n, devices, d + 1) - first;
        if (count == 0) continue;
        Worker &w = workers[d];
        CHECK(cudaSetDevice(d));
        CHECK(cudaStreamCreate(&w.stream));
        CHECK(cudaEventCreateWithFlags(&w.done, cudaEventDisableTiming));
        CHECK(cudaMallocAsync(&w.d_x, count * sizeof(float), w.stream));
        CHECK(cudaMemcpyAsync(w.d_x, h_x + first, count * sizeof(float), cudaMemcpyHostToDevice, w.stream));
        decay<<<(count + 127) / 128, 128, 0, w.stream>>>(w.d_x, count, steps);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(h_x + first, w.d_x, count * sizeof(float), cudaMemcpyDeviceToHost, w.stream));
        CHECK(cudaFreeAsync(w.d_x, w.stream));
        CHECK(cudaEventRecord(w.done, w.stream));
    }
    for (int d = devices - 1; d >= 0; d--) {
        if (first_of(n, devices, d + 1) == first_of(n, devices, d)) continue;
        CHECK(cudaEventSynchronize(workers[d].done));
        CHECK(cudaEventDestroy(workers[d].done));
        CHECK(cudaStreamDestroy(workers[d].stream));
    }
    CHECK(cudaSetDevice(before));
}

void decay_on_ranks(float *h_x, int n, int steps, MPI_Comm comm) {
    int rank, ranks, devices, local;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    MPI_Comm here;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &here);
    MPI_Comm_rank(here, &local);
    MPI_Comm_free(&here);
    CHECK(cudaGetDeviceCount(&devices));
    CHECK(cudaSetDevice(local % devices));
    std::vector<int> counts, firsts;
    for (int r = 0; r < ranks; r++) {
        counts.push_back(first_of(n, ranks, r + 1) - first_of(n, ranks, r));
        firsts.push_back(r * counts.back());
    }
    const int count = counts[rank];
    std::vector<float> mine(count + 1);
    MPI_Scatterv(h_x, counts.data(), firsts.data(), MPI_FLOAT, mine.data(), count, MPI_FLOAT, 0, comm);
    if (count > 0) {
        float *d_x;
        CHECK(cudaMalloc(&d_x, count * sizeof(float)));
        CHECK(cudaMemcpy(d_x, mine.data(), count * sizeof(float), cudaMemcpyHostToDevice));
        decay<<<(count + 127) / 128, 128>>>(d_x, count, steps);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(mine.data(), d_x, count * sizeof(float), cudaMemcpyDeviceToHost));
        CHECK(cudaFree(d_x));
    }
    MPI_Gatherv(mine.data(), count, MPI_FLOAT, h_x, counts.data(), firsts.data(), MPI_FLOAT, 0, comm);
}

// told: another shares-apart
