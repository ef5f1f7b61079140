/* mma.h - nvcuda::wmma: a warp multiplies small matrices.
 *
 * The software GPU has no tensor cores, so a warp does here with shuffles what the instructions do there:
 * each lane keeps some elements of each matrix (which ones is nobody's business, as the manual says), gets a
 * row and columns from the others, and sums up in the accumulator's precision. All 32 lanes must take part: a
 * small instruction for matrices in each function, which has no other use, makes the machine look. LIMIT:
 * elements of 8 bits at least: no u4, s4 and b1. Source: CUDA C++ Programming Guide, Warp Matrix Functions.
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

/* In which type an element is kept, and in which it is multiplied and summed up. */
template <typename T> struct __warpgrind_element {
    typedef T kept;
    typedef float wide;
};
template <> struct __warpgrind_element<precision::tf32> { typedef float kept, wide; };
template <> struct __warpgrind_element<double> { typedef double kept, wide; };
template <> struct __warpgrind_element<signed char> {
    typedef signed char kept;
    typedef int wide;
};
template <> struct __warpgrind_element<unsigned char> {
    typedef unsigned char kept;
    typedef int wide;
};
template <> struct __warpgrind_element<int> { typedef int kept, wide; };

template <int m, int n, int k> struct __warpgrind_shape {
    static const bool sixteen =
        (m == 16 && n == 16 && k == 16) || (m == 32 && n == 8 && k == 16) || (m == 8 && n == 32 && k == 16);
    static const bool known = sixteen || (m == 16 && n == 16 && k == 8) || (m == 8 && n == 8 && k == 4);
};

/* Lane l keeps the elements l * num_elements and following of the matrix, along rows; of b along columns. */
template <typename T, int lines, int length> struct __warpgrind_fragment {
    typedef typename __warpgrind_element<T>::kept element_type;
    typedef element_type storage_element_type;
    static const int num_elements = lines * length / 32, num_storage_elements = num_elements;
    element_type x[num_elements];
};

template <typename Use, int m, int n, int k, typename T, typename Layout = void> class fragment;
template <int m, int n, int k, typename T, typename Layout>
class fragment<matrix_a, m, n, k, T, Layout> : public __warpgrind_fragment<T, m, k> {
    static_assert(__warpgrind_shape<m, n, k>::known, "wmma has no fragments of this shape");
};
template <int m, int n, int k, typename T, typename Layout>
class fragment<matrix_b, m, n, k, T, Layout> : public __warpgrind_fragment<T, n, k> {
    static_assert(__warpgrind_shape<m, n, k>::known, "wmma has no fragments of this shape");
};
template <int m, int n, int k, typename T>
class fragment<accumulator, m, n, k, T, void> : public __warpgrind_fragment<T, m, n> {
    static_assert(__warpgrind_shape<m, n, k>::known, "wmma has no fragments of this shape");
};

WARPGRIND_WMMA int __warpgrind_lane() {
    return (int)((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32);
}

/* The place in memory of a lane's element e; `along`: the elements of a line lie side by side. */
WARPGRIND_WMMA size_t __warpgrind_place(int e, int elements, int length, unsigned ldm, bool along) {
    unsigned i = (unsigned)(__warpgrind_lane() * elements + e), line = i / (unsigned)length;
    unsigned at = i % (unsigned)length;
    return along ? (size_t)line * ldm + at : (size_t)at * ldm + line;
}

template <typename Layout> struct __warpgrind_is_row;
template <> struct __warpgrind_is_row<row_major> { static const bool value = true; };
template <> struct __warpgrind_is_row<col_major> { static const bool value = false; };

WARPGRIND_WMMA void __warpgrind_meet() {
    unsigned nothing;
    __syncwarp();
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(nothing) : "r"(0));
}

/* Elements of 16 bits are read in pairs where they lie side by side, as the instruction does it: the address
 * has to be aligned. */
template <typename Fragment, typename P>
WARPGRIND_WMMA void __warpgrind_load(Fragment &f, const P *mptr, int length, unsigned ldm, bool along) {
    const int count = Fragment::num_elements;
    __warpgrind_meet();
    if (sizeof(P) == 2 && sizeof f.x[0] == 2 && count % 2 == 0 && along) {
        for (int e = 0; e < count; e += 2) {
            const P *pair = mptr + __warpgrind_place(e, count, length, ldm, along);
            unsigned both = *(const unsigned *)(const void *)pair;
            __builtin_memcpy(&f.x[e], &both, sizeof both);
        }
        return;
    }
    for (int e = 0; e < count; e++)
        f.x[e] = mptr[__warpgrind_place(e, count, length, ldm, along)];
}

template <int m, int n, int k, typename T, typename Layout, typename P>
WARPGRIND_WMMA void load_matrix_sync(fragment<matrix_a, m, n, k, T, Layout> &a, const P *mptr, unsigned ldm) {
    __warpgrind_load(a, mptr, k, ldm, __warpgrind_is_row<Layout>::value);
}
template <int m, int n, int k, typename T, typename Layout, typename P>
WARPGRIND_WMMA void load_matrix_sync(fragment<matrix_b, m, n, k, T, Layout> &b, const P *mptr, unsigned ldm) {
    __warpgrind_load(b, mptr, k, ldm, !__warpgrind_is_row<Layout>::value);
}
template <int m, int n, int k, typename T, typename P>
WARPGRIND_WMMA void load_matrix_sync(fragment<accumulator, m, n, k, T> &c, const P *mptr, unsigned ldm,
                                     layout_t layout) {
    __warpgrind_load(c, mptr, n, ldm, layout == mem_row_major);
}
template <int m, int n, int k, typename T, typename P>
WARPGRIND_WMMA void store_matrix_sync(P *mptr, const fragment<accumulator, m, n, k, T> &d, unsigned ldm,
                                      layout_t layout) {
    __warpgrind_meet();
    for (int e = 0; e < d.num_elements; e++)
        mptr[__warpgrind_place(e, d.num_elements, n, ldm, layout == mem_row_major)] = d.x[e];
}

template <typename Use, int m, int n, int k, typename T, typename Layout, typename V>
WARPGRIND_WMMA void fill_fragment(fragment<Use, m, n, k, T, Layout> &f, const V &v) {
    for (int e = 0; e < f.num_elements; e++)
        f.x[e] = v;
}

template <typename D> WARPGRIND_WMMA D __warpgrind_narrow(int sum, long long whole, bool satf) {
    if (satf && whole != sum) return whole < 0 ? -2147483647 - 1 : 2147483647;
    return sum;
}

/* Row `row` of a: k elements, which some neighbouring lanes keep. Each column of b likewise. */
template <typename Wide, int k, typename Fragment>
WARPGRIND_WMMA Wide __warpgrind_fetch(const Fragment &f, int line, int at) {
    Wide mine = (Wide)f.x[at % Fragment::num_elements];
    return __shfl_sync(0xffffffff, mine, (line * k + at) / Fragment::num_elements);
}

template <int m, int n, int k, typename TA, typename LA, typename TB, typename LB, typename TC, typename TD>
WARPGRIND_WMMA void mma_sync(fragment<accumulator, m, n, k, TD> &d,
                             const fragment<matrix_a, m, n, k, TA, LA> &a,
                             const fragment<matrix_b, m, n, k, TB, LB> &b,
                             const fragment<accumulator, m, n, k, TC> &c, bool satf = false) {
    typedef typename __warpgrind_element<TA>::wide Wide;
    __warpgrind_meet();
    int first = __warpgrind_lane() * d.num_elements;
    Wide row[k];
    for (int i = 0; i < k; i++)
        row[i] = __warpgrind_fetch<Wide, k>(a, first / n, i);
    for (int e = 0; e < d.num_elements; e++) {
        Wide sum = (Wide)c.x[e];
        long long whole = (long long)sum;
        for (int i = 0; i < k; i++) {
            Wide product = row[i] * __warpgrind_fetch<Wide, k>(b, first % n + e, i);
            if constexpr (sizeof(Wide) == 4 && (Wide)0.5f == 0) {
                whole += product;
                sum = (int)((unsigned)sum + (unsigned)product);
            } else {
                sum += product;
            }
        }
        if constexpr (sizeof(Wide) == 4 && (Wide)0.5f == 0)
            d.x[e] = __warpgrind_narrow<int>(sum, whole, satf);
        else
            d.x[e] = (typename __warpgrind_element<TD>::kept)sum;
    }
}

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
