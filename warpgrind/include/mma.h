/* mma.h - nvcuda::wmma: a warp multiplies small matrices.
 *
 * A function is one instruction of PTX, which the software GPU executes: a lane has the elements of each
 * fragment that it has on an H200, sums are rounded as there, and all 32 lanes must take part. What differs
 * between types and shapes is written down once, in the rows at the end of each part; a macro makes the
 * functions. LIMIT: elements of 8 bits at least: no u4, s4 and b1. Source: CUDA C++ Programming Guide, Warp
 * Matrix Functions; PTX ISA 9.7.14.4.
 */
#ifndef __CUDA_MMA_H__
#define __CUDA_MMA_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#if defined(__cplusplus) && defined(__CUDA__)

namespace nvcuda {
namespace wmma {

enum layout_t { mem_row_major, mem_col_major };
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision {
struct tf32;
}

#define WARPGRIND_WMMA __device__ static __WARPGRIND_INLINE__ __attribute__((unused))

/* ---- fragments ---- */

template <int m, int n, int k> struct __warpgrind_shape {
    static const bool sixteen =
        (m == 16 && n == 16 && k == 16) || (m == 32 && n == 8 && k == 16) || (m == 8 && n == 32 && k == 16);
    static const bool known = sixteen || (m == 16 && n == 16 && k == 8) || (m == 8 && n == 8 && k == 4);
};

/* What a lane has of a matrix with so many elements: a 32nd; halves that are multiplied are kept twice. */
template <typename T, int elements> struct __warpgrind_fragment {
    typedef T element_type, storage_element_type;
    static const int num_elements = elements, num_storage_elements = num_elements;
    T x[num_elements];
};
template <typename T, int elements>
struct __warpgrind_factor : public __warpgrind_fragment<T, elements / 32> {};
template <int elements>
struct __warpgrind_factor<__half, elements> : public __warpgrind_fragment<__half, 16> {};
template <int elements>
struct __warpgrind_factor<precision::tf32, elements> : public __warpgrind_fragment<float, elements / 32> {};

template <typename Use, int m, int n, int k, typename T, typename Layout = void> class fragment;
template <int m, int n, int k, typename T, typename Layout>
class fragment<matrix_a, m, n, k, T, Layout> : public __warpgrind_factor<T, m * k> {
    static_assert(__warpgrind_shape<m, n, k>::known, "wmma has no fragments of this shape");
};
template <int m, int n, int k, typename T, typename Layout>
class fragment<matrix_b, m, n, k, T, Layout> : public __warpgrind_factor<T, n * k> {
    static_assert(__warpgrind_shape<m, n, k>::known, "wmma has no fragments of this shape");
};
template <int m, int n, int k, typename T>
class fragment<accumulator, m, n, k, T, void> : public __warpgrind_fragment<T, m * n / 32> {
    static_assert(__warpgrind_shape<m, n, k>::known, "wmma has no fragments of this shape");
};

template <typename Use, int m, int n, int k, typename T, typename Layout, typename V>
WARPGRIND_WMMA void fill_fragment(fragment<Use, m, n, k, T, Layout> &f, const V &v) {
    for (int e = 0; e < f.num_elements; e++)
        f.x[e] = v;
}

/* ---- a fragment as registers: `set`, some of the kind `c`, r, f or d, for an instruction's operands ---- */

#define WARPGRIND_WORD_r unsigned
#define WARPGRIND_WORD_f float
#define WARPGRIND_WORD_d double

#define WARPGRIND_NAMES_1(set) "{%[" #set "0]}"
#define WARPGRIND_NAMES_2(set) "{%[" #set "0], %[" #set "1]}"
#define WARPGRIND_NAMES_4(set) "{%[" #set "0], %[" #set "1], %[" #set "2], %[" #set "3]}"
#define WARPGRIND_NAMES_8(set)                                                                               \
    "{%[" #set "0], %[" #set "1], %[" #set "2], %[" #set "3], %[" #set "4], %[" #set "5], %[" #set           \
    "6], %[" #set "7]}"

#define WARPGRIND_OPERANDS_1(set, c) [set##0] c(set[0])
#define WARPGRIND_OPERANDS_2(set, c) WARPGRIND_OPERANDS_1(set, c), [set##1] c(set[1])
#define WARPGRIND_OPERANDS_4(set, c) WARPGRIND_OPERANDS_2(set, c), [set##2] c(set[2]), [set##3] c(set[3])
#define WARPGRIND_OPERANDS_8(set, c)                                                                         \
    WARPGRIND_OPERANDS_4(set, c), [set##4] c(set[4]), [set##5] c(set[5]), [set##6] c(set[6]),                \
        [set##7] c(set[7])

#define WARPGRIND_SET(set, c, count) WARPGRIND_WORD_##c set[count]
#define WARPGRIND_TAKE(set, c, count, f)                                                                     \
    WARPGRIND_SET(set, c, count);                                                                            \
    __builtin_memcpy(set, f.x, sizeof set)

/* ---- loads and stores ---- */

#define WARPGRIND_LOAD_BY(layout, matrix, letter, m, n, k, T, type, c, count, P)                             \
    WARPGRIND_WMMA void load_matrix_sync(fragment<matrix, m, n, k, T, layout##_major> &f, const P *mptr,     \
                                         unsigned ldm) {                                                     \
        WARPGRIND_SET(set, c, count);                                                                        \
        asm volatile("wmma.load." #letter ".sync.aligned." #layout ".m" #m "n" #n "k" #k "." #type           \
                     " " WARPGRIND_NAMES_##count(set) ", [%[from]], %[ldm];"                                 \
                     : WARPGRIND_OPERANDS_##count(set, "=" #c)                                               \
                     : [from] "l"(mptr), [ldm] "r"(ldm)                                                      \
                     : "memory");                                                                            \
        __builtin_memcpy(f.x, set, sizeof set);                                                              \
    }
#define WARPGRIND_LOAD(...)                                                                                  \
    WARPGRIND_LOAD_BY(row, __VA_ARGS__)                                                                      \
    WARPGRIND_LOAD_BY(col, __VA_ARGS__)

#define WARPGRIND_LOAD_FACTORS(m, n, k, T, type, c, of_a, of_b, P)                                           \
    WARPGRIND_LOAD(matrix_a, a, m, n, k, T, type, c, of_a, P)                                                \
    WARPGRIND_LOAD(matrix_b, b, m, n, k, T, type, c, of_b, P)

#define WARPGRIND_LOAD_SUMS_BY(layout, m, n, k, type, c, count)                                              \
    asm volatile("wmma.load.c.sync.aligned." #layout ".m" #m "n" #n "k" #k "." #type                         \
                 " " WARPGRIND_NAMES_##count(set) ", [%[from]], %[ldm];"                                     \
                 : WARPGRIND_OPERANDS_##count(set, "=" #c)                                                   \
                 : [from] "l"(mptr), [ldm] "r"(ldm)                                                          \
                 : "memory")
#define WARPGRIND_STORE_SUMS_BY(layout, m, n, k, type, c, count)                                             \
    asm volatile("wmma.store.d.sync.aligned." #layout ".m" #m "n" #n "k" #k "." #type                        \
                 " [%[to]], " WARPGRIND_NAMES_##count(set) ", %[ldm];"                                       \
                 :                                                                                           \
                 : WARPGRIND_OPERANDS_##count(set, #c), [to] "l"(mptr), [ldm] "r"(ldm)                       \
                 : "memory")
#define WARPGRIND_MOVE_SUMS(m, n, k, T, type, c, count)                                                      \
    WARPGRIND_WMMA void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *mptr, unsigned ldm,  \
                                         layout_t layout) {                                                  \
        WARPGRIND_SET(set, c, count);                                                                        \
        if (layout == mem_row_major)                                                                         \
            WARPGRIND_LOAD_SUMS_BY(row, m, n, k, type, c, count);                                            \
        else                                                                                                 \
            WARPGRIND_LOAD_SUMS_BY(col, m, n, k, type, c, count);                                            \
        __builtin_memcpy(f.x, set, sizeof set);                                                              \
    }                                                                                                        \
    WARPGRIND_WMMA void store_matrix_sync(T *mptr, const fragment<accumulator, m, n, k, T> &f, unsigned ldm, \
                                          layout_t layout) {                                                 \
        WARPGRIND_TAKE(set, c, count, f);                                                                    \
        if (layout == mem_row_major)                                                                         \
            WARPGRIND_STORE_SUMS_BY(row, m, n, k, type, c, count);                                           \
        else                                                                                                 \
            WARPGRIND_STORE_SUMS_BY(col, m, n, k, type, c, count);                                           \
    }

WARPGRIND_LOAD_FACTORS(16, 16, 16, __half, f16, r, 8, 8, __half)
WARPGRIND_LOAD_FACTORS(32, 8, 16, __half, f16, r, 8, 8, __half)
WARPGRIND_LOAD_FACTORS(8, 32, 16, __half, f16, r, 8, 8, __half)
WARPGRIND_LOAD_FACTORS(16, 16, 16, __nv_bfloat16, bf16, r, 4, 4, __nv_bfloat16)
WARPGRIND_LOAD_FACTORS(32, 8, 16, __nv_bfloat16, bf16, r, 8, 2, __nv_bfloat16)
WARPGRIND_LOAD_FACTORS(8, 32, 16, __nv_bfloat16, bf16, r, 2, 8, __nv_bfloat16)
WARPGRIND_LOAD_FACTORS(16, 16, 16, signed char, s8, r, 2, 2, signed char)
WARPGRIND_LOAD_FACTORS(32, 8, 16, signed char, s8, r, 4, 1, signed char)
WARPGRIND_LOAD_FACTORS(8, 32, 16, signed char, s8, r, 1, 4, signed char)
WARPGRIND_LOAD_FACTORS(16, 16, 16, unsigned char, u8, r, 2, 2, unsigned char)
WARPGRIND_LOAD_FACTORS(32, 8, 16, unsigned char, u8, r, 4, 1, unsigned char)
WARPGRIND_LOAD_FACTORS(8, 32, 16, unsigned char, u8, r, 1, 4, unsigned char)
WARPGRIND_LOAD_FACTORS(16, 16, 8, precision::tf32, tf32, r, 4, 4, float)
WARPGRIND_LOAD_FACTORS(8, 8, 4, double, f64, d, 1, 1, double)

WARPGRIND_MOVE_SUMS(16, 16, 16, float, f32, f, 8)
WARPGRIND_MOVE_SUMS(32, 8, 16, float, f32, f, 8)
WARPGRIND_MOVE_SUMS(8, 32, 16, float, f32, f, 8)
WARPGRIND_MOVE_SUMS(16, 16, 8, float, f32, f, 8)
WARPGRIND_MOVE_SUMS(16, 16, 16, __half, f16, r, 4)
WARPGRIND_MOVE_SUMS(32, 8, 16, __half, f16, r, 4)
WARPGRIND_MOVE_SUMS(8, 32, 16, __half, f16, r, 4)
WARPGRIND_MOVE_SUMS(16, 16, 16, int, s32, r, 8)
WARPGRIND_MOVE_SUMS(32, 8, 16, int, s32, r, 8)
WARPGRIND_MOVE_SUMS(8, 32, 16, int, s32, r, 8)
WARPGRIND_MOVE_SUMS(8, 8, 4, double, f64, d, 2)

/* ---- products ---- */

#define WARPGRIND_PRODUCT(la, lb, m, n, k, types, of_a, of_b, factors, of_c, c_kind, of_d, d_kind)           \
    asm volatile("wmma.mma.sync.aligned." #la "." #lb ".m" #m "n" #n "k" #k types                            \
                 " " WARPGRIND_NAMES_##of_d(set_d) ", " WARPGRIND_NAMES_##of_a(                              \
                     set_a) ", " WARPGRIND_NAMES_##of_b(set_b) ", " WARPGRIND_NAMES_##of_c(set_c) ";"        \
                 : WARPGRIND_OPERANDS_##of_d(set_d, "=" #d_kind)                                             \
                 : WARPGRIND_OPERANDS_##of_a(set_a, #factors), WARPGRIND_OPERANDS_##of_b(set_b, #factors),   \
                   WARPGRIND_OPERANDS_##of_c(set_c, #c_kind))

#define WARPGRIND_MULTIPLY_BY(la, lb, m, n, k, T, types, limited, of_a, of_b, factors, TC, of_c, c_kind, TD, \
                              of_d, d_kind)                                                                  \
    WARPGRIND_WMMA void mma_sync(fragment<accumulator, m, n, k, TD> &d,                                      \
                                 const fragment<matrix_a, m, n, k, T, la##_major> &a,                        \
                                 const fragment<matrix_b, m, n, k, T, lb##_major> &b,                        \
                                 const fragment<accumulator, m, n, k, TC> &c, bool satf = false) {           \
        WARPGRIND_SET(set_d, d_kind, of_d);                                                                  \
        WARPGRIND_TAKE(set_a, factors, of_a, a);                                                             \
        WARPGRIND_TAKE(set_b, factors, of_b, b);                                                             \
        WARPGRIND_TAKE(set_c, c_kind, of_c, c);                                                              \
        if (satf)                                                                                            \
            WARPGRIND_PRODUCT(la, lb, m, n, k, limited, of_a, of_b, factors, of_c, c_kind, of_d, d_kind);    \
        else                                                                                                 \
            WARPGRIND_PRODUCT(la, lb, m, n, k, types, of_a, of_b, factors, of_c, c_kind, of_d, d_kind);      \
        __builtin_memcpy(d.x, set_d, sizeof set_d);                                                          \
    }
#define WARPGRIND_MULTIPLY(...)                                                                              \
    WARPGRIND_MULTIPLY_BY(row, row, __VA_ARGS__)                                                             \
    WARPGRIND_MULTIPLY_BY(row, col, __VA_ARGS__)                                                             \
    WARPGRIND_MULTIPLY_BY(col, row, __VA_ARGS__)                                                             \
    WARPGRIND_MULTIPLY_BY(col, col, __VA_ARGS__)

#define WARPGRIND_MULTIPLY_HALVES(m, n, k)                                                                   \
    WARPGRIND_MULTIPLY(m, n, k, __half, ".f32.f32", ".f32.f32", 8, 8, r, float, 8, f, float, 8, f)           \
    WARPGRIND_MULTIPLY(m, n, k, __half, ".f16.f16", ".f16.f16", 8, 8, r, __half, 4, r, __half, 4, r)         \
    WARPGRIND_MULTIPLY(m, n, k, __half, ".f32.f16", ".f32.f16", 8, 8, r, __half, 4, r, float, 8, f)          \
    WARPGRIND_MULTIPLY(m, n, k, __half, ".f16.f32", ".f16.f32", 8, 8, r, float, 8, f, __half, 4, r)
#define WARPGRIND_MULTIPLY_FLOATS(m, n, k, T, type, of_a, of_b)                                              \
    WARPGRIND_MULTIPLY(m, n, k, T, ".f32." #type "." #type ".f32", ".f32." #type "." #type ".f32", of_a,     \
                       of_b, r, float, 8, f, float, 8, f)
#define WARPGRIND_MULTIPLY_BYTES(m, n, k, T, type, of_a, of_b)                                               \
    WARPGRIND_MULTIPLY(m, n, k, T, ".s32." #type "." #type ".s32", ".s32." #type "." #type ".s32.satfinite", \
                       of_a, of_b, r, int, 8, r, int, 8, r)

WARPGRIND_MULTIPLY_HALVES(16, 16, 16)
WARPGRIND_MULTIPLY_HALVES(32, 8, 16)
WARPGRIND_MULTIPLY_HALVES(8, 32, 16)
WARPGRIND_MULTIPLY_FLOATS(16, 16, 16, __nv_bfloat16, bf16, 4, 4)
WARPGRIND_MULTIPLY_FLOATS(32, 8, 16, __nv_bfloat16, bf16, 8, 2)
WARPGRIND_MULTIPLY_FLOATS(8, 32, 16, __nv_bfloat16, bf16, 2, 8)
WARPGRIND_MULTIPLY_FLOATS(16, 16, 8, precision::tf32, tf32, 4, 4)
WARPGRIND_MULTIPLY_BYTES(16, 16, 16, signed char, s8, 2, 2)
WARPGRIND_MULTIPLY_BYTES(32, 8, 16, signed char, s8, 4, 1)
WARPGRIND_MULTIPLY_BYTES(8, 32, 16, signed char, s8, 1, 4)
WARPGRIND_MULTIPLY_BYTES(16, 16, 16, unsigned char, u8, 2, 2)
WARPGRIND_MULTIPLY_BYTES(32, 8, 16, unsigned char, u8, 4, 1)
WARPGRIND_MULTIPLY_BYTES(8, 32, 16, unsigned char, u8, 1, 4)
WARPGRIND_MULTIPLY(8, 8, 4, double, ".rn.f64.f64.f64.f64", ".rn.f64.f64.f64.f64", 1, 1, d, double, 2, d,
                   double, 2, d)

/* Ten bits of fraction, rounded to nearest, halves away from 0. */
WARPGRIND_WMMA float __float_to_tf32(float x) {
    float rounded;
    asm("{ .reg .b32 %%t; cvt.rna.tf32.f32 %%t, %1; mov.b32 %0, %%t; }" : "=f"(rounded) : "f"(x));
    return rounded;
}

#undef WARPGRIND_WMMA
} // namespace wmma
} // namespace nvcuda

#endif
#endif
