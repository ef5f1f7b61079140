/* reduce.cu - what makes one number of vectors: dot, nrm2, asum, and where the largest and smallest are.
 *
 * One block strides over the vector and adds up in a tree, so that the result is the same in every run. With
 * the handle's pointers on the host the number is made in a variable of the device, copied, and waited for.
 */
#include "cublas/scalar.cuh"

enum { THREADS = 256, PLACES = 64 };

/** Handle number i has place i modulo PLACES. LIMIT: handles that share one must not be used at once. */
static __device__ double results[PLACES];

/* ---- sums ---- */

enum Sum { SUM_PRODUCTS, SUM_SQUARES, SUM_MAGNITUDES };

template <Sum sum, typename T> static __device__ T term(T x, T y) {
    if (sum == SUM_PRODUCTS) return x * y;
    if (sum == SUM_SQUARES) return x * x;
    return x < 0 ? -x : x;
}

/** Squares are added up in double: a float's overflow. */
template <Sum sum, typename T, typename Wide>
__global__ void cublas_sum(int n, const T *x, long long incx, const T *y, long long incy, T *result) {
    __shared__ Wide sums[THREADS];
    Wide own = 0;
    for (long long i = threadIdx.x; i < n; i += THREADS)
        own += term<sum, Wide>(x[i * incx], sum == SUM_PRODUCTS ? y[i * incy] : T(0));
    sums[threadIdx.x] = own;
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x > 0) return;
    *result = sum == SUM_SQUARES ? (T)sqrt((double)sums[0]) : (T)sums[0];
}

/* ---- places ---- */

/** The index, from 1, of the largest magnitude or the smallest, and the first of several. */
template <bool largest, typename T> static __device__ bool is_ahead(T a, int index_a, T b, int index_b) {
    if (index_b == 0) return index_a != 0;
    if (index_a == 0) return false;
    if (a == b) return index_a < index_b;
    return largest ? a > b : a < b;
}

template <bool largest, typename T>
__global__ void cublas_place(int n, const T *x, long long incx, int *result) {
    __shared__ T values[THREADS];
    __shared__ int places[THREADS];
    T best = 0;
    int place = 0;
    for (int i = threadIdx.x; i < n; i += THREADS) {
        T value = term<SUM_MAGNITUDES, T>(x[i * incx], 0);
        if (!is_ahead<largest>(value, i + 1, best, place)) continue;
        best = value;
        place = i + 1;
    }
    values[threadIdx.x] = best;
    places[threadIdx.x] = place;
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        unsigned other = threadIdx.x + half;
        if (threadIdx.x >= half ||
            !is_ahead<largest>(values[other], places[other], values[threadIdx.x], places[threadIdx.x]))
            continue;
        values[threadIdx.x] = values[other];
        places[threadIdx.x] = places[other];
    }
    if (threadIdx.x == 0) *result = places[0];
}

/* ---- calls ---- */

/** With the handle's pointers on the host, a result does not go to memory that only the device has. */
static cublasStatus_t check_result(const char *function, cublasHandle_t handle, const void *result) {
    cudaPointerAttributes memory = {};
    if (result == NULL) return context_refuse(function, "got no place for its result");
    if (handle->pointers == CUBLAS_POINTER_MODE_DEVICE) return CUBLAS_STATUS_SUCCESS;
    if (cudaPointerGetAttributes(&memory, result) != cudaSuccess || memory.type != cudaMemoryTypeDevice)
        return CUBLAS_STATUS_SUCCESS;
    return context_refuse_side(function);
}

/** Where the kernel writes: the program's variable on the device, or this handle's place. */
template <typename R> static cublasStatus_t result_place(cublasHandle_t handle, R *result, R **place) {
    *place = result;
    if (handle->pointers == CUBLAS_POINTER_MODE_DEVICE) return CUBLAS_STATUS_SUCCESS;
    void *first = NULL;
    cudaError_t error = cudaGetSymbolAddress(&first, results);
    *place = (R *)((double *)first + handle->number % PLACES);
    return context_status(error);
}

template <typename R> static cublasStatus_t result_fetch(cublasHandle_t handle, R *result, const R *place) {
    cudaError_t error = cudaPeekAtLastError();
    if (error == cudaSuccess && handle->pointers == CUBLAS_POINTER_MODE_HOST)
        error = cudaMemcpyAsync(result, place, sizeof *result, cudaMemcpyDeviceToHost, handle->stream);
    if (error == cudaSuccess && handle->pointers == CUBLAS_POINTER_MODE_HOST)
        error = cudaStreamSynchronize(handle->stream);
    return context_status(error);
}

template <Sum sum, typename T, typename Wide>
static cublasStatus_t add_up(const char *function, cublasHandle_t handle, int n, const T *x, int incx,
                             const T *y, int incy, T *result) {
    if (handle == NULL) return context_no_handle(function);
    cublasStatus_t status = check_result(function, handle, result);
    if (status != CUBLAS_STATUS_SUCCESS) return status;
    if (n < 0 || (sum != SUM_PRODUCTS && incx <= 0)) n = 0;
    T *place;
    status = result_place(handle, result, &place);
    if (status != CUBLAS_STATUS_SUCCESS) return status;
    cublas_sum<sum, T, Wide><<<1, THREADS, 0, handle->stream>>>(n, vector_begin(x, n, incx), incx,
                                                                vector_begin(y, n, incy), incy, place);
    return result_fetch(handle, result, place);
}

template <bool largest, typename T>
static cublasStatus_t find_place(const char *function, cublasHandle_t handle, int n, const T *x, int incx,
                                 int *result) {
    if (handle == NULL) return context_no_handle(function);
    cublasStatus_t status = check_result(function, handle, result);
    if (status != CUBLAS_STATUS_SUCCESS) return status;
    if (n < 0 || incx <= 0) n = 0;
    int *place;
    status = result_place(handle, result, &place);
    if (status != CUBLAS_STATUS_SUCCESS) return status;
    cublas_place<largest, T><<<1, THREADS, 0, handle->stream>>>(n, x, incx, place);
    return result_fetch(handle, result, place);
}

#define FUNCTIONS(S, s, T)                                                                                   \
    CUBLAS_EXPORT cublasStatus_t cublas##S##dot_v2(cublasHandle_t handle, int n, const T *x, int incx,       \
                                                   const T *y, int incy, T *result) {                        \
        return add_up<SUM_PRODUCTS, T, T>(__func__, handle, n, x, incx, y, incy, result);                    \
    }                                                                                                        \
    CUBLAS_EXPORT cublasStatus_t cublas##S##nrm2_v2(cublasHandle_t handle, int n, const T *x, int incx,      \
                                                    T *result) {                                             \
        return add_up<SUM_SQUARES, T, double>(__func__, handle, n, x, incx, x, incx, result);                \
    }                                                                                                        \
    CUBLAS_EXPORT cublasStatus_t cublas##S##asum_v2(cublasHandle_t handle, int n, const T *x, int incx,      \
                                                    T *result) {                                             \
        return add_up<SUM_MAGNITUDES, T, T>(__func__, handle, n, x, incx, x, incx, result);                  \
    }                                                                                                        \
    CUBLAS_EXPORT cublasStatus_t cublasI##s##amax_v2(cublasHandle_t handle, int n, const T *x, int incx,     \
                                                     int *result) {                                          \
        return find_place<true>(__func__, handle, n, x, incx, result);                                       \
    }                                                                                                        \
    CUBLAS_EXPORT cublasStatus_t cublasI##s##amin_v2(cublasHandle_t handle, int n, const T *x, int incx,     \
                                                     int *result) {                                          \
        return find_place<false>(__func__, handle, n, x, incx, result);                                      \
    }
FUNCTIONS(S, s, float)
FUNCTIONS(D, d, double)
