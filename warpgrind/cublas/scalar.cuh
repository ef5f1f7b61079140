/* scalar.cuh - what the kernels share: alpha and beta, which lie on the host or on the device, and elements
 * that are computed in a wider type.
 */
#ifndef CUBLAS_SCALAR_CUH
#define CUBLAS_SCALAR_CUH

#include "cublas/context.h"

/** A value that the call had, or the device's address of one that is read when the kernel runs. */
template <typename T> struct Scalar {
    T value;
    const T *at;
    __device__ T get() const {
        if (at) return *at;
        return value;
    }
};

template <typename T> static Scalar<T> scalar_of(cublasHandle_t handle, const T *from) {
    Scalar<T> scalar = {};
    if (handle->pointers == CUBLAS_POINTER_MODE_DEVICE)
        scalar.at = from;
    else
        scalar.value = *from;
    return scalar;
}

static __device__ inline float widen(float value) {
    return value;
}
static __device__ inline double widen(double value) {
    return value;
}
static __device__ inline float widen(__half value) {
    return __half2float(value);
}
static __device__ inline float widen(__nv_bfloat16 value) {
    return __bfloat162float(value);
}

static __device__ inline void narrow(float *to, float value) {
    *to = value;
}
static __device__ inline void narrow(double *to, double value) {
    *to = value;
}
static __device__ inline void narrow(__half *to, float value) {
    *to = __float2half(value);
}
static __device__ inline void narrow(__nv_bfloat16 *to, float value) {
    *to = __float2bfloat16(value);
}

/** Where element 0 of a vector lies: with a negative step, at its end. */
template <typename T> static T *vector_begin(T *x, int n, int step) {
    return step < 0 ? x + (long long)(1 - n) * step : x;
}

#endif
