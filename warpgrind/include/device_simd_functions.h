/* device_simd_functions.h - arithmetic on two halves or four bytes of a word, and the comparisons of dynamic
 * programming.
 *
 * One row is a function of lanes x and y, which are signed (S) or unsigned (U) and wider than the lane; what
 * it makes is cut to the lane again. `top` and `bottom` are the lane's largest and smallest values.
 * Source: CUDA Math API, SIMD Intrinsics.
 */
#ifndef WARPGRIND_DEVICE_SIMD_FUNCTIONS_H
#define WARPGRIND_DEVICE_SIMD_FUNCTIONS_H

#include "host_defines.h"

#define WARPGRIND_LANE_S(word, place, bits) ((int)((word) << (32 - (bits) - (place))) >> (32 - (bits)))
#define WARPGRIND_LANE_U(word, place, bits) ((int)((word) >> (place) & ((1u << (bits)) - 1)))
#define WARPGRIND_TOP_S(bits) ((1 << ((bits)-1)) - 1)
#define WARPGRIND_TOP_U(bits) ((1 << (bits)) - 1)
#define WARPGRIND_BOTTOM_S(bits) (-(1 << ((bits)-1)))
#define WARPGRIND_BOTTOM_U(bits) 0
#define WARPGRIND_CLAMP(value) ((value) < bottom ? bottom : (value) > top ? top : (value))
#define WARPGRIND_DISTANCE (x > y ? x - y : y - x)

#define WARPGRIND_LANES(name, bits, kind, parameters, b, expression)                                         \
    __WARPGRIND_DEVICE__ unsigned int name parameters {                                                      \
        const int top = WARPGRIND_TOP_##kind(bits), bottom = WARPGRIND_BOTTOM_##kind(bits);                  \
        unsigned int result = 0;                                                                             \
        for (int place = 0; place < 32; place += bits) {                                                     \
            const int x = WARPGRIND_LANE_##kind(a, place, bits), y = WARPGRIND_LANE_##kind(b, place, bits);  \
            result |= ((unsigned int)(expression) & ((1u << bits) - 1)) << place;                            \
            (void)x, (void)y, (void)top, (void)bottom;                                                       \
        }                                                                                                    \
        return result;                                                                                       \
    }
#define WARPGRIND_SIMD(name, kind, expression)                                                               \
    WARPGRIND_LANES(name##2, 16, kind, (unsigned int a, unsigned int b), b, expression)                      \
    WARPGRIND_LANES(name##4, 8, kind, (unsigned int a, unsigned int b), b, expression)
#define WARPGRIND_SIMD_UNARY(name, expression)                                                               \
    WARPGRIND_LANES(name##2, 16, S, (unsigned int a), 0u, expression)                                        \
    WARPGRIND_LANES(name##4, 8, S, (unsigned int a), 0u, expression)
/* In both: all bits of the lane set (cmp), or its lowest (set). */
#define WARPGRIND_SIMD_COMPARE(name, kind, condition)                                                        \
    WARPGRIND_SIMD(__vcmp##name, kind, (condition) ? -1 : 0)                                                 \
    WARPGRIND_SIMD(__vset##name, kind, (condition) ? 1 : 0)
#define WARPGRIND_SIMD_SUM(name, bits, kind)                                                                 \
    __WARPGRIND_DEVICE__ unsigned int name(unsigned int a, unsigned int b) {                                 \
        unsigned int sum = 0;                                                                                \
        for (int place = 0; place < 32; place += bits) {                                                     \
            const int x = WARPGRIND_LANE_##kind(a, place, bits), y = WARPGRIND_LANE_##kind(b, place, bits);  \
            sum += (unsigned int)WARPGRIND_DISTANCE;                                                         \
        }                                                                                                    \
        return sum;                                                                                          \
    }

WARPGRIND_SIMD(__vadd, U, x + y)
WARPGRIND_SIMD(__vaddss, S, WARPGRIND_CLAMP(x + y))
WARPGRIND_SIMD(__vaddus, U, WARPGRIND_CLAMP(x + y))
WARPGRIND_SIMD(__vsub, U, x - y)
WARPGRIND_SIMD(__vsubss, S, WARPGRIND_CLAMP(x - y))
WARPGRIND_SIMD(__vsubus, U, WARPGRIND_CLAMP(x - y))
/* Means: rounded away from zero (avg), or down (hadd). */
WARPGRIND_SIMD(__vavgs, S, (x + y + (x + y >= 0)) >> 1)
WARPGRIND_SIMD(__vavgu, U, (x + y + 1) >> 1)
WARPGRIND_SIMD(__vhaddu, U, (x + y) >> 1)
WARPGRIND_SIMD(__vabsdiffs, S, WARPGRIND_DISTANCE)
WARPGRIND_SIMD(__vabsdiffu, U, WARPGRIND_DISTANCE)
WARPGRIND_SIMD(__vmaxs, S, x > y ? x : y)
WARPGRIND_SIMD(__vmaxu, U, x > y ? x : y)
WARPGRIND_SIMD(__vmins, S, x < y ? x : y)
WARPGRIND_SIMD(__vminu, U, x < y ? x : y)
WARPGRIND_SIMD_UNARY(__vabs, x < 0 ? -x : x)
WARPGRIND_SIMD_UNARY(__vabsss, WARPGRIND_CLAMP(x < 0 ? -x : x))
WARPGRIND_SIMD_UNARY(__vneg, -x)
WARPGRIND_SIMD_UNARY(__vnegss, WARPGRIND_CLAMP(-x))
WARPGRIND_SIMD_COMPARE(eq, U, x == y)
WARPGRIND_SIMD_COMPARE(ne, U, x != y)
WARPGRIND_SIMD_COMPARE(ges, S, x >= y)
WARPGRIND_SIMD_COMPARE(geu, U, x >= y)
WARPGRIND_SIMD_COMPARE(gts, S, x > y)
WARPGRIND_SIMD_COMPARE(gtu, U, x > y)
WARPGRIND_SIMD_COMPARE(les, S, x <= y)
WARPGRIND_SIMD_COMPARE(leu, U, x <= y)
WARPGRIND_SIMD_COMPARE(lts, S, x < y)
WARPGRIND_SIMD_COMPARE(ltu, U, x < y)
WARPGRIND_SIMD_SUM(__vsads2, 16, S)
WARPGRIND_SIMD_SUM(__vsads4, 8, S)
WARPGRIND_SIMD_SUM(__vsadu2, 16, U)
WARPGRIND_SIMD_SUM(__vsadu4, 8, U)

/* ---- dynamic programming: one word (s32, u32) or its two halves (s16x2, u16x2) ---- */

#define WARPGRIND_DP(name, sign, T, pick, sum)                                                               \
    __WARPGRIND_DEVICE__ T __vi##name##3_##sign(T a, T b, T c) {                                             \
        return pick(pick(a, b), c);                                                                          \
    }                                                                                                        \
    __WARPGRIND_DEVICE__ T __viadd##name##_##sign(T a, T b, T c) {                                           \
        return pick(sum(a, b), c);                                                                           \
    }
/* Nothing below zero comes out. */
#define WARPGRIND_DP_RELU(name, sign, T, pick, sum, floor)                                                   \
    __WARPGRIND_DEVICE__ T __vi##name##_##sign##_relu(T a, T b) {                                            \
        return floor(pick(a, b), 0);                                                                         \
    }                                                                                                        \
    __WARPGRIND_DEVICE__ T __vi##name##3_##sign##_relu(T a, T b, T c) {                                      \
        return floor(__vi##name##3_##sign(a, b, c), 0);                                                      \
    }                                                                                                        \
    __WARPGRIND_DEVICE__ T __viadd##name##_##sign##_relu(T a, T b, T c) {                                    \
        return floor(__viadd##name##_##sign(a, b, c), 0);                                                    \
    }
#define WARPGRIND_MAX32(a, b) ((a) > (b) ? (a) : (b))
#define WARPGRIND_MIN32(a, b) ((a) < (b) ? (a) : (b))
#define WARPGRIND_SUM_S32(a, b) ((int)((unsigned int)(a) + (unsigned int)(b)))
#define WARPGRIND_SUM_U32(a, b) ((a) + (b))

WARPGRIND_DP(max, s32, int, WARPGRIND_MAX32, WARPGRIND_SUM_S32)
WARPGRIND_DP(min, s32, int, WARPGRIND_MIN32, WARPGRIND_SUM_S32)
WARPGRIND_DP(max, u32, unsigned int, WARPGRIND_MAX32, WARPGRIND_SUM_U32)
WARPGRIND_DP(min, u32, unsigned int, WARPGRIND_MIN32, WARPGRIND_SUM_U32)
WARPGRIND_DP(max, s16x2, unsigned int, __vmaxs2, __vadd2)
WARPGRIND_DP(min, s16x2, unsigned int, __vmins2, __vadd2)
WARPGRIND_DP(max, u16x2, unsigned int, __vmaxu2, __vadd2)
WARPGRIND_DP(min, u16x2, unsigned int, __vminu2, __vadd2)
WARPGRIND_DP_RELU(max, s32, int, WARPGRIND_MAX32, WARPGRIND_SUM_S32, WARPGRIND_MAX32)
WARPGRIND_DP_RELU(min, s32, int, WARPGRIND_MIN32, WARPGRIND_SUM_S32, WARPGRIND_MAX32)
WARPGRIND_DP_RELU(max, s16x2, unsigned int, __vmaxs2, __vadd2, __vmaxs2)
WARPGRIND_DP_RELU(min, s16x2, unsigned int, __vmins2, __vadd2, __vmaxs2)

/* Also which of the two it was: true for a, also where both are the same. */
#define WARPGRIND_DP_CHOICE(name, sign, T, condition)                                                        \
    __WARPGRIND_DEVICE__ T __vib##name##_##sign(T a, T b, bool *first) {                                     \
        *first = condition;                                                                                  \
        return *first ? a : b;                                                                               \
    }
WARPGRIND_DP_CHOICE(max, s32, int, a >= b)
WARPGRIND_DP_CHOICE(min, s32, int, a <= b)
WARPGRIND_DP_CHOICE(max, u32, unsigned int, a >= b)
WARPGRIND_DP_CHOICE(min, u32, unsigned int, a <= b)
#define WARPGRIND_DP_CHOICE2(name, sign, best, no_worse)                                                     \
    __WARPGRIND_DEVICE__ unsigned int __vib##name##_##sign(unsigned int a, unsigned int b, bool *high,       \
                                                           bool *low) {                                      \
        const unsigned int first = no_worse(a, b);                                                           \
        *high = first >> 16 != 0;                                                                            \
        *low = (first & 1) != 0;                                                                             \
        return best(a, b);                                                                                   \
    }
WARPGRIND_DP_CHOICE2(max, s16x2, __vmaxs2, __vsetges2)
WARPGRIND_DP_CHOICE2(min, s16x2, __vmins2, __vsetles2)
WARPGRIND_DP_CHOICE2(max, u16x2, __vmaxu2, __vsetgeu2)
WARPGRIND_DP_CHOICE2(min, u16x2, __vminu2, __vsetleu2)

#undef WARPGRIND_LANE_S
#undef WARPGRIND_LANE_U
#undef WARPGRIND_TOP_S
#undef WARPGRIND_TOP_U
#undef WARPGRIND_BOTTOM_S
#undef WARPGRIND_BOTTOM_U
#undef WARPGRIND_CLAMP
#undef WARPGRIND_DISTANCE
#undef WARPGRIND_LANES
#undef WARPGRIND_SIMD
#undef WARPGRIND_SIMD_UNARY
#undef WARPGRIND_SIMD_COMPARE
#undef WARPGRIND_SIMD_SUM
#undef WARPGRIND_DP
#undef WARPGRIND_DP_RELU
#undef WARPGRIND_MAX32
#undef WARPGRIND_MIN32
#undef WARPGRIND_SUM_S32
#undef WARPGRIND_SUM_U32
#undef WARPGRIND_DP_CHOICE
#undef WARPGRIND_DP_CHOICE2

#endif
