/* As in X90-read-early-by-the-optimiser, but the thread that reads is not the one that writes, and what it
 * reads counts. However the code is optimised, each of these is found. Where the optimiser has moved the read
 * far away it has no line any more; the write has.
 */
#include "mistake.h"

enum { N = 128 };

__device__ int flag;
__device__ float table[64];

static __device__ int global_index() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void and_of_two_warps(float *out) {
    __shared__ float s[N];
    int tid = threadIdx.x;
    s[tid] = (float)tid;
    __syncthreads();
    float v = 0;
    if (tid < 64 && s[0] > -1) v = 1; // expect: shared-race
    if (tid == 0) s[0] = -5;
    out[global_index()] = (float)v;
}

__global__ void last_of_three(float *out) {
    __shared__ int s[N];
    int tid = threadIdx.x;
    s[tid] = (int)tid;
    __syncthreads();
    int v = 0;
    if (tid == 40 && s[0] < 4 && s[1] > 0 && s[2] > 1) v = 5; // expect: shared-race
    if (tid == 0) s[2] = -7;
    out[global_index()] = (float)v;
}

__global__ void or_of_another(float *out) {
    __shared__ int s[N];
    int tid = threadIdx.x;
    s[tid] = (int)tid;
    __syncthreads();
    int v = 3;
    if (tid != 33 || s[0] > 5) v = 1; // expect: shared-race
    if (tid == 0) s[0] = 8;
    out[global_index()] = (float)v;
}

__global__ void zero_of_another(float *out) {
    __shared__ int s[N];
    int tid = threadIdx.x;
    s[tid] = (int)tid;
    __syncthreads();
    int v = 3;
    if (tid == 32 && s[0] == 0 && s[1] == 1) v = 1; // expect: shared-race
    if (tid == 0) s[0] = 8;
    out[global_index()] = (float)v;
}

__global__ void chosen_by_another(float *out) {
    __shared__ float s[N];
    int tid = threadIdx.x;
    s[tid] = (float)tid;
    __syncthreads();
    float v = tid == 70 ? s[0] : 1.0f; // expect: shared-race
    if (tid == 5) s[0] = 3;
    out[global_index()] = (float)v;
}

__global__ void one_of_two_chosen(float *out) {
    __shared__ float s[N];
    int tid = threadIdx.x;
    s[tid] = (float)tid;
    __syncthreads();
    float v = tid & 1 ? s[1] : s[0]; // expect: shared-race
    if (tid == 0) s[1] = 3;
    out[global_index()] = (float)v;
}

__global__ void doubles_of_another(float *out) {
    __shared__ double s[N];
    int tid = threadIdx.x;
    s[tid] = (double)tid;
    __syncthreads();
    double v = tid == 90 ? s[0] + 1.0 : 2.0; // expect: shared-race
    if (tid == 9) s[0] = v;
    out[global_index()] = (float)v;
}

__global__ void sum_of_another(float *out, float k) {
    __shared__ float s[N];
    int tid = threadIdx.x;
    s[tid] = (float)tid;
    __syncthreads();
    float v = k;
    if (tid == 70) v += s[0] * 2 + s[1]; // expect: shared-race
    if (tid == 5) s[1] = 3;
    out[global_index()] = (float)v;
}

__global__ void later_by_some(float *out) {
    __shared__ int s[N];
    int tid = threadIdx.x;
    s[tid] = (int)tid;
    __syncthreads();
    int v = tid;
    if (tid < 40) v = s[0];
    if (tid == 0) s[0] = 55; // expect: shared-race
    __syncthreads();
    out[global_index()] = (float)v;
}

__global__ void shuffled_by_another(float *out) {
    __shared__ int s[N];
    int tid = threadIdx.x;
    s[tid] = (int)tid;
    __syncthreads();
    int v = 0;
    if (tid == 64) v = s[0];
    if (tid == 0) s[0] = 55; // expect: shared-race
    v = __shfl_sync(~0u, v, 0);
    out[global_index()] = (float)v;
}

__global__ void in_a_loop_of_another(float *out, const float *in, int n) {
    __shared__ int s[N];
    int tid = threadIdx.x;
    s[tid] = (int)tid;
    __syncthreads();
    int v = 0;
    for (int i = 0; i < n; i++)
        if (tid == 99 && in[i] > 0) v += s[0] * n + s[1];
    if (tid == 3) s[0] = v; // expect: shared-race
    out[global_index()] = (float)v;
}

__global__ void added_in_each_round(float *out, int n) {
    __shared__ int s[N];
    int tid = threadIdx.x;
    s[tid] = (int)tid;
    __syncthreads();
    int v = 0;
    for (int i = 0; i < n; i++)
        v = tid == 77 ? v + s[0] : v + 1;
    if (tid == 0) s[0] = 9; // expect: shared-race
    out[global_index()] = (float)v;
}

__global__ void break_of_another(float *out, int n) {
    __shared__ int s[N];
    int tid = threadIdx.x;
    s[tid] = (int)tid;
    __syncthreads();
    int v = 0;
    for (int i = 0; i < n; i++) {
        if (tid == 40 && s[0] > 100) break;
        v += i;
    }
    if (tid == 0) s[0] = 200; // expect: shared-race
    out[global_index()] = (float)v;
}

__global__ void largest_for_another(float *out) {
    __shared__ float s[N];
    int tid = threadIdx.x;
    s[tid] = (float)tid;
    __syncthreads();
    float v = -1;
    if (tid == 50) v = fmaxf(s[1], s[2]); // expect: shared-race
    if (tid == 2) s[1] = v;
    out[global_index()] = (float)v;
}

__global__ void nested_for_another(float *out) {
    __shared__ int s[N];
    int tid = threadIdx.x;
    s[tid] = (int)tid;
    __syncthreads();
    int v = 0;
    if (tid >= 60) {
        if (tid < 61)
            v = 1;
        else if (s[1] == 1) // expect: shared-race
            v = 2;
    }
    if (tid == 0) s[1] = 5;
    out[global_index()] = (float)v;
}

__global__ void small_for_another(float *out) {
    __shared__ bool s[N];
    int tid = threadIdx.x;
    s[tid] = (bool)tid;
    __syncthreads();
    int v = 0;
    if (tid == 65 && s[0] == false) v = 4; // expect: shared-race
    if (tid == 1) s[0] = true;
    out[global_index()] = (float)v;
}

__global__ void read_by_all(float *out) {
    __shared__ float s[N];
    int tid = threadIdx.x;
    s[tid] = (float)tid;
    __syncthreads();
    float v = s[0]; // expect: shared-race
    if (tid == 0) s[0] = 5;
    out[global_index()] = (float)v;
}

__global__ void read_before_the_question(float *out, float *total) {
    __shared__ float s[N];
    int tid = threadIdx.x;
    s[tid] = (float)tid;
    __syncthreads();
    float v = s[3]; // expect: shared-race
    if (tid == 3) s[3] = 1;
    if (tid < 100) total[tid] = v;
    out[global_index()] = (float)v;
}

__global__ void index_of_another(float *out, const float *in) {
    __shared__ int place;
    int tid = threadIdx.x;
    if (tid == 0) place = 1;
    __syncthreads();
    float v = 0;
    if (tid == 36) v = in[place]; // expect: shared-race
    if (tid == 0) place = 2;
    out[global_index()] = v;
}

__global__ void first_of_each_block(float *out) {
    float v = 0;
    if (threadIdx.x == 0 && flag >= 0) v = 2; // expect: global-race
    if (global_index() == 0) flag = 3;
    out[global_index()] = v;
}

__global__ void table_of_two(float *out) {
    float v = global_index() == 200 ? table[3] : 0; // expect: global-race
    if (global_index() == 7) table[3] = 9;
    out[global_index()] = v;
}

__global__ void never_written(float *out, int other) {
    __shared__ int s[4];
    int tid = threadIdx.x;
    if (tid == 0) s[other] = 1;
    __syncthreads();
    float v = 0;
    if (tid == 33 && s[0] == 1) v = 1; // expect: uninitialized-read
    out[global_index()] = v;
}

int main() {
    float *out = device_floats(2 * N), *in = device_floats(2048);
    and_of_two_warps<<<2, N>>>(out);
    last_of_three<<<2, N>>>(out);
    or_of_another<<<2, N>>>(out);
    zero_of_another<<<2, N>>>(out);
    chosen_by_another<<<2, N>>>(out);
    one_of_two_chosen<<<2, N>>>(out);
    doubles_of_another<<<2, N>>>(out);
    sum_of_another<<<2, N>>>(out, 1.0f);
    later_by_some<<<2, N>>>(out);
    shuffled_by_another<<<2, N>>>(out);
    in_a_loop_of_another<<<2, N>>>(out, in, 2048);
    added_in_each_round<<<2, N>>>(out, 9);
    break_of_another<<<2, N>>>(out, 9);
    largest_for_another<<<2, N>>>(out);
    nested_for_another<<<2, N>>>(out);
    small_for_another<<<2, N>>>(out);
    read_by_all<<<2, N>>>(out);
    read_before_the_question<<<1, N>>>(out, in);
    index_of_another<<<2, N>>>(out, in);
    first_of_each_block<<<2, N>>>(out);
    table_of_two<<<2, N>>>(out);
    never_written<<<2, N>>>(out, 1);
    std::vector<float> host(2 * N);
    CHECK(cudaMemcpy(host.data(), out, 2 * N * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    CHECK(cudaFree(in));
    finish();
}
