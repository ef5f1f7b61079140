/* The product of lesson 32 by cuBLAS: halves, added up in floats. Its matrices lie column after column, so it
 * computes the transposed product of the transposed factors. */
#include "../card.h"

#include <cublas_v2.h>
#include <cuda_fp16.h>

void half_product(float *d_c, const __half *d_a, const __half *d_b, int m, int n, int k) {
    static cublasHandle_t handle = NULL;
    if (handle == NULL && cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) exit(EXIT_FAILURE);
    const float one = 1, zero = 0;
    if (cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, d_b, CUDA_R_16F, n, d_a, CUDA_R_16F, k,
                     &zero, d_c, CUDA_R_32F, n, CUBLAS_COMPUTE_32F,
                     CUBLAS_GEMM_DEFAULT) != CUBLAS_STATUS_SUCCESS)
        exit(EXIT_FAILURE);
}
