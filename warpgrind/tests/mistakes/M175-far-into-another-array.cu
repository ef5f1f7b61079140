#include "mistake.h"

// What lies at a far wrong index may be another array. The pointer that the address was made from says which
// one was meant: an argument, a member of one, a pointer that a function of the device was given, or one that
// its caller made.
struct Attention {
    const float *q, *k;
    float *out;
};

static __device__ __noinline__ float element(const float *row, int i) {
    return row[i]; // expect: out-of-bounds // says: a.q[300000] of 64
}

static __device__ __noinline__ float first(const float *row) {
    return *row; // near: out-of-bounds
}

static __device__ __noinline__ float nowhere(const float *row) {
    return *row; // expect: out-of-bounds // says: a.q[500000000] of 64
}

__global__ void scores(Attention a, const float *v, int far) {
    int i = threadIdx.x;
    float sum = a.q[i] + a.k[i + far]; // expect: out-of-bounds // says: a.k[300000] of 64
    sum += v[i - 15 * far];            // expect: out-of-bounds // says: of 64
    sum += element(a.q, i + far) + first(v + i);
    a.out[i] = sum;
}

__global__ void stopped(Attention a) {
    a.out[threadIdx.x] = nowhere(a.q + threadIdx.x + 500000000);
}

int main() {
    float *arrays[6], *wide[2];
    CHECK(cudaMalloc(&wide[0], 1 << 22));
    for (float *&array : arrays)
        array = device_floats(64);
    CHECK(cudaMalloc(&wide[1], 1 << 22));
    CHECK(cudaMemset(wide[0], 0, 1 << 22));
    CHECK(cudaMemset(wide[1], 0, 1 << 22));
    const Attention a = {arrays[0], arrays[1], arrays[2]};
    float h = 0;
    scores<<<1, 32>>>(a, arrays[3], 300000);
    CHECK(cudaMemcpy(&h, arrays[2], sizeof h, cudaMemcpyDeviceToHost));
    stopped<<<1, 32>>>(a);
    CHECK(cudaDeviceSynchronize());
    for (float *array : arrays)
        CHECK(cudaFree(array));
    CHECK(cudaFree(wide[0]));
    CHECK(cudaFree(wide[1]));
    return h > 0;
}
