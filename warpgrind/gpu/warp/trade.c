/* trade.c - the results of a warp's operations: shfl, vote, match, redux, elect (PTX ISA 9.7.9.6, 9.7.13).
 *
 * A result is undefined where the value that it comes from is, and where a shuffle reads from a lane that
 * does not take part, because it has ended, never existed or is not in the mask.
 */
#include "gpu/warp/trade.h"
#include "base/minmax.h"

void trade_begin(WarpTrade *trade, const PtxInstruction *source, uint32_t lanes) {
    trade->source = source;
    trade->lanes = lanes;
    trade->votes = trade->lost = trade->origin = 0;
    trade->predicate = trade->undefined = trade->outsiders = 0;
}

static void trade_give_all(WarpTrade *trade, uint64_t value) {
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
        trade->d[lane] = value;
}

/** What all lanes make together is undefined for all when it is for one. */
static void trade_lose_all(WarpTrade *trade) {
    if (trade->lost & trade->lanes) trade->undefined = trade->lanes;
}

/* ---- shfl: PTX ISA 9.7.9.6 ---- */

/** The lane read; *inside tells whether it is within the segment. */
static unsigned shfl_source(const PtxInstruction *source, unsigned lane, uint32_t b, uint32_t c,
                            bool *inside) {
    const PtxMode mode = source->modifiers.mode;
    uint32_t clamp = c & 31, segment = c >> 8 & 31, by = b & 31;
    uint32_t last = (lane & segment) | (clamp & ~segment), first = lane & segment;
    uint32_t from = first | (by & ~segment); /* .idx */
    if (mode == PTX_MODE_UP) from = lane - by;
    if (mode == PTX_MODE_DOWN) from = lane + by;
    if (mode == PTX_MODE_BFLY) from = lane ^ by;
    *inside = mode == PTX_MODE_UP ? (int32_t)from >= (int32_t)last : from <= last;
    if (*inside) return from;
    return lane;
}

int32_t trade_width(uint32_t c) {
    return 32 - ((int32_t)c >> 8);
}

/* Below the width CUDA's functions have no bit, for shuffles upwards, or five. PTX written by hand may have
 * others, as CUB's has all of them where a warp has no number: the hardware takes some bits of them. */
static bool has_wrong_width(uint32_t c) {
    enum { BELOW = 0xff, ALL_LANES = 0x1f };
    const int32_t width = trade_width(c);
    if ((c & BELOW) != 0 && (c & BELOW) != ALL_LANES) return false;
    return width < 1 || width > 32 || (width & (width - 1)) != 0;
}

uint32_t trade_wrong_widths(const WarpTrade *trade) {
    uint32_t wrong = 0;
    if (trade->source->opcode != PTX_OP_shfl) return 0;
    for (uint32_t left = trade->lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        if (has_wrong_width(trade->c[lane])) wrong |= 1u << lane;
    }
    return wrong;
}

uint32_t trade_too_far(const WarpTrade *trade) {
    enum { MOST = 0xffff };
    const PtxMode mode = trade->source->modifiers.mode;
    const unsigned first = (unsigned)__builtin_ctz(trade->lanes);
    if (trade->source->opcode != PTX_OP_shfl || mode == PTX_MODE_IDX) return 0;
    const uint32_t by = trade->b[first], c = trade->c[first];
    if ((int64_t)by < trade_width(c) || has_wrong_width(c)) return 0;
    for (uint32_t left = trade->lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        if (trade->b[lane] != by || trade->c[lane] != c || trade->from[lane] != lane) return 0;
    }
    return (uint32_t)trade_width(c) | MIN(by, MOST) << 8;
}

/** The value of the source lane. Whoever reads from a lane that does not take part gets what that lane
 * would have, marked as undefined. */
void trade_shfl(WarpTrade *trade) {
    for (uint32_t left = trade->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint32_t bit = 1u << lane;
        bool within = false;
        unsigned from = shfl_source(trade->source, lane, trade->b[lane], trade->c[lane], &within);
        if (within) trade->predicate |= bit;
        if (!(trade->lanes >> from & 1)) trade->outsiders |= bit;
        if (trade->lost >> from & 1) trade->undefined |= bit;
        trade->d[lane] = trade->a[from];
        trade->from[lane] = (uint8_t)from;
    }
    trade->undefined |= trade->outsiders;
}

void trade_undo(WarpTrade *trade) {
    if (trade->source->opcode == PTX_OP_shfl || trade->source->opcode == PTX_OP_redux)
        memcpy(trade->d, trade->a, sizeof trade->d);
}

/* ---- vote, match, redux, elect ---- */

void trade_vote(WarpTrade *trade) {
    uint32_t votes = trade->votes & trade->lanes;
    bool all = votes == trade->lanes, any = votes != 0, yes = any;
    if (trade->source->modifiers.mode == PTX_MODE_ALL) yes = all;
    if (trade->source->modifiers.mode == PTX_MODE_UNI) yes = all || !any;
    trade->predicate = yes ? UINT32_MAX : 0;
    trade_give_all(trade, votes);
    trade_lose_all(trade);
}

/** Of each lane, who has the same value; with .all the whole set or nothing, and the predicate. */
void trade_match(WarpTrade *trade) {
    bool whole = trade->source->modifiers.mode == PTX_MODE_ALL;
    uint32_t same[GPU_WARP_LANES] = {0}, all = UINT32_MAX;
    for (uint32_t left = trade->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        for (uint32_t rest = trade->lanes; rest; rest &= rest - 1) {
            unsigned other = (unsigned)__builtin_ctz(rest);
            if (trade->a[lane] == trade->a[other]) same[lane] |= 1u << other;
        }
        if (same[lane] != trade->lanes) all = 0;
    }
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
        trade->d[lane] = whole ? trade->lanes & all : same[lane];
    trade->predicate = all;
    trade_lose_all(trade);
}

/** .min, .max, with .abs and .NaN, as those instructions have them. */
static uint32_t redux_float(const PtxInstruction *source, uint32_t x, uint32_t y) {
    const PtxModifiers *words = &source->modifiers;
    const uint32_t sign = 1u << 31, quiet_nan = 0x7fffffff;
    float a, b;
    if (words->abs) x &= ~sign, y &= ~sign;
    memcpy(&a, &x, sizeof a);
    memcpy(&b, &y, sizeof b);
    if ((a != a && b != b) || ((a != a || b != b) && words->nan)) return quiet_nan;
    if (a != a || b != b) return a != a ? y : x;
    bool first = a == b ? x >> 31 : a < b; /* -0 is less than 0 */
    if (first == (words->atomic == PTX_ATOM_MIN)) return x;
    return y;
}

/** What redux does to two lanes' values; it is applied over the lanes in order. */
static uint32_t redux_step(const PtxInstruction *source, uint32_t x, uint32_t y) {
    if (source->type == PTX_F32) return redux_float(source, x, y);
    bool less;
    if (source->type == PTX_S32)
        less = (int32_t)x < (int32_t)y;
    else
        less = x < y;
    switch (source->modifiers.atomic) {
    case PTX_ATOM_AND:
        return x & y;
    case PTX_ATOM_OR:
        return x | y;
    case PTX_ATOM_XOR:
        return x ^ y;
    case PTX_ATOM_MIN:
        if (less) return x;
        return y;
    case PTX_ATOM_MAX:
        if (less) return y;
        return x;
    case PTX_ATOM_ADD:
    case PTX_ATOM_NONE:
    case PTX_ATOM_CAS:
    case PTX_ATOM_EXCH:
    case PTX_ATOM_INC:
    case PTX_ATOM_DEC:
        break;
    }
    return x + y;
}

void trade_redux(WarpTrade *trade) {
    uint32_t result = (uint32_t)trade->a[__builtin_ctz(trade->lanes)];
    if (trade->source->type == PTX_F32) result = redux_float(trade->source, result, result);
    for (uint32_t left = trade->lanes & (trade->lanes - 1); left; left &= left - 1)
        result = redux_step(trade->source, result, (uint32_t)trade->a[__builtin_ctz(left)]);
    trade_give_all(trade, result);
    trade_lose_all(trade);
}

void trade_elect(WarpTrade *trade) {
    unsigned elected = (unsigned)__builtin_ctz(trade->lanes);
    trade->predicate = 1u << elected;
    trade_give_all(trade, elected);
}
