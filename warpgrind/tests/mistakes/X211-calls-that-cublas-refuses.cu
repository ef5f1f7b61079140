/* A call of cuBLAS that is refused does nothing, and a status that nobody looks at says so to nobody. */
/* links: -lcublas */
/* clang only: NVIDIA's toolkit may be there without its cuBLAS */
#include "mistake.h"

#include <cublas_v2.h>

enum { M = 4, N = 3, K = 2 };

int main() {
    const float one = 1, zero = 0;
    float *a = device_floats(M * K), *b = device_floats(K * N), *c = device_floats(M * N), sum = 0;
    cublasHandle_t handle = nullptr;
    std::vector<float> h(M * N, 1.0f);
    cublasSscal(handle, K, &one, a, 1); // expect: api-misuse // says: cublasSscal got no handle: it is NULL // says: Call cublasCreate(&handle) before all others
    cublasCreate(&handle);
    CHECK(cudaMemcpy(a, h.data(), M * K * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, h.data(), K * N * sizeof(float), cudaMemcpyHostToDevice));
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &one, a, M, b, K, &zero, c, M); // near: api-misuse
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &one, a, K, b, N, &zero, c, N); // expect: api-misuse // says: cublasSgemm got lda = 2, which must be at least 4 // says: matrices column by column
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 0, N, K, &one, a, 1, b, K, &zero, c, 1); // near: api-misuse; no rows, no work
    cublasSdot(handle, K, a, 1, b, 1, nullptr); // expect: api-misuse // says: cublasSdot got no place for its result // says: nothing but return CUBLAS_STATUS_INVALID_VALUE
    cublasSdot(handle, K, a, 1, b, 1, &sum); // near: api-misuse
    cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &one, a, CUDA_R_8I, M, b, CUDA_R_8I, K, &zero, c, CUDA_R_32I, M, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT); // expect: limit // says: the program may be right
    CHECK(cudaMemcpy(h.data(), c, M * N * sizeof(float), cudaMemcpyDeviceToHost));
    cublasDestroy(handle);
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    printf("%g %g\n", h[0], sum);
}
