/* scalar_video.c - the video instructions: on parts of registers, and on two halves or four bytes of a
 * register at a time (PTX ISA 9.7.18). */
#include "base/minmax.h"
#include "gpu/alu/scalar.h"

typedef int64_t VideoPart(int64_t a, int64_t b);

static int64_t video_add(int64_t a, int64_t b) {
    return a + b;
}
static int64_t video_subtract(int64_t a, int64_t b) {
    return a - b;
}
/* Rounds away from zero. */
static int64_t video_mean(int64_t a, int64_t b) {
    int64_t sum = a + b;
    if (sum < 0) return (sum - 1) / 2;
    return (sum + 1) / 2;
}
static int64_t video_distance(int64_t a, int64_t b) {
    if (a < b) return b - a;
    return a - b;
}
static int64_t video_least(int64_t a, int64_t b) {
    return MIN(a, b);
}
static int64_t video_most(int64_t a, int64_t b) {
    return MAX(a, b);
}

static GpuScalar scalar_video, scalar_part, scalar_part_product;

/** What runs a video instruction, how many bits its parts have, and what is done with a part of a and one of
 * b. NULL: more than the parts decides it (video_of_parts, part_compute). */
typedef struct VideoRow {
    GpuScalar *scalar;
    unsigned bits;
    VideoPart *part;
} VideoRow;

/* clang-format off */
static const VideoRow rows[PTX_OPCODE_COUNT] = {
    /* parts of registers: 9.7.18.1 */
    [PTX_OP_vadd]      = {scalar_part, 0, video_add},
    [PTX_OP_vsub]      = {scalar_part, 0, video_subtract},
    [PTX_OP_vabsdiff]  = {scalar_part, 0, video_distance},
    [PTX_OP_vmin]      = {scalar_part, 0, video_least},
    [PTX_OP_vmax]      = {scalar_part, 0, video_most},
    [PTX_OP_vset]      = {scalar_part, 0, NULL},
    [PTX_OP_vshl]      = {scalar_part, 0, NULL},
    [PTX_OP_vshr]      = {scalar_part, 0, NULL},
    [PTX_OP_vmad]      = {scalar_part_product, 0, NULL},
    /* two halves: 9.7.18.2 */
    [PTX_OP_vadd2]     = {scalar_video, 16, video_add},
    [PTX_OP_vsub2]     = {scalar_video, 16, video_subtract},
    [PTX_OP_vavrg2]    = {scalar_video, 16, video_mean},
    [PTX_OP_vabsdiff2] = {scalar_video, 16, video_distance},
    [PTX_OP_vmin2]     = {scalar_video, 16, video_least},
    [PTX_OP_vmax2]     = {scalar_video, 16, video_most},
    [PTX_OP_vset2]     = {scalar_video, 16, NULL},
    /* four bytes: 9.7.18.3 */
    [PTX_OP_vadd4]     = {scalar_video, 8, video_add},
    [PTX_OP_vsub4]     = {scalar_video, 8, video_subtract},
    [PTX_OP_vavrg4]    = {scalar_video, 8, video_mean},
    [PTX_OP_vabsdiff4] = {scalar_video, 8, video_distance},
    [PTX_OP_vmin4]     = {scalar_video, 8, video_least},
    [PTX_OP_vmax4]     = {scalar_video, 8, video_most},
    [PTX_OP_vset4]     = {scalar_video, 8, NULL},
};
/* clang-format on */

static int64_t video_extract(uint64_t word, unsigned shift, unsigned bits, PtxType type) {
    uint64_t part = word >> shift & ((UINT64_C(1) << bits) - 1);
    bool negative = type == PTX_S32 && part >> (bits - 1) & 1;
    if (negative) return (int64_t)part - (INT64_C(1) << bits);
    return (int64_t)part;
}

/** Whether two numbers, which may differ in sign, compare as a vset asks: 0 or 1. */
static int64_t video_compare(const PtxInstruction *source, int64_t a, int64_t b) {
    return scalar_compare_whole(source->modifiers.compare, PTX_S64, (uint64_t)a, (uint64_t)b);
}

/** What an instruction on halves or bytes makes of a part of each. */
static int64_t video_of_parts(const PtxInstruction *source, int64_t a, int64_t b) {
    VideoPart *part = rows[source->opcode].part;
    if (part) return part(a, b);
    return video_compare(source, a, b);
}

typedef struct VideoTypes {
    PtxType a, b;
} VideoTypes;

/** The types of a and b. A comparison has no type of the result before them. */
static VideoTypes video_types(const PtxInstruction *source) {
    if (source->modifiers.compare) return (VideoTypes){source->type, source->source_type};
    return (VideoTypes){source->source_type, source->third_type};
}

/** An instruction on halves or bytes: each part is extracted, computed, saturated and put back; with .add
 * the parts' results are summed up with c instead. */
static uint64_t scalar_video(const GpuInstruction *ins, const uint64_t sources[4]) {
    const PtxInstruction *source = ins->source;
    VideoTypes types = video_types(source);
    unsigned bits = rows[source->opcode].bits;
    uint64_t packed = 0;
    int64_t sum = 0;
    for (unsigned shift = 0; shift < 32; shift += bits) {
        int64_t a = video_extract(sources[0], shift, bits, types.a);
        int64_t b = video_extract(sources[1], shift, bits, types.b);
        int64_t value = video_of_parts(source, a, b);
        if (source->modifiers.sat) value = (int64_t)scalar_within(value, bits, source->type == PTX_S32);
        sum += value;
        packed |= ((uint64_t)value & ((UINT64_C(1) << bits) - 1)) << shift;
    }
    bool adds = source->modifiers.atomic == PTX_ATOM_ADD;
    if (adds) return (uint32_t)(sources[2] + (uint64_t)sum);
    return packed;
}

/* ---- parts of registers: 9.7.18.1 ---- */

typedef struct PartPlace {
    unsigned shift, bits;
} PartPlace;

static PartPlace part_place(PtxPart part) {
    if (part == PTX_PART_WHOLE) return (PartPlace){0, 32};
    if (part <= PTX_PART_B3) return (PartPlace){8 * (unsigned)(part - PTX_PART_B0), 8};
    return (PartPlace){16 * (unsigned)(part - PTX_PART_H0), 16};
}

static int64_t part_source(const PtxInstruction *source, unsigned operand, uint64_t word, PtxType type) {
    PartPlace place = part_place(source->operands[operand].part);
    return video_extract(word, place.shift, place.bits, type);
}

static ScalarWide part_shift(const PtxInstruction *source, int64_t a, int64_t b) {
    bool wraps = source->modifiers.mode2 == PTX_MODE_WRAP;
    uint32_t by = (uint32_t)b;
    if (wraps) by &= 31;
    if (by > 32) by = 32;
    if (source->opcode == PTX_OP_vshl) return (ScalarWide)a * ((ScalarWide)1 << by);
    return (ScalarWide)a >> by;
}

/** What an instruction on one part of each operand computes, before it saturates or takes in c. */
static ScalarWide part_compute(const PtxInstruction *source, int64_t a, int64_t b) {
    VideoPart *part = rows[source->opcode].part;
    if (part) return part(a, b);
    if (source->opcode != PTX_OP_vset) return part_shift(source, a, b);
    return video_compare(source, a, b);
}

/** What the result is combined with: c, as a number of the result's type. */
static uint32_t part_combine(const PtxInstruction *source, uint32_t value, uint64_t c) {
    PtxAtomic operation = source->modifiers.atomic;
    bool is_signed = source->type == PTX_S32 && source->opcode != PTX_OP_vset;
    uint32_t other = (uint32_t)c;
    if (operation == PTX_ATOM_ADD) return value + other;
    bool less = value < other;
    if (is_signed) less = (int32_t)value < (int32_t)other;
    if (less == (operation == PTX_ATOM_MIN)) return value;
    return other;
}

static uint64_t scalar_part(const GpuInstruction *ins, const uint64_t sources[4]) {
    const PtxInstruction *source = ins->source;
    VideoTypes types = video_types(source);
    int64_t a = part_source(source, 1, sources[0], types.a);
    int64_t b = part_source(source, 2, sources[1], types.b);
    PartPlace place = part_place(source->operands[0].part);
    ScalarWide value = part_compute(source, a, b);
    if (source->modifiers.sat) value = scalar_within(value, place.bits, source->type == PTX_S32);
    uint32_t result = (uint32_t)value;
    if (source->modifiers.atomic) return part_combine(source, result, sources[2]);
    if (place.bits == 32) return result;
    uint32_t mask = ((1u << place.bits) - 1) << place.shift;
    return ((uint32_t)sources[2] & ~mask) | (result << place.shift & mask);
}

/** vmad: the product of two parts and c, exact in 128 bits, then scaled by .shr7 or .shr15 and saturated
 * if asked. */
static uint64_t scalar_part_product(const GpuInstruction *ins, const uint64_t sources[4]) {
    const PtxInstruction *source = ins->source;
    bool is_signed = source->source_type == PTX_S32 || source->third_type == PTX_S32;
    int64_t a = part_source(source, 1, sources[0], source->source_type);
    int64_t b = part_source(source, 2, sources[1], source->third_type);
    ScalarWide c;
    if (is_signed)
        c = (ScalarWide)(int32_t)sources[2];
    else
        c = (ScalarWide)(uint32_t)sources[2];
    ScalarWide value = (ScalarWide)a * b + c + (source->modifiers.mode == PTX_MODE_PLUS_ONE);
    if (source->modifiers.mode2 == PTX_MODE_SHR7) value >>= 7;
    if (source->modifiers.mode2 == PTX_MODE_SHR15) value >>= 15;
    if (source->modifiers.sat) value = scalar_within(value, 32, is_signed);
    return (uint32_t)value;
}

/** The lane's function for a video instruction; NULL when it is none. */
GpuScalar *scalar_find_video(const PtxInstruction *source) {
    return rows[source->opcode].scalar;
}
