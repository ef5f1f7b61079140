/* curand_kernel.h - random numbers in kernels: XORWOW, Philox4_32_10 and MRG32k3a, with the numbers that
 * NVIDIA's header gives for the same seed, subsequence and offset.
 *
 * Whole numbers and uniform ones are the same bit by bit. Normal, log-normal and Poisson ones come from them
 * by logarithms and exponentials, whose last bits may differ; where the original's compiler joins a product
 * and a sum, an fma stands here. Sobol's points are in warpgrind/sobol.h. LIMIT: no MTGP32 generator, and no
 * Poisson numbers from Sobol's points. Source: cuRAND Library, Device API; Marsaglia, Xorshift RNGs; Salmon
 * et al., Parallel random numbers: as easy as 1, 2, 3; L'Ecuyer, Good parameters and implementations for
 * combined multiple recursive random number generators.
 */
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include "cuda_runtime.h"
#include "curand.h"

/* What every generator's state has: the second number of a pair of normal ones waits for the next call. */
#define WARPGRIND_PAIRED                                                                                     \
    int boxmuller_flag, boxmuller_flag_double;                                                               \
    float boxmuller_extra;                                                                                   \
    double boxmuller_extra_double;

struct curandStateXORWOW {
    unsigned int d, v[5];
    WARPGRIND_PAIRED
};
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned int STATE; /* how many of `output` were given out */
    WARPGRIND_PAIRED
};
struct curandStateMRG32k3a {
    unsigned int s1[3], s2[3];
    WARPGRIND_PAIRED
};
#undef WARPGRIND_PAIRED
typedef struct curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

#if defined(__cplusplus) && defined(__CUDA__)
#include "curand_xorwow_jumps.h"

enum { __warpgrind_pair_normal = 1, __warpgrind_pair_log_normal = 2 };

template <typename State> __WARPGRIND_DEVICE__ void __warpgrind_no_pair(State *state) {
    state->boxmuller_flag = state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
}

/* ---- XORWOW: a xorshift of five words, and a counter ---- */

__WARPGRIND_DEVICE__ void __warpgrind_xorshift(unsigned int v[5]) {
    unsigned int t = v[0] ^ v[0] >> 2;
    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
}

__WARPGRIND_DEVICE__ unsigned int curand(curandStateXORWOW_t *state) {
    __warpgrind_xorshift(state->v);
    state->d += 362437;
    return state->v[4] + state->d;
}

/* The sum of those states on the way that the jump's polynomial names. */
__WARPGRIND_DEVICE__ void __warpgrind_xorwow_jump(unsigned int v[5], const unsigned int polynomial[5]) {
    unsigned int sum[5] = {0, 0, 0, 0, 0};
    for (int word = 0; word < 5; word++) {
        unsigned int bits = polynomial[word];
        for (int i = 0; i < 32; i++, bits >>= 1) {
            unsigned int taken = 0u - (bits & 1);
            sum[0] ^= v[0] & taken;
            sum[1] ^= v[1] & taken;
            sum[2] ^= v[2] & taken;
            sum[3] ^= v[3] & taken;
            sum[4] ^= v[4] & taken;
            __warpgrind_xorshift(v);
        }
    }
    for (int i = 0; i < 5; i++)
        v[i] = sum[i];
}

__WARPGRIND_DEVICE__ void __warpgrind_xorwow_jumps_of(unsigned int v[5], unsigned long long n, int kind) {
    for (int digit = 0; n > 0; digit++, n >>= 4)
        if (n & 15) __warpgrind_xorwow_jump(v, __warpgrind_xorwow_jumps[kind][digit][(n & 15) - 1]);
}

__WARPGRIND_DEVICE__ void skipahead(unsigned long long n, curandStateXORWOW_t *state) {
    __warpgrind_xorwow_jumps_of(state->v, n, 0);
    state->d += 362437 * (unsigned int)n;
}

/* The counter comes back to where it was: 2^67 of its steps are a multiple of 2^32. */
__WARPGRIND_DEVICE__ void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state) {
    __warpgrind_xorwow_jumps_of(state->v, n, 1);
}

__WARPGRIND_DEVICE__ void curand_init(unsigned long long seed, unsigned long long subsequence,
                                      unsigned long long offset, curandStateXORWOW_t *state) {
    unsigned int low = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u);
    unsigned int high = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
    state->d = 6615241u + high + low;
    state->v[0] = 123456789u + low;
    state->v[1] = 362436069u ^ low;
    state->v[2] = 521288629u + high;
    state->v[3] = 88675123u ^ high;
    state->v[4] = 5783321u + low;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
    __warpgrind_no_pair(state);
}

/* ---- Philox4_32_10: a counter of 128 bits, enciphered in ten rounds ---- */

__WARPGRIND_DEVICE__ uint4 __warpgrind_philox(uint4 counter, uint2 key) {
    for (int round = 0; round < 10; round++) {
        unsigned long long first = 0xD2511F53ull * counter.x, second = 0xCD9E8D57ull * counter.z;
        counter = make_uint4((unsigned int)(second >> 32) ^ counter.y ^ key.x, (unsigned int)second,
                             (unsigned int)(first >> 32) ^ counter.w ^ key.y, (unsigned int)first);
        key.x += 0x9E3779B9u;
        key.y += 0xBB67AE85u;
    }
    return counter;
}

__WARPGRIND_DEVICE__ void __warpgrind_philox_add(uint4 *counter, unsigned long long n) {
    unsigned long long low = (unsigned long long)counter->y << 32 | counter->x;
    unsigned long long high = (unsigned long long)counter->w << 32 | counter->z;
    low += n;
    high += low < n;
    *counter = make_uint4((unsigned int)low, (unsigned int)(low >> 32), (unsigned int)high,
                          (unsigned int)(high >> 32));
}

__WARPGRIND_DEVICE__ unsigned int curand(curandStatePhilox4_32_10_t *state) {
    unsigned int given = state->STATE++;
    unsigned int number = state->output.x;
    if (given == 1) number = state->output.y;
    if (given == 2) number = state->output.z;
    if (given == 3) {
        number = state->output.w;
        __warpgrind_philox_add(&state->ctr, 1);
        state->output = __warpgrind_philox(state->ctr, state->key);
        state->STATE = 0;
    }
    return number;
}

/* The next four, wherever the state stands. */
__WARPGRIND_DEVICE__ uint4 curand4(curandStatePhilox4_32_10_t *state) {
    uint4 old = state->output;
    __warpgrind_philox_add(&state->ctr, 1);
    uint4 next = state->output = __warpgrind_philox(state->ctr, state->key);
    switch (state->STATE) {
    case 1:
        return make_uint4(old.y, old.z, old.w, next.x);
    case 2:
        return make_uint4(old.z, old.w, next.x, next.y);
    case 3:
        return make_uint4(old.w, next.x, next.y, next.z);
    default:
        return old;
    }
}

__WARPGRIND_DEVICE__ void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state) {
    state->STATE += (unsigned int)(n & 3);
    __warpgrind_philox_add(&state->ctr, n / 4 + (state->STATE > 3));
    state->STATE &= 3;
    state->output = __warpgrind_philox(state->ctr, state->key);
}

__WARPGRIND_DEVICE__ void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state) {
    unsigned long long high = ((unsigned long long)state->ctr.w << 32 | state->ctr.z) + n;
    state->ctr.z = (unsigned int)high;
    state->ctr.w = (unsigned int)(high >> 32);
    state->output = __warpgrind_philox(state->ctr, state->key);
}

__WARPGRIND_DEVICE__ void curand_init(unsigned long long seed, unsigned long long subsequence,
                                      unsigned long long offset, curandStatePhilox4_32_10_t *state) {
    state->ctr = make_uint4(0, 0, 0, 0);
    state->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
    state->STATE = 0;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
    __warpgrind_no_pair(state);
}

/* ---- MRG32k3a: two recurrences of three words, each modulo a prime below 2^32 ---- */

enum : unsigned int { __warpgrind_mrg_prime1 = 4294967087u, __warpgrind_mrg_prime2 = 4294944443u };

/* A number from 1 to the first prime. */
__WARPGRIND_DEVICE__ unsigned int __warpgrind_mrg(curandStateMRG32k3a_t *state) {
    unsigned int *a = state->s1, *b = state->s2;
    unsigned long long one = 1403580ull * a[1] + 810728ull * (__warpgrind_mrg_prime1 - a[0]);
    unsigned long long two = 527612ull * b[2] + 1370589ull * (__warpgrind_mrg_prime2 - b[0]);
    a[0] = a[1];
    a[1] = a[2];
    a[2] = (unsigned int)(one % __warpgrind_mrg_prime1);
    b[0] = b[1];
    b[1] = b[2];
    b[2] = (unsigned int)(two % __warpgrind_mrg_prime2);
    return a[2] <= b[2] ? a[2] - b[2] + __warpgrind_mrg_prime1 : a[2] - b[2];
}

__WARPGRIND_DEVICE__ unsigned int curand(curandStateMRG32k3a_t *state) {
    return (unsigned int)((double)__warpgrind_mrg(state) * 1.000000048662);
}

struct __warpgrind_mrg_matrix {
    unsigned int cell[3][3];
};

__WARPGRIND_DEVICE__ __warpgrind_mrg_matrix __warpgrind_mrg_square(const __warpgrind_mrg_matrix &a,
                                                                   unsigned int prime) {
    __warpgrind_mrg_matrix product;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            unsigned long long sum = 0;
            for (int k = 0; k < 3; k++)
                sum += (unsigned long long)a.cell[i][k] * a.cell[k][j] % prime;
            product.cell[i][j] = (unsigned int)(sum % prime);
        }
    return product;
}

/* s = a^(n 2^doublings) s. */
__WARPGRIND_DEVICE__ void __warpgrind_mrg_jump(unsigned int s[3], __warpgrind_mrg_matrix a,
                                               unsigned int prime, unsigned long long n, int doublings) {
    for (int i = 0; n > 0 && i < doublings; i++)
        a = __warpgrind_mrg_square(a, prime);
    while (n > 0) {
        if (n & 1) {
            unsigned int to[3];
            for (int i = 0; i < 3; i++) {
                unsigned long long sum = 0;
                for (int k = 0; k < 3; k++)
                    sum += (unsigned long long)a.cell[i][k] * s[k] % prime;
                to[i] = (unsigned int)(sum % prime);
            }
            for (int i = 0; i < 3; i++)
                s[i] = to[i];
        }
        n >>= 1;
        if (n > 0) a = __warpgrind_mrg_square(a, prime);
    }
}

__WARPGRIND_DEVICE__ void __warpgrind_mrg_skip(unsigned long long n, int doublings,
                                               curandStateMRG32k3a_t *state) {
    const __warpgrind_mrg_matrix one = {
        {{0, 1, 0}, {0, 0, 1}, {__warpgrind_mrg_prime1 - 810728u, 1403580u, 0}}};
    const __warpgrind_mrg_matrix two = {
        {{0, 1, 0}, {0, 0, 1}, {__warpgrind_mrg_prime2 - 1370589u, 0, 527612u}}};
    __warpgrind_mrg_jump(state->s1, one, __warpgrind_mrg_prime1, n, doublings);
    __warpgrind_mrg_jump(state->s2, two, __warpgrind_mrg_prime2, n, doublings);
}

__WARPGRIND_DEVICE__ void skipahead(unsigned long long n, curandStateMRG32k3a_t *state) {
    __warpgrind_mrg_skip(n, 0, state);
}
__WARPGRIND_DEVICE__ void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *state) {
    __warpgrind_mrg_skip(n, 76, state);
}
__WARPGRIND_DEVICE__ void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t *state) {
    __warpgrind_mrg_skip(n, 127, state);
}

__WARPGRIND_DEVICE__ void curand_init(unsigned long long seed, unsigned long long subsequence,
                                      unsigned long long offset, curandStateMRG32k3a_t *state) {
    unsigned long long mix[2] = {(unsigned int)seed ^ 0x55555555u, (unsigned int)(seed >> 32) ^ 0xAAAAAAAAu};
    for (int i = 0; i < 3; i++) {
        unsigned long long one = seed ? mix[i & 1] : 1, two = seed ? mix[~i & 1] : 1;
        state->s1[i] = (unsigned int)(12345 * one % __warpgrind_mrg_prime1);
        state->s2[i] = (unsigned int)(12345 * two % __warpgrind_mrg_prime2);
    }
    skipahead_subsequence(subsequence, state);
    skipahead(offset, state);
    __warpgrind_no_pair(state);
}

/* ---- uniform numbers: above 0, at most 1 ---- */

__WARPGRIND_DEVICE__ float __warpgrind_uniform(unsigned int bits) {
    return __fmaf_rn((float)bits, 2.3283064e-10f, 2.3283064e-10f / 2);
}
/* From 53 bits of two words. */
__WARPGRIND_DEVICE__ double __warpgrind_uniform(unsigned int low, unsigned int high) {
    unsigned long long bits = low ^ (unsigned long long)high << 21;
    return __fma_rn((double)bits, 1.1102230246251565e-16, 1.1102230246251565e-16 / 2);
}

__WARPGRIND_DEVICE__ float curand_uniform(curandStateXORWOW_t *state) {
    return __warpgrind_uniform(curand(state));
}
__WARPGRIND_DEVICE__ float curand_uniform(curandStatePhilox4_32_10_t *state) {
    return __warpgrind_uniform(curand(state));
}
__WARPGRIND_DEVICE__ float curand_uniform(curandStateMRG32k3a_t *state) {
    return (float)((double)__warpgrind_mrg(state) * 2.3283065498378288e-10);
}
__WARPGRIND_DEVICE__ float4 curand_uniform4(curandStatePhilox4_32_10_t *state) {
    uint4 bits = curand4(state);
    return make_float4(__warpgrind_uniform(bits.x), __warpgrind_uniform(bits.y), __warpgrind_uniform(bits.z),
                       __warpgrind_uniform(bits.w));
}
__WARPGRIND_DEVICE__ double curand_uniform_double(curandStateXORWOW_t *state) {
    unsigned int low = curand(state), high = curand(state);
    return __warpgrind_uniform(low, high);
}
/* Of one word. */
__WARPGRIND_DEVICE__ double curand_uniform_double(curandStatePhilox4_32_10_t *state) {
    return __fma_rn((double)curand(state), 2.3283064365386963e-10, 2.3283064365386963e-10);
}
__WARPGRIND_DEVICE__ double curand_uniform_double(curandStateMRG32k3a_t *state) {
    return (double)__warpgrind_mrg(state) * 2.3283065498378288e-10;
}
__WARPGRIND_DEVICE__ double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state) {
    uint4 bits = curand4(state);
    return make_double2(__warpgrind_uniform(bits.x, bits.y), __warpgrind_uniform(bits.z, bits.w));
}
__WARPGRIND_DEVICE__ double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state) {
    double2 first = curand_uniform2_double(state), second = curand_uniform2_double(state);
    return make_double4(first.x, first.y, second.x, second.y);
}

/* ---- normal numbers, in pairs (Box and Muller) ---- */

__WARPGRIND_DEVICE__ float2 __warpgrind_pair(float radius, float angle) {
    float length = sqrtf(-2.0f * logf(radius));
    float2 pair;
    __sincosf(angle, &pair.x, &pair.y);
    return make_float2(pair.x * length, pair.y * length);
}
__WARPGRIND_DEVICE__ float2 __warpgrind_pair(unsigned int radius, unsigned int angle) {
    const float turn = 2.3283064e-10f * 6.2831855f;
    return __warpgrind_pair(__warpgrind_uniform(radius), __fmaf_rn((float)angle, turn, turn / 2));
}
/* The angle in half turns. */
__WARPGRIND_DEVICE__ double2 __warpgrind_pair(double radius, double angle) {
    double length = sqrt(-2.0 * log(radius));
    double2 pair;
    sincospi(angle, &pair.x, &pair.y);
    return make_double2(pair.x * length, pair.y * length);
}
__WARPGRIND_DEVICE__ double2 __warpgrind_pair(unsigned int radius_low, unsigned int radius_high,
                                              unsigned int angle_low, unsigned int angle_high) {
    return __warpgrind_pair(__warpgrind_uniform(radius_low, radius_high),
                            2 * __warpgrind_uniform(angle_low, angle_high));
}

template <typename State> __WARPGRIND_DEVICE__ float2 curand_normal2(State *state) {
    unsigned int radius = curand(state), angle = curand(state);
    return __warpgrind_pair(radius, angle);
}
__WARPGRIND_DEVICE__ float2 curand_normal2(curandStateMRG32k3a_t *state) {
    float radius = curand_uniform(state), angle = curand_uniform(state) * 6.2831855f;
    return __warpgrind_pair(radius, angle);
}
__WARPGRIND_DEVICE__ float4 curand_normal4(curandStatePhilox4_32_10_t *state) {
    uint4 bits = curand4(state);
    float2 first = __warpgrind_pair(bits.x, bits.y), second = __warpgrind_pair(bits.z, bits.w);
    return make_float4(first.x, first.y, second.x, second.y);
}
__WARPGRIND_DEVICE__ double2 curand_normal2_double(curandStateXORWOW_t *state) {
    unsigned int a = curand(state), b = curand(state), c = curand(state), d = curand(state);
    return __warpgrind_pair(a, b, c, d);
}
__WARPGRIND_DEVICE__ double2 curand_normal2_double(curandStatePhilox4_32_10_t *state) {
    uint4 bits = curand4(state);
    return __warpgrind_pair(bits.x, bits.y, bits.z, bits.w);
}
__WARPGRIND_DEVICE__ double2 curand_normal2_double(curandStateMRG32k3a_t *state) {
    double radius = curand_uniform_double(state), angle = 2 * curand_uniform_double(state);
    return __warpgrind_pair(radius, angle);
}
__WARPGRIND_DEVICE__ double4 curand_normal4_double(curandStatePhilox4_32_10_t *state) {
    double2 first = curand_normal2_double(state), second = curand_normal2_double(state);
    return make_double4(first.x, first.y, second.x, second.y);
}

/* Numbers one by one: every other call gives what the one before kept. */
#define WARPGRIND_ONE_BY_ONE(type, pair, flag, extra, kind, value)                                           \
    if (state->flag == kind) {                                                                               \
        state->flag = 0;                                                                                     \
        return state->extra;                                                                                 \
    }                                                                                                        \
    auto both = pair(state);                                                                                 \
    type number = both.y;                                                                                    \
    state->extra = value;                                                                                    \
    state->flag = kind;                                                                                      \
    number = both.x;                                                                                         \
    return value;

template <typename State> __WARPGRIND_DEVICE__ float curand_normal(State *state) {
    WARPGRIND_ONE_BY_ONE(float, curand_normal2, boxmuller_flag, boxmuller_extra, __warpgrind_pair_normal,
                         number)
}
template <typename State> __WARPGRIND_DEVICE__ double curand_normal_double(State *state) {
    WARPGRIND_ONE_BY_ONE(double, curand_normal2_double, boxmuller_flag_double, boxmuller_extra_double,
                         __warpgrind_pair_normal, number)
}

/* ---- log-normal numbers: mean and deviation are those of the logarithm ---- */

template <typename State>
__WARPGRIND_DEVICE__ float curand_log_normal(State *state, float mean, float stddev) {
    WARPGRIND_ONE_BY_ONE(float, curand_normal2, boxmuller_flag, boxmuller_extra, __warpgrind_pair_log_normal,
                         expf(__fmaf_rn(stddev, number, mean)))
}
template <typename State>
__WARPGRIND_DEVICE__ double curand_log_normal_double(State *state, double mean, double stddev) {
    WARPGRIND_ONE_BY_ONE(double, curand_normal2_double, boxmuller_flag_double, boxmuller_extra_double,
                         __warpgrind_pair_log_normal, exp(__fma_rn(stddev, number, mean)))
}
#undef WARPGRIND_ONE_BY_ONE
template <typename State>
__WARPGRIND_DEVICE__ float2 curand_log_normal2(State *state, float mean, float stddev) {
    float2 n = curand_normal2(state);
    return make_float2(expf(__fmaf_rn(stddev, n.x, mean)), expf(__fmaf_rn(stddev, n.y, mean)));
}
__WARPGRIND_DEVICE__ float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean, float stddev) {
    float4 n = curand_normal4(state);
    return make_float4(expf(__fmaf_rn(stddev, n.x, mean)), expf(__fmaf_rn(stddev, n.y, mean)),
                       expf(__fmaf_rn(stddev, n.z, mean)), expf(__fmaf_rn(stddev, n.w, mean)));
}
template <typename State>
__WARPGRIND_DEVICE__ double2 curand_log_normal2_double(State *state, double mean, double stddev) {
    double2 n = curand_normal2_double(state);
    return make_double2(exp(__fma_rn(stddev, n.x, mean)), exp(__fma_rn(stddev, n.y, mean)));
}
__WARPGRIND_DEVICE__ double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *state, double mean,
                                                       double stddev) {
    double2 first = curand_log_normal2_double(state, mean, stddev);
    double2 second = curand_log_normal2_double(state, mean, stddev);
    return make_double4(first.x, first.y, second.x, second.y);
}

/* ---- Poisson numbers: by products for small means, by normal numbers for large ones, else by rejection ----
 */

template <typename State>
__WARPGRIND_DEVICE__ unsigned int __warpgrind_poisson_products(State *state, float mean) {
    float product = expf(mean);
    unsigned int count = 0;
    do {
        count++;
        product *= curand_uniform(state);
    } while (product > 1.0f);
    return count - 1;
}

__WARPGRIND_DEVICE__ unsigned int __warpgrind_poisson_normal(double normal, double mean) {
    return (unsigned int)(__fma_rn(sqrt(mean), normal, mean) + 0.5);
}

#define WARPGRIND_APPROXIMATE(name, instruction)                                                             \
    __WARPGRIND_DEVICE__ float name(float x) {                                                               \
        float y;                                                                                             \
        asm(instruction ".approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));                                       \
        return y;                                                                                            \
    }
WARPGRIND_APPROXIMATE(__warpgrind_quick_rsqrt, "rsqrt")
WARPGRIND_APPROXIMATE(__warpgrind_quick_exp2, "ex2")
WARPGRIND_APPROXIMATE(__warpgrind_quick_log2, "lg2")
WARPGRIND_APPROXIMATE(__warpgrind_quick_inverse, "rcp")
#undef WARPGRIND_APPROXIMATE
__WARPGRIND_DEVICE__ float __warpgrind_quick_exp(float x) {
    return __warpgrind_quick_exp2((float)((double)x * 1.4426950408889634074));
}
__WARPGRIND_DEVICE__ float __warpgrind_quick_log(float x) {
    return (float)((double)__warpgrind_quick_log2(x) * 0.69314718055994530942);
}

/* The regularized gamma function of (a, x) is about 1 / (1 + exp(slope (a - x) - shift))^2. */
struct __warpgrind_gamma {
    float slope, shift, a;
    __device__ __WARPGRIND_INLINE__ explicit __warpgrind_gamma(float mean)
        : slope(__fmaf_rn(1.43248035075540910f, __warpgrind_quick_rsqrt(mean - 0.12400979329415655f),
                          0.00025361074907033f)),
          shift(__fmaf_rn(0.21096734870196546f, __warpgrind_quick_rsqrt(mean - 1.97381164089999420f),
                          0.94201734077887530f)),
          a(mean) {}
    __device__ __WARPGRIND_INLINE__ float value(float x) const {
        float t = 1.0f + __warpgrind_quick_exp(__fmaf_rn(slope, a - x, -shift));
        return __warpgrind_quick_inverse(t * t);
    }
    __device__ __WARPGRIND_INLINE__ float inverse(float y) const {
        float t = shift + __warpgrind_quick_log(__warpgrind_quick_rsqrt(y) - 1.0f);
        return __fmaf_rn(-t, __warpgrind_quick_inverse(slope), a);
    }
};

template <typename State>
__WARPGRIND_DEVICE__ unsigned int __warpgrind_poisson_rejection(State *state, float mean) {
    const __warpgrind_gamma gamma(mean);
    float log_mean = __warpgrind_quick_log(mean);
    for (;;) {
        float x = floorf(gamma.inverse(curand_uniform(state)));
        float z = curand_uniform(state);
        float share = (gamma.value(x + 1.0f) - gamma.value(x)) * 1.3f;
        float likely =
            __warpgrind_quick_exp(__fmaf_rn(x, log_mean, -mean) - (float)lgamma((double)(int)(1.0f + x)));
        if (z * share < likely && share >= 1e-20) return (unsigned int)x;
    }
}

template <typename State> __WARPGRIND_DEVICE__ unsigned int curand_poisson(State *state, double lambda) {
    if (lambda < 64) return __warpgrind_poisson_products(state, (float)lambda);
    if (lambda > 4000) return __warpgrind_poisson_normal(curand_normal_double(state), lambda);
    return __warpgrind_poisson_rejection(state, (float)lambda);
}
__WARPGRIND_DEVICE__ uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double lambda) {
    uint4 counts;
    if (lambda > 4000) {
        double4 normal = curand_normal4_double(state);
        return make_uint4(
            __warpgrind_poisson_normal(normal.x, lambda), __warpgrind_poisson_normal(normal.y, lambda),
            __warpgrind_poisson_normal(normal.z, lambda), __warpgrind_poisson_normal(normal.w, lambda));
    }
    counts.x = curand_poisson(state, lambda);
    counts.y = curand_poisson(state, lambda);
    counts.z = curand_poisson(state, lambda);
    counts.w = curand_poisson(state, lambda);
    return counts;
}

#endif

#include "warpgrind/sobol.h"
#endif
