/* A local variable is its thread's own: its address leads every other thread to that thread's own memory. */
#include "mistake.h"

enum { N = 64 };

struct Job {
    const int *steps;
    int count;
};

__device__ Job job;

__global__ void first_shows_its_table(int *out) {
    __shared__ const int *table;
    int squares[4];
    for (int i = 0; i < 4; i++)
        squares[i] = threadIdx.x == 0 ? i * i : -1;
    if (threadIdx.x == 0) table = squares;
    __syncthreads();
    out[threadIdx.x] = table[threadIdx.x % 4]; // expect: out-of-bounds // says: reads through a pointer to a local variable of thread 0, and reaches its own memory instead
    out[threadIdx.x] += squares[threadIdx.x % 4]; // near: out-of-bounds
}

__global__ void neighbours(int *out) {
    __shared__ int *of[N];
    int mine[4] = {0, 1, 2, 3}, t = threadIdx.x;
    of[t] = mine;
    __syncthreads();
    int *right = of[(t + 1) % N];
    right[t % 4] = t; // expect: out-of-bounds // says: writes through a pointer to a local variable of thread
    out[t] = of[t][t % 4]; // near: out-of-bounds
}

__global__ void give(int n) {
    int steps[8];
    for (int i = 0; i < 8; i++)
        steps[i] = i + n;
    job.steps = steps;
    job.count = 8;
    __threadfence();
    for (int i = 0; i < job.count; i++)
        if (job.steps[i] < 0) job.count = i; // near: out-of-bounds
}

__global__ void work_on(int *out, int n) {
    int sums[8], all = 0;
    for (int i = 0; i < 8; i++)
        sums[i] = n - i;
    for (int i = 0; i < job.count; i++)
        all += job.steps[i]; // expect: out-of-bounds // says: a local variable of a thread of an earlier launch
    *out = all + sums[all & 7];
}

/* Every thread finds its own again, through shared and global memory, or only compares. */
__global__ void own(int *out, int **places) {
    __shared__ int *first;
    int mine[4], t = threadIdx.x, *other;
    for (int i = 0; i < 4; i++)
        mine[i] = t + i;
    places[t] = mine;
    if (t == 0) first = mine;
    __syncthreads();
    other = places[t ^ 1];
    int *again = places[t];
    again[t % 4] += 5; // near: out-of-bounds
    if (t == 0) first[1] = 9; // near: out-of-bounds
    out[t] = mine[(t + 1) % 4] + (first == other) + again[t % 3]; // near: out-of-bounds
}

int main() {
    int *out = nullptr, **places = nullptr;
    std::vector<int> h(N);
    CHECK(cudaMalloc(&out, N * sizeof(int)));
    CHECK(cudaMalloc(&places, N * sizeof(int *)));
    first_shows_its_table<<<1, N>>>(out);
    neighbours<<<1, N>>>(out);
    give<<<1, 1>>>(3);
    work_on<<<1, 1>>>(out, 2);
    own<<<1, N>>>(out, places);
    CHECK(cudaMemcpy(h.data(), out, N * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    CHECK(cudaFree(places));
}
