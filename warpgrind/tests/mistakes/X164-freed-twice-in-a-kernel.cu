/* Memory of the device's heap that threads share is given back by each of them. */
#include "mistake.h"

enum { N = 64 };

__global__ void all_give_back(int *out) {
    __shared__ int *list;
    if (threadIdx.x == 0) list = (int *)malloc(N * sizeof(int));
    __syncthreads();
    if (list == nullptr) return;
    list[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = list[N - 1 - threadIdx.x];
    __syncthreads();
    free(list); // expect: use-after-free // says: frees memory that was freed before
}

__global__ void one_gives_back(int *out) {
    __shared__ int *list;
    if (threadIdx.x == 0) list = (int *)malloc(N * sizeof(int));
    __syncthreads();
    if (list == nullptr) return;
    list[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = list[N - 1 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) free(list); // near: use-after-free
}

int main() {
    int *out = nullptr, host[N];
    CHECK(cudaMalloc(&out, sizeof host));
    one_gives_back<<<1, N>>>(out);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    printf("%d\n", host[0]);
    all_give_back<<<1, N>>>(out);
    if (cudaDeviceSynchronize() == cudaSuccess) CHECK(cudaFree(out));
}
