#include "mistake.h"

// Each kernel is launched twice and is right at first; then something that it relies on has changed. That
// the first launch was clean says nothing of the second.

__constant__ int last;

__global__ void scatter(int *to, const int *where) {
    to[where[threadIdx.x]] = (int)threadIdx.x; // expect: global-race
}

__global__ void up_to_last(float *a) {
    for (int i = threadIdx.x; i < last; i += 32)
        a[i] = 1.0f; // expect: out-of-bounds
}

__global__ void twice(float *to, const float *from) {
    to[threadIdx.x] = 2.0f * from[threadIdx.x]; // expect: uninitialized-read
}

__global__ void reader(float *to, const float *from) {
    to[threadIdx.x] = from[threadIdx.x]; // expect: use-after-free
}

int main(void) {
    int where[32], many = 32, *d_where, *d_to;
    CHECK(cudaMalloc(&d_where, sizeof where));
    CHECK(cudaMalloc(&d_to, sizeof where));
    for (int i = 0; i < 32; i++)
        where[i] = 31 - i;
    CHECK(cudaMemcpy(d_where, where, sizeof where, cudaMemcpyHostToDevice));
    scatter<<<1, 32>>>(d_to, d_where);
    where[3] = where[4];
    CHECK(cudaMemcpy(d_where, where, sizeof where, cudaMemcpyHostToDevice));
    scatter<<<1, 32>>>(d_to, d_where);
    finish();

    float *d_a = device_floats(32), *d_b = device_floats(32), *d_to_read = device_floats(32), *d_fresh, a[32];
    CHECK(cudaMemcpyToSymbol(last, &many, sizeof many));
    up_to_last<<<1, 32>>>(d_a);
    many = 33;
    CHECK(cudaMemcpyToSymbol(last, &many, sizeof many));
    up_to_last<<<1, 32>>>(d_a);
    finish();

    CHECK(cudaMalloc(&d_fresh, sizeof a));
    twice<<<1, 32>>>(d_b, d_a);
    CHECK(cudaMemcpy(d_a, d_fresh, sizeof a, cudaMemcpyDeviceToDevice));
    twice<<<1, 32>>>(d_b, d_a);
    CHECK(cudaMemcpy(a, d_b, sizeof a, cudaMemcpyDeviceToHost));

    reader<<<1, 32>>>(d_b, d_to_read);
    cudaFree(d_to_read);
    reader<<<1, 32>>>(d_b, d_to_read);
    finish();
    cudaFree(d_where);
    cudaFree(d_to);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_fresh);
    return 0;
}
