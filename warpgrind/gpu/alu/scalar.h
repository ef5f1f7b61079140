/* scalar.h - what one lane computes, on bits. Sources come in the order of the text; results narrower than 8
 * bytes are in the low bytes. */
#pragma once

#include "base/minmax.h"
#include "gpu/state/machine.h"

static inline uint64_t scalar_low(uint64_t value, unsigned bytes) {
    if (bytes >= 8) return value;
    return value & ((UINT64_C(1) << 8 * bytes) - 1);
}
static inline bool scalar_is_signed(PtxType type) {
    return type == PTX_S8 || type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
}
static inline bool scalar_less(bool is_signed, uint64_t x, uint64_t y) {
    if (is_signed) return (int64_t)x < (int64_t)y;
    return x < y;
}
__extension__ typedef __int128 ScalarWide;
/** The value, or the limit that it passes of the numbers of so many bits. */
static inline ScalarWide scalar_within(ScalarWide value, unsigned bits, bool is_signed) {
    ScalarWide least = 0, most = ((ScalarWide)1 << (bits - is_signed)) - 1;
    if (is_signed) least = -most - 1;
    value = MAX(least, value);
    return MIN(most, value);
}
/** The value as a number of its type, in 64 bits. */
static inline uint64_t scalar_number(PtxType type, uint64_t bits) {
    unsigned unused = 64 - 8 * ptx_type_bytes(type);
    if (!unused) return bits;
    if (scalar_is_signed(type)) return (uint64_t)((int64_t)(bits << unused) >> unused);
    return bits << unused >> unused;
}

/* exec_scalar.c */
/** The scalar fallback for an instruction, or NULL. */
GpuScalar *exec_scalar_find(const PtxInstruction *source);

/** The sign of a float, or of both of a pair. */
static inline uint64_t scalar_sign_bits(PtxType type) {
    if (type == PTX_F64) return UINT64_C(1) << 63;
    if (type == PTX_F32) return 0x80000000u;
    if (type == PTX_F16X2 || type == PTX_BF16X2) return 0x80008000u;
    return 0x8000u;
}

/* scalar_int.c */
GpuScalar *scalar_find_int(const PtxInstruction *source);
uint64_t scalar_with_carry(const PtxInstruction *source, const uint64_t s[4], bool *carry);

/* scalar_float.c */
/** div of f32: to the nearest, or one of the two approximations. */
typedef enum GpuDivision { GPU_DIV_EXACT, GPU_DIV_APPROX, GPU_DIV_FULL } GpuDivision;
GpuDivision scalar_division(const PtxInstruction *source);
GpuScalar *scalar_find_float(const PtxInstruction *source);
/** Whether the comparison holds between two whole numbers of that type. */
bool scalar_compare_whole(PtxCompare compare, PtxType type, uint64_t a, uint64_t b);
/** setp and set, of every type, with .ftz. */
GpuScalar *scalar_find_compare(const PtxInstruction *source);
/** The value as a double (exact), subnormals made zero when `flush`; and back, rounded once. */
double scalar_value(PtxType type, uint64_t bits, bool flush);
uint64_t scalar_bits(PtxType type, double value, PtxRounding rounding, bool flush, bool saturate);

/* scalar_video.c */
GpuScalar *scalar_find_video(const PtxInstruction *source);

/* exec_mbarrier.c: the object that init makes; the count in a token */
GpuScalar mbarrier_initial, mbarrier_pending;

/* scalar_cvt.c */
GpuScalar scalar_cvt;
