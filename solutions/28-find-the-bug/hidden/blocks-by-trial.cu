// Lesson 28: eight short kernels, each with the function that launches it: what is wrong in them?

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

// Every runtime call returns a status: CHECK stops the program when a call failed, and says where.
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));                 \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

enum { THREADS = 256, MEMBERS = 100 };

// The number of blocks of THREADS threads that n threads need.
static int blocks_for(int n) {
    return (n + THREADS - 1) / THREADS;
}

// ---- 1. add_pairs: y[i] = x[2i + 1] + x[2i + 2], for `pairs` pairs; x has 2 * pairs + 1 numbers ----

// [one]
__global__ void add_pairs_kernel(float *y, const float *x, int pairs) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= pairs) return;
    y[i] = x[2 * i + 1] + x[2 * i + 2]; // x + 1 is no multiple of 8 bytes, as a float2 must be
}
// [/one]

void add_pairs(float *d_y, const float *d_x, int pairs) {
    add_pairs_kernel<<<blocks_for(pairs), THREADS>>>(d_y, d_x, pairs);
    CHECK(cudaGetLastError());
}

// ---- 2. add_one: y[i] = x[i] + 1, for n numbers ----

// [two]
__global__ void add_one_kernel(float *y, const float *x, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    y[i] = x[i] + 1.0f;
}
// [/two]

void add_one(float *d_y, const float *d_x, int n) {
    add_one_kernel<<<blocks_for(n), THREADS>>>(d_y, d_x, n);
    CHECK(cudaGetLastError());
}

// ---- 3. reverse_groups: each group of 256 numbers in reverse order; n is a multiple of 256 ----

// [three]
__global__ void reverse_groups_kernel(float *y, const float *x) {
    __shared__ float tile[THREADS];
    const int t = (int)threadIdx.x;
    const int i = (int)blockIdx.x * THREADS + t;
    tile[t] = x[i];
    __syncthreads(); // thread t reads what another thread has written
    y[i] = tile[THREADS - 1 - t];
}
// [/three]

void reverse_groups(float *d_y, const float *d_x, int n) {
    reverse_groups_kernel<<<n / THREADS, THREADS>>>(d_y, d_x);
    CHECK(cudaGetLastError());
}

// ---- 4. sum_groups: y[g] is the sum of group g of 256 numbers; n is a multiple of 256 ----

// [four]
__global__ void sum_groups_kernel(float *y, const float *x) {
    __shared__ float tile[THREADS];
    const int t = (int)threadIdx.x;
    tile[t] = x[(int)blockIdx.x * THREADS + t];
    __syncthreads();
    for (int apart = THREADS / 2; apart > 0; apart /= 2) {
        if (t < apart) tile[t] += tile[t + apart];
        __syncthreads(); // every thread comes here, also one that has nothing to add
    }
    if (t == 0) y[blockIdx.x] = tile[0];
}
// [/four]

void sum_groups(float *d_y, const float *d_x, int n) {
    sum_groups_kernel<<<n / THREADS, THREADS>>>(d_y, d_x);
    CHECK(cudaGetLastError());
}

// ---- 5. mean_groups: y[g] is the mean of group g of 100 numbers; n is a multiple of 100 ----

__global__ void add_members(float *sums, const float *x, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) atomicAdd(&sums[i / MEMBERS], x[i]);
}

__global__ void divide_sums(float *y, const float *sums, int groups) {
    const int g = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (g < groups) y[g] = sums[g] / MEMBERS;
}

// [five]
void mean_groups(float *d_y, const float *d_x, int n) {
    const int groups = n / MEMBERS;
    const size_t bytes = (size_t)groups * sizeof(float);
    float *d_sums = NULL;
    CHECK(cudaMalloc(&d_sums, bytes));
    CHECK(cudaMemset(d_sums, 0, bytes)); // what is added to needs a first value
    add_members<<<blocks_for(n), THREADS>>>(d_sums, d_x, n);
    CHECK(cudaGetLastError());
    divide_sums<<<blocks_for(groups), THREADS>>>(d_y, d_sums, groups);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(d_sums));
}
// [/five]

// ---- 6. halve: h_y[i] = d_x[i] / 2, for n numbers. h_y is pinned memory of the host, d_y lies between ----

__global__ void halve_kernel(float *y, const float *x, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) y[i] = x[i] / 2.0f;
}

// [six]
void halve(float *h_y, float *d_y, const float *d_x, int n) {
    const size_t bytes = (size_t)n * sizeof(float);
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    halve_kernel<<<blocks_for(n), THREADS, 0, stream>>>(d_y, d_x, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(h_y, d_y, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream)); // the copy returns before it is done
    CHECK(cudaStreamDestroy(stream));
}
// [/six]

// ---- 7. smooth: each number but the last becomes the mean of itself and the next, twice over ----

__global__ void smooth_kernel(float *y, const float *x, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n - 1) y[i] = (x[i] + x[i + 1]) / 2.0f;
    if (i == n - 1) y[i] = x[i];
}

// [seven]
void smooth(float *d_y, const float *d_x, int n) {
    float *d_between = NULL;
    CHECK(cudaMalloc(&d_between, (size_t)n * sizeof(float)));
    smooth_kernel<<<blocks_for(n), THREADS>>>(d_between, d_x, n);
    CHECK(cudaGetLastError());
    smooth_kernel<<<blocks_for(n), THREADS>>>(d_y, d_between, n);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(d_between)); // which waits for both kernels
}
// [/seven]

// ---- 8. square: y[i] = x[i] * x[i], for n numbers ----

__global__ void square_kernel(float *y, const float *x, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) y[i] = x[i] * x[i];
}

// [eight]
void square(float *d_y, const float *d_x, int n) {
    square_kernel<<<3, 1000>>>(d_y, d_x, n); // expect: wrong-answer
    CHECK(cudaGetLastError());
}
// [/eight]
// told: nobody
