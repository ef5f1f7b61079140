// Lesson 18, a typical mistake: n / parts rounds down, and the rest belongs to nobody.

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
enum { THREADS = 256 }; // of a block

// d_x[i] = 0.9 d_x[i], `steps` times, for `count` numbers.
__global__ void decay_kernel(float *d_x, int count, int steps) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= count) return;
    float x = d_x[i];
    for (int step = 0; step < steps; step++)
        x *= 0.9F;
    d_x[i] = x; // expect: wrong-answer
}

// [share]
// One part's numbers: so many, from `first` on. No part has more than one number more than another.
struct Share {
    int first, count;
};
static Share share_of(int n, int parts, int part) {
    return {part * (n / parts), n / parts};
}
// [/share]

// Decays the n numbers at h_x, in pinned memory, on all devices at the same time; n >= 0. The caller's device
// stays current.
void decay_on_all(float *h_x, int n, int steps) {
    int devices = 0, callers = 0;
    CHECK(cudaGetDeviceCount(&devices));
    CHECK(cudaGetDevice(&callers));
    std::vector<float *> d_x(devices, nullptr);
    std::vector<cudaStream_t> streams(devices, nullptr);
    // [ask]
    for (int d = 0; d < devices; d++) {
        const Share share = share_of(n, devices, d);
        if (share.count == 0) continue;
        const size_t bytes = (size_t)share.count * sizeof(float);
        const int blocks = (share.count + THREADS - 1) / THREADS;
        float *h_own = h_x + share.first;
        CHECK(cudaSetDevice(d));
        CHECK(cudaMalloc(&d_x[d], bytes));
        CHECK(cudaStreamCreate(&streams[d]));
        CHECK(cudaMemcpyAsync(d_x[d], h_own, bytes, cudaMemcpyHostToDevice, streams[d]));
        decay_kernel<<<blocks, THREADS, 0, streams[d]>>>(d_x[d], share.count, steps);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(h_own, d_x[d], bytes, cudaMemcpyDeviceToHost, streams[d]));
    }
    // [/ask]

    // [wait]
    for (int d = 0; d < devices; d++) {
        if (d_x[d] == nullptr) continue;
        CHECK(cudaSetDevice(d));
        CHECK(cudaStreamSynchronize(streams[d]));
        CHECK(cudaStreamDestroy(streams[d]));
        CHECK(cudaFree(d_x[d]));
    }
    CHECK(cudaSetDevice(callers));
    // [/wait]
}

// This rank's number among those of its machine, which all see the same devices.
static int rank_on_machine(MPI_Comm comm) {
    MPI_Comm machine = MPI_COMM_NULL;
    int rank = 0;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &rank);
    MPI_Comm_free(&machine);
    return rank;
}

// The same for all ranks of `comm`, each with a device of its own. Every rank calls it with the same n and
// steps; the numbers are at rank 0, where h_x points to them, before and afterwards.
void decay_on_ranks(float *h_x, int n, int steps, MPI_Comm comm) {
    int rank = 0, ranks = 0, devices = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    CHECK(cudaGetDeviceCount(&devices));
    // [scatter]
    CHECK(cudaSetDevice(rank_on_machine(comm) % devices));
    std::vector<int> counts(ranks), firsts(ranks);
    for (int r = 0; r < ranks; r++) {
        const Share share = share_of(n, ranks, r);
        counts[r] = share.count;
        firsts[r] = share.first;
    }
    const int count = counts[rank];
    std::vector<float> own(count + 1);
    MPI_Scatterv(h_x, counts.data(), firsts.data(), MPI_FLOAT, own.data(), count, MPI_FLOAT, 0, comm);
    // [/scatter]

    // [rank]
    if (count > 0) {
        const size_t bytes = (size_t)count * sizeof(float);
        float *d_x = nullptr;
        CHECK(cudaMalloc(&d_x, bytes));
        CHECK(cudaMemcpy(d_x, own.data(), bytes, cudaMemcpyHostToDevice));
        decay_kernel<<<(count + THREADS - 1) / THREADS, THREADS>>>(d_x, count, steps);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(own.data(), d_x, bytes, cudaMemcpyDeviceToHost));
        CHECK(cudaFree(d_x));
    }
    // [/rank]

    // [gather]
    MPI_Gatherv(own.data(), count, MPI_FLOAT, h_x, counts.data(), firsts.data(), MPI_FLOAT, 0, comm);
    // [/gather]
}
// told: another rounded-down untouched
