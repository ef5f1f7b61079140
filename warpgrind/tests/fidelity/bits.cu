// bits.cu - the result of PTX instructions, bit by bit: the rows of bits.def, each on 16 sets of operands that hold the edge cases of
// the types.
#include "fidelity.h"

// How a type travels through inline assembly: register width, constraint, C type.
#define WIDTH_u16 "16"
#define WIDTH_s16 "16"
#define WIDTH_f16 "16"
#define WIDTH_b16 "16"
#define WIDTH_bf16 "16"
#define WIDTH_u32 "32"
#define WIDTH_s32 "32"
#define WIDTH_b32 "32"
#define WIDTH_f32 "32"
#define WIDTH_f16x2 "32"
#define WIDTH_u64 "64"
#define WIDTH_s64 "64"
#define WIDTH_b64 "64"
#define WIDTH_f64 "64"
#define REG_u16 ".b16"
#define REG_s16 ".b16"
#define REG_f16 ".b16"
#define REG_b16 ".b16"
#define REG_bf16 ".b16"
#define REG_u32 ".b32"
#define REG_s32 ".b32"
#define REG_b32 ".b32"
#define REG_f32 ".f32"
#define REG_f16x2 ".b32"
#define REG_u64 ".b64"
#define REG_s64 ".b64"
#define REG_b64 ".b64"
#define REG_f64 ".f64"

typedef unsigned long long Word; // every operand and result travels in one

static const int SETS = 16;
static __device__ const Word values_int[SETS] = {
    0, 1, 2, 3, 0x7fffffff7fffffff, 0x8000000080000000, 0xffffffffffffffff, 0xfffffffffffffffe, 0x0000000100008000, 0x00000000ffff7fff,
    0x1234567812345678, 0xedcba987edcba987, 31, 33, 0x0101010181018001, 0x7f80ff0080007f01};
static __device__ const Word values_f32[SETS] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf8ccccd, 0x3f000001, 0x4b7fffff, 0xcb000001, 0x7f7fffff, 0x00000001, 0x807fffff,
    0x7f800000, 0xff800000, 0x7fc00001, 0x4f000000, 0x42c80000, 0x358637bd};
static __device__ const Word values_f64[SETS] = {
    0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff199999999999a, 0x3fe0000000000001, 0x433fffffffffffff,
    0xc330000000000001, 0x7fefffffffffffff, 0x0000000000000001, 0x800fffffffffffff, 0x7ff0000000000000, 0xfff0000000000000,
    0x7ff8000000000001, 0x41e0000000000000, 0x4059000000000000, 0x3eb0c6f7a0b5ed8d};
static __device__ const Word values_f16[SETS] = {0x00000000, 0x80003c00, 0x3c00bc00, 0xbc663800, 0x38010001, 0x7bff7bff, 0xe4017bff, 0x03ff8001,
                                                0x00010400, 0x80018400, 0x7c000000, 0xfc003c00, 0x7e013c00, 0x5bff4900, 0x56483555, 0x068e2e66};

enum Table { INT, F16, F32, F64 };
#define TABLE_u16 INT
#define TABLE_s16 INT
#define TABLE_b16 INT
#define TABLE_u32 INT
#define TABLE_s32 INT
#define TABLE_b32 INT
#define TABLE_u64 INT
#define TABLE_s64 INT
#define TABLE_b64 INT
#define TABLE_f16 F16
#define TABLE_bf16 F16
#define TABLE_f16x2 F16
#define TABLE_f32 F32
#define TABLE_f64 F64

// Operand k of set i; the factors are odd, so each operand takes all 16 values.
static __device__ Word operand(Table table, int set, int k)
{
    int i = (set * (k == 0 ? 1 : k == 1 ? 7 : 11) + k * 3) % SETS;
    return table == INT ? values_int[i] : table == F16 ? values_f16[i] : table == F32 ? values_f32[i] : values_f64[i];
}

// In and out through 64-bit registers: what does not fit is cut off, what is narrower is filled with zeros.
#define IN_16(name, n) "{ .reg .b32 lo, hi; .reg .b16 up; mov.b64 {lo, hi}, %" n "; mov.b32 {" name ", up}, lo; }\n"
#define IN_32(name, n) "{ .reg .b32 hi; mov.b64 {" name ", hi}, %" n "; }\n"
#define IN_64(name, n) "mov.b64 " name ", %" n ";\n"
#define OUT_16 "{ .reg .b32 w; .reg .b16 z; mov.b16 z, 0; mov.b32 w, {d, z}; cvt.u64.u32 %0, w; }\n"
#define OUT_32 "{ .reg .b32 w; mov.b32 w, d; cvt.u64.u32 %0, w; }\n"
#define OUT_64 "mov.b64 %0, d;\n"
#define PASTE(a, b) a##b
#define JOIN(a, b) PASTE(a, b)
#define BITS_u16 16
#define BITS_s16 16
#define BITS_b16 16
#define BITS_f16 16
#define BITS_bf16 16
#define BITS_u32 32
#define BITS_s32 32
#define BITS_b32 32
#define BITS_f32 32
#define BITS_f16x2 32
#define BITS_u64 64
#define BITS_s64 64
#define BITS_b64 64
#define BITS_f64 64
#define IN(type, name, n) JOIN(IN_, BITS_##type)(name, n)
#define OUT(type) JOIN(OUT_, BITS_##type)

#define KERNEL(id, body, A, B, C)                                                                                             \
    __global__ void JOIN(kernel_, id)(Word * out)                                                                             \
    {                                                                                                                         \
        int i = threadIdx.x;                                                                                                  \
        Word d;                                                                                                               \
        asm volatile(body : "=l"(d) : "l"(operand(TABLE_##A, i, 0)), "l"(operand(TABLE_##B, i, 1)), "l"(operand(TABLE_##C, i, 2))); \
        out[i] = d;                                                                                                           \
    }
#define HEAD(R) "{ .reg " REG_##R " d;\n"
#define OP1(op, R, A) KERNEL(__LINE__, HEAD(R) ".reg " REG_##A " a;\n" IN(A, "a", "1") op " d, a;\n" OUT(R) "}", A, A, A)
#define OP2(op, R, A, B)                                                                                                      \
    KERNEL(__LINE__, HEAD(R) ".reg " REG_##A " a; .reg " REG_##B " b;\n" IN(A, "a", "1") IN(B, "b", "2") op " d, a, b;\n" OUT(R) "}", A, B, B)
#define OP3(op, R, A, B, C)                                                                                                   \
    KERNEL(__LINE__, HEAD(R) ".reg " REG_##A " a; .reg " REG_##B " b; .reg " REG_##C " c;\n" IN(A, "a", "1") IN(B, "b", "2")  \
               IN(C, "c", "3") op " d, a, b, c;\n" OUT(R) "}", A, B, C)
#define TEST1(op, A)                                                                                                          \
    KERNEL(__LINE__, "{ .reg .b32 d; .reg .pred p; .reg " REG_##A " a;\n" IN(A, "a", "1") op " p, a; selp.b32 d, 1, 0, p;\n" OUT_32 "}", A, A, A)
#define TEST2(op, A)                                                                                                          \
    KERNEL(__LINE__, "{ .reg .b32 d; .reg .pred p; .reg " REG_##A " a, b;\n" IN(A, "a", "1") IN(A, "b", "2")                  \
               op " p, a, b; selp.b32 d, 1, 0, p;\n" OUT_32 "}", A, A, A)
#include "bits.def"
#undef OP1
#undef OP2
#undef OP3
#undef TEST1
#undef TEST2

typedef struct Row {
    const char *name;
    void (*kernel)(Word *);
} Row;
#define ROW(name) {name, JOIN(kernel_, __LINE__)},
#define OP1(op, R, A) ROW(op)
#define OP2(op, R, A, B) ROW(op)
#define OP3(op, R, A, B, C) ROW(op)
#define TEST1(op, A) ROW(op)
#define TEST2(op, A) ROW(op)
static const Row rows[] = {
#include "bits.def"
};

int main()
{
    Word *d_out, out[SETS];
    NEED(cudaMalloc(&d_out, sizeof out));
    for (const Row &row : rows) {
        row.kernel<<<1, SETS>>>(d_out);
        NEED(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
        printf("bits\t%s\t", row.name);
        for (int i = 0; i < SETS; i++) printf("%llx%c", out[i], i + 1 < SETS ? ' ' : '\n');
    }
    NEED(cudaFree(d_out));
}
