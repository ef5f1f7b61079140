/* undefined_shadow.c - the definedness of what an instruction gives, moved along before it is executed.
 *
 * Results of arithmetic are undefined as a whole when a source is. Moves, masks and shifts by whole bytes are
 * followed byte by byte, so that copying padding about is no use of it.
 */

#include "base/minmax.h"
#include "gpu/definedness/bytes.h"

/* ---- operations ---- */

/** Lanes in which any source is undefined, and one of the places where that came from; `origin` stays as
 * it is when there are none. */
static uint32_t undefined_sources(const GpuWarp *warp, const GpuInstruction *ins, uint32_t mask,
                                  uint32_t *origin) {
    uint32_t undefined = 0;
    for (unsigned i = 0; i < ins->use_count; i++) {
        const GpuMeta *meta = &warp->meta[ins->uses[i]];
        if (!(meta->undefined & mask)) continue;
        undefined_expect(warp, ins);
        undefined |= meta->undefined & mask;
        *origin = undefined_from(meta->origin, ins);
    }
    return undefined;
}

static void undefined_whole(GpuWarp *warp, uint16_t number, uint32_t mask, uint32_t undefined,
                            uint32_t origin) {
    GpuMeta *meta = &warp->meta[number];
    if (undefined) warp->run->kernel->met_undefined = true;
    meta->undefined = (meta->undefined & ~mask) | undefined;
    meta->partial &= ~mask;
    meta->origin = origin;
}

/** Nearly always no source is undefined: then the result is not either, and this is all there is to do. */
static inline bool undefined_pass(const GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint32_t undefined = 0;
    for (unsigned i = 0; i < ins->use_count; i++)
        undefined |= warp->meta[ins->uses[i]].undefined;
    if (undefined & mask) return false;
    warp->meta[ins->defines].undefined &= ~mask;
    return true;
}

/** Any undefined source makes the result undefined. */
static void undefined_plain(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    if (undefined_pass(warp, ins, mask)) return;
    uint32_t origin = 0, undefined = undefined_sources(warp, ins, mask, &origin);
    undefined_whole(warp, ins->defines, mask, undefined, origin);
}

/** Whether one side of setp.cmp.bool settles what comes out, the other being undefined: a defined false of
 * .and, a defined true of .or. */
static bool setp_is_settled(PtxBoolean boolean, bool value) {
    return (boolean == PTX_BOOL_AND && !value) || (boolean == PTX_BOOL_OR && value);
}

/** Of the undefined lanes, those in which the predicate c of setp.cmp.bool p, a, b, c settles the result. */
static uint32_t setp_settled(const GpuWarp *warp, const GpuInstruction *ins, uint32_t undefined) {
    PtxBoolean boolean = ins->source->modifiers.boolean;
    const GpuExtra *third = ins->function->extra + ins->extra + 2;
    if (ins->step != STEP_scalar_setp || gpu_is_guarded(ins)) return 0;
    if (ins->count < 3 || third->number == GPU_NO_REGISTER) return 0;
    uint32_t bits, settled = 0;
    memcpy(&bits, gpu_row(warp, third->row), sizeof bits);
    if (third->flip) bits = ~bits;
    undefined &= ~warp->meta[third->number].undefined;
    for (; undefined; undefined &= undefined - 1) {
        unsigned lane = (unsigned)__builtin_ctz(undefined);
        if (setp_is_settled(boolean, bits >> lane & 1)) settled |= 1u << lane;
    }
    return settled;
}

/** The same, for both predicates of setp p|q. */
static void undefined_setp(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint32_t origin = 0, undefined = undefined_sources(warp, ins, mask, &origin);
    undefined &= ~setp_settled(warp, ins, undefined);
    if (ins->defines != GPU_NO_REGISTER) undefined_whole(warp, ins->defines, mask, undefined, origin);
    if (ins->address_register != GPU_NO_REGISTER)
        undefined_whole(warp, ins->address_register, mask, undefined, origin);
}

/* Byte by byte: what of the result is undefined, from the undefined bytes of the sources. */

typedef struct Bytes {
    unsigned mask[3];
    uint64_t value[3];
    unsigned width; /**< of the result */
} Bytes;

/** Whether this byte of a mask makes room for a bit-field beside others, rather than taking one out: it has
 * zeros in one run, and is not the ones at the bottom that a field is read with. LIMIT: definedness is kept
 * by byte; a byte in which one field has been written counts as defined, so that reading that field is no
 * mistake. Reading another field of the byte, not written yet, is then not found. */
static bool makes_room(uint64_t mask, unsigned byte) {
    uint8_t ones = (uint8_t)(mask >> 8 * byte), zeros = (uint8_t)~ones;
    uint64_t below = mask & ((UINT64_C(1) << 8 * byte) - 1);
    bool one_run = zeros && ones && !((zeros + (zeros & -zeros)) & zeros);
    bool at_top = zeros & 0x80; /* then the ones are at the bottom */
    return one_run && (!at_top || ones == 0x7f || (byte && below + 1 == UINT64_C(1) << 8 * byte));
}

/** A mask like 252 that also cuts off undefined bytes above takes something out of a word: where a byte is
 * made room in, the register has defined zeros there. */
static bool cuts_above(uint64_t mask, unsigned undefined, unsigned byte) {
    bool ones_on_top = mask >> (8 * byte + 7) & 1,
         zeros_above = byte < 7 && (mask >> 8 * (byte + 1) & 0xff) == 0;
    return ones_on_top && zeros_above && undefined >> (byte + 1) & 1;
}

static bool leaves_field(uint64_t mask, unsigned undefined, unsigned byte) {
    return makes_room(mask, byte) && !cuts_above(mask, undefined, byte);
}

/** A defined 0 makes the byte 0 whatever the other side is; and a byte that makes room for a bit-field
 * counts as defined. */
static unsigned bytes_and(const Bytes *in) {
    unsigned undefined = 0;
    for (unsigned i = 0; i < in->width; i++) {
        bool x = in->mask[0] >> i & 1, y = in->mask[1] >> i & 1;
        uint8_t a = (uint8_t)(in->value[0] >> 8 * i), b = (uint8_t)(in->value[1] >> 8 * i);
        bool absorbed = (!x && a == 0) || (!y && b == 0);
        bool field = (!x && leaves_field(in->value[0], in->mask[1], i)) ||
                     (!y && leaves_field(in->value[1], in->mask[0], i));
        if ((x || y) && !absorbed && !field) undefined |= 1u << i;
    }
    return undefined;
}

static unsigned bytes_or(const Bytes *in) {
    unsigned undefined = 0;
    for (unsigned i = 0; i < in->width; i++) {
        bool x = in->mask[0] >> i & 1, y = in->mask[1] >> i & 1;
        uint8_t a = (uint8_t)(in->value[0] >> 8 * i), b = (uint8_t)(in->value[1] >> 8 * i);
        bool absorbed = (!x && a == 0xff) || (!y && b == 0xff);
        if ((x || y) && !absorbed) undefined |= 1u << i;
    }
    return undefined;
}

/** Undefined bytes move along by whole bytes. A shift by other amounts spreads each over two, and an
 * arithmetic one pulls an undefined sign down into the bytes above. */
static unsigned bytes_shift(const Bytes *in, bool left, bool arithmetic) {
    unsigned amount = (unsigned)MIN(in->value[1], 64), whole = amount / 8, all = all_bytes(in->width);
    if (in->mask[1]) return all;
    const unsigned touched =
        whole + (amount % 8 != 0); /* a byte goes as far as this, and to the one before */
    if (left) return (in->mask[0] << whole | in->mask[0] << touched) & all;
    unsigned moved = in->mask[0] >> whole | in->mask[0] >> touched;
    bool sign = in->mask[0] >> (in->width - 1) & 1;
    if (arithmetic && sign) moved |= all & ~(all >> MIN(touched, in->width));
    return moved & all;
}

static unsigned bytes_convert(const PtxInstruction *source, const Bytes *in) {
    unsigned from = ptx_type_bytes(source->source_type);
    bool is_signed =
        source->source_type == PTX_S8 || source->source_type == PTX_S16 || source->source_type == PTX_S32;
    unsigned undefined = in->mask[0] & all_bytes(from);
    if (is_signed && in->mask[0] >> (from - 1) & 1) undefined |= ~all_bytes(from);
    return undefined & all_bytes(in->width);
}

static unsigned bytes_prmt(const PtxInstruction *source, const Bytes *in) {
    unsigned both = (in->mask[0] & 15) | (in->mask[1] & 15) << 4, undefined = 0;
    if (in->mask[2] || source->modifiers.mode != PTX_MODE_NONE) return both ? all_bytes(4) : 0;
    for (unsigned i = 0; i < 4; i++)
        if (both >> (in->value[2] >> 4 * i & 7) & 1) undefined |= 1u << i;
    return undefined;
}

static bool is_whole_type(PtxType type) {
    return type != PTX_NONE && type != PTX_PRED && type != PTX_F16 && type != PTX_BF16 && type != PTX_F32 &&
           type != PTX_F64 && type != PTX_F16X2 && type != PTX_BF16X2;
}

/** Every function of three bits: a byte is undefined when some undefined bit of a source shows in it. */
static unsigned bytes_table(const PtxInstruction *source, const Bytes *in) {
    uint8_t table = (uint8_t)source->operands[source->destination_count + 3].bits;
    unsigned undefined = 0;
    for (unsigned i = 0; i < in->width; i++) {
        unsigned unknown = 0, seen[8] = {0}; /* [choice of the unknown ones] the byte that comes out */
        for (unsigned k = 0; k < 3; k++)
            unknown |= (in->mask[k] >> i & 1) << k;
        for (unsigned choice = 0; choice < 8; choice++)
            for (unsigned bit = 8 * i; bit < 8 * i + 8; bit++) {
                unsigned known = (unsigned)(in->value[0] >> bit & 1) << 2 |
                                 (unsigned)(in->value[1] >> bit & 1) << 1 | (in->value[2] >> bit & 1);
                unsigned guess = (choice & 1) << 2 | (choice & 2) | choice >> 2;
                unsigned guessed = (unknown & 1) << 2 | (unknown & 2) | unknown >> 2;
                unsigned index = (known & ~guessed) | (guess & guessed);
                seen[choice] |= (unsigned)(table >> index & 1) << (bit - 8 * i);
            }
        for (unsigned choice = 1; choice < 8; choice++)
            if (seen[choice] != seen[0]) undefined |= 1u << i;
    }
    return undefined;
}

static bool is_defined_zero(const Bytes *in, unsigned i) {
    return !in->mask[i] && in->value[i] == 0;
}

static bool has_zero_factor(const Bytes *in) {
    return is_defined_zero(in, 0) || is_defined_zero(in, 1);
}

/** x ^ x and x - x are 0, whatever x is. */
static bool is_same_register(const PtxInstruction *source) {
    const PtxOperand *x = &source->operands[source->destination_count];
    return x[0].kind == PTX_OPERAND_REGISTER && x[1].kind == PTX_OPERAND_REGISTER && x[0].index == x[1].index;
}

static unsigned bytes_select(const Bytes *in) {
    bool equal = in->value[0] == in->value[1] && !in->mask[0] && !in->mask[1];
    if (in->mask[2] && !equal) return all_bytes(in->width);
    if (in->mask[2]) return 0;
    if (in->value[2]) return in->mask[0];
    return in->mask[1];
}

/** bfe: of the source, only the bytes that the field lies in count. */
static unsigned bytes_field(const Bytes *in) {
    unsigned start = in->value[1] & 0xff, count = in->value[2] & 0xff, all = all_bytes(in->width);
    if (in->mask[1] || in->mask[2]) return all;
    bool undefined = false;
    for (unsigned i = 0; i < in->width; i++)
        undefined |= (in->mask[0] >> i & 1) && 8 * i < start + count && start < 8 * (i + 1);
    if (undefined && count) return all;
    return 0;
}

/** What of the result is undefined. Instructions that are not named mix all bytes: one undefined byte of
 * a source then makes the whole result undefined. */
static unsigned bytes_result(const PtxInstruction *source, const Bytes *in) {
    const unsigned all = all_bytes(in->width);
    unsigned whole = 0;
    if (in->mask[0] | in->mask[1] | in->mask[2]) whole = all;
    switch (ptx_opcode_info(source->opcode)->reach) {
    case PTX_REACH_ALL:
        return whole;
    case PTX_REACH_SAME:
        return in->mask[0];
    case PTX_REACH_AND:
        return bytes_and(in);
    case PTX_REACH_OR:
        return bytes_or(in);
    case PTX_REACH_XOR:
        if (is_same_register(source)) return 0;
        return in->mask[0] | in->mask[1];
    case PTX_REACH_TRUTH_TABLE:
        return bytes_table(source, in);
    case PTX_REACH_DIFFERENCE:
        if (is_whole_type(source->type) && is_same_register(source)) return 0;
        return whole;
    case PTX_REACH_PRODUCT_SUM:
        if (is_whole_type(source->type) && has_zero_factor(in)) return in->mask[2] ? all : 0;
        return whole;
    case PTX_REACH_SHIFT:
        return bytes_shift(in, source->opcode == PTX_OP_shl,
                           is_whole_type(source->type) && source->type >= PTX_S8 && source->type <= PTX_S64);
    case PTX_REACH_PRODUCT:
        if (has_zero_factor(in)) return 0;
        return whole;
    case PTX_REACH_CONVERSION:
        if (is_whole_type(source->type) && is_whole_type(source->source_type) && !source->modifiers.sat)
            return bytes_convert(source, in);
        return whole;
    case PTX_REACH_PERMUTATION:
        return bytes_prmt(source, in);
    case PTX_REACH_CHOICE:
        return bytes_select(in);
    case PTX_REACH_FIELD:
        return bytes_field(in);
    }
    BUG("no such reach");
}

/** A source's register; which operand it was is found again from the text. */
static unsigned bytes_source(const GpuWarp *warp, const GpuInstruction *ins, unsigned i, unsigned lane,
                             uint64_t *value) {
    const PtxInstruction *source = ins->source;
    unsigned at = source->destination_count + i;
    if (at >= source->operand_count) return 0;
    const PtxOperand *operand = &source->operands[at];
    *value = operand->bits;
    if (operand->kind != PTX_OPERAND_REGISTER) return 0;
    uint16_t number = (uint16_t)operand->index;
    GpuRow row = GPU_ROW(GPU_BASE_FRAME, ins->function->register_offset[number]);
    PtxType type = ins->function->ptx->registers[number].type;
    if (type == PTX_PRED) {
        uint32_t bits;
        memcpy(&bits, gpu_row(warp, row), sizeof bits);
        *value = (bits >> lane & 1) != operand->negated ? UINT64_MAX : 0;
    } else {
        *value = gpu_lane_value(warp, row, ptx_type_bytes(type) == 8 ? 8 : 4, lane);
    }
    return undefined_bytes(warp->frame, number, lane);
}

/** For the instructions that bytes_result knows. Only lanes with an undefined source are looked at byte
 * by byte; they are few. */
static void undefined_precise(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    if (undefined_pass(warp, ins, mask)) return;
    uint32_t origin = 0, undefined = undefined_sources(warp, ins, mask, &origin);
    unsigned width = ptx_type_bytes(ins->function->ptx->registers[ins->defines].type);
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        Bytes in = {.width = MAX(width, 1)};
        for (unsigned i = 0; i < 3 && (undefined >> lane & 1); i++)
            in.mask[i] = bytes_source(warp, ins, i, lane, &in.value[i]);
        unsigned bytes = 0;
        if (undefined >> lane & 1) bytes = bytes_result(ins->source, &in);
        undefined_set(warp->frame, ins->defines, lane, bytes, in.width, origin);
    }
}

/* ---- packs ---- */

/** The register that the instruction takes from; none for a constant. */
static uint16_t only_source(const GpuInstruction *ins) {
    if (ins->use_count == 0) return GPU_NO_REGISTER;
    return ins->uses[0];
}

/** Parts keep their undefined bytes at their places in the whole. */
static void undefined_pack(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    uint32_t origin = 0;
    for (unsigned k = 0; k < ins->count; k++)
        if (parts[k].number != GPU_NO_REGISTER && warp->meta[parts[k].number].undefined & mask)
            origin = undefined_origin(warp, parts[k].number, ins);
    if (!origin) {
        warp->meta[ins->defines].undefined &= ~mask;
        return;
    }
    undefined_expect(warp, ins);
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask), bytes = 0;
        for (unsigned k = 0; k < ins->count; k++)
            bytes |= (undefined_bytes(warp->frame, parts[k].number, lane) & all_bytes(ins->bytes))
                     << ins->bytes * k;
        undefined_set(warp->frame, ins->defines, lane, bytes, (unsigned)ins->bytes * ins->count, origin);
    }
}

/** The other way: each part takes its bytes of the whole along. */
static void undefined_unpack(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    uint16_t from = only_source(ins);
    if (from == GPU_NO_REGISTER || !(warp->meta[from].undefined & mask)) {
        undefined_clear_parts(warp, ins, mask);
        return;
    }
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask), bytes = undefined_bytes(warp->frame, from, lane);
        for (unsigned k = 0; k < ins->count; k++)
            if (parts[k].number != GPU_NO_REGISTER)
                undefined_set(warp->frame, parts[k].number, lane, bytes >> ins->bytes * k, ins->bytes,
                              undefined_origin(warp, from, ins));
    }
}

/* ---- words of the local frame ---- */

static uint32_t frame_offset(const GpuWarp *warp, const GpuInstruction *ins) {
    return warp->frame->local_base + (uint32_t)ins->memory.offset;
}

/** A load of a word of the frame. An undefined sign makes the bytes undefined that it is extended to. */
static void undefined_frame_load(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint32_t offset = frame_offset(warp, ins), any = 0, first = offset;
    for (unsigned i = ins->bytes; i-- > 0;) {
        if (warp->local_undefined[offset + i] & mask) first = offset + i;
        any |= warp->local_undefined[offset + i];
    }
    if (ins->defines == GPU_NO_REGISTER) return;
    GpuMeta *meta = &warp->meta[ins->defines];
    meta->undefined &= ~mask;
    if (!(any & mask)) return;
    uint32_t origin = warp->local_origin[first / 4];
    if (!origin) origin = ins->pc;
    for (uint32_t left = any & mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left), bytes = 0;
        for (unsigned i = 0; i < ins->bytes; i++)
            bytes |= (warp->local_undefined[offset + i] >> lane & 1) << i;
        if (ins->memory.sign && bytes >> (ins->bytes - 1) & 1) bytes |= ~all_bytes(ins->bytes);
        undefined_set(warp->frame, ins->defines, lane, bytes, register_bytes(warp->frame, ins->defines),
                      origin);
    }
}

/** A store to a word of the frame: first its bytes become defined in these lanes, then those of undefined
 * values lose that again. */
static void undefined_frame_store(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint32_t offset = frame_offset(warp, ins);
    uint16_t from = only_source(ins);
    for (unsigned i = 0; i < ins->bytes; i++)
        warp->local_undefined[offset + i] &= ~mask;
    uint32_t undefined = undefined_in(warp, from, mask);
    if (!undefined) return;
    undefined_came_from(warp, offset, ins->bytes, undefined_origin(warp, from, ins));
    for (; undefined; undefined &= undefined - 1) {
        unsigned lane = (unsigned)__builtin_ctz(undefined), bytes = undefined_bytes(warp->frame, from, lane);
        for (unsigned i = 0; i < ins->bytes; i++)
            if (bytes >> i & 1) warp->local_undefined[offset + i] |= 1u << lane;
    }
}

/* ---- which of these an instruction has ---- */

/** By step, then by opcode. Loads and atomics set definedness themselves, as observers tell it. */
GpuShadow *undefined_shadow_for(const GpuInstruction *ins) {
    if (ins->frame_word == GPU_FRAME_LOAD) return undefined_frame_load;
    if (ins->frame_word == GPU_FRAME_STORE) return undefined_frame_store;
    if (ins->step == STEP_scalar_pack) return undefined_pack;
    if (ins->step == STEP_scalar_unpack) return undefined_unpack;
    if (ins->step == STEP_scalar_setp || ins->step == STEP_scalar_table) return undefined_setp;
    if (ins->step == STEP_wide_pack || ins->step == STEP_wide_unpack || ins->step == STEP_wide_move)
        return NULL;
    if (ins->defines == GPU_NO_REGISTER || ins->step == STEP_atomic_update) return NULL;
    if (ins->use_count == 0) return undefined_plain;
    if (ptx_opcode_info(ins->source->opcode)->reach == PTX_REACH_ALL) return undefined_plain;
    return undefined_precise;
}

GpuShadow *undefined_frame_shadow_for(const GpuInstruction *ins) {
    if (ins->frame_word == GPU_FRAME_NOT || ins->function->words_sure) return NULL;
    return ins->shadow;
}
