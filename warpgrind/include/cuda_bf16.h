/* cuda_bf16.h - bfloat16: __nv_bfloat16 and __nv_bfloat162, the upper halves of floats. What half precision
 * has as well is in small_float.h. */
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#include "cuda_runtime.h"
#include "cuda_fp16.h"

#if defined(__cplusplus) && defined(__CUDA__)

#include "warpgrind/small_rounding.h"

__WARPGRIND_BOTH__ float __warpgrind_bfloat16_value(unsigned short bits) {
    const unsigned int word = (unsigned int)bits << 16;
    float value;
    __builtin_memcpy(&value, &word, sizeof value);
    return value;
}

#define WARPGRIND_SMALL __nv_bfloat16
#define WARPGRIND_PAIR __nv_bfloat162
#define WARPGRIND_RAW __nv_bfloat16_raw
#define WARPGRIND_PAIR_RAW __nv_bfloat162_raw
#define WARPGRIND_NAME bfloat16
#define WARPGRIND_PTX bf16
#define WARPGRIND_EXPONENT 8
#define WARPGRIND_FRACTION 7
#include "warpgrind/small_float.h"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

__WARPGRIND_BOTH__ __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) {
    return __nv_bfloat162(a, a);
}

/* By compare and swap: one instruction for it exists only from compute capability 9.0 on. */
__WARPGRIND_DEVICE__ __nv_bfloat16 atomicAdd(__nv_bfloat16 *address, __nv_bfloat16 value) {
    unsigned short *word = (unsigned short *)address, old = *(volatile unsigned short *)word, seen;
    do {
        seen = old;
        old = atomicCAS(word, seen, __hadd(__ushort_as_bfloat16(seen), value).__x);
    } while (old != seen);
    return __ushort_as_bfloat16(old);
}
__WARPGRIND_DEVICE__ __nv_bfloat162 atomicAdd(__nv_bfloat162 *address, __nv_bfloat162 value) {
    unsigned int *word = (unsigned int *)address, old = *(volatile unsigned int *)word, seen;
    __nv_bfloat162 before;
    do {
        seen = old;
        before = __nv_bfloat162(__nv_bfloat162_raw{(unsigned short)seen, (unsigned short)(seen >> 16)});
        const __nv_bfloat162 sum = __hadd2(before, value);
        old = atomicCAS(word, seen, sum.x.__x | (unsigned int)sum.y.__x << 16);
    } while (old != seen);
    return before;
}

#endif
#endif
