/* matrices.cu - products of matrices in one kernel: gemm, batches of it, gemv (a matrix of one column) and
 * ger (one step of the sum); and geam, which adds.
 *
 * A thread makes ROWS x COLUMNS elements of C, so that what it loads serves several products. At the edge it
 * reads the last row or column again rather than ask before each load, and stores only what is C's. Sums are
 * made in the order of k. LIMIT: half is multiplied and added up in float, also where a card does it in half.
 */
#include "cublas/scalar.cuh"

enum { ROWS = 4, COLUMNS = 4, WIDE = 32, HIGH = 4, MOST_COLUMN_BLOCKS = 65535, MOST_BATCHES = 65535 };

/** A matrix as it is walked: elements from one row to the next, one column to the next. Its transpose has
 * them exchanged. */
struct Steps {
    long long row, column;
};

/** The matrices of a batch: at equal distances from the first, or where pointers in device memory say. */
template <typename T> struct Batch {
    T *first;
    long long distance;
    T *const *each; /**< NULL: by distance */
};

/** The rest of a call. */
struct Shape {
    int m, n, k;
    Steps a, b, c;
    long long next_a, next_b, next_c; /**< from one matrix of a batch to the next */
};

/** What a block does with one matrix of a batch. Sums are of the type Sum; alpha and beta are given in a type
 * of their own. */
template <typename In, typename Out, typename Sum, typename Given>
__device__ __forceinline__ void multiply_tile(const Shape &shape, const Scalar<Given> &alpha, const In *A,
                                              const In *B, const Scalar<Given> &beta, Out *C) {
    int first_row = blockIdx.x * WIDE * ROWS + threadIdx.x;
    int first_column = (blockIdx.y * HIGH + threadIdx.y) * COLUMNS;
    if (first_row >= shape.m || first_column >= shape.n) return;
    long long at_a[ROWS], at_b[COLUMNS];
    for (int i = 0; i < ROWS; i++)
        at_a[i] = min(first_row + i * WIDE, shape.m - 1) * shape.a.row;
    for (int j = 0; j < COLUMNS; j++)
        at_b[j] = min(first_column + j, shape.n - 1) * shape.b.column;
    Sum sums[ROWS][COLUMNS] = {};
#pragma unroll 1
    for (int l = 0; l < shape.k; l++) {
        Sum a[ROWS];
        for (int i = 0; i < ROWS; i++)
            a[i] = widen(A[at_a[i] + l * shape.a.column]);
        for (int j = 0; j < COLUMNS; j++) {
            Sum b = widen(B[at_b[j] + l * shape.b.row]);
            for (int i = 0; i < ROWS; i++)
                sums[i][j] += a[i] * b;
        }
    }
    Sum scale = widen(alpha.get()), keep = widen(beta.get());
    for (int j = 0; j < COLUMNS; j++)
        for (int i = 0; i < ROWS; i++) {
            int row = first_row + i * WIDE, column = first_column + j;
            if (row >= shape.m || column >= shape.n) continue;
            Out *to = &C[row * shape.c.row + column * shape.c.column];
            Sum value = scale * sums[i][j];
            /* With beta 0 C need not have a value. */
            if (keep != Sum(0)) value += keep * widen(*to);
            narrow(to, value);
        }
}

template <typename In, typename Out, typename Sum, typename Given>
__global__ void __launch_bounds__(WIDE *HIGH)
    cublas_gemm(Shape shape, Scalar<Given> alpha, const In *A, const In *B, Scalar<Given> beta, Out *C) {
    multiply_tile<In, Out, Sum>(shape, alpha, A + blockIdx.z * shape.next_a, B + blockIdx.z * shape.next_b,
                                beta, C + blockIdx.z * shape.next_c);
}

template <typename In, typename Out, typename Sum, typename Given>
__global__ void __launch_bounds__(WIDE *HIGH)
    cublas_gemm_batched(Shape shape, Scalar<Given> alpha, const In *const *Aarray, const In *const *Barray,
                        Scalar<Given> beta, Out *const *Carray) {
    multiply_tile<In, Out, Sum>(shape, alpha, Aarray[blockIdx.z], Barray[blockIdx.z], beta,
                                Carray[blockIdx.z]);
}

template <typename T>
__global__ void cublas_geam(int m, int n, Scalar<T> alpha, const T *A, Steps a, Scalar<T> beta, const T *B,
                            Steps b, T *C, long long ldc) {
    long long row = (long long)blockIdx.x * WIDE + threadIdx.x, column = blockIdx.y * HIGH + threadIdx.y;
    if (row >= m || column >= n) return;
    T scale = alpha.get(), add = beta.get(), value = 0;
    if (scale != T(0)) value = scale * A[row * a.row + column * a.column];
    if (add != T(0)) value += add * B[row * b.row + column * b.column];
    C[row + column * ldc] = value;
}

/* ---- arguments ---- */

static Steps steps_of(cublasOperation_t operation, long long lead) {
    if (operation == CUBLAS_OP_N) return Steps{1, lead};
    return Steps{lead, 1};
}

/** A batch of one. */
template <typename T> static Batch<T> alone(T *matrix) {
    return Batch<T>{matrix, 0, NULL};
}

static unsigned pieces(int whole, int part) {
    return (unsigned)((whole + (long long)part - 1) / part);
}

/** A matrix of the call: its letter, how many rows it has in memory, and how far its columns are apart. */
struct Matrix {
    const char *letter;
    int rows, lead;
};

static cublasStatus_t check_lead(const char *function, Matrix matrix) {
    if (matrix.lead >= matrix.rows && matrix.lead >= 1) return CUBLAS_STATUS_SUCCESS;
    return context_refuse_lead(function, matrix.letter, matrix.lead, max(matrix.rows, 1));
}

static cublasStatus_t check_operation(const char *function, cublasOperation_t operation) {
    if (operation == CUBLAS_OP_N || operation == CUBLAS_OP_T || operation == CUBLAS_OP_C)
        return CUBLAS_STATUS_SUCCESS;
    return context_refuse(function, "got operation %d: it is CUBLAS_OP_N or CUBLAS_OP_T", (int)operation);
}

/** A product as the program asked for it. */
struct Product {
    const char *function;
    cublasOperation_t op_a, op_b;
    int m, n, k, lda, ldb, ldc, batches;
    bool has_scalars;
};

static cublasStatus_t check_product(cublasHandle_t handle, const Product &p) {
    if (handle == NULL) return context_no_handle(p.function);
    if (p.m < 0 || p.n < 0 || p.k < 0 || p.batches < 0)
        return context_refuse(p.function, "got m = %d, n = %d, k = %d, %d batches: none may be negative", p.m,
                              p.n, p.k, p.batches);
    if (!p.has_scalars) return context_refuse(p.function, "got no alpha or no beta");
    const Matrix a = {"a", p.op_a == CUBLAS_OP_N ? p.m : p.k, p.lda};
    const Matrix b = {"b", p.op_b == CUBLAS_OP_N ? p.k : p.n, p.ldb};
    const Matrix c = {"c", p.m, p.ldc};
    cublasStatus_t status = check_operation(p.function, p.op_a);
    if (status == CUBLAS_STATUS_SUCCESS) status = check_operation(p.function, p.op_b);
    if (status == CUBLAS_STATUS_SUCCESS) status = check_lead(p.function, a);
    if (status == CUBLAS_STATUS_SUCCESS) status = check_lead(p.function, b);
    if (status == CUBLAS_STATUS_SUCCESS) status = check_lead(p.function, c);
    if (status != CUBLAS_STATUS_SUCCESS) return status;
    if (pieces(p.n, HIGH * COLUMNS) > MOST_COLUMN_BLOCKS || p.batches > MOST_BATCHES)
        return context_lack(p.function, "with n = %d and %d batches does not fit into one launch here", p.n,
                            p.batches);
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- calls ---- */

template <typename In, typename Out, typename Sum, typename Given>
static cublasStatus_t launch_gemm(cublasHandle_t handle, Shape shape, int batches, Scalar<Given> alpha,
                                  Batch<const In> A, Batch<const In> B, Scalar<Given> beta, Batch<Out> C) {
    dim3 grid(pieces(shape.m, WIDE * ROWS), pieces(shape.n, HIGH * COLUMNS), (unsigned)batches);
    dim3 block(WIDE, HIGH);
    shape.next_a = A.distance;
    shape.next_b = B.distance;
    shape.next_c = C.distance;
    if (C.each != NULL)
        cublas_gemm_batched<In, Out, Sum, Given>
            <<<grid, block, 0, handle->stream>>>(shape, alpha, A.each, B.each, beta, C.each);
    else
        cublas_gemm<In, Out, Sum, Given>
            <<<grid, block, 0, handle->stream>>>(shape, alpha, A.first, B.first, beta, C.first);
    return context_status(cudaPeekAtLastError());
}

template <typename In, typename Out, typename Sum, typename Given>
static cublasStatus_t gemm(cublasHandle_t handle, const Product &p, const Given *alpha, Batch<const In> A,
                           Batch<const In> B, const Given *beta, Batch<Out> C) {
    cublasStatus_t status = check_product(handle, p);
    if (status != CUBLAS_STATUS_SUCCESS || p.m == 0 || p.n == 0 || p.batches == 0) return status;
    const Shape shape = {p.m, p.n, p.k, steps_of(p.op_a, p.lda), steps_of(p.op_b, p.ldb), Steps{1, p.ldc}};
    return launch_gemm<In, Out, Sum>(handle, shape, p.batches, scalar_of(handle, alpha), A, B,
                                     scalar_of(handle, beta), C);
}

template <typename T>
static cublasStatus_t gemv(const char *function, cublasHandle_t handle, cublasOperation_t operation, int m,
                           int n, const T *alpha, const T *A, int lda, const T *x, int incx, const T *beta,
                           T *y, int incy) {
    if (handle == NULL) return context_no_handle(function);
    if (alpha == NULL || beta == NULL) return context_refuse(function, "got no alpha or no beta");
    if (m < 0 || n < 0 || incx == 0 || incy == 0)
        return context_refuse(function,
                              "got m = %d, n = %d, incx = %d, incy = %d: sizes are not negative, steps not 0",
                              m, n, incx, incy);
    cublasStatus_t status = check_operation(function, operation);
    if (status == CUBLAS_STATUS_SUCCESS) status = check_lead(function, Matrix{"a", m, lda});
    if (status != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0) return status;
    int rows = operation == CUBLAS_OP_N ? m : n, sums = operation == CUBLAS_OP_N ? n : m;
    const Shape shape = {rows, 1, sums, steps_of(operation, lda), Steps{incx, 0}, Steps{incy, 0}};
    return launch_gemm<T, T, T>(handle, shape, 1, scalar_of(handle, alpha), alone(A),
                                alone(vector_begin(x, sums, incx)), scalar_of(handle, beta),
                                alone(vector_begin(y, rows, incy)));
}

/** A += alpha x y': beta is 1, wherever alpha lies. */
template <typename T>
static cublasStatus_t ger(const char *function, cublasHandle_t handle, int m, int n, const T *alpha,
                          const T *x, int incx, const T *y, int incy, T *A, int lda) {
    if (handle == NULL) return context_no_handle(function);
    if (alpha == NULL) return context_refuse(function, "got no alpha");
    if (m < 0 || n < 0 || incx == 0 || incy == 0)
        return context_refuse(function,
                              "got m = %d, n = %d, incx = %d, incy = %d: sizes are not negative, steps not 0",
                              m, n, incx, incy);
    cublasStatus_t status = check_lead(function, Matrix{"a", m, lda});
    if (status != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0) return status;
    const Shape shape = {m, n, 1, Steps{incx, 0}, Steps{0, incy}, Steps{1, lda}};
    const Scalar<T> one = {T(1), NULL};
    return launch_gemm<T, T, T>(handle, shape, 1, scalar_of(handle, alpha), alone(vector_begin(x, m, incx)),
                                alone(vector_begin(y, n, incy)), one, alone(A));
}

template <typename T>
static cublasStatus_t geam(cublasHandle_t handle, const Product &p, const T *alpha, const T *A, const T *beta,
                           const T *B, T *C) {
    if (handle == NULL) return context_no_handle(p.function);
    if (p.m < 0 || p.n < 0 || !p.has_scalars)
        return context_refuse(
            p.function, "got m = %d, n = %d: they may not be negative, and alpha and beta not be missing",
            p.m, p.n);
    cublasStatus_t status = check_operation(p.function, p.op_a);
    if (status == CUBLAS_STATUS_SUCCESS) status = check_operation(p.function, p.op_b);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = check_lead(p.function, Matrix{"a", p.op_a == CUBLAS_OP_N ? p.m : p.n, p.lda});
    if (status == CUBLAS_STATUS_SUCCESS)
        status = check_lead(p.function, Matrix{"b", p.op_b == CUBLAS_OP_N ? p.m : p.n, p.ldb});
    if (status == CUBLAS_STATUS_SUCCESS) status = check_lead(p.function, Matrix{"c", p.m, p.ldc});
    if (status != CUBLAS_STATUS_SUCCESS || p.m == 0 || p.n == 0) return status;
    dim3 grid(pieces(p.m, WIDE), pieces(p.n, HIGH));
    cublas_geam<<<grid, dim3(WIDE, HIGH), 0, handle->stream>>>(
        p.m, p.n, scalar_of(handle, alpha), A, steps_of(p.op_a, p.lda), scalar_of(handle, beta), B,
        steps_of(p.op_b, p.ldb), C, (long long)p.ldc);
    return context_status(cudaPeekAtLastError());
}

#define VECTORS(S, T)                                                                                        \
    CUBLAS_EXPORT cublasStatus_t cublas##S##gemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m,   \
                                                    int n, const T *alpha, const T *A, int lda, const T *x,  \
                                                    int incx, const T *beta, T *y, int incy) {               \
        return gemv(__func__, handle, trans, m, n, alpha, A, lda, x, incx, beta, y, incy);                   \
    }                                                                                                        \
    CUBLAS_EXPORT cublasStatus_t cublas##S##ger_v2(cublasHandle_t handle, int m, int n, const T *alpha,      \
                                                   const T *x, int incx, const T *y, int incy, T *A,         \
                                                   int lda) {                                                \
        return ger(__func__, handle, m, n, alpha, x, incx, y, incy, A, lda);                                 \
    }                                                                                                        \
    CUBLAS_EXPORT cublasStatus_t cublas##S##geam(                                                            \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,             \
        const T *alpha, const T *A, int lda, const T *beta, const T *B, int ldb, T *C, int ldc) {            \
        const Product p = {"cublas" #S "geam",           transa, transb, m, n, 0, lda, ldb, ldc, 1,          \
                           alpha != NULL && beta != NULL};                                                   \
        return geam(handle, p, alpha, A, beta, B, C);                                                        \
    }
VECTORS(S, float)
VECTORS(D, double)

#define MATRICES(name, symbol, T)                                                                            \
    CUBLAS_EXPORT cublasStatus_t symbol(                                                                     \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,      \
        const T *alpha, const T *A, int lda, const T *B, int ldb, const T *beta, T *C, int ldc) {            \
        const Product p = {name, transa, transb, m, n, k, lda, ldb, ldc, 1, alpha != NULL && beta != NULL};  \
        return multiply(handle, p, alpha, alone(A), alone(B), beta, alone(C));                               \
    }
#define BATCHES(symbol, T)                                                                                   \
    CUBLAS_EXPORT cublasStatus_t symbol(                                                                     \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,      \
        const T *alpha, const T *A, int lda, long long stride_a, const T *B, int ldb, long long stride_b,    \
        const T *beta, T *C, int ldc, long long stride_c, int batches) {                                     \
        const Product p = {                                                                                  \
            #symbol, transa, transb, m, n, k, lda, ldb, ldc, batches, alpha != NULL && beta != NULL};        \
        return multiply(handle, p, alpha, Batch<const T>{A, stride_a, NULL},                                 \
                        Batch<const T>{B, stride_b, NULL}, beta, Batch<T>{C, stride_c, NULL});               \
    }
#define POINTERS(symbol, T)                                                                                  \
    CUBLAS_EXPORT cublasStatus_t symbol(cublasHandle_t handle, cublasOperation_t transa,                     \
                                        cublasOperation_t transb, int m, int n, int k, const T *alpha,       \
                                        const T *const A[], int lda, const T *const B[], int ldb,            \
                                        const T *beta, T *const C[], int ldc, int batches) {                 \
        const Product p = {                                                                                  \
            #symbol, transa, transb, m, n, k, lda, ldb, ldc, batches, alpha != NULL && beta != NULL};        \
        return multiply(handle, p, alpha, Batch<const T>{NULL, 0, A}, Batch<const T>{NULL, 0, B}, beta,      \
                        Batch<T>{NULL, 0, C});                                                               \
    }

template <typename T>
static cublasStatus_t multiply(cublasHandle_t handle, const Product &p, const T *alpha, Batch<const T> A,
                               Batch<const T> B, const T *beta, Batch<T> C) {
    return gemm<T, T, T, T>(handle, p, alpha, A, B, beta, C);
}

/** Half's alpha and beta are half, and what is computed float. */
static cublasStatus_t multiply(cublasHandle_t handle, const Product &p, const __half *alpha,
                               Batch<const __half> A, Batch<const __half> B, const __half *beta,
                               Batch<__half> C) {
    return gemm<__half, __half, float, __half>(handle, p, alpha, A, B, beta, C);
}

MATRICES("cublasSgemm", cublasSgemm_v2, float)
MATRICES("cublasDgemm", cublasDgemm_v2, double)
MATRICES("cublasHgemm", cublasHgemm, __half)
BATCHES(cublasSgemmStridedBatched, float)
BATCHES(cublasDgemmStridedBatched, double)
BATCHES(cublasHgemmStridedBatched, __half)
POINTERS(cublasSgemmBatched, float)
POINTERS(cublasDgemmBatched, double)
POINTERS(cublasHgemmBatched, __half)

/* ---- gemm of any types ---- */

/** Of A and B, of C, and of alpha and beta, with the template's types. */
#define TYPED(in, out, scalars, In, Out, Sum, Given)                                                         \
    if (type_a == in && type_b == in && type_c == out && given == scalars)                                   \
    return gemm<In, Out, Sum, Given>(handle, p, (const Given *)alpha, typed<const In>(A),                    \
                                     typed<const In>(B), (const Given *)beta, typed<Out>(C))

template <typename T, typename Untyped> static Batch<T> typed(Batch<Untyped> batch) {
    return Batch<T>{(T *)batch.first, batch.distance, (T *const *)batch.each};
}

/** The type of alpha and beta, which is the one that is computed in; what is no type here for others. */
static cudaDataType scalar_type(cublasComputeType_t compute) {
    switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
        return CUDA_R_16F;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
        return CUDA_R_32F;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
        return CUDA_R_64F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
        break;
    }
    return CUDA_R_32I;
}

static cublasStatus_t gemm_typed(cublasHandle_t handle, const Product &p, const void *alpha,
                                 Batch<const void> A, cudaDataType type_a, Batch<const void> B,
                                 cudaDataType type_b, const void *beta, Batch<void> C, cudaDataType type_c,
                                 cublasComputeType_t compute) {
    cudaDataType given = scalar_type(compute);
    TYPED(CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, float, float, float, float);
    TYPED(CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, double, double, double, double);
    TYPED(CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, __half, __half, float, float);
    TYPED(CUDA_R_16F, CUDA_R_32F, CUDA_R_32F, __half, float, float, float);
    TYPED(CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, __half, __half, float, __half);
    TYPED(CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, __nv_bfloat16, __nv_bfloat16, float, float);
    TYPED(CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F, __nv_bfloat16, float, float, float);
    return context_lack(
        p.function,
        "has no A, B and C of the types %d, %d and %d, computed in type %d: the software GPU's "
        "cuBLAS has half with half or float, bfloat16 with bfloat16 or float, all float, all "
        "double",
        (int)type_a, (int)type_b, (int)type_c, (int)compute);
}
#undef TYPED

CUBLAS_EXPORT cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k, const void *alpha,
                                          const void *A, cudaDataType type_a, int lda, const void *B,
                                          cudaDataType type_b, int ldb, const void *beta, void *C,
                                          cudaDataType type_c, int ldc, cublasComputeType_t compute,
                                          cublasGemmAlgo_t) {
    const Product p = {
        "cublasGemmEx", transa, transb, m, n, k, lda, ldb, ldc, 1, alpha != NULL && beta != NULL};
    return gemm_typed(handle, p, alpha, alone(A), type_a, alone(B), type_b, beta, alone(C), type_c, compute);
}

CUBLAS_EXPORT cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void *alpha, const void *A, cudaDataType type_a, int lda, long long stride_a, const void *B,
    cudaDataType type_b, int ldb, long long stride_b, const void *beta, void *C, cudaDataType type_c, int ldc,
    long long stride_c, int batches, cublasComputeType_t compute, cublasGemmAlgo_t) {
    const Product p = {"cublasGemmStridedBatchedEx", transa, transb, m, n, k, lda, ldb, ldc, batches,
                       alpha != NULL && beta != NULL};
    return gemm_typed(handle, p, alpha, Batch<const void>{A, stride_a, NULL}, type_a,
                      Batch<const void>{B, stride_b, NULL}, type_b, beta, Batch<void>{C, stride_c, NULL},
                      type_c, compute);
}

CUBLAS_EXPORT cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                                 cublasOperation_t transb, int m, int n, int k,
                                                 const void *alpha, const void *const A[],
                                                 cudaDataType type_a, int lda, const void *const B[],
                                                 cudaDataType type_b, int ldb, const void *beta,
                                                 void *const C[], cudaDataType type_c, int ldc, int batches,
                                                 cublasComputeType_t compute, cublasGemmAlgo_t) {
    const Product p = {"cublasGemmBatchedEx",        transa, transb, m, n, k, lda, ldb, ldc, batches,
                       alpha != NULL && beta != NULL};
    return gemm_typed(handle, p, alpha, Batch<const void>{NULL, 0, A}, type_a, Batch<const void>{NULL, 0, B},
                      type_b, beta, Batch<void>{NULL, 0, C}, type_c, compute);
}

CUBLAS_EXPORT cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa,
                                           cublasOperation_t transb, int m, int n, int k, const float *alpha,
                                           const void *A, cudaDataType type_a, int lda, const void *B,
                                           cudaDataType type_b, int ldb, const float *beta, void *C,
                                           cudaDataType type_c, int ldc) {
    const Product p = {
        "cublasSgemmEx", transa, transb, m, n, k, lda, ldb, ldc, 1, alpha != NULL && beta != NULL};
    return gemm_typed(handle, p, alpha, alone(A), type_a, alone(B), type_b, beta, alone(C), type_c,
                      CUBLAS_COMPUTE_32F);
}
