/* The transpose of lesson 22 by cuBLAS, whose matrices lie column after column: ours of rows x cols is its
 * of cols x rows. */
#include "../card.h"

#include <cublas_v2.h>

void transpose(float *d_out, const float *d_in, int rows, int cols) {
    static cublasHandle_t handle = NULL;
    if (handle == NULL && cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) exit(EXIT_FAILURE);
    const float one = 1, zero = 0;
    if (cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, cols, &one, d_in, cols, &zero, d_out, rows, d_out,
                    rows) != CUBLAS_STATUS_SUCCESS)
        exit(EXIT_FAILURE);
}
