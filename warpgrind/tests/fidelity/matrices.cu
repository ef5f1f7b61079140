// matrices.cu - products of a warp's matrices, bit by bit: the rows of matrices.def on registers filled with random elements of several
// classes, ldmatrix and its kin, and wmma with small whole numbers, which every order of adding up makes the same of. A line has a hash of all
// lanes' registers, and the registers of the first lane. With an argument every lane's are printed, and how wmma spreads its fragments.
#include "fidelity.h"

#include <cstdint>
#include <cstring>
#include <mma.h>
#include <type_traits>

typedef unsigned long long Word;
static const int LANES = 32, MOST = 8; // registers of a matrix in a lane
static bool all_lanes;

// ---- elements ----

enum Format { F16, BF16, TF32, E4M3, E5M2, F32, F64, INT, S32 };
struct Layout {
    int bits, fraction, exponent;
};
static const Layout layouts[] = {{16, 10, 5}, {16, 7, 8}, {32, 23, 8}, {8, 3, 4}, {8, 2, 5}, {32, 23, 8}, {64, 52, 11}, {32, 0, 0}, {32, 0, 0}};

static Word random_state;
static Word random_word() { // SplitMix64
    Word z = random_state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

// Classes: numbers of about one size, of many sizes, any bits, half of them zeros of both signs, the smallest ones.
static const int CLASSES = 5;
static const char *const class_names[CLASSES] = {"near", "far", "any", "zeros", "tiny"};

static Word element(Format format, int kind) {
    Layout layout = layouts[format];
    Word any = random_word(), mask = layout.bits < 64 ? (Word(1) << layout.bits) - 1 : ~Word(0);
    if (kind == 2 || format == INT || format == S32) return any & mask;
    int bias = (1 << (layout.exponent - 1)) - 1, spread = kind == 0 ? 2 : 12;
    int least = bias - spread < 0 ? 0 : bias - spread, most = bias + spread > 2 * bias ? 2 * bias : bias + spread;
    int exponent = kind == 4 ? int(any >> 60 & 1) : least + int((any >> 52 & 255) % unsigned(most - least));
    Word sign = (any >> 63) << (layout.bits - 1), fraction = random_word() & ((Word(1) << layout.fraction) - 1);
    if (kind == 3 && any >> 50 & 1) return sign;
    return sign | Word(exponent) << layout.fraction | fraction;
}

// A register's worth of them.
static Word filled(Format format, int kind) {
    int bits = layouts[format].bits, all = format == F64 ? 64 : 32;
    Word word = 0;
    for (int at = 0; at < all; at += bits) word |= element(format, kind) << at;
    return word;
}

// ---- what is printed ----

static void print(const char *name, const char *kind, const Word *words, int registers) {
    Word hash = 0xcbf29ce484222325ull;
    for (int i = 0; i < LANES * registers; i++) hash = (hash ^ words[i]) * 0x100000001b3ull, hash ^= hash >> 29;
    printf("matrices\t%s %s\t%llx", name, kind, hash);
    for (int i = 0; i < registers * (all_lanes ? LANES : 1); i++) printf(" %llx", words[i]);
    printf("\n");
}

// ---- products ----

struct Case {
    Word d[LANES * MOST], a[LANES * MOST], b[LANES * MOST], c[LANES * MOST];
};

#define LIST1(c, i) c(i)
#define LIST2(c, i) c(i), c(i + 1)
#define LIST4(c, i) LIST2(c, i), LIST2(c, i + 2)
#define LIST8(c, i) LIST4(c, i), LIST4(c, i + 4)
#define CAT(a, b) a##b
#define LIST(n, c) CAT(LIST, n)(c, 0)
#define OUT32(i) "=r"(d[i])
#define OUT64(i) "=l"(d[i])
#define INA(i) CONSTRAINT(a[i])
#define INB(i) CONSTRAINT(b[i])
#define INC(i) CONSTRAINT(c[i])

// The places of operands in the text: {%0, %1}, {%2}, ...
#define P0_1 "{%0}"
#define P0_2 "{%0, %1}"
#define P0_4 "{%0, %1, %2, %3}"
#define P0_8 "{%0, %1, %2, %3, %4, %5, %6, %7}"
#define P_2_1_1_2 P0_2 ", {%2}, {%3}, {%4, %5}"
#define P_2_2_1_2 P0_2 ", {%2, %3}, {%4}, {%5, %6}"
#define P_2_4_2_2 P0_2 ", {%2, %3, %4, %5}, {%6, %7}, {%8, %9}"
#define P_4_2_1_4 P0_4 ", {%4, %5}, {%6}, {%7, %8, %9, %10}"
#define P_4_2_2_4 P0_4 ", {%4, %5}, {%6, %7}, {%8, %9, %10, %11}"
#define P_4_4_2_4 P0_4 ", {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13}"
#define P_4_8_4_4 P0_4 ", {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19}"
#define P_8_2_2_8 P0_8 ", {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}"

template <typename R> static __device__ void fetch(R *to, const Word *from, int count) {
    for (int i = 0; i < count; i++) to[i] = R(from[threadIdx.x * count + i]);
}

#define KERNEL(name, text, R, OUT, nd, na, nb, nc)                                                                                          \
    static __global__ void name##_kernel(Case *all) {                                                                                       \
        Case &one = all[blockIdx.x];                                                                                                        \
        R d[nd], a[na], b[nb], c[nc];                                                                                                       \
        fetch(a, one.a, na), fetch(b, one.b, nb), fetch(c, one.c, nc);                                                                      \
        asm volatile(text " " P_##nd##_##na##_##nb##_##nc ";" : LIST(nd, OUT) : LIST(na, INA), LIST(nb, INB), LIST(nc, INC));               \
        for (int i = 0; i < nd; i++) one.d[threadIdx.x * nd + i] = d[i];                                                                    \
    }
#define KERNEL_32(name, text, nd, na, nb, nc) KERNEL(name, text, uint32_t, OUT32, nd, na, nb, nc)
#define KERNEL_64(name, text, nd, na, nb, nc) KERNEL(name, text, Word, OUT64, nd, na, nb, nc)
#define OF_F16 KERNEL_32
#define OF_F32 KERNEL_32
#define OF_S32 KERNEL_32
#define MMA(name, text, D, A, B, C, nd, na, nb, nc) OF_##D(name, text, nd, na, nb, nc)
#define CONSTRAINT(x) "r"(x)
#define OF_F64(name, text, nd, na, nb, nc)
#include "matrices.def"
#undef CONSTRAINT
#undef OF_F64
#undef OF_F16
#undef OF_F32
#undef OF_S32
#define CONSTRAINT(x) "l"(x)
#define OF_F64 KERNEL_64
#define OF_F16(name, text, nd, na, nb, nc)
#define OF_F32(name, text, nd, na, nb, nc)
#define OF_S32(name, text, nd, na, nb, nc)
#include "matrices.def"
#undef MMA

static void fill(Word *words, int count, Format format, int kind) {
    for (int i = 0; i < LANES * count; i++) words[i] = filled(format, kind);
}

static void product(const char *name, void (*kernel)(Case *), const Format formats[4], const int counts[4]) {
    static const int SETS = 4;
    static Case cases[CLASSES * SETS];
    random_state = strlen(name);
    for (const char *at = name; *at; at++) random_state = random_state * 31 + (unsigned char)*at;
    for (int i = 0; i < CLASSES * SETS; i++) {
        fill(cases[i].a, counts[1], formats[1], i / SETS);
        fill(cases[i].b, counts[2], formats[2], i / SETS);
        fill(cases[i].c, counts[3], formats[3], i / SETS);
    }
    Case *d_cases;
    NEED(cudaMalloc(&d_cases, sizeof cases));
    NEED(cudaMemcpy(d_cases, cases, sizeof cases, cudaMemcpyHostToDevice));
    kernel<<<CLASSES * SETS, LANES>>>(d_cases);
    NEED(cudaMemcpy(cases, d_cases, sizeof cases, cudaMemcpyDeviceToHost));
    NEED(cudaFree(d_cases));
    for (int i = 0; i < CLASSES * SETS; i++) {
        char kind[32];
        snprintf(kind, sizeof kind, "%s %d", class_names[i / SETS], i % SETS);
        print(name, kind, cases[i].d, counts[0]);
    }
}

// ---- ldmatrix, stmatrix, movmatrix ----

#define MOVE(name, n, text, back)                                                                                                           \
    static __global__ void name(Word *out) {                                                                                                \
        __shared__ __align__(16) uint16_t rows[32 * 8], other[32 * 8];                                                                      \
        for (int i = 0; i < 8; i++) rows[threadIdx.x * 8 + i] = uint16_t(threadIdx.x * 8 + i), other[threadIdx.x * 8 + i] = 0xffff;         \
        __syncthreads();                                                                                                                    \
        uint32_t d[n], at = uint32_t(__cvta_generic_to_shared(rows + threadIdx.x * 8));                                                     \
        uint32_t to = uint32_t(__cvta_generic_to_shared(other + threadIdx.x * 8));                                                          \
        asm volatile(text " " P0_##n ", [%" #n "];" : LIST(n, OUT32) : "r"(at) : "memory");                                                 \
        asm volatile(back " [%0], " P1_##n ";" ::"r"(to), LIST(n, IND) : "memory");                                                         \
        __syncthreads();                                                                                                                    \
        for (int i = 0; i < n; i++) out[threadIdx.x * (n + 4) + i] = d[i];                                                                  \
        for (int i = 0; i < 4; i++) memcpy(&d[0], &other[threadIdx.x * 8 + 2 * i], 4), out[threadIdx.x * (n + 4) + n + i] = d[0];           \
    }
#define IND(i) "r"(d[i])
#define P1_1 "{%1}"
#define P1_2 "{%1, %2}"
#define P1_4 "{%1, %2, %3, %4}"
MOVE(move_x1, 1, "ldmatrix.sync.aligned.m8n8.x1.shared.b16", "stmatrix.sync.aligned.m8n8.x1.shared.b16")
MOVE(move_x2, 2, "ldmatrix.sync.aligned.m8n8.x2.shared.b16", "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16")
MOVE(move_x4, 4, "ldmatrix.sync.aligned.m8n8.x4.shared.b16", "stmatrix.sync.aligned.m8n8.x4.shared.b16")
MOVE(move_x1_trans, 1, "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16", "stmatrix.sync.aligned.m8n8.x1.shared.b16")
MOVE(move_x2_trans, 2, "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16", "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16")
MOVE(move_x4_trans, 4, "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", "stmatrix.sync.aligned.m8n8.x4.shared.b16")

static __global__ void transposed(Word *out) {
    uint32_t d, a = threadIdx.x * 2 | (threadIdx.x * 2 + 1) << 16;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(d) : "r"(a));
    out[threadIdx.x] = d;
}

static void moved(const char *name, void (*kernel)(Word *), int registers) {
    Word *d_out, out[LANES * MOST];
    NEED(cudaMalloc(&d_out, sizeof out));
    kernel<<<1, LANES>>>(d_out);
    NEED(cudaMemcpy(out, d_out, LANES * registers * sizeof *out, cudaMemcpyDeviceToHost));
    NEED(cudaFree(d_out));
    print(name, "", out, registers);
}

// ---- wmma ----

using namespace nvcuda;
template <typename T> struct Memory {
    typedef T type;
};
template <> struct Memory<wmma::precision::tf32> {
    typedef float type;
};

template <typename A, typename C, int m, int n, int k, typename LA, typename LB>
static __global__ void wmma_kernel(const typename Memory<A>::type *a, const typename Memory<A>::type *b, const C *c, C *d, bool rows) {
    wmma::fragment<wmma::matrix_a, m, n, k, A, LA> fa;
    wmma::fragment<wmma::matrix_b, m, n, k, A, LB> fb;
    wmma::fragment<wmma::accumulator, m, n, k, C> fc;
    wmma::load_matrix_sync(fa, a, 48);
    wmma::load_matrix_sync(fb, b, 48);
    wmma::load_matrix_sync(fc, c, 48, rows ? wmma::mem_row_major : wmma::mem_col_major);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(d, fc, 48, rows ? wmma::mem_col_major : wmma::mem_row_major);
}

template <typename T> static T *numbers(int seed) {
    static T values[48 * 48];
    T *d;
    random_state = seed;
    for (T &value : values) value = T(float(int(random_word() % 9) - (std::is_unsigned<T>::value ? 0 : 4)));
    NEED(cudaMalloc(&d, sizeof values));
    NEED(cudaMemcpy(d, values, sizeof values, cudaMemcpyHostToDevice));
    return d;
}

template <typename A, typename C, int m, int n, int k, typename LA, typename LB> static void wmma_case(const char *name, bool rows) {
    typedef typename Memory<A>::type T;
    T *a = numbers<T>(m), *b = numbers<T>(n + 100);
    C *c = numbers<C>(k + 200), *d = numbers<C>(7), out[48 * 48];
    wmma_kernel<A, C, m, n, k, LA, LB><<<1, LANES>>>(a, b, c, d, rows);
    NEED(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
    Word words[LANES * MOST] = {0};
    for (int i = 0; i < 48 * 48; i++) words[i % (LANES * MOST)] = words[i % (LANES * MOST)] * 31 + Word((long long)(float(out[i]) * 4));
    print("wmma", name, words, MOST);
    NEED(cudaFree(a)), NEED(cudaFree(b)), NEED(cudaFree(c)), NEED(cudaFree(d));
}

#define ROW wmma::row_major
#define COL wmma::col_major
#define WMMA(A, C, m, n, k, LA, LB, rows) wmma_case<A, C, m, n, k, LA, LB>(#A " " #C " m" #m "n" #n "k" #k " " #LA #LB " " #rows, rows)
#define WMMA_LAYOUTS(A, C, m, n, k)                                                                                                         \
    WMMA(A, C, m, n, k, ROW, COL, true), WMMA(A, C, m, n, k, COL, ROW, false), WMMA(A, C, m, n, k, ROW, ROW, true),                         \
        WMMA(A, C, m, n, k, COL, COL, false)
#define WMMA_SHAPES(A, C) WMMA_LAYOUTS(A, C, 16, 16, 16), WMMA_LAYOUTS(A, C, 32, 8, 16), WMMA_LAYOUTS(A, C, 8, 32, 16)

static void fragments() {
    WMMA_SHAPES(half, float);
    WMMA_SHAPES(half, half);
    WMMA_SHAPES(__nv_bfloat16, float);
    WMMA_SHAPES(signed char, int);
    WMMA_SHAPES(unsigned char, int);
    WMMA_LAYOUTS(wmma::precision::tf32, float, 16, 16, 8);
    WMMA_LAYOUTS(double, double, 8, 8, 4);
}

// How fragments are spread: element i of each lane, of a matrix whose elements say where they are.
template <typename Use, typename A, int m, int n, int k, typename L> static __global__ void spread_kernel(int *out) {
    __shared__ __align__(32) A matrix[32 * 32];
    for (int i = threadIdx.x; i < 32 * 32; i += 32) matrix[i] = A(float(i));
    __syncwarp();
    wmma::fragment<Use, m, n, k, A, L> f;
    wmma::load_matrix_sync(f, matrix, 32);
    for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * 16 + i] = int(float(f.x[i]));
}
template <typename A, int m, int n, int k> static __global__ void spread_sums(int *out) {
    __shared__ __align__(32) A matrix[32 * 32];
    for (int i = threadIdx.x; i < 32 * 32; i += 32) matrix[i] = A(float(i));
    __syncwarp();
    wmma::fragment<wmma::accumulator, m, n, k, A> f;
    wmma::load_matrix_sync(f, matrix, 32, wmma::mem_row_major);
    for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * 16 + i] = int(float(f.x[i]));
}
static void spread(const char *name, void (*kernel)(int *)) {
    int *d_out, out[LANES * 16];
    NEED(cudaMalloc(&d_out, sizeof out));
    NEED(cudaMemset(d_out, 0xff, sizeof out));
    kernel<<<1, LANES>>>(d_out);
    NEED(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    NEED(cudaFree(d_out));
    printf("spread\t%s\t", name);
    for (int i = 0; i < LANES * 16; i++) printf(out[i] < 0 ? "%s-" : "%s%d:%d", i % 16 ? " " : " | ", out[i] / 32, out[i] % 32);
    printf("\n");
}
#define SPREAD(...) spread(#__VA_ARGS__, spread_kernel<__VA_ARGS__>)
#define SPREAD_SUMS(...) spread(#__VA_ARGS__, spread_sums<__VA_ARGS__>)

static void spreads() {
    SPREAD(wmma::matrix_a, half, 16, 16, 16, ROW);
    SPREAD(wmma::matrix_a, half, 16, 16, 16, COL);
    SPREAD(wmma::matrix_b, half, 16, 16, 16, ROW);
    SPREAD(wmma::matrix_b, half, 16, 16, 16, COL);
    SPREAD(wmma::matrix_a, half, 32, 8, 16, ROW);
    SPREAD(wmma::matrix_b, half, 32, 8, 16, COL);
    SPREAD(wmma::matrix_a, half, 8, 32, 16, ROW);
    SPREAD(wmma::matrix_b, half, 8, 32, 16, COL);
    SPREAD_SUMS(float, 16, 16, 16);
    SPREAD_SUMS(float, 32, 8, 16);
    SPREAD_SUMS(float, 8, 32, 16);
    SPREAD_SUMS(half, 16, 16, 16);
}

int main(int argc, char **) {
    all_lanes = argc > 1;
#define MMA(name, text, D, A, B, C, nd, na, nb, nc)                                                                                         \
    {                                                                                                                                       \
        const Format formats[] = {D, A, B, C};                                                                                              \
        const int counts[] = {nd, na, nb, nc};                                                                                              \
        product(#name, name##_kernel, formats, counts);                                                                                     \
    }
#include "matrices.def"
    moved("ldmatrix stmatrix x1", move_x1, 5);
    moved("ldmatrix stmatrix.trans x2", move_x2, 6);
    moved("ldmatrix stmatrix x4", move_x4, 8);
    moved("ldmatrix.trans stmatrix x1", move_x1_trans, 5);
    moved("ldmatrix.trans stmatrix.trans x2", move_x2_trans, 6);
    moved("ldmatrix.trans stmatrix x4", move_x4_trans, 8);
    moved("movmatrix.trans", transposed, 1);
    fragments();
    if (all_lanes) spreads();
}
