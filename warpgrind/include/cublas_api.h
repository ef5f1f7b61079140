/* cublas_api.h - cuBLAS: products of matrices and vectors on the device. Also valid C.
 *
 * Programs include <cublas_v2.h>. libcublas.so, which warpcc links for -lcublas, has what is declared here;
 * its kernels run on the software GPU like the program's own, in the handle's stream. Matrices lie column by
 * column. Source: cuBLAS Library, chapter 2.
 */
#ifndef CUBLAS_API_H_
#define CUBLAS_API_H_

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"
#include <stdint.h>
#ifdef __cplusplus
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#endif

#define CUBLASAPI
#define CUBLASWINAPI

#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VER_BUILD 0
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum {
    CUBLAS_FILL_MODE_LOWER = 0,
    CUBLAS_FILL_MODE_UPPER = 1,
    CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_OP_HERMITAN = 2,
    CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;

/** There is one algorithm: whichever is named, it is taken. */
typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_ALGO0 = 0,
    CUBLAS_GEMM_ALGO1 = 1,
    CUBLAS_GEMM_ALGO2 = 2,
    CUBLAS_GEMM_ALGO3 = 3,
    CUBLAS_GEMM_ALGO4 = 4,
    CUBLAS_GEMM_ALGO5 = 5,
    CUBLAS_GEMM_ALGO6 = 6,
    CUBLAS_GEMM_ALGO7 = 7,
    CUBLAS_GEMM_ALGO8 = 8,
    CUBLAS_GEMM_ALGO9 = 9,
    CUBLAS_GEMM_ALGO10 = 10,
    CUBLAS_GEMM_ALGO11 = 11,
    CUBLAS_GEMM_ALGO12 = 12,
    CUBLAS_GEMM_ALGO13 = 13,
    CUBLAS_GEMM_ALGO14 = 14,
    CUBLAS_GEMM_ALGO15 = 15,
    CUBLAS_GEMM_ALGO16 = 16,
    CUBLAS_GEMM_ALGO17 = 17,
    CUBLAS_GEMM_ALGO18 = 18,
    CUBLAS_GEMM_ALGO19 = 19,
    CUBLAS_GEMM_ALGO20 = 20,
    CUBLAS_GEMM_ALGO21 = 21,
    CUBLAS_GEMM_ALGO22 = 22,
    CUBLAS_GEMM_ALGO23 = 23,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
    CUBLAS_GEMM_ALGO1_TENSOR_OP = 101,
    CUBLAS_GEMM_ALGO2_TENSOR_OP = 102,
    CUBLAS_GEMM_ALGO3_TENSOR_OP = 103,
    CUBLAS_GEMM_ALGO4_TENSOR_OP = 104,
    CUBLAS_GEMM_ALGO5_TENSOR_OP = 105,
    CUBLAS_GEMM_ALGO6_TENSOR_OP = 106,
    CUBLAS_GEMM_ALGO7_TENSOR_OP = 107,
    CUBLAS_GEMM_ALGO8_TENSOR_OP = 108,
    CUBLAS_GEMM_ALGO9_TENSOR_OP = 109,
    CUBLAS_GEMM_ALGO10_TENSOR_OP = 110,
    CUBLAS_GEMM_ALGO11_TENSOR_OP = 111,
    CUBLAS_GEMM_ALGO12_TENSOR_OP = 112,
    CUBLAS_GEMM_ALGO13_TENSOR_OP = 113,
    CUBLAS_GEMM_ALGO14_TENSOR_OP = 114,
    CUBLAS_GEMM_ALGO15_TENSOR_OP = 115
} cublasGemmAlgo_t;

/** Modes are kept and have no effect: sums are made in the type that the call asks for. */
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;

typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;

typedef cudaDataType cublasDataType_t;
typedef struct cublasContext *cublasHandle_t;

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the handle ---- */

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream);
/** Accepted: the kernels need no workspace. */
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t bytes);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

/* ---- to the device and back ---- */

cublasStatus_t cublasSetVector(int n, int bytes, const void *x, int incx, void *device, int incy);
cublasStatus_t cublasGetVector(int n, int bytes, const void *device, int incx, void *y, int incy);
cublasStatus_t cublasSetVectorAsync(int n, int bytes, const void *x, int incx, void *device, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int bytes, const void *device, int incx, void *y, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void *A, int lda, void *device,
                               int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void *device, int lda, void *B,
                               int ldb);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int bytes, const void *A, int lda, void *device,
                                    int ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int bytes, const void *device, int lda, void *B,
                                    int ldb, cudaStream_t stream);

/* ---- vectors, and a matrix with a vector: S is float, D double ---- */

#define __CUBLAS_VECTORS(S, s, T)                                                                            \
    cublasStatus_t cublas##S##axpy_v2(cublasHandle_t handle, int n, const T *alpha, const T *x, int incx,    \
                                      T *y, int incy);                                                       \
    cublasStatus_t cublas##S##scal_v2(cublasHandle_t handle, int n, const T *alpha, T *x, int incx);         \
    cublasStatus_t cublas##S##copy_v2(cublasHandle_t handle, int n, const T *x, int incx, T *y, int incy);   \
    cublasStatus_t cublas##S##swap_v2(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy);         \
    cublasStatus_t cublas##S##dot_v2(cublasHandle_t handle, int n, const T *x, int incx, const T *y,         \
                                     int incy, T *result);                                                   \
    cublasStatus_t cublas##S##nrm2_v2(cublasHandle_t handle, int n, const T *x, int incx, T *result);        \
    cublasStatus_t cublas##S##asum_v2(cublasHandle_t handle, int n, const T *x, int incx, T *result);        \
    cublasStatus_t cublasI##s##amax_v2(cublasHandle_t handle, int n, const T *x, int incx, int *result);     \
    cublasStatus_t cublasI##s##amin_v2(cublasHandle_t handle, int n, const T *x, int incx, int *result);     \
    cublasStatus_t cublas##S##gemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m, int n,          \
                                      const T *alpha, const T *A, int lda, const T *x, int incx,             \
                                      const T *beta, T *y, int incy);                                        \
    cublasStatus_t cublas##S##ger_v2(cublasHandle_t handle, int m, int n, const T *alpha, const T *x,        \
                                     int incx, const T *y, int incy, T *A, int lda);
__CUBLAS_VECTORS(S, s, float)
__CUBLAS_VECTORS(D, d, double)
#undef __CUBLAS_VECTORS

/* ---- matrices: H is half; the arrays of pointers of a batch lie in device memory ---- */

#define __CUBLAS_MATRICES(name, batched, strided, T)                                                         \
    cublasStatus_t name(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,    \
                        int n, int k, const T *alpha, const T *A, int lda, const T *B, int ldb,              \
                        const T *beta, T *C, int ldc);                                                       \
    cublasStatus_t batched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, \
                           int n, int k, const T *alpha, const T *const A[], int lda, const T *const B[],    \
                           int ldb, const T *beta, T *const C[], int ldc, int batches);                      \
    cublasStatus_t strided(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, \
                           int n, int k, const T *alpha, const T *A, int lda, long long stride_a,            \
                           const T *B, int ldb, long long stride_b, const T *beta, T *C, int ldc,            \
                           long long stride_c, int batches);
__CUBLAS_MATRICES(cublasSgemm_v2, cublasSgemmBatched, cublasSgemmStridedBatched, float)
__CUBLAS_MATRICES(cublasDgemm_v2, cublasDgemmBatched, cublasDgemmStridedBatched, double)
#ifdef __cplusplus
__CUBLAS_MATRICES(cublasHgemm, cublasHgemmBatched, cublasHgemmStridedBatched, __half)
#endif
#undef __CUBLAS_MATRICES

/** A and B of half with C of half or float, of bfloat16 with C of bfloat16 or float, all of float, or all of
 * double. alpha and beta are of the type that is computed in. */
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                            int n, int k, const void *alpha, const void *A, cudaDataType type_a, int lda,
                            const void *B, cudaDataType type_b, int ldb, const void *beta, void *C,
                            cudaDataType type_c, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k, const void *alpha,
                                          const void *A, cudaDataType type_a, int lda, long long stride_a,
                                          const void *B, cudaDataType type_b, int ldb, long long stride_b,
                                          const void *beta, void *C, cudaDataType type_c, int ldc,
                                          long long stride_c, int batches, cublasComputeType_t compute,
                                          cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                   int m, int n, int k, const void *alpha, const void *const A[],
                                   cudaDataType type_a, int lda, const void *const B[], cudaDataType type_b,
                                   int ldb, const void *beta, void *const C[], cudaDataType type_c, int ldc,
                                   int batches, cublasComputeType_t compute, cublasGemmAlgo_t algo);
/** As cublasGemmEx, computed in float. */
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                             int n, int k, const float *alpha, const void *A, cudaDataType type_a, int lda,
                             const void *B, cudaDataType type_b, int ldb, const float *beta, void *C,
                             cudaDataType type_c, int ldc);

/** C = alpha op(A) + beta op(B): sums, and transposition. */
cublasStatus_t cublasSgeam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                           int n, const float *alpha, const float *A, int lda, const float *beta,
                           const float *B, int ldb, float *C, int ldc);
cublasStatus_t cublasDgeam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                           int n, const double *alpha, const double *A, int lda, const double *beta,
                           const double *B, int ldb, double *C, int ldc);

#ifdef __cplusplus
}

/* Before CUDA 11 the type to compute in was one of elements. */
static inline cublasComputeType_t __cublas_compute(cudaDataType type) {
    if (type == CUDA_R_16F) return CUBLAS_COMPUTE_16F;
    if (type == CUDA_R_64F) return CUBLAS_COMPUTE_64F;
    return type == CUDA_R_32I ? CUBLAS_COMPUTE_32I : CUBLAS_COMPUTE_32F;
}
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k, const void *alpha,
                                          const void *A, cudaDataType type_a, int lda, const void *B,
                                          cudaDataType type_b, int ldb, const void *beta, void *C,
                                          cudaDataType type_c, int ldc, cudaDataType compute,
                                          cublasGemmAlgo_t algo) {
    return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, type_a, lda, B, type_b, ldb, beta, C,
                        type_c, ldc, __cublas_compute(compute), algo);
}
static inline cublasStatus_t
cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                           int n, int k, const void *alpha, const void *A, cudaDataType type_a, int lda,
                           long long stride_a, const void *B, cudaDataType type_b, int ldb,
                           long long stride_b, const void *beta, void *C, cudaDataType type_c, int ldc,
                           long long stride_c, int batches, cudaDataType compute, cublasGemmAlgo_t algo) {
    return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, A, type_a, lda, stride_a, B,
                                      type_b, ldb, stride_b, beta, C, type_c, ldc, stride_c, batches,
                                      __cublas_compute(compute), algo);
}
static inline cublasStatus_t
cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                    int k, const void *alpha, const void *const A[], cudaDataType type_a, int lda,
                    const void *const B[], cudaDataType type_b, int ldb, const void *beta, void *const C[],
                    cudaDataType type_c, int ldc, int batches, cudaDataType compute, cublasGemmAlgo_t algo) {
    return cublasGemmBatchedEx(handle, transa, transb, m, n, k, alpha, A, type_a, lda, B, type_b, ldb, beta,
                               C, type_c, ldc, batches, __cublas_compute(compute), algo);
}
#endif

#endif
