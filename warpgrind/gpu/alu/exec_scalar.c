/* exec_scalar.c - instructions done lane by lane: those too rare to deserve a vector loop of their own.
 *
 * Sources are in `extra`. What a lane computes is a GpuScalar: in scalar_int.c, scalar_float.c and
 * scalar_cvt.c.
 */
#include "gpu/alu/scalar.h"

/** What a lane reads, in the order of the text: bits of a register, 0 or 1 of a predicate, and 0 for
 * operands that are not there. */
static void scalar_sources(const GpuWarp *warp, const GpuInstruction *ins, unsigned lane,
                           uint64_t sources[4]) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    for (unsigned i = 0; i < 4; i++) {
        sources[i] = 0;
        if (i >= ins->count) continue;
        if (parts[i].width == 0) {
            uint32_t bits;
            memcpy(&bits, gpu_row(warp, parts[i].row), sizeof bits);
            sources[i] = (bits >> lane & 1) ^ parts[i].flip;
        } else {
            sources[i] = gpu_lane_value(warp, parts[i].row, parts[i].width, lane);
        }
    }
}

const GpuInstruction *scalar_lanes(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint64_t sources[4];
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        scalar_sources(warp, ins, lane, sources);
        gpu_lane_set(warp, ins->d, ins->width, lane, ins->u.scalar(ins, sources));
    }
    return ins->next;
}

static uint32_t scalar_truth(const GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint64_t sources[4];
    uint32_t truth = 0;
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        scalar_sources(warp, ins, lane, sources);
        truth |= (uint32_t)(ins->u.scalar(ins, sources) != 0) << lane;
    }
    return truth;
}

static void scalar_set_predicate(const GpuWarp *warp, GpuRow row, uint32_t mask, uint32_t bits) {
    uint32_t old;
    memcpy(&old, gpu_row(warp, row), sizeof old);
    old = (old & ~mask) | (bits & mask);
    memcpy(gpu_row(warp, row), &old, sizeof old);
}

const GpuInstruction *scalar_predicate(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    scalar_set_predicate(warp, ins->d, mask, scalar_truth(warp, ins, mask));
    return ins->next;
}

/** The second step of setp.cmp.bool: the comparison and the predicate c become one. */
static uint32_t scalar_combine(PtxBoolean boolean, uint32_t x, uint32_t y) {
    switch (boolean) {
    case PTX_BOOL_AND:
        return x & y;
    case PTX_BOOL_OR:
        return x | y;
    case PTX_BOOL_XOR:
        return x ^ y;
    case PTX_BOOL_NONE:
        break;
    }
    return x;
}

/** setp.cmp.bool p|q, a, b, c: p = cmp bool c, q = !cmp bool c. */
const GpuInstruction *scalar_setp(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    PtxBoolean boolean = ins->source->modifiers.boolean;
    uint32_t truth = scalar_truth(warp, ins, mask), third = 0;
    if (ins->count > 2) {
        const GpuExtra *part = ins->function->extra + ins->extra + 2;
        memcpy(&third, gpu_row(warp, part->row), sizeof third);
        if (part->flip) third = ~third;
    }
    if (ins->defines != GPU_NO_REGISTER)
        scalar_set_predicate(warp, ins->d, mask, scalar_combine(boolean, truth, third));
    if (ins->address_register != GPU_NO_REGISTER)
        scalar_set_predicate(warp, ins->c, mask, scalar_combine(boolean, ~truth, third));
    return ins->next;
}

/** lop3.bool d|p, a, b, c, table, q: p = (d != 0) bool q. */
const GpuInstruction *scalar_table(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const GpuExtra *last = ins->function->extra + ins->extra + 4;
    uint32_t truth = scalar_truth(warp, ins, mask), third;
    memcpy(&third, gpu_row(warp, last->row), sizeof third);
    if (last->flip) third = ~third;
    if (ins->defines != GPU_NO_REGISTER) scalar_lanes(warp, ins, mask);
    if (ins->address_register != GPU_NO_REGISTER)
        scalar_set_predicate(warp, ins->c, mask,
                             scalar_combine(ins->source->modifiers.boolean, truth, third));
    return ins->next;
}

/** mov.b32 d, {a, b}: the first part comes into the lowest bits. */
const GpuInstruction *scalar_pack(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        uint64_t whole = 0;
        for (unsigned k = 0; k < ins->count; k++)
            whole |= scalar_low(gpu_lane_value(warp, parts[k].row, parts[k].width, lane), ins->bytes)
                     << 8 * ins->bytes * k;
        gpu_lane_set(warp, ins->d, ins->width, lane, whole);
    }
    return ins->next;
}

/** mov.b32 {a, b}, d: the lowest bits go to the first part; a part may be the sink. */
const GpuInstruction *scalar_unpack(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        uint64_t whole = gpu_lane_value(warp, ins->a, ins->width, lane);
        for (unsigned k = 0; k < ins->count; k++)
            if (!parts[k].sink)
                gpu_lane_set(warp, parts[k].row, parts[k].width, lane,
                             scalar_low(whole >> 8 * ins->bytes * k, ins->bytes));
    }
    return ins->next;
}

/** add.cc and its kind: the frame keeps CC.CF, a bit a lane (PTX ISA 9.7.2). */
const GpuInstruction *scalar_carry(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint64_t sources[4];
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        scalar_sources(warp, ins, lane, sources);
        bool carry = warp->frame->carry >> lane & 1;
        gpu_lane_set(warp, ins->d, ins->width, lane, scalar_with_carry(ins->source, sources, &carry));
        if (ins->source->modifiers.cc)
            warp->frame->carry = (warp->frame->carry & ~(1u << lane)) | (uint32_t)carry << lane;
    }
    return ins->next;
}

/** Finds the lane's function for an instruction that has no vector handler. Floats are asked first, as
 * their types decide; video instructions have types of whole numbers and opcodes of their own. */
GpuScalar *exec_scalar_find(const PtxInstruction *source) {
    PtxOpcode opcode = source->opcode;
    if (opcode == PTX_OP_cvt) return scalar_cvt;
    if (opcode == PTX_OP_setp || opcode == PTX_OP_set) return scalar_find_compare(source);
    GpuScalar *found = scalar_find_float(source);
    if (!found) found = scalar_find_video(source);
    if (found) return found;
    return scalar_find_int(source);
}
