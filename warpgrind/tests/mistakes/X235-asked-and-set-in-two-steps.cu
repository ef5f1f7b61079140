#include "mistake.h"

enum { WIDTH = 40, CELLS = WIDTH * 8, FREE = -1 };

/* Two threads find the same cell free, and both put it into the queue. */
__global__ void spread(int *distance, int *queue, int *count, const int *front, int size, int level) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= size) return;
    const int steps[4] = {-1, 1, -WIDTH, WIDTH};
    for (int k = 0; k < 4; k++) {
        const int to = front[t] + steps[k];
        if (to < 0 || to >= CELLS) continue;
        if (distance[to] == FREE) { // expect: global-race // says: atomicCAS(&distance[...], old, value) == old
            distance[to] = level; // also: global-race
            queue[atomicAdd(count, 1)] = to;
        }
    }
}

/* The same in a loop that is not unrolled. */
__global__ void spread_by_edges(int *distance, int *queue, int *count, const int *offsets, const int *edges, int size) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= size) return;
    for (int e = offsets[t]; e < offsets[t + 1]; e++) {
        const int to = edges[e];
        if (distance[to] == FREE) { // expect: global-race // says: atomicCAS(&distance[...], old, value) == old
            distance[to] = t; // also: global-race
            queue[atomicAdd(count, 1)] = to;
        }
    }
}

__global__ void spread_at_once(int *distance, int *queue, int *count, const int *front, int size, int level) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= size) return;
    const int steps[4] = {-1, 1, -WIDTH, WIDTH};
    for (int k = 0; k < 4; k++) {
        const int to = front[t] + steps[k];
        if (to < 0 || to >= CELLS) continue;
        if (atomicCAS(&distance[to], FREE, level) == FREE) queue[atomicAdd(count, 1)] = to; // near: global-race
    }
}

/* The neighbour's value decides what a thread does with its own: a second array is what is missing. */
__global__ void grow(int *cells, int n) {
    const int i = threadIdx.x;
    if (i + 1 >= n) return;
    if (cells[i + 1] == 1) // expect: global-race // says: write the results to a second array
        cells[i] = 2; // expect: global-race
}

/* What was read decides something else: the write comes after it in any case, and a barrier between them is what is missing. */
__global__ void look_then_write(int *cells, int *found) {
    __shared__ int first;
    if (threadIdx.x == 0) first = cells[0];
    __syncthreads();
    if (first > 5) atomicAdd(found, 1); // expect: shared-race // says: Put __syncthreads() between
    if (threadIdx.x == 0) first = -1;
}

/* Each lock is given back without a fence; what stands on two lines under it is told of the fence all the same. */
__global__ void push(int *heads, int *next, int *locks, const int *values, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int list = values[i] % 3;
        for (int lane = 0; lane < 32; lane++) {
            if (threadIdx.x % 32 != lane) continue;
            while (atomicCAS(&locks[list], 0, 1) != 0) {}
            __threadfence();
            next[i] = heads[list]; // expect: global-race // says: the atomic that gives the lock back
            heads[list] = i; // expect: global-race
            atomicExch(&locks[list], 0);
        }
    }
}

int main(void) {
    int *distance, *queue, *count, *front, *cells, *lists;
    int first[2] = {5 * WIDTH + 20, 5 * WIDTH + 22}, zeros[CELLS] = {0};
    CHECK(cudaMalloc(&distance, CELLS * sizeof(int)));
    CHECK(cudaMalloc(&queue, 4 * CELLS * sizeof(int)));
    CHECK(cudaMalloc(&count, sizeof(int)));
    CHECK(cudaMalloc(&front, sizeof first));
    CHECK(cudaMalloc(&cells, sizeof zeros));
    CHECK(cudaMalloc(&lists, (6 + 64) * sizeof(int)));
    CHECK(cudaMemcpy(front, first, sizeof first, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(count, 0, sizeof(int)));
    CHECK(cudaMemset(distance, 0xff, CELLS * sizeof(int)));
    spread<<<1, 32>>>(distance, queue, count, front, 2, 1);
    CHECK(cudaMemset(distance, 0xff, CELLS * sizeof(int)));
    spread_at_once<<<1, 32>>>(distance, queue, count, front, 2, 1);
    const int graph[7] = {0, 2, 4, 7, 8, 8, 9};
    CHECK(cudaMemcpy(cells, graph, sizeof graph, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(distance, 0xff, CELLS * sizeof(int)));
    spread_by_edges<<<1, 32>>>(distance, queue, count, cells, cells + 3, 2);
    for (int i = 0; i < CELLS; i++) zeros[i] = i % 2;
    CHECK(cudaMemcpy(cells, zeros, sizeof zeros, cudaMemcpyHostToDevice));
    grow<<<1, 64>>>(cells, 64);
    look_then_write<<<1, 64>>>(cells, count);
    CHECK(cudaMemset(lists, 0, (6 + 64) * sizeof(int)));
    push<<<2, 32>>>(lists, lists + 6, lists + 3, cells, 64);
    finish();
    CHECK(cudaMemcpy(zeros, queue, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(zeros, lists, 70 * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(zeros, distance, sizeof zeros, cudaMemcpyDeviceToHost));
    for (int *p : {distance, queue, count, front, cells, lists}) CHECK(cudaFree(p));
    return 0;
}
