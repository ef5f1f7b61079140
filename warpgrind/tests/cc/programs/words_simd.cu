// Arithmetic on the bytes and halves of words: what each function makes of many pairs, as one number each. words_simd.out is what
// nvcc's own functions give.
#include <cstdio>

#define PAIRS(ROW)                                                                                                              \
    ROW(__vadd2) ROW(__vadd4) ROW(__vaddss2) ROW(__vaddss4) ROW(__vaddus2) ROW(__vaddus4) ROW(__vsub2) ROW(__vsub4)               \
    ROW(__vsubss2) ROW(__vsubss4) ROW(__vsubus2) ROW(__vsubus4) ROW(__vavgs2) ROW(__vavgs4) ROW(__vavgu2) ROW(__vavgu4)           \
    ROW(__vhaddu2) ROW(__vhaddu4) ROW(__vabsdiffs2) ROW(__vabsdiffs4) ROW(__vabsdiffu2) ROW(__vabsdiffu4) ROW(__vmaxs2)           \
    ROW(__vmaxs4) ROW(__vmaxu2) ROW(__vmaxu4) ROW(__vmins2) ROW(__vmins4) ROW(__vminu2) ROW(__vminu4) ROW(__vcmpeq2)              \
    ROW(__vcmpeq4) ROW(__vcmpne2) ROW(__vcmpne4) ROW(__vcmpges2) ROW(__vcmpges4) ROW(__vcmpgeu2) ROW(__vcmpgeu4)                  \
    ROW(__vcmpgts2) ROW(__vcmpgts4) ROW(__vcmpgtu2) ROW(__vcmpgtu4) ROW(__vcmples2) ROW(__vcmples4) ROW(__vcmpleu2)               \
    ROW(__vcmpleu4) ROW(__vcmplts2) ROW(__vcmplts4) ROW(__vcmpltu2) ROW(__vcmpltu4) ROW(__vseteq2) ROW(__vseteq4)                 \
    ROW(__vsetne2) ROW(__vsetne4) ROW(__vsetges2) ROW(__vsetges4) ROW(__vsetgeu2) ROW(__vsetgeu4) ROW(__vsetgts2)                 \
    ROW(__vsetgts4) ROW(__vsetgtu2) ROW(__vsetgtu4) ROW(__vsetles2) ROW(__vsetles4) ROW(__vsetleu2) ROW(__vsetleu4)               \
    ROW(__vsetlts2) ROW(__vsetlts4) ROW(__vsetltu2) ROW(__vsetltu4) ROW(__vsads2) ROW(__vsads4) ROW(__vsadu2) ROW(__vsadu4)       \
    ROW(__vimax_s32_relu) ROW(__vimin_s32_relu) ROW(__vimax_s16x2_relu) ROW(__vimin_s16x2_relu) ROW(__mulhi) ROW(__umulhi)        \
    ROW(__mul24) ROW(__umul24) ROW(__hadd) ROW(__rhadd) ROW(__uhadd) ROW(__urhadd)
#define SINGLES(ROW)                                                                                                            \
    ROW(__vabs2) ROW(__vabs4) ROW(__vabsss2) ROW(__vabsss4) ROW(__vneg2) ROW(__vneg4) ROW(__vnegss2) ROW(__vnegss4) ROW(__popc)   \
    ROW(__clz) ROW(__ffs) ROW(__brev)
#define TRIPLES(ROW)                                                                                                            \
    ROW(__vimax3_s32) ROW(__vimin3_s32) ROW(__vimax3_u32) ROW(__vimin3_u32) ROW(__vimax3_s16x2) ROW(__vimin3_s16x2)               \
    ROW(__vimax3_u16x2) ROW(__vimin3_u16x2) ROW(__vimax3_s32_relu) ROW(__vimin3_s16x2_relu) ROW(__viaddmax_s32)                   \
    ROW(__viaddmin_s32) ROW(__viaddmax_u32) ROW(__viaddmin_u32) ROW(__viaddmax_s16x2) ROW(__viaddmin_u16x2)                       \
    ROW(__viaddmax_s32_relu) ROW(__viaddmin_s16x2_relu) ROW(__byte_perm) ROW(__usad) ROW(__sad) ROW(__funnelshift_l)              \
    ROW(__funnelshift_lc) ROW(__funnelshift_r) ROW(__funnelshift_rc)
#define DOTS(ROW) ROW(__dp4a) ROW(__dp2a_lo) ROW(__dp2a_hi)

__device__ unsigned value(unsigned i) {
    const unsigned corners[8] = {0, 0xffffffff, 0x80008000, 0x7fff7fff, 0x80808080, 0x7f7f7f7f, 0x00010001, 0x80017f00};
    return i < 8 ? corners[i] : i * 2654435761u ^ i << 13;
}

__global__ void all(unsigned *out) {
    int row = 0;
#define ROW2(f) for (unsigned i = 0; i < 16; i++) for (unsigned j = 0; j < 16; j++) out[row] = out[row] * 31 + (unsigned)f(value(i), value(j)); row++;
#define ROW1(f) for (unsigned i = 0; i < 64; i++) out[row] = out[row] * 31 + (unsigned)f(value(i)); row++;
#define ROW3(f) for (unsigned i = 0; i < 64; i++) out[row] = out[row] * 31 + (unsigned)f(value(i), value(i + 3), value(i / 2)); row++;
#define ROWD(f)                                                                                                                 \
    for (unsigned i = 0; i < 64; i++) out[row] = out[row] * 31 + (unsigned)f((int)value(i), (int)value(i + 3), (int)value(i / 2));  \
    row++;                                                                                                                      \
    for (unsigned i = 0; i < 64; i++) out[row] = out[row] * 31 + f(value(i), value(i + 3), value(i / 2));                         \
    row++;
    PAIRS(ROW2)
    SINGLES(ROW1)
    TRIPLES(ROW3)
    DOTS(ROWD)
    bool high, low;
    out[row] = __vibmax_s16x2(0x00057fffu, 0x00058000u, &high, &low), out[row++] += high * 2u + low;
    out[row] = __vibmin_u16x2(0x00057fffu, 0x00068000u, &high, &low), out[row++] += high * 2u + low;
    out[row] = (unsigned)__vibmax_s32(-3, 4, &low), out[row++] += low;
    out[row] = __dp4a(make_uchar4(1, 2, 3, 255), make_uchar4(5, 6, 7, 255), 9u) + (unsigned)__dp2a_lo(make_short2(-300, 7), make_char4(1, -2, 3, 4), 5), row++;
    out[row] = __fns(0x00f0u, 0, 2) * 10000 + __fns(0xffff0000u, 20, -1) * 100 + (__fns(1, 3, 5) == 0xffffffffu), row++;
}

int main() {
    const char *names[] = {
#define NAME(f) #f,
#define NAME2(f) #f " signed", #f " unsigned",
        PAIRS(NAME) SINGLES(NAME) TRIPLES(NAME) DOTS(NAME2) "__vibmax_s16x2", "__vibmin_u16x2", "__vibmax_s32", "vectors", "__fns"};
    const int count = sizeof names / sizeof names[0];
    unsigned *d_out, out[count];
    cudaMalloc(&d_out, sizeof out);
    cudaMemset(d_out, 0, sizeof out);
    all<<<1, 1>>>(d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    cudaFree(d_out);
    for (int i = 0; i < count; i++) printf("%-22s %08x\n", names[i], out[i]);
}
