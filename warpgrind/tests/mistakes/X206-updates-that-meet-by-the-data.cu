/* Updates whose element the data chooses, though neighbours in a warp happen to have neighbouring ones; updates of a structure, which no atomic does; and a
 * row of which two warps have a part each. */
#include "mistake.h"

struct State {
    unsigned word[12];
};

__global__ void histogram(int *bins, const int *keys) {
    bins[keys[threadIdx.x]] += 1; // expect: global-race // says: atomicAdd(&bins[...], value) for a sum
}

__device__ unsigned next(State *state) {
    return state->word[0] = state->word[0] * 1664525 + 1013904223; // expect: global-race // says: An element here has 48 bytes // says: one for each thread
}

__global__ void draw(unsigned *out, State *state) {
    out[threadIdx.x] = next(state);
}

__global__ void draw_apart(unsigned *out, State *states) {
    out[threadIdx.x] = next(states + threadIdx.x);
}

__global__ void rows_in_parts(int *rows, int places) {
    const int warp = (int)(blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int row = warp - warp / places; // the last warp of a block and the first of the next have one row
    if (threadIdx.x % 32 == 0) rows[row] = warp; // expect: global-race // says: set it to 0 first and add the parts up by atomicAdd
}

int main() {
    const int n = 96;
    int *bins = nullptr, *keys = nullptr, h[n];
    unsigned *out = nullptr;
    State *states = nullptr;
    for (int i = 0; i < n; i++) h[i] = i % 32;
    CHECK(cudaMalloc(&bins, sizeof h));
    CHECK(cudaMalloc(&keys, sizeof h));
    CHECK(cudaMalloc(&out, sizeof h));
    CHECK(cudaMalloc(&states, n * sizeof(State)));
    CHECK(cudaMemset(bins, 0, sizeof h));
    CHECK(cudaMemset(states, 0, n * sizeof(State)));
    CHECK(cudaMemcpy(keys, h, sizeof h, cudaMemcpyHostToDevice));
    histogram<<<1, n>>>(bins, keys);
    CHECK(cudaMemcpy(h, bins, sizeof h, cudaMemcpyDeviceToHost));
    rows_in_parts<<<2, n>>>(bins, 3);
    CHECK(cudaMemcpy(h, bins, 4 * sizeof(int), cudaMemcpyDeviceToHost));
    draw_apart<<<1, n>>>(out, states);
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    draw<<<1, n>>>(out, states);
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(bins));
    CHECK(cudaFree(keys));
    CHECK(cudaFree(out));
    CHECK(cudaFree(states));
    return h[0] == 12345;
}
