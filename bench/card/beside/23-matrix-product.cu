/* The product of lesson 23 by cuBLAS, in full single precision. Its matrices lie column after column, so it
 * computes the transposed product of the transposed factors. */
#include "../card.h"

#include <cublas_v2.h>

void matrix_product(float *d_c, const float *d_a, const float *d_b, int m, int n, int k) {
    static cublasHandle_t handle = NULL;
    if (handle == NULL && cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) exit(EXIT_FAILURE);
    const float one = 1, zero = 0;
    if (cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, d_b, n, d_a, k, &zero, d_c, n) !=
        CUBLAS_STATUS_SUCCESS)
        exit(EXIT_FAILURE);
}
