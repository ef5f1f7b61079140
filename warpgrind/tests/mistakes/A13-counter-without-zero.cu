#include "mistake.h"

struct Job {
    const float *x;
    int *hits;
    double *sum;
};

__global__ void count(int *hits, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0) atomicAdd(hits, 1); // expect: uninitialized-read // says: cudaMemset(pointer, 0, sizeof(int)), where pointer is what the kernel receives as 
}

__global__ void in_structure(const Job *job, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && job->x[i] > 0) atomicAdd(job->hits, 1); // expect: uninitialized-read // says: Before the launch, set it with cudaMemset(pointer, 0, sizeof(int)), or copy
    if (i < n) atomicAdd(job->sum, job->x[i]); // expect: uninitialized-read // says: cudaMemset(pointer, 0, sizeof(double))
}

__global__ void bins(unsigned int *counts, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&counts[(int)x[i] + 8], 1u); // expect: uninitialized-read // says: elements * sizeof(int)
}

__global__ void one_byte_set(float *sum) {
    atomicAdd(sum, 1.0F); // expect: uninitialized-read // says: the host set 1 byte of an element of 4
}

__global__ void quarter(float *out, const float *in, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = 2 * in[i]; // expect: uninitialized-read // says: Exactly 100 bytes at its start have values
}

int main() {
    int n = 1000, found = 0;
    float *x = device_floats(n);
    int *hits = nullptr;
    unsigned int *counts = nullptr;
    Job job = {x, nullptr, nullptr}, *d_job = nullptr;
    CHECK(cudaMalloc(&hits, sizeof(int)));
    CHECK(cudaMalloc(&counts, 17 * sizeof(int)));
    CHECK(cudaMalloc(&job.hits, sizeof(int)));
    CHECK(cudaMalloc(&job.sum, sizeof(double)));
    CHECK(cudaMalloc(&d_job, sizeof job));
    CHECK(cudaMemcpy(d_job, &job, sizeof job, cudaMemcpyHostToDevice));
    count<<<4, 256>>>(hits, x, n);
    in_structure<<<4, 256>>>(d_job, n);
    bins<<<4, 256>>>(counts, x, n);
    float *sum = nullptr, *in = nullptr, *out = nullptr, back[100];
    CHECK(cudaMalloc(&sum, sizeof(float)));
    CHECK(cudaMalloc(&in, sizeof back));
    CHECK(cudaMalloc(&out, sizeof back));
    CHECK(cudaMemset(sum, 0, 1));
    one_byte_set<<<1, 1>>>(sum);
    CHECK(cudaMemset(in, 0, 100));
    quarter<<<1, 128>>>(out, in, 100);
    CHECK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
    finish();
    CHECK(cudaMemcpy(&found, hits, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&found, job.hits, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&found, job.sum, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&found, counts + 1, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(hits));
    CHECK(cudaFree(counts));
    CHECK(cudaFree(job.hits));
    CHECK(cudaFree(job.sum));
    CHECK(cudaFree(d_job));
    CHECK(cudaFree(sum));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    printf("%d\n", found);
}
