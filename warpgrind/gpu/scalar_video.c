/* scalar_video.c - the SIMD video instructions: two halves or four bytes of a register at a time (PTX
 * ISA 9.7.18). */
#include "gpu/scalar.h"

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
    return sum < 0 ? (sum - 1) / 2 : (sum + 1) / 2;
}
static int64_t video_distance(int64_t a, int64_t b) {
    return a < b ? b - a : a - b;
}
static int64_t video_least(int64_t a, int64_t b) {
    return a < b ? a : b;
}
static int64_t video_most(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static const struct {
    PtxOpcode opcode;
    unsigned bits;
    VideoPart *part;
} rows[] = {
    {PTX_OP_vadd2, 16, video_add},          {PTX_OP_vadd4, 8, video_add},
    {PTX_OP_vsub2, 16, video_subtract},     {PTX_OP_vsub4, 8, video_subtract},
    {PTX_OP_vavrg2, 16, video_mean},        {PTX_OP_vavrg4, 8, video_mean},
    {PTX_OP_vabsdiff2, 16, video_distance}, {PTX_OP_vabsdiff4, 8, video_distance},
    {PTX_OP_vmin2, 16, video_least},        {PTX_OP_vmin4, 8, video_least},
    {PTX_OP_vmax2, 16, video_most},         {PTX_OP_vmax4, 8, video_most},
};

static int64_t video_extract(uint64_t word, unsigned shift, unsigned bits, PtxType type) {
    uint64_t part = word >> shift & ((UINT64_C(1) << bits) - 1);
    bool negative = type == PTX_S32 && part >> (bits - 1) & 1;
    return negative ? (int64_t)part - (INT64_C(1) << bits) : (int64_t)part;
}

static int64_t video_saturate(int64_t value, unsigned bits, PtxType type) {
    int64_t most = type == PTX_S32 ? (INT64_C(1) << (bits - 1)) - 1 : (INT64_C(1) << bits) - 1;
    int64_t least = type == PTX_S32 ? -most - 1 : 0;
    return value < least ? least : value > most ? most : value;
}

static uint64_t video_run(const GpuInstruction *ins, const uint64_t sources[4], unsigned row) {
    const PtxInstruction *source = ins->source;
    unsigned bits = rows[row].bits;
    uint64_t packed = 0;
    int64_t sum = 0;
    for (unsigned shift = 0; shift < 32; shift += bits) {
        int64_t a = video_extract(sources[0], shift, bits, source->source_type);
        int64_t b = video_extract(sources[1], shift, bits, source->third_type);
        int64_t value = rows[row].part(a, b);
        if (source->modifiers.sat) value = video_saturate(value, bits, source->type);
        sum += value;
        packed |= ((uint64_t)value & ((UINT64_C(1) << bits) - 1)) << shift;
    }
    bool adds = source->modifiers.atomic == PTX_ATOM_ADD;
    return adds ? (uint32_t)(sources[2] + (uint64_t)sum) : packed;
}

static uint64_t scalar_video(const GpuInstruction *ins, const uint64_t sources[4]) {
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].opcode == ins->source->opcode) return video_run(ins, sources, i);
    BUG("opcode %d is no video instruction", (int)ins->source->opcode);
}

GpuScalar *scalar_find_video(const PtxInstruction *source) {
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].opcode == source->opcode) return scalar_video;
    return NULL;
}
