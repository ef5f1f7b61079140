#include "mistake.h"

/* As of a random number generator: nobody sets `spare`, so that no element has a value in all of its bytes. */
struct State {
    unsigned value, count;
    int spare;
    double normal;
};

__global__ void set_up(State *states) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    states[i].value = 17 * i;
    states[i].count = 0;
    states[i].normal = 0.5;
}

/* What it stores is used in the next kernel only. */
__global__ void draw(State *states, unsigned *drawn, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned before = states[i].value; // expect: uninitialized-read // says: which thread should write element 192, // says: reads what the kernel draw computed
    states[i].value = before * 5 + 3;
    drawn[i] = before % 6;
}

__global__ void count(unsigned *sum, const unsigned *drawn, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&sum[drawn[i] % 2], drawn[i]);
}

/* Here a branch asks at once. */
__global__ void walk(State *states, int *steps, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    State mine = states[i]; // expect: uninitialized-read // says: which thread should write element 192, // says: elements 192..255 of 256 were never written
    if (mine.count < 3) atomicAdd(steps, 1);
    mine.count++;
    states[i] = mine;
}

/* All of them were set up, but for `spare`. */
__global__ void walk_all(State *states, int *steps, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    State mine = states[i]; // near: uninitialized-read
    if (mine.count < 3) atomicAdd(steps, 1);
    mine.count++;
    states[i] = mine;
}

/* Nobody has set that member of any. */
__global__ void spare_ones(const State *states, int *steps, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && states[i].spare > 0) atomicAdd(steps, 1); // expect: uninitialized-read // says: got a value in part only // says: leaves a member out
}

int main(void) {
    const int n = 200;
    State *states, *others, *whole;
    unsigned *drawn, *sum, host[2];
    int *steps;
    CHECK(cudaMalloc(&states, 256 * sizeof(State)));
    CHECK(cudaMalloc(&others, 256 * sizeof(State)));
    CHECK(cudaMalloc(&whole, 256 * sizeof(State)));
    CHECK(cudaMalloc(&drawn, n * sizeof(unsigned)));
    CHECK(cudaMalloc(&sum, sizeof host));
    CHECK(cudaMemset(sum, 0, sizeof host));
    CHECK(cudaMalloc(&steps, sizeof(int)));
    CHECK(cudaMemset(steps, 0, sizeof(int)));
    set_up<<<n / 64, 64>>>(states);
    draw<<<4, 64>>>(states, drawn, n);
    count<<<4, 64>>>(sum, drawn, n);
    set_up<<<n / 64, 64>>>(others);
    for (int round = 0; round < 2; round++) walk<<<4, 64>>>(others, steps, n);
    set_up<<<4, 64>>>(whole);
    spare_ones<<<4, 64>>>(whole, steps, n);
    for (int round = 0; round < 2; round++) walk_all<<<4, 64>>>(whole, steps, n);
    finish();
    CHECK(cudaMemcpy(host, sum, sizeof host, cudaMemcpyDeviceToHost));
    for (State *p : {states, others, whole}) CHECK(cudaFree(p));
    CHECK(cudaMemcpy(host, steps, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(steps));
    CHECK(cudaFree(drawn));
    CHECK(cudaFree(sum));
    return 0;
}
