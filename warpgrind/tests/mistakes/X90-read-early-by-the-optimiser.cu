/* An optimiser reads in all threads what the source reads in one: where an element can always be read, it
 * moves the read out from under its condition, and out of a loop. What the other threads get so goes nowhere,
 * and is no race and no missing value. All kernels here are right.
 */
#include "mistake.h"

enum { N = 128 };

struct __align__(16) Box {
    float low[3], high[3];
    int count;
};

__device__ int flag;
__device__ float table[64];
__device__ Box box;

static __device__ int global_index() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void one_and(float *out) {
    __shared__ float s[N];
    int tid = threadIdx.x;
    s[tid] = tid;
    __syncthreads();
    if (tid == 0 && s[0] > -1) s[0] = 5; // near: shared-race
    __syncthreads();
    out[global_index()] = s[tid];
}

__global__ void many_ands(float *out) {
    __shared__ int s[N];
    int tid = threadIdx.x;
    s[tid] = tid;
    __syncthreads();
    if (tid == 0 && s[0] < 4 && s[1] > 0 && s[2] > 1) s[0] = s[1] = s[2] = 5; // near: shared-race
    __syncthreads();
    out[global_index()] = s[tid];
}

/* Integers that are compared with 0 are joined by one `or` of all bits. */
__global__ void ands_of_zeros(float *out) {
    __shared__ int s[N];
    int tid = threadIdx.x;
    s[tid] = tid / 8;
    __syncthreads();
    float v = 0;
    if (tid == 0 && s[0] == 0 && s[1] == 0) { // near: shared-race
        s[0] = s[1] = 3;
        v = 1;
    }
    out[global_index()] = v;
}

__global__ void an_or(float *out) {
    __shared__ int s[N];
    int tid = threadIdx.x;
    s[tid] = tid;
    __syncthreads();
    float v = 1;
    if (tid != 0 || s[0] > 5 || s[1] != 1) // near: shared-race
        v = 2;
    else
        s[0] = s[1] = 7;
    out[global_index()] = v;
}

__global__ void not_an_or(float *out) {
    __shared__ int stop;
    int tid = threadIdx.x;
    if (tid == 0) stop = 0;
    __syncthreads();
    bool go = !(tid != 0 || stop); // near: shared-race
    if (go) stop = 1;
    out[global_index()] = go;
}

__global__ void choice(float *out) {
    __shared__ float s[N];
    int tid = threadIdx.x;
    s[tid] = tid;
    __syncthreads();
    float v = tid == 5 ? s[0] : 1.0f; // near: shared-race
    if (tid == 5) s[0] = 3;
    out[global_index()] = v;
}

__global__ void choice_of_choices(float *out) {
    __shared__ float s[N];
    int tid = threadIdx.x;
    s[tid] = tid;
    __syncthreads();
    float v = tid == 0 ? s[0] : tid == 1 ? s[1] : 0.0f; // near: shared-race
    if (tid < 2) s[tid] = v + 1;
    out[global_index()] = v;
}

__global__ void choice_of_doubles(float *out) {
    __shared__ double s[N];
    int tid = threadIdx.x;
    s[tid] = tid;
    __syncthreads();
    double v = tid == 9 ? s[0] + 1.0 : 2.0; // near: shared-race
    if (tid == 9) s[0] = v;
    out[global_index()] = (float)v;
}

__global__ void choice_of_sums(float *out, float k) {
    __shared__ float s[N];
    int tid = threadIdx.x;
    s[tid] = tid;
    __syncthreads();
    float v = k;
    if (tid == 5) v += s[0] * 2 + s[1]; // near: shared-race
    if (tid == 5) s[0] = s[1] = 3;
    out[global_index()] = v;
}

/* The choice itself is made behind the barrier, or after the shuffle's source has been chosen. */
__global__ void chosen_later(float *out) {
    __shared__ int s[N];
    int tid = threadIdx.x, v = tid;
    s[tid] = tid;
    __syncthreads();
    if (tid == 0) v = s[0]; // near: shared-race
    if (tid == 0) s[0] = 55;
    __syncthreads();
    out[global_index()] = v;
}

__global__ void chosen_and_shuffled(float *out) {
    __shared__ int s[N];
    int tid = threadIdx.x, v = 0;
    s[tid] = tid;
    __syncthreads();
    if (tid == 0) v = s[0]; // near: shared-race
    if (tid == 0) s[0] = 55;
    out[global_index()] = __shfl_sync(~0u, v, 0);
}

__global__ void small_types(float *out) {
    __shared__ char s[N];
    int tid = threadIdx.x;
    char v = 0;
    s[tid] = (char)tid;
    __syncthreads();
    if (tid == 4 && s[0] != 3 && s[1] != 4) { // near: shared-race
        v = s[2];
        s[0] = s[1] = s[2] = 7;
    }
    out[global_index()] = v;
}

__global__ void out_of_a_loop(float *out, const float *in, int n) {
    __shared__ int s[N];
    int tid = threadIdx.x, v = 0;
    s[tid] = tid + 2;
    __syncthreads();
    for (int i = 0; i < n; i++)
        if (tid == 3 && in[i] > 0) v += s[0] * n + s[1]; // near: shared-race
    if (tid == 3) s[0] = s[1] = v;
    out[global_index()] = v;
}

__global__ void kept_over_a_loop(float *out, int n) {
    __shared__ int done, s[N];
    int tid = threadIdx.x, v = 0;
    if (tid == 0) done = 0;
    s[tid] = 1;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        if (tid == 0 && done) break; // near: shared-race
        if (tid == 0) {
            v += s[0];
            if (i == 3) done = 1;
            s[0] = i;
        }
    }
    out[global_index()] = v;
}

__global__ void one_in_each_round(float *out, int n) {
    __shared__ int turn;
    int tid = threadIdx.x;
    if (tid == 0) turn = 0;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        if (tid == i && turn == i) turn = i + 1; // near: shared-race
        __syncthreads();
    }
    out[global_index()] = turn;
}

__global__ void counted_down_by_one(float *out, int n) {
    __shared__ int left;
    int tid = threadIdx.x, v = 0;
    if (tid == 0) left = n;
    __syncthreads();
    while (tid == 0 && left > 0) { // near: shared-race
        left--;
        v++;
    }
    out[global_index()] = v;
}

__global__ void returned_before(float *out, int n) {
    __shared__ float s[N];
    int tid = threadIdx.x;
    s[tid] = 1;
    if (tid >= n) return;
    __syncthreads();
    if (tid == 0 && s[0] > 0) s[0] = 4; // near: shared-race
    __syncthreads();
    out[global_index()] = s[tid];
}

/* One thread writes the element and reads it; for the others it stays without a value. */
__global__ void written_by_one(float *out, int one) {
    __shared__ float s[4];
    int tid = threadIdx.x;
    if (tid == 0 && one) s[0] = 1;
    out[global_index()] = tid == 0 ? s[0] : 7; // near: shared-race uninitialized-read
}

__global__ void zeros_of_one(float *out, int one) {
    __shared__ int a, b;
    int tid = threadIdx.x;
    if (tid == 64 && one) a = b = 0;
    __syncwarp();
    float v = 0;
    if (tid == 64 && a == 0 && b == 0) v = 1; // near: uninitialized-read
    out[global_index()] = v;
}

__global__ void flag_of_one(float *out) {
    float v = 0;
    int i = global_index();
    if (i == 0 && flag >= 0) v = 2; // near: global-race
    if (i == 0) flag = 3;
    out[i] = v;
}

__global__ void table_of_one(float *out) {
    int i = global_index();
    float v = i == 7 ? table[3] : 0; // near: global-race
    if (i == 7) table[3] = 9;
    out[i] = v;
}

__global__ void box_of_one(float *out) {
    int i = global_index();
    float v = 0;
    if (i == 3 && box.count == 0 && box.low[0] <= 0 && box.high[1] >= 0) { // near: global-race
        box.count = 5;
        v = 1;
    }
    out[i] = v;
}

int main() {
    float *out = device_floats(2 * N), *in = device_floats(2048);
    one_and<<<2, N>>>(out);
    many_ands<<<2, N>>>(out);
    ands_of_zeros<<<2, N>>>(out);
    an_or<<<2, N>>>(out);
    not_an_or<<<2, N>>>(out);
    choice<<<2, N>>>(out);
    choice_of_choices<<<2, N>>>(out);
    choice_of_doubles<<<2, N>>>(out);
    choice_of_sums<<<2, N>>>(out, 1.0f);
    chosen_later<<<2, N>>>(out);
    chosen_and_shuffled<<<2, N>>>(out);
    small_types<<<2, N>>>(out);
    out_of_a_loop<<<2, N>>>(out, in, 2048);
    kept_over_a_loop<<<2, N>>>(out, 9);
    one_in_each_round<<<2, N>>>(out, 9);
    counted_down_by_one<<<2, N>>>(out, 9);
    returned_before<<<2, N>>>(out, 100);
    written_by_one<<<2, N>>>(out, 1);
    zeros_of_one<<<2, N>>>(out, 1);
    flag_of_one<<<2, N>>>(out);
    table_of_one<<<2, N>>>(out);
    box_of_one<<<2, N>>>(out);
    std::vector<float> host(2 * N);
    CHECK(cudaMemcpy(host.data(), out, 2 * N * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    CHECK(cudaFree(in));
    finish();
}
