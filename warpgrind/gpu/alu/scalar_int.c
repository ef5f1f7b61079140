/* scalar_int.c - whole-number instructions on one lane (PTX ISA 9.7.1, 9.7.2, 9.7.8, 9.7.9.7). */
#include "base/minmax.h"
#include "gpu/alu/scalar.h"

typedef uint64_t u64;
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

static unsigned type_bits(const GpuInstruction *ins) {
    return 8 * ptx_type_bytes(ins->source->type);
}

static u64 saturate_s32(int64_t value) {
    return (u64)scalar_within(value, 32, true);
}

static u64 scalar_add_sat(const GpuInstruction *ins, const u64 s[4]) {
    (void)ins;
    return saturate_s32((int64_t)(int32_t)s[0] + (int32_t)s[1]);
}

static u64 scalar_sub_sat(const GpuInstruction *ins, const u64 s[4]) {
    (void)ins;
    return saturate_s32((int64_t)(int32_t)s[0] - (int32_t)s[1]);
}

static u64 scalar_mad_hi_sat(const GpuInstruction *ins, const u64 s[4]) {
    (void)ins;
    return saturate_s32(((int64_t)(int32_t)s[0] * (int32_t)s[1] >> 32) + (int32_t)s[2]);
}

static u64 product24(const GpuInstruction *ins, const u64 s[4]) {
    u64 product;
    if (ins->source->type == PTX_S32)
        product =
            (u64)((int64_t)((int32_t)((uint32_t)s[0] << 8) >> 8) * ((int32_t)((uint32_t)s[1] << 8) >> 8));
    else
        product = (s[0] & 0xffffff) * (s[1] & 0xffffff);
    if (ins->source->modifiers.mode == PTX_MODE_HI) product >>= 16;
    return product;
}

static u64 scalar_mul24(const GpuInstruction *ins, const u64 s[4]) {
    return product24(ins, s);
}

static u64 scalar_mad24(const GpuInstruction *ins, const u64 s[4]) {
    u64 product = product24(ins, s);
    if (ins->source->modifiers.sat) return saturate_s32((int64_t)(int32_t)product + (int32_t)s[2]);
    return product + s[2];
}

static u64 scalar_bfind(const GpuInstruction *ins, const u64 s[4]) {
    unsigned bits = type_bits(ins);
    u64 a = scalar_number(ins->source->type, s[0]);
    if (scalar_is_signed(ins->source->type) && (int64_t)a < 0) a = ~a;
    if (a == 0) return UINT32_MAX;
    unsigned place = 63 - (unsigned)__builtin_clzll(a);
    if (ins->source->modifiers.shiftamt) return bits - 1 - place;
    return place;
}

static u64 scalar_fns(const GpuInstruction *ins, const u64 s[4]) {
    uint32_t mask = (uint32_t)s[0], base = (uint32_t)s[1];
    int32_t offset = (int32_t)s[2];
    (void)ins;
    if (base > 31) return UINT32_MAX;
    if (offset == 0) return mask >> base & 1 ? base : UINT32_MAX;
    int64_t step = offset > 0 ? 1 : -1, left = step * offset;
    for (int64_t place = base; place >= 0 && place < 32; place += step)
        if (mask >> place & 1 && --left == 0) return (u64)place;
    return UINT32_MAX;
}

static u64 scalar_brev(const GpuInstruction *ins, const u64 s[4]) {
    unsigned bits = type_bits(ins);
    u64 result = 0;
    for (unsigned i = 0; i < bits; i++)
        result |= (s[0] >> i & 1) << (bits - 1 - i);
    return result;
}

static u64 low_bits(u64 value, unsigned count) {
    if (count >= 64) return value;
    return value & ((UINT64_C(1) << count) - 1);
}

/** The field of `length` bits from `start` on. Bits past the top of the register, and those above the
 * field, are copies of the field's top bit where the type has a sign (PTX ISA 9.7.1). */
static u64 scalar_bfe(const GpuInstruction *ins, const u64 s[4]) {
    unsigned start = s[1] & 0xff, length = s[2] & 0xff;
    bool is_signed = scalar_is_signed(ins->source->type);
    u64 a = scalar_number(ins->source->type, s[0]);
    if (length == 0 || (start > 63 && !is_signed)) return 0;
    u64 from_start;
    if (is_signed)
        from_start = (u64)((int64_t)a >> MIN(start, 63));
    else
        from_start = a >> start;
    u64 field = low_bits(from_start, length);
    if (is_signed && from_start >> (MIN(length, 64) - 1) & 1) field |= ~low_bits(UINT64_MAX, length);
    return field;
}

static u64 scalar_bfi(const GpuInstruction *ins, const u64 s[4]) {
    unsigned bits = type_bits(ins), start = s[2] & 0xff, length = s[3] & 0xff;
    if (start >= bits) return s[1];
    u64 field = scalar_low(low_bits(UINT64_MAX, length) << start, bits / 8);
    return (s[1] & ~field) | (s[0] << start & field);
}

static unsigned amount(const GpuInstruction *ins, u64 value) {
    bool wrap = ins->source->modifiers.mode == PTX_MODE_WRAP || ins->source->modifiers.mode2 == PTX_MODE_WRAP;
    uint32_t n = (uint32_t)value;
    if (wrap) return n & 31;
    return MIN(32, n);
}

static u64 scalar_szext(const GpuInstruction *ins, const u64 s[4]) {
    unsigned n = amount(ins, s[1]);
    uint32_t a = (uint32_t)s[0];
    if (n == 0) return 0;
    if (n >= 32) return a;
    if (ins->source->type == PTX_S32) return (uint32_t)((int32_t)(a << (32 - n)) >> (32 - n));
    return a & ((1u << n) - 1);
}

static u64 scalar_bmsk(const GpuInstruction *ins, const u64 s[4]) {
    unsigned start = amount(ins, s[0]), length = amount(ins, s[1]);
    return ((UINT64_C(1) << length) - 1) << start & UINT32_MAX;
}

static u64 kept_or_turned(u64 bits, bool kept) {
    if (kept) return bits;
    return ~bits;
}

static u64 scalar_lop3(const GpuInstruction *ins, const u64 s[4]) {
    u64 result = 0;
    (void)ins;
    for (unsigned i = 0; i < 8; i++) {
        if (!(s[3] >> i & 1)) continue;
        result |= kept_or_turned(s[0], i & 4) & kept_or_turned(s[1], i & 2) & kept_or_turned(s[2], i & 1);
    }
    return result;
}

static u64 scalar_shf(const GpuInstruction *ins, const u64 s[4]) {
    u64 both = (u64)(uint32_t)s[1] << 32 | (uint32_t)s[0];
    unsigned n = amount(ins, s[2]);
    if (ins->source->modifiers.mode == PTX_MODE_L) return both << n >> 32;
    return both >> n;
}

/** The modes of prmt as the selectors that they stand for, by the two low bits of c (PTX ISA 9.7.9.7). */
static const uint16_t prmt_selectors[][4] = {
    [PTX_MODE_F4E] = {0x3210, 0x4321, 0x5432, 0x6543}, [PTX_MODE_B4E] = {0x5670, 0x6701, 0x7012, 0x0123},
    [PTX_MODE_RC8] = {0x0000, 0x1111, 0x2222, 0x3333}, [PTX_MODE_ECL] = {0x3210, 0x3211, 0x3222, 0x3333},
    [PTX_MODE_ECR] = {0x0000, 0x1110, 0x2210, 0x3210}, [PTX_MODE_RC16] = {0x1010, 0x3232, 0x1010, 0x3232},
};

/** Each of the four selectors picks one of eight bytes or, with its high bit, that byte's sign in all bits.
 */
static u64 scalar_prmt(const GpuInstruction *ins, const u64 s[4]) {
    u64 both = (u64)(uint32_t)s[1] << 32 | (uint32_t)s[0], result = 0;
    PtxMode mode = ins->source->modifiers.mode;
    unsigned selectors = (unsigned)s[2];
    if (mode != PTX_MODE_NONE) selectors = prmt_selectors[mode][s[2] & 3];
    for (unsigned i = 0; i < 4; i++) {
        unsigned selector = selectors >> 4 * i & 15;
        u64 byte = both >> 8 * (selector & 7) & 0xff;
        if (selector & 8) byte = 0xff * (byte >> 7);
        result |= byte << 8 * i;
    }
    return result;
}

static int64_t field(u64 value, unsigned place, unsigned bits, bool is_signed) {
    u64 bits_of = value >> place * bits << (64 - bits);
    if (is_signed) return (int64_t)bits_of >> (64 - bits);
    return (int64_t)(bits_of >> (64 - bits));
}

static u64 scalar_dp4a(const GpuInstruction *ins, const u64 s[4]) {
    bool sa = ins->source->type == PTX_S32, sb = ins->source->source_type == PTX_S32;
    u64 sum = s[2];
    for (unsigned i = 0; i < 4; i++)
        sum += (u64)(field(s[0], i, 8, sa) * field(s[1], i, 8, sb));
    return sum;
}

static u64 scalar_dp2a(const GpuInstruction *ins, const u64 s[4]) {
    bool sa = ins->source->type == PTX_S32, sb = ins->source->source_type == PTX_S32;
    unsigned first = 0;
    if (ins->source->modifiers.mode == PTX_MODE_HI) first = 2;
    u64 sum = s[2];
    for (unsigned i = 0; i < 2; i++)
        sum += (u64)(field(s[0], i, 16, sa) * field(s[1], first + i, 8, sb));
    return sum;
}

/* ---- pairs of 16 bits ---- */

/** Two whole numbers of 16 bits beside each other: add, min and max, each half by itself. */
static u64 scalar_pair(const GpuInstruction *ins, const u64 s[4]) {
    bool is_signed = ins->source->type == PTX_S16X2;
    u64 result = 0;
    for (unsigned i = 0; i < 2; i++) {
        int64_t x = field(s[0], i, 16, is_signed), y = field(s[1], i, 16, is_signed), r = x + y;
        if (ins->source->opcode == PTX_OP_min) r = MIN(x, y);
        if (ins->source->opcode == PTX_OP_max) r = MAX(x, y);
        if (ins->source->modifiers.relu && r < 0) r = 0;
        result |= ((u64)r & 0xffff) << 16 * i;
    }
    return result;
}

static u64 scalar_clamped_choice(const GpuInstruction *ins, const u64 s[4]) {
    int32_t x = (int32_t)s[0], y = (int32_t)s[1];
    int32_t r = MAX(x, y);
    if (ins->source->opcode == PTX_OP_min) r = MIN(x, y);
    return (u64)MAX(r, 0);
}

/* cvt.pack.sat: a above b, and with three sources both above c's low half (PTX ISA 9.7.9.22) */
static u64 scalar_pack_saturated(const GpuInstruction *ins, const u64 s[4]) {
    PtxType type = ins->source->type;
    unsigned bits = 8 * ptx_type_bytes(type);
    bool is_signed = scalar_is_signed(type);
    u64 result = 0;
    if (ins->count > 2) result = (uint32_t)(s[2] << 2 * bits);
    for (unsigned i = 0; i < 2; i++) {
        int64_t value = (int64_t)scalar_number(ins->source->source_type, s[1 - i]);
        result |= scalar_low((u64)scalar_within(value, bits, is_signed), bits / 8) << bits * i;
    }
    return result;
}

static u64 scalar_isspacep(const GpuInstruction *ins, const u64 s[4]) {
    PtxSpace space = PTX_SPACE_GLOBAL;
    if (s[0] - GPU_SHARED_WINDOW < GPU_WINDOW_SPAN) space = PTX_SPACE_SHARED;
    if (s[0] - GPU_LOCAL_WINDOW < GPU_WINDOW_SPAN) space = PTX_SPACE_LOCAL;
    if (s[0] - GPU_CONST_BASE < GPU_WINDOW_SPAN) space = PTX_SPACE_CONST;
    if (s[0] - GPU_PARAM_WINDOW < GPU_WINDOW_SPAN) space = PTX_SPACE_PARAM;
    return space == ins->source->modifiers.space;
}

/* ---- carry: PTX ISA 9.7.2 ---- */

/** The half of a * b that mad and madc add to. */
static u64 carry_product(const PtxInstruction *source, u64 a, u64 b, unsigned bits) {
    u128 product = (u128)a * b;
    if (scalar_is_signed(source->type))
        product =
            (u128)((s128)(int64_t)scalar_number(source->type, a) * (int64_t)scalar_number(source->type, b));
    if (source->modifiers.mode == PTX_MODE_HI) product >>= bits;
    return scalar_low((u64)product, bits / 8);
}

uint64_t scalar_with_carry(const PtxInstruction *source, const uint64_t s[4], bool *carry) {
    PtxOpcode opcode = source->opcode;
    bool takes = opcode == PTX_OP_addc || opcode == PTX_OP_subc || opcode == PTX_OP_madc;
    unsigned bits = ptx_type_bytes(source->type) == 8 ? 64 : 32, taken = takes && *carry;
    u64 a = scalar_low(s[0], bits / 8), b = scalar_low(s[1], bits / 8);
    u128 sum;
    if (opcode == PTX_OP_sub || opcode == PTX_OP_subc)
        sum = (u128)a - b - taken;
    else if (opcode == PTX_OP_add || opcode == PTX_OP_addc)
        sum = (u128)a + b + taken;
    else /* mad, madc */
        sum = (u128)carry_product(source, a, b, bits) + scalar_low(s[2], bits / 8) + taken;
    *carry = sum >> bits & 1;
    return (u64)sum;
}

/** By opcode, where one function does for all forms; NULL: none does. */
static GpuScalar *const scalars[PTX_OPCODE_COUNT] = {
    [PTX_OP_mul24] = scalar_mul24,
    [PTX_OP_mad24] = scalar_mad24,
    [PTX_OP_bfind] = scalar_bfind,
    [PTX_OP_fns] = scalar_fns,
    [PTX_OP_brev] = scalar_brev,
    [PTX_OP_bfe] = scalar_bfe,
    [PTX_OP_bfi] = scalar_bfi,
    [PTX_OP_szext] = scalar_szext,
    [PTX_OP_bmsk] = scalar_bmsk,
    [PTX_OP_lop3] = scalar_lop3,
    [PTX_OP_shf] = scalar_shf,
    [PTX_OP_prmt] = scalar_prmt,
    [PTX_OP_dp4a] = scalar_dp4a,
    [PTX_OP_dp2a] = scalar_dp2a,
    [PTX_OP_cvt_pack] = scalar_pack_saturated,
    [PTX_OP_isspacep] = scalar_isspacep,
};

/** The lane's function for an instruction on whole numbers: forms that saturate, clamp or come in pairs
 * have functions of their own, others are found by opcode. */
GpuScalar *scalar_find_int(const PtxInstruction *source) {
    PtxType type = source->type;
    if (type == PTX_U16X2 || type == PTX_S16X2) return scalar_pair;
    if (type == PTX_S32 && source->modifiers.sat) {
        if (source->opcode == PTX_OP_add) return scalar_add_sat;
        if (source->opcode == PTX_OP_sub) return scalar_sub_sat;
        if (source->opcode == PTX_OP_mad) return scalar_mad_hi_sat;
    }
    if (type == PTX_S32 && source->modifiers.relu) return scalar_clamped_choice;
    return scalars[source->opcode];
}
