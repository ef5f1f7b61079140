/* cuda_fp16.h - half precision: __half and __half2. What bfloat16 has as well is in small_float.h. */
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include "cuda_runtime.h"

#if defined(__cplusplus) && defined(__CUDA__)

#include "warpgrind/small_rounding.h"

__WARPGRIND_BOTH__ float __warpgrind_half_value(unsigned short bits) {
    float value;
#ifdef __CUDA_ARCH__
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
#else
    unsigned int sign = (unsigned int)(bits & 0x8000) << 16, exponent = bits >> 10 & 0x1f,
                 fraction = bits & 0x3ff;
    if (exponent == 0) {
        value = (float)fraction * 5.9604644775390625e-8f; /* 2^-24 */
        return sign ? -value : value;
    }
    unsigned int word = sign | (exponent == 31 ? 0x7f800000 : (exponent + 112) << 23) | fraction << 13;
    __builtin_memcpy(&value, &word, sizeof value);
#endif
    return value;
}

#define WARPGRIND_SMALL __half
#define WARPGRIND_PAIR __half2
#define WARPGRIND_RAW __half_raw
#define WARPGRIND_PAIR_RAW __half2_raw
#define WARPGRIND_NAME half
#define WARPGRIND_PTX f16
#define WARPGRIND_EXPONENT 5
#define WARPGRIND_FRACTION 10
#include "warpgrind/small_float.h"

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

__WARPGRIND_BOTH__ __half2 __half2half2(__half a) {
    return __half2(a, a);
}

__WARPGRIND_DEVICE__ __half atomicAdd(__half *address, __half value) {
    __half old;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;"
                 : "=h"(old.__x)
                 : "l"(address), "h"(value.__x)
                 : "memory");
    return old;
}
__WARPGRIND_DEVICE__ __half2 atomicAdd(__half2 *address, __half2 value) {
    unsigned int old, bits = value.x.__x | (unsigned int)value.y.__x << 16;
    asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(old) : "l"(address), "r"(bits) : "memory");
    return __half2(__half2_raw{(unsigned short)old, (unsigned short)(old >> 16)});
}

#endif
#endif
