/* exec_warp.c - operations of a warp's lanes together: shfl, vote, match, redux, elect, bar.warp.sync (PTX
 * ISA 9.7.9.6, 9.7.13).
 *
 * Such an operation is done when all lanes of its mask that are alive have come. Who comes early waits
 * (GROUP_WARP_SYNC) and does the instruction again, as one group with those that came later. Lanes of one
 * warp may give different masks as long as they name different lanes: then each part does it by itself.
 *
 * Rows in `extra`: 0 d, 1 the predicate beside it, 2 to 5 the sources in order.
 */
#include "gpu/memory_access.h"

enum { D, P, FIRST_SOURCE, WARP_ROWS = FIRST_SOURCE + 4 };

static const GpuExtra *part(const GpuInstruction *ins, unsigned i) {
    return &ins->function->extra[ins->extra + i];
}

static uint64_t value(const GpuWarp *warp, const GpuInstruction *ins, unsigned i, unsigned lane) {
    const GpuExtra *operand = part(ins, i);
    return gpu_lane_value(warp, operand->row, operand->width, lane);
}

static uint32_t predicate(const GpuWarp *warp, const GpuExtra *operand) {
    uint32_t bits;
    memcpy(&bits, gpu_row(warp, operand->row), sizeof bits);
    return operand->flip ? ~bits : bits;
}

static void set_value(const GpuWarp *warp, const GpuInstruction *ins, unsigned lane, uint64_t bits) {
    const GpuExtra *d = part(ins, D);
    if (!d->sink) gpu_lane_set(warp, d->row, d->width, lane, bits);
}

static void set_predicate(const GpuWarp *warp, const GpuExtra *p, uint32_t mask, uint32_t bits) {
    uint32_t old;
    if (p->sink) return;
    memcpy(&old, gpu_row(warp, p->row), sizeof old);
    old = (old & ~mask) | (bits & mask);
    memcpy(gpu_row(warp, p->row), &old, sizeof old);
}

/* ---- meeting ---- */

static void warp_tell(GpuWarp *warp, const GpuInstruction *ins, GpuSyncMistake mistake, uint32_t lanes,
                      uint32_t mask) {
    GpuSyncEvent event = {
        .mistake = mistake, .block = warp->block, .warp = warp, .lanes = lanes, .pc = ins->pc, .mask = mask};
    event_sync(warp->run, &event);
}

/** The lanes whose mask is that of the first one, *members. */
static uint32_t warp_alike(const GpuWarp *warp, GpuRow row, uint32_t mask, uint32_t *members) {
    uint32_t masks[GPU_WARP_LANES], alike = 0;
    memcpy(masks, gpu_row(warp, row), sizeof masks);
    *members = masks[__builtin_ctz(mask)];
    if (row >> GPU_BASE_SHIFT == GPU_BASE_CONSTANT) return mask;
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
        alike |= (uint32_t)(masks[lane] == *members) << lane;
    return alike & mask;
}

typedef struct WarpParts {
    bool complete; /**< all that are named are here */
    uint32_t torn; /**< lanes that another one's mask names, though their own mask is a different one */
    uint32_t all;  /**< all masks together */
} WarpParts;

/** What the masks of these lanes ask for: each distinct one is a part of the warp with an operation of its
 * own. */
static WarpParts warp_divide(const GpuWarp *warp, GpuRow row, uint32_t mask) {
    WarpParts parts = {.complete = true};
    for (uint32_t left = mask; left;) {
        uint32_t members, alike = warp_alike(warp, row, left, &members);
        parts.torn |= members & mask & ~alike;
        parts.complete = parts.complete && !(members & warp->alive & ~alike);
        parts.all |= members;
        left &= ~alike;
    }
    return parts;
}

/** Says what is wrong with a mask that all of `lanes` have given. */
static void warp_check_mask(GpuWarp *warp, const GpuInstruction *ins, uint32_t lanes, uint32_t members) {
    uint32_t omitted = lanes & ~members, gone = members & ~warp->alive;
    if (omitted) warp_tell(warp, ins, GPU_SYNC_MASK_OMITS_CALLER, omitted, members);
    if (gone) warp_tell(warp, ins, GPU_SYNC_MASK_NAMES_EXITED, gone, members);
}

/** Whether `group` waits in the same operation: a __syncwarp() may meet another one elsewhere, others only
 * themselves. */
static bool warp_waits_with(const GpuGroup *group, const GpuInstruction *ins, uint32_t members) {
    if (group->state != GROUP_WARP_SYNC || !(group->mask & members)) return false;
    const GpuInstruction *other = group->next;
    if (other == ins) return true;
    return ins->run.full == warp_sync_lanes && other->run.full == warp_sync_lanes;
}

/** The lanes of other groups that wait with the current one. */
static uint32_t warp_waiting(GpuWarp *warp, const GpuInstruction *ins, uint32_t members) {
    uint32_t waiting = 0, torn = 0;
    for (uint32_t left = warp->used; left; left &= left - 1) {
        const GpuGroup *group = &warp->groups[__builtin_ctz(left)];
        if (group == warp->current || !warp_waits_with(group, ins, members)) continue;
        waiting |= group->mask;
        if (group->sync_mask != members) torn |= group->mask;
    }
    if (torn) warp_tell(warp, ins, GPU_SYNC_MASKS_DIFFER, torn, members);
    return waiting;
}

/** The others that wait here become one with the current group, which does the instruction again; those that
 * wait in another __syncwarp(), or in a call of their own, go on. */
static void warp_gather(GpuWarp *warp, const GpuInstruction *ins, uint32_t members) {
    for (uint32_t left = warp->used; left; left &= left - 1) {
        GpuGroup *group = &warp->groups[__builtin_ctz(left)];
        if (group == warp->current || !warp_waits_with(group, ins, members)) continue;
        if (group->next == ins && group->frame == warp->frame) {
            warp_merge(warp, warp->current, group);
        } else if (ins->run.full == warp_sync_lanes) {
            group->next++;
            warp_set_state(warp, group, GROUP_RUNNABLE);
        }
    }
}

/* ---- guests: lanes that wait at the instruction in a call of their own, with registers in another frame
 * ---- */

static uint32_t guests_waiting(const GpuWarp *warp, const GpuInstruction *ins, uint32_t members) {
    uint32_t guests = 0;
    if (ins->run.full == warp_sync_lanes) return 0;
    for (uint32_t left = warp->used; left; left &= left - 1) {
        const GpuGroup *group = &warp->groups[__builtin_ctz(left)];
        if (group->state != GROUP_WARP_SYNC || group->next != ins || group->frame == warp->frame) continue;
        if (group->mask & members) guests |= group->mask;
    }
    return guests;
}

static void swap_bits(uint32_t *a, uint32_t *b, uint32_t lanes) {
    uint32_t change = (*a ^ *b) & lanes;
    *a ^= change;
    *b ^= change;
}

static void swap_row(uint8_t *a, uint8_t *b, unsigned width, uint32_t lanes) {
    uint32_t bits[2];
    if (width == 0) { /* a predicate */
        memcpy(&bits[0], a, sizeof bits[0]);
        memcpy(&bits[1], b, sizeof bits[1]);
        swap_bits(&bits[0], &bits[1], lanes);
        memcpy(a, &bits[0], sizeof bits[0]);
        memcpy(b, &bits[1], sizeof bits[1]);
        return;
    }
    for (uint32_t left = lanes; left; left &= left - 1) {
        size_t at = (size_t)__builtin_ctz(left) * width;
        uint8_t kept[8];
        memcpy(kept, a + at, width);
        memcpy(a + at, b + at, width);
        memcpy(b + at, kept, width);
    }
}

/* A register of which some bytes are undefined counts as undefined as a whole from here on. */
static void swap_meta(GpuMeta *a, GpuMeta *b, uint32_t lanes) {
    uint32_t origin = a->origin;
    a->partial &= ~lanes;
    b->partial &= ~lanes;
    swap_bits(&a->undefined, &b->undefined, lanes);
    if (a->undefined & lanes) a->origin = b->origin;
    if (b->undefined & lanes) b->origin = origin;
}

/** Exchanges the lanes' operands between the current frame and the guests': once to let them in, and once to
 * take them back with the result. What a recursive call has left in these lanes of the current frame
 * survives. */
static void guests_swap(GpuWarp *warp, const GpuInstruction *ins, GpuGroup *group) {
    for (unsigned i = D; i < WARP_ROWS; i++) {
        const GpuExtra *operand = part(ins, i);
        bool seen = operand->sink || operand->number == GPU_NO_REGISTER;
        for (unsigned k = D; k < i && !seen; k++)
            seen = !part(ins, k)->sink && part(ins, k)->number == operand->number;
        if (seen) continue;
        size_t offset = operand->row & ((1u << GPU_BASE_SHIFT) - 1);
        swap_row(warp->frame->registers + offset, group->frame->registers + offset, operand->width,
                 group->mask);
        if (warp->run->track)
            swap_meta(&warp->frame->meta[operand->number], &group->frame->meta[operand->number], group->mask);
    }
}

static void guests_enter(GpuWarp *warp, const GpuInstruction *ins, uint32_t guests) {
    for (uint32_t left = warp->used; left; left &= left - 1) {
        GpuGroup *group = &warp->groups[__builtin_ctz(left)];
        if (group != warp->current && group->mask & guests) guests_swap(warp, ins, group);
    }
}

static void guests_leave(GpuWarp *warp, const GpuInstruction *ins, uint32_t guests) {
    for (uint32_t left = warp->used; left; left &= left - 1) {
        GpuGroup *group = &warp->groups[__builtin_ctz(left)];
        if (group == warp->current || !(group->mask & guests)) continue;
        guests_swap(warp, ins, group);
        group->next = ins + 1;
        warp_set_state(warp, group, GROUP_RUNNABLE);
    }
}

/** True when all members are here. Otherwise the current group has stopped: until they come, or to do the
 * instruction again with those that waited. */
static bool warp_meet(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, uint32_t members) {
    uint32_t missing = members & warp->alive & ~mask;
    if (!missing || !(missing & ~guests_waiting(warp, ins, members))) return true;
    warp_count(warp, ins->ordinal);
    warp->start = ins;
    warp->current->next = ins;
    warp->current->sync_mask = members;
    if (missing & ~warp_waiting(warp, ins, members)) {
        warp->current->spun = 0;
        warp_set_state(warp, warp->current, GROUP_WARP_SYNC);
    } else {
        warp_gather(warp, ins, members);
    }
    return false;
}

/** Lanes with another mask than the first one's become a group of their own; both come here again. */
static void warp_part(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, uint32_t alike) {
    warp_count(warp, ins->ordinal);
    warp->current->next = ins;
    GpuGroup *rest = warp_new_group(warp);
    rest->mask = mask & ~alike;
    rest->next = ins;
    rest->frame = warp->frame;
    rest->join = warp->current->join;
    warp->current->mask = alike;
}

/** An operation of `lanes`, which are all there. */
typedef void WarpOperation(GpuWarp *warp, const GpuInstruction *ins, uint32_t lanes, uint32_t members);

/** Does it for the lanes of the current group and for guests, all of which have met. */
static void warp_with_guests(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, uint32_t members,
                             WarpOperation *operate) {
    uint32_t guests = members & ~mask & guests_waiting(warp, ins, members);
    guests_enter(warp, ins, guests);
    operate(warp, ins, mask | guests, members);
    guests_leave(warp, ins, guests);
}

/** Does the operation for each part of the lanes here. Masks that overlap without being equal are a mistake;
 * the machine then takes them as one. */
static const GpuInstruction *warp_do_parts(GpuWarp *warp, const GpuInstruction *ins, GpuRow row,
                                           uint32_t mask, WarpOperation *operate) {
    WarpParts parts = warp_divide(warp, row, mask);
    uint32_t members, alike = warp_alike(warp, row, mask, &members);
    if (parts.torn) {
        warp_tell(warp, ins, GPU_SYNC_MASKS_DIFFER, parts.torn, members);
        if (!warp_meet(warp, ins, mask, parts.all | mask)) return NULL;
        warp_with_guests(warp, ins, mask, parts.all | mask, operate);
        return ins + 1;
    }
    if (!parts.complete) {
        warp_part(warp, ins, mask, alike);
        return NULL;
    }
    for (; mask; mask &= ~alike) {
        alike = warp_alike(warp, row, mask, &members);
        warp_check_mask(warp, ins, alike, members);
        operate(warp, ins, alike, members | alike);
    }
    return ins + 1;
}

static const GpuInstruction *warp_do(GpuWarp *warp, const GpuInstruction *ins, GpuRow row, uint32_t mask,
                                     WarpOperation *operate) {
    uint32_t members;
    if (warp_alike(warp, row, mask, &members) != mask) return warp_do_parts(warp, ins, row, mask, operate);
    warp_check_mask(warp, ins, mask, members);
    members |= mask;
    if (!warp_meet(warp, ins, mask, members)) return NULL;
    if (members & warp->alive & ~mask)
        warp_with_guests(warp, ins, mask, members, operate);
    else
        operate(warp, ins, mask, members);
    return ins + 1;
}

/** The mask operand of a .sync form is the last source; forms without .sync take who is here. */
static const GpuInstruction *warp_operate(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask,
                                          unsigned source, WarpOperation *operate) {
    const GpuExtra *operand = part(ins, source);
    if (!operand->sink) return warp_do(warp, ins, operand->row, mask, operate);
    operate(warp, ins, mask, mask);
    return ins + 1;
}

static void warp_synced(GpuWarp *warp, const GpuInstruction *ins, uint32_t lanes, uint32_t members) {
    (void)members;
    if (warp->run->gpu->wants_warp_sync) GPU_SEND(warp->run->gpu, warp_sync, warp, lanes, ins->pc);
}

/** Unlike the others, it is done for lanes that wait in another __syncwarp() too: then it is not done again.
 */
const GpuInstruction *warp_sync_lanes(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint32_t members, waiting;
    bool alike = warp_alike(warp, ins->a, mask, &members) == mask;
    members |= mask;
    if (!alike || !(members & warp->alive & ~mask)) return warp_do(warp, ins, ins->a, mask, warp_synced);
    waiting = warp_waiting(warp, ins, members);
    const GpuInstruction *next = warp_do(warp, ins, ins->a, mask, warp_synced);
    if (members & warp->alive & ~mask & ~waiting) return next;
    warp_synced(warp, ins, mask | waiting, members);
    warp_count(warp, ins->ordinal + 1);
    warp->current->next = ins + 1;
    return NULL;
}

/* ---- definedness: a result is undefined where the value it comes from is ---- */

static void warp_define(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    if (!warp->run->track) return;
    for (unsigned i = D; i <= P; i++)
        if (part(ins, i)->number != GPU_NO_REGISTER) undefined_clear(warp, part(ins, i)->number, mask);
}

static uint32_t warp_undefined(const GpuWarp *warp, const GpuInstruction *ins, unsigned source) {
    uint16_t number = part(ins, source)->number;
    return warp->run->track && number != GPU_NO_REGISTER ? warp->meta[number].undefined : 0;
}

static void warp_set_undefined(GpuWarp *warp, const GpuInstruction *ins, uint32_t lanes, uint32_t origin) {
    uint16_t number = part(ins, D)->number;
    if (number == GPU_NO_REGISTER) number = part(ins, P)->number;
    if (!lanes || number == GPU_NO_REGISTER) return;
    warp->meta[number].undefined |= lanes;
    warp->meta[number].partial &= ~lanes;
    warp->meta[number].origin = origin ? origin : ins->pc;
}

/* ---- shfl: PTX ISA 9.7.9.6 ---- */

/** The lane read; *inside tells whether it is within the segment. */
static unsigned shfl_source(const GpuInstruction *ins, unsigned lane, uint32_t b, uint32_t c, bool *inside) {
    uint32_t clamp = c & 31, segment = c >> 8 & 31, by = b & 31;
    uint32_t last = (lane & segment) | (clamp & ~segment), first = lane & segment;
    uint32_t from = lane;
    switch ((int)ins->source->modifiers.mode) {
    case PTX_MODE_UP:
        from = lane - by;
        *inside = (int32_t)from >= (int32_t)last;
        break;
    case PTX_MODE_DOWN:
        from = lane + by;
        *inside = from <= last;
        break;
    case PTX_MODE_BFLY:
        from = lane ^ by;
        *inside = from <= last;
        break;
    default:
        from = first | (by & ~segment);
        *inside = from <= last;
        break;
    }
    return *inside ? from : lane;
}

static void shfl_lanes(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, uint32_t members) {
    uint32_t inside = 0, outsiders = 0, undefined = 0;
    uint64_t a[GPU_WARP_LANES], result[GPU_WARP_LANES];
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
        a[lane] = value(warp, ins, FIRST_SOURCE, lane);
    uint32_t lost = warp_undefined(warp, ins, FIRST_SOURCE),
             vague = warp_undefined(warp, ins, FIRST_SOURCE + 1) & mask;
    uint32_t origin = lost ? warp->meta[part(ins, FIRST_SOURCE)->number].origin : 0;
    if (vague)
        undefined_report(warp, ins, part(ins, FIRST_SOURCE + 1)->number, vague, GPU_UNDEFINED_SHUFFLE_LANE);
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        bool within = false;
        uint32_t b = (uint32_t)value(warp, ins, FIRST_SOURCE + 1, lane),
                 c = (uint32_t)value(warp, ins, FIRST_SOURCE + 2, lane);
        unsigned from = shfl_source(ins, lane, b, c, &within);
        if (within) inside |= 1u << lane;
        if (!(mask >> from & 1)) outsiders |= 1u << lane;
        if (lost >> from & 1) undefined |= 1u << lane;
        result[lane] = a[from];
    }
    if (outsiders) warp_tell(warp, ins, GPU_SYNC_SHUFFLE_SOURCE, outsiders, members);
    warp_define(warp, ins, mask);
    for (uint32_t left = mask; left; left &= left - 1)
        set_value(warp, ins, (unsigned)__builtin_ctz(left), result[__builtin_ctz(left)]);
    set_predicate(warp, part(ins, P), mask, inside);
    if (warp->run->track) warp_set_undefined(warp, ins, undefined | outsiders, origin);
}

const GpuInstruction *warp_shfl(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    return warp_operate(warp, ins, mask, FIRST_SOURCE + 3, shfl_lanes);
}

/* ---- vote, match, redux, elect ---- */

static void vote_lanes(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, uint32_t members) {
    (void)members;
    uint32_t votes = predicate(warp, part(ins, FIRST_SOURCE)) & mask;
    uint32_t lost = warp_undefined(warp, ins, FIRST_SOURCE) & mask;
    warp_define(warp, ins, mask);
    if (lost) warp_set_undefined(warp, ins, mask, warp->meta[part(ins, FIRST_SOURCE)->number].origin);
    switch ((int)ins->source->modifiers.mode) {
    case PTX_MODE_ALL:
        set_predicate(warp, part(ins, D), mask, votes == mask ? UINT32_MAX : 0);
        break;
    case PTX_MODE_ANY:
        set_predicate(warp, part(ins, D), mask, votes ? UINT32_MAX : 0);
        break;
    case PTX_MODE_UNI:
        set_predicate(warp, part(ins, D), mask, votes == mask || !votes ? UINT32_MAX : 0);
        break;
    default:
        for (uint32_t left = mask; left; left &= left - 1)
            set_value(warp, ins, (unsigned)__builtin_ctz(left), votes);
        break;
    }
}

const GpuInstruction *warp_vote(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    return warp_operate(warp, ins, mask, FIRST_SOURCE + 1, vote_lanes);
}

static void match_lanes(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, uint32_t members) {
    (void)members;
    uint32_t all = UINT32_MAX;
    uint32_t same[GPU_WARP_LANES] = {0};
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        for (uint32_t rest = mask; rest; rest &= rest - 1) {
            unsigned other = (unsigned)__builtin_ctz(rest);
            if (value(warp, ins, FIRST_SOURCE, lane) == value(warp, ins, FIRST_SOURCE, other))
                same[lane] |= 1u << other;
        }
        if (same[lane] != mask) all = 0;
    }
    uint32_t lost = warp_undefined(warp, ins, FIRST_SOURCE) & mask;
    warp_define(warp, ins, mask);
    if (lost) warp_set_undefined(warp, ins, mask, warp->meta[part(ins, FIRST_SOURCE)->number].origin);
    bool whole = ins->source->modifiers.mode == PTX_MODE_ALL;
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        set_value(warp, ins, lane, whole ? mask & all : same[lane]);
    }
    set_predicate(warp, part(ins, P), mask, all);
}

const GpuInstruction *warp_match(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    return warp_operate(warp, ins, mask, FIRST_SOURCE + 1, match_lanes);
}

/** .min, .max, with .abs and .NaN, as those instructions have them. */
static uint32_t redux_float(const PtxInstruction *source, uint32_t x, uint32_t y) {
    const PtxModifiers *words = &source->modifiers;
    const uint32_t sign = 1u << 31, quiet_nan = 0x7fffffff;
    float a, b;
    if (words->abs) x &= ~sign, y &= ~sign;
    memcpy(&a, &x, sizeof a);
    memcpy(&b, &y, sizeof b);
    if (a != a || b != b) return words->nan || (a != a && b != b) ? quiet_nan : a != a ? y : x;
    bool first = a == b ? x >> 31 : a < b; /* -0 is less than 0 */
    return first == (words->atomic == PTX_ATOM_MIN) ? x : y;
}

static uint32_t redux_step(const PtxInstruction *source, uint32_t x, uint32_t y) {
    if (source->type == PTX_F32) return redux_float(source, x, y);
    bool is_signed = source->type == PTX_S32;
    switch ((int)source->modifiers.atomic) {
    case PTX_ATOM_AND:
        return x & y;
    case PTX_ATOM_OR:
        return x | y;
    case PTX_ATOM_XOR:
        return x ^ y;
    case PTX_ATOM_MIN:
        return (is_signed ? (int32_t)x < (int32_t)y : x < y) ? x : y;
    case PTX_ATOM_MAX:
        return (is_signed ? (int32_t)x > (int32_t)y : x > y) ? x : y;
    default:
        return x + y;
    }
}

static void redux_lanes(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, uint32_t members) {
    (void)members;
    uint32_t result = (uint32_t)value(warp, ins, FIRST_SOURCE, (unsigned)__builtin_ctz(mask));
    if (ins->source->type == PTX_F32) result = redux_float(ins->source, result, result);
    for (uint32_t left = mask & (mask - 1); left; left &= left - 1)
        result = redux_step(ins->source, result,
                            (uint32_t)value(warp, ins, FIRST_SOURCE, (unsigned)__builtin_ctz(left)));
    uint32_t lost = warp_undefined(warp, ins, FIRST_SOURCE) & mask;
    warp_define(warp, ins, mask);
    if (lost) warp_set_undefined(warp, ins, mask, warp->meta[part(ins, FIRST_SOURCE)->number].origin);
    for (uint32_t left = mask; left; left &= left - 1)
        set_value(warp, ins, (unsigned)__builtin_ctz(left), result);
}

const GpuInstruction *warp_redux(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    return warp_operate(warp, ins, mask, FIRST_SOURCE + 1, redux_lanes);
}

static void elect_lanes(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, uint32_t members) {
    (void)members;
    unsigned elected = (unsigned)__builtin_ctz(mask);
    warp_define(warp, ins, mask);
    for (uint32_t left = mask; left; left &= left - 1)
        set_value(warp, ins, (unsigned)__builtin_ctz(left), elected);
    set_predicate(warp, part(ins, P), mask, 1u << elected);
}

const GpuInstruction *warp_elect(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    return warp_operate(warp, ins, mask, FIRST_SOURCE, elect_lanes);
}

const GpuInstruction *warp_active_mask(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    warp_define(warp, ins, mask);
    for (uint32_t left = mask; left; left &= left - 1)
        set_value(warp, ins, (unsigned)__builtin_ctz(left), mask);
    return ins + 1;
}
