// Half precision and bfloat16 alike: conversions in all roundings, arithmetic, comparisons, pairs, on the device and (where CUDA
// has them there) on the host. Each number is a hash over many operands; small_floats.out is what nvcc's headers give.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdio>

template <typename T> struct Kind;
#define KIND(T, T2, name, raw)                                                                                                  \
    template <> struct Kind<T> {                                                                                                \
        typedef T2 Pair;                                                                                                        \
        __host__ __device__ static T of(unsigned short bits) { return T(raw{bits}); }                                           \
        __host__ __device__ static unsigned bits(T value) { return ((raw)value).x; }                                            \
        __host__ __device__ static unsigned from_both(float f, int i) {                                                         \
            return bits(__float2##name##_rz(f)) * 3 + bits(__float2##name##_rd(f)) * 5 + bits(__float2##name##_ru(f)) * 7 +     \
                   bits(__float2##name##_rn(f)) * 11 + bits(__double2##name((double)f * 1.0000001)) * 41 + bits(T(i)) * 43;     \
        }                                                                                                                       \
        __device__ static unsigned from(float f, int i, long long l) {                                                          \
            return from_both(f, i) + bits(__int2##name##_rn(i)) * 13 + bits(__int2##name##_rz(i)) * 17 +                        \
                   bits(__uint2##name##_ru((unsigned)i)) * 19 + bits(__ll2##name##_rn(l)) * 23 + bits(__ll2##name##_rd(l)) * 29 + \
                   bits(__ull2##name##_rz((unsigned long long)l)) * 31 + bits(__short2##name##_ru((short)i)) * 37 +             \
                   bits(__ushort2##name##_rd((unsigned short)i));                                                               \
        }                                                                                                                       \
        __device__ static unsigned to(T a) {                                                                                    \
            return (unsigned)__##name##2int_rn(a) + 3u * (unsigned)__##name##2int_rd(a) + 5u * (unsigned)__##name##2short_ru(a) +  \
                   7u * __##name##2uint_rz(a) + 11u * (unsigned)__##name##2ll_rn(a) + 13u * (unsigned)(__##name##2ull_ru(a) >> 7) + \
                   17u * (unsigned)__##name##2char_rz(a) + 19u * __##name##2uchar_rz(a) + 23u * __##name##2ushort_rd(a);           \
        }                                                                                                                       \
    };
KIND(__half, __half2, half, __half_raw)
KIND(__nv_bfloat16, __nv_bfloat162, bfloat16, __nv_bfloat16_raw)

enum { COUNT = 24 };
__device__ unsigned short operand(unsigned i) {
    const unsigned short corners[12] = {0, 0x8000, 0x3c00, 0x3f80, 0x7c00, 0xff80, 0x7f80, 0x0001, 0x8001, 0x7bff, 0x0400, 0x7fff};
    return i < 12 ? corners[i] : (unsigned short)(i * 40503u ^ i << 9);
}

template <typename T> __device__ unsigned pair_bits(typename Kind<T>::Pair p) {
    return Kind<T>::bits(p.x) | Kind<T>::bits(p.y) << 16;
}

template <typename T> __global__ void compute(unsigned *out) {
    typedef Kind<T> K;
    typedef typename K::Pair Pair;
    for (unsigned i = 0; i < 40; i++) {
        const T a = K::of(operand(i));
        const float f = __uint_as_float((unsigned)operand(i) << 16 | operand(i * 7 + 1));
        const int word = (int)(operand(i) * 65539u + i);
        out[0] = out[0] * 31 + K::from(f, word, (long long)word << (i % 32) | word);
        out[1] = out[1] * 31 + K::to(a);
        out[2] = out[2] * 31 + (unsigned)__hisinf(a) + __hisnan(a) * 3u + K::bits(__habs(a)) + K::bits(-a);
        out[3] = out[3] * 31 + K::bits(hfloor(a)) + 3 * K::bits(hceil(a)) + 5 * K::bits(htrunc(a)) + 7 * K::bits(hrint(a));
        for (unsigned j = 0; j < 40; j++) {
            const T b = K::of(operand(j)), c = K::of(operand(i + j));
            out[4] = out[4] * 31 + K::bits(a + b);
            out[5] = out[5] * 31 + K::bits(a - b);
            out[6] = out[6] * 31 + K::bits(a * b);
            if (!__hisnan(a) && !__hisnan(b)) out[7] = out[7] * 31 + K::bits(__hmin(a, b)) + 3 * K::bits(__hmax(a, b));
            out[8] = out[8] * 31 + K::bits(__hfma(a, b, c));
            out[9] = out[9] * 31 + K::bits(__hadd_sat(a, b)) + 3 * K::bits(__hmul_sat(a, b)) + 5 * K::bits(__hfma_sat(a, b, c));
            out[10] = out[10] * 31 + (a == b) + 2 * (a != b) + 4 * (a < b) + 8 * (a <= b) + 16 * (a > b) + 32 * (a >= b);
            out[11] = out[11] * 31 + __heq(a, b) + 2 * __hne(a, b) + 4 * __hequ(a, b) + 8 * __hneu(a, b) + 16 * __hltu(a, b) +
                      32 * __hleu(a, b) + 64 * __hgtu(a, b) + 128 * __hgeu(a, b);
            Pair p(a, b), q(b, c);
            out[12] = out[12] * 31 + pair_bits<T>(p + q) + 3 * pair_bits<T>(p * q) + 5 * pair_bits<T>(__hfma2(p, q, p));
            out[13] = out[13] * 31 + __hbeq2(p, q) + 2 * __hbneu2(p, q) + 4 * __hblt2(p, q) + 8 * pair_bits<T>(__hgt2(p, q));
            out[14] = out[14] * 31 + __heq2_mask(p, q) + 3 * __hgeu2_mask(p, q) + 5 * (p == q) + 7 * (p != q);
            out[15] = out[15] * 31 + pair_bits<T>(__lowhigh2highlow(p)) + 3 * pair_bits<T>(__hneg2(p)) + 5 * pair_bits<T>(__habs2(q));
            out[16] = out[16] * 31 + K::bits(__hmin_nan(a, b)) + 3 * K::bits(__hmax_nan(a, b));
        }
    }
    T x = K::of(0x3f80);
    x += T(1.5f), x *= T(2), x -= T(0.25), x /= T(4.0f), ++x, x--;
    out[17] = K::bits(x) + K::bits(x++);
    out[18] = (unsigned)((float)hsqrt(T(16.0f)) + (float)hrcp(T(0.5f)) + (float)hexp2(T(3.0f)) + (float)hlog2(T(32.0f)));
    const Pair z = __hcmadd(Pair(T(1.0f), T(2.0f)), Pair(T(3.0f), T(-4.0f)), Pair(T(0.5f), T(0.25f)));
    out[19] = pair_bits<T>(z) + (unsigned)__low2float(z) + (unsigned)__high2float(z);
}

template <typename T> __global__ void together(T *cell, typename Kind<T>::Pair *pairs, unsigned *out) {
    typedef typename Kind<T>::Pair Pair;
    atomicAdd(cell, T(1.0f));
    atomicAdd(pairs, Pair(T(1.0f), T(2.0f)));
    const Pair mine(T((int)threadIdx.x), T((int)threadIdx.x + 1)), other = __shfl_xor_sync(0xffffffffu, mine, 1);
    const T up = __shfl_up_sync(0xffffffffu, mine.x, 1);
    if (threadIdx.x == 5) out[20] = pair_bits<T>(other) + (unsigned)(float)up;
}

template <typename T> void run(const char *name) {
    unsigned *d_out, out[COUNT] = {};
    T *d_cell, cell;
    typename Kind<T>::Pair *d_pairs, pairs;
    cudaMalloc(&d_out, sizeof out);
    cudaMalloc(&d_cell, sizeof cell);
    cudaMalloc(&d_pairs, sizeof pairs);
    cudaMemset(d_out, 0, sizeof out);
    cudaMemset(d_cell, 0, sizeof cell);
    cudaMemset(d_pairs, 0, sizeof pairs);
    compute<T><<<1, 1>>>(d_out);
    together<T><<<1, 32>>>(d_cell, d_pairs, d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    cudaMemcpy(&cell, d_cell, sizeof cell, cudaMemcpyDeviceToHost);
    cudaMemcpy(&pairs, d_pairs, sizeof pairs, cudaMemcpyDeviceToHost);
    cudaFree(d_out);
    cudaFree(d_cell);
    cudaFree(d_pairs);
    out[21] = (unsigned)(float)cell * 10000 + (unsigned)(float)pairs.x * 100 + (unsigned)(float)pairs.y;
    for (int i = 0; i < 60; i++) out[22] = out[22] * 31 + Kind<T>::from_both((float)i * 1.37e-3f * (float)(i % 7 - 3), i * 7919 - 200000);
    T h = T(3), k = T(0.1f);
    h = h * k + T(2.0) - -k;
    out[23] = Kind<T>::bits(h) + (h > k) + (h != h);
    for (int i = 0; i < COUNT; i++) printf("%s %2d %08x\n", name, i, out[i]);
}

int main() {
    run<__half>("half");
    run<__nv_bfloat16>("bfloat16");
}
