// wrong.cu - calls of cuBLAS that go wrong: each is found at its own line, though one kernel serves several calls.
#include <cublas_v2.h>
#include <cstdio>

int main() {
    const int n = 40;
    float *a, *b, *c, *x;
    cudaMalloc(&a, n * n * sizeof(float));
    cudaMalloc(&b, n * (n - 1) * sizeof(float)); // one column too few
    cudaMalloc(&c, n * n * sizeof(float));
    cudaMalloc(&x, n * sizeof(float));
    cudaMemset(a, 0, n * n * sizeof(float));
    cudaMemset(b, 0, n * (n - 1) * sizeof(float));
    cudaMemset(c, 0, n * n * sizeof(float));
    cudaMemset(x, 0, n * sizeof(float));
    cublasHandle_t handle;
    cublasCreate(&handle);
    const float one = 1, zero = 0;
    float sum;
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, a, n, &zero, c, n);
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n); // expect: out-of-bounds
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, a, n, &zero, b, n); // expect: out-of-bounds
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, c, n, &zero, a, n); // expect: global-race
    cublasSaxpy(handle, n + 1, &one, x, 1, c, 1); // expect: out-of-bounds
    cublasSdot(handle, n, x, 2, c, 1, &sum); // expect: out-of-bounds
    float *host[] = {a, b, c}, **places;
    cudaMalloc(&places, sizeof host);
    cudaMemcpy(places, host, sizeof host, cudaMemcpyHostToDevice);
    cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, places, n, places + 1, n, &zero, places + 2, n, 1); // expect: out-of-bounds
    cudaFree(places);
    cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, n, &one, a, n - 1, c, n, &zero, c, n); // expect: api-misuse
    cublasSgemv(handle, CUBLAS_OP_N, n, n, nullptr, a, n, x, 1, &zero, c, 1); // expect: api-misuse
    cublasSscal(nullptr, n, &one, x, 1); // expect: api-misuse
    cublasSetStream(nullptr, 0); // expect: api-misuse
    cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, CUDA_R_8I, n, b, CUDA_R_8I, n, &zero, c, CUDA_R_32I, n, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT); // expect: limit
    cublasDestroy(handle);
    cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(x);
}
