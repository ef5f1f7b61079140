/* sobol.h - Sobol's quasirandom points in kernels, plain and scrambled, with the numbers that NVIDIA's
 * header gives for the same directions. Included by curand_kernel.h.
 *
 * A state is one dimension: point i is the sum, modulo two, of the directions that the bits of i's Gray code
 * name, and the next one differs by one direction. The directions come from the host
 * (curandGetDirectionVectors32 and 64). Normal numbers are the inverse of the distribution, as a pair of
 * points has no second number to spare.
 */
#ifndef WARPGRIND_SOBOL_H
#define WARPGRIND_SOBOL_H

#define WARPGRIND_SOBOL_STATE(name, word, words)                                                             \
    struct name {                                                                                            \
        word i, x, c, direction_vectors[words];                                                              \
    };                                                                                                       \
    typedef struct name name##_t;
WARPGRIND_SOBOL_STATE(curandStateSobol32, unsigned int, 32)
WARPGRIND_SOBOL_STATE(curandStateScrambledSobol32, unsigned int, 32)
WARPGRIND_SOBOL_STATE(curandStateSobol64, unsigned long long, 64)
WARPGRIND_SOBOL_STATE(curandStateScrambledSobol64, unsigned long long, 64)
#undef WARPGRIND_SOBOL_STATE

#if defined(__cplusplus) && defined(__CUDA__)

/* ---- the points ---- */

template <typename State, typename Word>
__WARPGRIND_DEVICE__ void __warpgrind_sobol_skip(State *state, Word n) {
    state->i += n;
    state->x = state->c;
    Word gray = state->i ^ state->i >> 1;
    for (int bit = 0; gray; bit++, gray >>= 1)
        if (gray & 1) state->x ^= state->direction_vectors[bit];
}

template <typename State, typename Word>
__WARPGRIND_DEVICE__ void __warpgrind_sobol_init(const Word *directions, Word scramble, Word offset,
                                                 State *state) {
    for (int bit = 0; bit < (int)sizeof(Word) * 8; bit++)
        state->direction_vectors[bit] = directions[bit];
    state->i = 0;
    state->c = scramble;
    __warpgrind_sobol_skip(state, offset);
}

/* The lowest bit of the number that is 0; the last direction for the last number. */
__WARPGRIND_DEVICE__ int __warpgrind_sobol_bit(unsigned int i) {
    return __ffs((int)(~i | 0x80000000u)) - 1;
}
__WARPGRIND_DEVICE__ int __warpgrind_sobol_bit(unsigned long long i) {
    return __ffsll((long long)(~i | 0x8000000000000000ull)) - 1;
}

/* ---- normal numbers: the number that the share p, at most 1/2, of all normal ones is below ---- */

__WARPGRIND_DEVICE__ float __warpgrind_below(float p) {
    return -1.4142135f * erfcinvf(2.0f * p);
}
__WARPGRIND_DEVICE__ double __warpgrind_below_double(double p) {
    return -1.4142135623730951 * erfcinv(2.0 * p);
}

/* The upper half is the lower one's mirror image, so that no digit is lost near 1. */
__WARPGRIND_DEVICE__ float __warpgrind_sobol_normal(unsigned int x) {
    bool mirrored = x > 0x80000000u;
    if (mirrored) x = ~x;
    float below = __warpgrind_below(__fmaf_rn((float)x, 2.3283064e-10f, 2.3283064e-10f / 2));
    return mirrored ? -below : below;
}
__WARPGRIND_DEVICE__ float __warpgrind_sobol_normal(unsigned long long x) {
    return __warpgrind_sobol_normal((unsigned int)(x >> 32));
}
__WARPGRIND_DEVICE__ double __warpgrind_sobol_normal_double(unsigned int x) {
    bool mirrored = x > 0x80000000u;
    if (mirrored) x = ~x;
    double below =
        __warpgrind_below_double(__fma_rn((double)x, 2.3283064365386963e-10, 2.3283064365386963e-10 / 2));
    return mirrored ? -below : below;
}
__WARPGRIND_DEVICE__ double __warpgrind_sobol_normal_double(unsigned long long x) {
    const unsigned long long all = (1ull << 53) - 1;
    x >>= 11;
    bool mirrored = x > 1ull << 52;
    if (mirrored) x = all - x;
    double below =
        __warpgrind_below_double(__fma_rn((double)x, 1.1102230246251565e-16, 1.1102230246251565e-16 / 2));
    return mirrored ? -below : below;
}

/* ---- uniform numbers: above 0, at most 1 ---- */

__WARPGRIND_DEVICE__ float __warpgrind_sobol_uniform(unsigned int x) {
    return __fmaf_rn((float)x, 2.3283064e-10f, 2.3283064e-10f / 2);
}
__WARPGRIND_DEVICE__ float __warpgrind_sobol_uniform(unsigned long long x) {
    return __warpgrind_sobol_uniform((unsigned int)(x >> 32));
}
__WARPGRIND_DEVICE__ double __warpgrind_sobol_uniform_double(unsigned int x) {
    return __fma_rn((double)x, 2.3283064365386963e-10, 2.3283064365386963e-10);
}
__WARPGRIND_DEVICE__ double __warpgrind_sobol_uniform_double(unsigned long long x) {
    return __fma_rn((double)(x >> 11), 1.1102230246251565e-16, 1.1102230246251565e-16 / 2);
}

/* ---- the same for each state ---- */

#define WARPGRIND_SOBOL(state_t, word)                                                                       \
    __WARPGRIND_DEVICE__ void skipahead(word n, state_t *state) {                                            \
        __warpgrind_sobol_skip(state, n);                                                                    \
    }                                                                                                        \
    __WARPGRIND_DEVICE__ word curand(state_t *state) {                                                       \
        word x = state->x;                                                                                   \
        state->x ^= state->direction_vectors[__warpgrind_sobol_bit(state->i++)];                             \
        return x;                                                                                            \
    }                                                                                                        \
    __WARPGRIND_DEVICE__ float curand_uniform(state_t *state) {                                              \
        return __warpgrind_sobol_uniform(curand(state));                                                     \
    }                                                                                                        \
    __WARPGRIND_DEVICE__ double curand_uniform_double(state_t *state) {                                      \
        return __warpgrind_sobol_uniform_double(curand(state));                                              \
    }                                                                                                        \
    __WARPGRIND_DEVICE__ float curand_normal(state_t *state) {                                               \
        return __warpgrind_sobol_normal(curand(state));                                                      \
    }                                                                                                        \
    __WARPGRIND_DEVICE__ double curand_normal_double(state_t *state) {                                       \
        return __warpgrind_sobol_normal_double(curand(state));                                               \
    }                                                                                                        \
    __WARPGRIND_DEVICE__ float curand_log_normal(state_t *state, float mean, float stddev) {                 \
        return expf(__fmaf_rn(stddev, curand_normal(state), mean));                                          \
    }                                                                                                        \
    __WARPGRIND_DEVICE__ double curand_log_normal_double(state_t *state, double mean, double stddev) {       \
        return exp(__fma_rn(stddev, curand_normal_double(state), mean));                                     \
    }                                                                                                        \
    __WARPGRIND_DEVICE__ unsigned int curand_poisson(state_t *state, double lambda)                          \
        __attribute__((unavailable("the software GPU has no Poisson numbers from Sobol's points: use a "     \
                                   "pseudorandom generator")));
WARPGRIND_SOBOL(curandStateSobol32_t, unsigned int)
WARPGRIND_SOBOL(curandStateScrambledSobol32_t, unsigned int)
WARPGRIND_SOBOL(curandStateSobol64_t, unsigned long long)
WARPGRIND_SOBOL(curandStateScrambledSobol64_t, unsigned long long)
#undef WARPGRIND_SOBOL

#define WARPGRIND_SOBOL_INIT(vectors_t, word, plain, scrambled)                                              \
    __WARPGRIND_DEVICE__ void curand_init(vectors_t direction_vectors, word offset, plain *state) {          \
        __warpgrind_sobol_init<plain, word>(direction_vectors, 0, offset, state);                            \
    }                                                                                                        \
    __WARPGRIND_DEVICE__ void curand_init(vectors_t direction_vectors, word scramble_c, word offset,         \
                                          scrambled *state) {                                                \
        __warpgrind_sobol_init<scrambled, word>(direction_vectors, scramble_c, offset, state);               \
    }
WARPGRIND_SOBOL_INIT(curandDirectionVectors32_t, unsigned int, curandStateSobol32_t,
                     curandStateScrambledSobol32_t)
WARPGRIND_SOBOL_INIT(curandDirectionVectors64_t, unsigned long long, curandStateSobol64_t,
                     curandStateScrambledSobol64_t)
#undef WARPGRIND_SOBOL_INIT
#endif
#endif
