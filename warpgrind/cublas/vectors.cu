/* vectors.cu - what is done element by element: axpy, scal, copy, swap. A thread an element. */
#include "cublas/scalar.cuh"

enum { THREADS = 256 };

/** Where the calling thread's element is; -1 beyond the last. */
static __device__ inline long long element_of_thread(int n) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    return i < n ? i : -1;
}

template <typename T>
__global__ void cublas_axpy(int n, Scalar<T> alpha, const T *x, long long incx, T *y, long long incy) {
    long long i = element_of_thread(n);
    if (i >= 0) y[i * incy] += alpha.get() * x[i * incx];
}

template <typename T> __global__ void cublas_scal(int n, Scalar<T> alpha, T *x, long long incx) {
    long long i = element_of_thread(n);
    if (i >= 0) x[i * incx] *= alpha.get();
}

template <typename T> __global__ void cublas_copy(int n, const T *x, long long incx, T *y, long long incy) {
    long long i = element_of_thread(n);
    if (i >= 0) y[i * incy] = x[i * incx];
}

template <typename T> __global__ void cublas_swap(int n, T *x, long long incx, T *y, long long incy) {
    long long i = element_of_thread(n);
    if (i < 0) return;
    T kept = x[i * incx];
    x[i * incx] = y[i * incy];
    y[i * incy] = kept;
}

static unsigned blocks_for(int n) {
    return ((unsigned)n + THREADS - 1) / THREADS;
}

/** Vectors of no element are nothing to do. */
#define CHECK_CALL(function, handle, n)                                                                      \
    if (handle == NULL) return context_no_handle(function);                                                  \
    if (n <= 0) return CUBLAS_STATUS_SUCCESS

template <typename T>
static cublasStatus_t axpy(const char *function, cublasHandle_t handle, int n, const T *alpha, const T *x,
                           int incx, T *y, int incy) {
    CHECK_CALL(function, handle, n);
    if (alpha == NULL) return context_refuse(function, "got no alpha");
    cublas_axpy<<<blocks_for(n), THREADS, 0, handle->stream>>>(
        n, scalar_of(handle, alpha), vector_begin(x, n, incx), incx, vector_begin(y, n, incy), incy);
    return context_status(cudaPeekAtLastError());
}

template <typename T>
static cublasStatus_t scal(const char *function, cublasHandle_t handle, int n, const T *alpha, T *x,
                           int incx) {
    CHECK_CALL(function, handle, n);
    if (alpha == NULL) return context_refuse(function, "got no alpha");
    if (incx <= 0) return CUBLAS_STATUS_SUCCESS;
    cublas_scal<<<blocks_for(n), THREADS, 0, handle->stream>>>(n, scalar_of(handle, alpha), x, incx);
    return context_status(cudaPeekAtLastError());
}

template <typename T>
static cublasStatus_t copy(const char *function, cublasHandle_t handle, int n, const T *x, int incx, T *y,
                           int incy) {
    CHECK_CALL(function, handle, n);
    cublas_copy<<<blocks_for(n), THREADS, 0, handle->stream>>>(n, vector_begin(x, n, incx), incx,
                                                               vector_begin(y, n, incy), incy);
    return context_status(cudaPeekAtLastError());
}

template <typename T>
static cublasStatus_t swap(const char *function, cublasHandle_t handle, int n, T *x, int incx, T *y,
                           int incy) {
    CHECK_CALL(function, handle, n);
    cublas_swap<<<blocks_for(n), THREADS, 0, handle->stream>>>(n, vector_begin(x, n, incx), incx,
                                                               vector_begin(y, n, incy), incy);
    return context_status(cudaPeekAtLastError());
}

#define FUNCTIONS(S, T)                                                                                      \
    CUBLAS_EXPORT cublasStatus_t cublas##S##axpy_v2(cublasHandle_t handle, int n, const T *alpha,            \
                                                    const T *x, int incx, T *y, int incy) {                  \
        return axpy(__func__, handle, n, alpha, x, incx, y, incy);                                           \
    }                                                                                                        \
    CUBLAS_EXPORT cublasStatus_t cublas##S##scal_v2(cublasHandle_t handle, int n, const T *alpha, T *x,      \
                                                    int incx) {                                              \
        return scal(__func__, handle, n, alpha, x, incx);                                                    \
    }                                                                                                        \
    CUBLAS_EXPORT cublasStatus_t cublas##S##copy_v2(cublasHandle_t handle, int n, const T *x, int incx,      \
                                                    T *y, int incy) {                                        \
        return copy(__func__, handle, n, x, incx, y, incy);                                                  \
    }                                                                                                        \
    CUBLAS_EXPORT cublasStatus_t cublas##S##swap_v2(cublasHandle_t handle, int n, T *x, int incx, T *y,      \
                                                    int incy) {                                              \
        return swap(__func__, handle, n, x, incx, y, incy);                                                  \
    }
FUNCTIONS(S, float)
FUNCTIONS(D, double)
