/* exec_warp.c - operations of a warp's lanes together: shfl, vote, match, redux, elect, bar.warp.sync (PTX
 * ISA 9.7.9.6, 9.7.13).
 *
 * Such an operation is done when all lanes of its mask that are alive have come. Who comes early waits
 * (GROUP_WARP_SYNC) and does the instruction again, as one group with those that came later. Lanes that come
 * by another way, in a call of their own or to the same operation in another arm of an `if`, are guests: they
 * bring their operands along and take their results home. Lanes of one warp may give different masks as long
 * as they name different lanes: then each part does it by itself.
 *
 * Rows in `extra`: 0 d, 1 the predicate beside it, 2 to 5 the sources in order.
 */
#include "gpu/definedness/undefined.h"
#include "gpu/state/events.h"
#include "gpu/warp/trade.h"
#include "gpu/warp/warp.h"

enum { D, P, FIRST_SOURCE, WARP_ROWS = FIRST_SOURCE + 4 };

static const GpuExtra *part(const GpuInstruction *ins, unsigned i) {
    return &ins->function->extra[ins->extra + i];
}

static uint32_t predicate(const GpuWarp *warp, const GpuExtra *operand) {
    uint32_t bits;
    memcpy(&bits, gpu_row(warp, operand->row), sizeof bits);
    if (operand->flip) return ~bits;
    return bits;
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

/** Says what is wrong with a mask that all of `lanes` have given. Lanes that it names do not count when they
 * never existed or have ended; they are missed when they went around the operation before they ended. */
static void warp_check_mask(GpuWarp *warp, const GpuInstruction *ins, uint32_t lanes, uint32_t members) {
    uint32_t omitted = lanes & ~members, gone = members & ~warp->alive;
    if (omitted) warp_tell(warp, ins, GPU_SYNC_MASK_OMITS_CALLER, omitted, members);
    uint32_t absent = 0;
    if (gone) absent = frame_lanes_ahead(warp->current) & gone;
    if (absent) warp_tell(warp, ins, GPU_SYNC_MASK_NAMES_ABSENT, absent, members);
}

/** The same operation with the same qualifiers, at whatever place: PTX ISA 9.7.9.6 asks for no more. */
static bool warp_is_alike(const PtxInstruction *a, const PtxInstruction *b) {
    const PtxModifiers *x = &a->modifiers, *y = &b->modifiers;
    return a->opcode == b->opcode && a->type == b->type && x->mode == y->mode && x->atomic == y->atomic &&
           x->abs == y->abs && x->nan == y->nan;
}

/** Whether `group` waits in the same operation, here or at another place. */
static bool warp_waits_with(const GpuWarp *warp, const GpuGroup *group, const GpuInstruction *ins,
                            uint32_t members) {
    if (group->state != GROUP_WARP_SYNC || !(group->mask & members)) return false;
    const GpuInstruction *other = group->next;
    if (ins->step == STEP_warp_meet_all) return other == ins && group->frame == warp->frame;
    return other == ins || (other->step == ins->step && warp_is_alike(other->source, ins->source));
}

/** Two copies of one operation of the source, as unrolled and peeled loops have them: lanes that meet in them
 * have left nothing out. Nor is that sure of code without lines. LIMIT: of calls that were inlined in others,
 * the innermost is looked at. */
static bool warp_is_copy(const PtxInstruction *a, const PtxInstruction *b) {
    if (a->line <= 0 || b->line <= 0) return true;
    return a->file == b->file && a->line == b->line && a->column == b->column &&
           a->inlined_at_line == b->inlined_at_line && a->inlined_at_column == b->inlined_at_column;
}

/** Lanes in two arms of a branch meet; who is past the place where the arms meet has left the operation out,
 * and takes part in it by mistake. */
static void warp_check_meeting(GpuWarp *warp, const GpuInstruction *ins, const GpuGroup *other,
                               uint32_t members) {
    if (warp_is_copy(ins->source, other->next->source)) return;
    uint32_t ahead = frame_lanes_ahead(warp->current) & other->mask;
    if (ahead) warp_tell(warp, ins, GPU_SYNC_MASK_NAMES_ABSENT, ahead, members);
    uint32_t here = frame_lanes_ahead(other) & warp->current->mask;
    if (here) warp_tell(warp, other->next, GPU_SYNC_MASK_NAMES_ABSENT, here, other->sync_mask);
}

/** The lanes of other groups that wait with the current one. */
static uint32_t warp_waiting(GpuWarp *warp, const GpuInstruction *ins, uint32_t members) {
    uint32_t waiting = 0, torn = 0;
    for (uint32_t left = warp->used; left; left &= left - 1) {
        const GpuGroup *group = &warp->groups[__builtin_ctz(left)];
        if (group == warp->current || !warp_waits_with(warp, group, ins, members)) continue;
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
        if (group == warp->current || !warp_waits_with(warp, group, ins, members)) continue;
        if (group->next == ins && group->frame == warp->frame) {
            warp_merge(warp, warp->current, group);
        } else if (ins->step == STEP_warp_sync_lanes) {
            warp_check_meeting(warp, ins, group, members);
            group->next++;
            warp_set_state(warp, group, GROUP_RUNNABLE);
        }
    }
}

/* ---- guests: lanes that wait in the same operation elsewhere, or with registers in another frame ---- */

static bool warp_is_guest(const GpuWarp *warp, const GpuGroup *group, const GpuInstruction *ins,
                          uint32_t members) {
    if (group == warp->current || !warp_waits_with(warp, group, ins, members)) return false;
    return group->next != ins || group->frame != warp->frame;
}

static uint32_t guests_waiting(const GpuWarp *warp, const GpuInstruction *ins, uint32_t members) {
    uint32_t guests = 0;
    if (ins->step == STEP_warp_sync_lanes) return 0;
    for (uint32_t left = warp->used; left; left &= left - 1) {
        const GpuGroup *group = &warp->groups[__builtin_ctz(left)];
        if (warp_is_guest(warp, group, ins, members)) guests |= group->mask;
    }
    return guests;
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

static void warp_synced(GpuWarp *warp, const GpuInstruction *ins, uint32_t lanes) {
    if (warp->run->gpu->wants_warp_sync) GPU_SEND(warp->run->gpu, warp_sync, warp, lanes, ins->pc);
}

/** Brings a row of 4- or 8-byte lanes into 64 bits each, for the lanes in the mask. */
static void trade_values(const GpuWarp *warp, const GpuExtra *from, uint32_t mask, uint64_t *to) {
    const uint8_t *row = gpu_row(warp, from->row);
    uint32_t narrow[GPU_WARP_LANES];
    uint64_t wide[GPU_WARP_LANES];
    if (from->width == 8) {
        memcpy(wide, row, sizeof wide);
        for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
            to[lane] = mask >> lane & 1 ? wide[lane] : to[lane];
        return;
    }
    memcpy(narrow, row, sizeof narrow);
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
        to[lane] = mask >> lane & 1 ? narrow[lane] : to[lane];
}

static void trade_words(const GpuWarp *warp, const GpuExtra *from, uint32_t mask, uint32_t *to) {
    uint32_t words[GPU_WARP_LANES];
    memcpy(words, gpu_row(warp, from->row), sizeof words);
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
        to[lane] = mask >> lane & 1 ? words[lane] : to[lane];
}

static uint32_t trade_undefined(const GpuWarp *warp, const GpuInstruction *ins, unsigned source) {
    uint16_t number = part(ins, source)->number;
    if (warp->run->track && number != GPU_NO_REGISTER) return warp->meta[number].undefined;
    return 0;
}

static void warp_exchanged(const GpuWarp *warp, const GpuInstruction *ins, const WarpTrade *trade,
                           uint32_t guests) {
    const GpuExchange exchange = {warp,        ins->pc,     trade->lanes, trade->undefined,
                                  guests != 0, trade->from, trade->d};
    if (ins->source->opcode == PTX_OP_shfl) GPU_SEND(warp->run->gpu, exchanged, &exchange);
}

/** Copies these lanes' operands into the trade, and notes which of them have no value. */
static void trade_bring(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, WarpTrade *trade) {
    const GpuExtra *first = part(ins, FIRST_SOURCE);
    bool shuffles = ins->source->opcode == PTX_OP_shfl;
    if (first->sink) return;
    if (first->width == 0)
        trade->votes = (trade->votes & ~mask) | (predicate(warp, first) & mask);
    else
        trade_values(warp, first, mask, trade->a);
    if (shuffles) {
        trade_words(warp, part(ins, FIRST_SOURCE + 1), mask, trade->b);
        trade_words(warp, part(ins, FIRST_SOURCE + 2), mask, trade->c);
    }
    uint32_t lost = trade_undefined(warp, ins, FIRST_SOURCE) & mask;
    trade->lost = (trade->lost & ~mask) | lost;
    if (lost & trade->lanes) trade->origin = warp->meta[first->number].origin;
}

/** A shuffle that reads from nobody knows which lane. */
static void trade_check_lane(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    if (ins->source->opcode != PTX_OP_shfl) return;
    uint32_t vague = trade_undefined(warp, ins, FIRST_SOURCE + 1) & mask;
    if (vague)
        undefined_report(warp, ins, part(ins, FIRST_SOURCE + 1)->number, vague, GPU_UNDEFINED_SHUFFLE_LANE);
}

/** The results go to these lanes; one is undefined where the value that it comes from is. */
static void trade_take(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, const WarpTrade *trade) {
    const GpuExtra *d = part(ins, D);
    if (d->width == 0)
        set_predicate(warp, d, mask, trade->predicate);
    else if (!d->sink)
        for (uint32_t left = mask; left; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            gpu_lane_set(warp, d->row, d->width, lane, trade->d[lane]);
        }
    set_predicate(warp, part(ins, P), mask, trade->predicate);
    if (!warp->run->track) return;
    uint16_t number;
    if (d->number != GPU_NO_REGISTER)
        number = d->number;
    else
        number = part(ins, P)->number;
    for (unsigned i = D; i <= P; i++)
        if (part(ins, i)->number != GPU_NO_REGISTER) undefined_clear(warp, part(ins, i)->number, mask);
    uint32_t undefined = trade->undefined & mask;
    if (!undefined || number == GPU_NO_REGISTER) return;
    undefined_wake(warp->frame);
    warp->meta[number].undefined |= undefined;
    warp->meta[number].partial &= ~undefined;
    warp->meta[number].origin = trade->origin && !trade->outsiders ? trade->origin : ins->pc;
}

/** Does it for the lanes of the current group and for guests, all of which have met. No operation: they only
 * meet. */
static void warp_trade(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, uint32_t members,
                       Trade *operate) {
    if (!operate) {
        warp_synced(warp, ins, mask);
        return;
    }
    uint32_t guests = members & warp->alive & ~mask ? guests_waiting(warp, ins, members) & ~mask : 0;
    uint32_t invited = 0;
    GpuFrame *own = warp->frame;
    WarpTrade trade;
    trade_begin(&trade, ins->source, mask | guests);
    trade_bring(warp, ins, UINT32_MAX, &trade); /* who does not take part still has some value to be read */
    trade_check_lane(warp, ins, mask);
    for (uint32_t left = guests ? warp->used : 0; left; left &= left - 1) {
        const GpuGroup *group = &warp->groups[__builtin_ctz(left)];
        if (!warp_is_guest(warp, group, ins, members)) continue;
        warp_check_meeting(warp, ins, group, members);
        invited |= left & -left;
        warp_use_frame(warp, group->frame);
        trade_bring(warp, group->next, group->mask, &trade);
        trade_check_lane(warp, group->next, group->mask);
        warp_use_frame(warp, own);
    }
    operate(&trade);
    if (warp->run->gpu->config.lanes_apart) trade_undo(&trade);
    warp->run->launch.exchanges++;
    if (trade.outsiders) warp_tell(warp, ins, GPU_SYNC_SHUFFLE_SOURCE, trade.outsiders, members);
    const uint32_t wrong = trade_wrong_widths(&trade);
    if (wrong) {
        const int32_t width = trade_width(trade.c[__builtin_ctz(wrong)]);
        warp_tell(warp, ins, GPU_SYNC_SHUFFLE_WIDTH, wrong, (uint32_t)width);
    }
    const uint32_t far = trade_too_far(&trade);
    if (far) warp_tell(warp, ins, GPU_SYNC_SHUFFLE_FAR, mask, far);
    warp_exchanged(warp, ins, &trade, guests);
    trade_take(warp, ins, mask, &trade);
    for (; invited; invited &= invited - 1) {
        GpuGroup *group = &warp->groups[__builtin_ctz(invited)];
        warp_use_frame(warp, group->frame);
        trade_take(warp, group->next, group->mask, &trade);
        group->next++;
        warp_set_state(warp, group, GROUP_RUNNABLE);
    }
    warp_use_frame(warp, own);
}

/** Does the operation for each part of the lanes here. Masks that overlap without being equal are a mistake;
 * the machine then takes them as one. */
static const GpuInstruction *warp_do_parts(GpuWarp *warp, const GpuInstruction *ins, GpuRow row,
                                           uint32_t mask, Trade *operate) {
    WarpParts parts = warp_divide(warp, row, mask);
    uint32_t members, alike = warp_alike(warp, row, mask, &members);
    if (parts.torn) {
        warp_tell(warp, ins, GPU_SYNC_MASKS_DIFFER, parts.torn, members);
        if (!warp_meet(warp, ins, mask, parts.all | mask)) return NULL;
        warp_trade(warp, ins, mask, parts.all | mask, operate);
        return ins->next;
    }
    if (!parts.complete) {
        warp_part(warp, ins, mask, alike);
        return NULL;
    }
    for (; mask; mask &= ~alike) {
        alike = warp_alike(warp, row, mask, &members);
        warp_check_mask(warp, ins, alike, members);
        warp_trade(warp, ins, alike, members | alike, operate);
    }
    return ins->next;
}

static const GpuInstruction *warp_do(GpuWarp *warp, const GpuInstruction *ins, GpuRow row, uint32_t mask,
                                     Trade *operate) {
    uint32_t members;
    if (warp_alike(warp, row, mask, &members) != mask) return warp_do_parts(warp, ins, row, mask, operate);
    warp_check_mask(warp, ins, mask, members);
    members |= mask;
    if (!warp_meet(warp, ins, mask, members)) return NULL;
    warp_trade(warp, ins, mask, members, operate);
    return ins->next;
}

/** The mask operand of a .sync form is the last source; forms without .sync take who is here. */
static const GpuInstruction *warp_operate(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask,
                                          unsigned source, Trade *operate) {
    const GpuExtra *operand = part(ins, source);
    if (!operand->sink) return warp_do(warp, ins, operand->row, mask, operate);
    warp_trade(warp, ins, mask, mask, operate);
    return ins->next;
}

/** Unlike the others, it is done for lanes that wait in another __syncwarp() too: then it is not done again.
 */
const GpuInstruction *warp_sync_lanes(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint32_t members, waiting;
    bool alike = warp_alike(warp, ins->a, mask, &members) == mask;
    members |= mask;
    if (!alike || !(members & warp->alive & ~mask)) return warp_do(warp, ins, ins->a, mask, NULL);
    waiting = warp_waiting(warp, ins, members);
    const GpuInstruction *next = warp_do(warp, ins, ins->a, mask, NULL);
    if (members & warp->alive & ~mask & ~waiting) return next;
    warp_synced(warp, ins, mask | waiting);
    warp_count(warp, ins->ordinal + 1);
    warp->current->next = ins + 1;
    return NULL;
}

/** An instruction of the whole warp (.aligned): all lanes come to it, from one place, and there are 32 of
 * them.
 */
const GpuInstruction *warp_meet_all(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    if (warp->alive & ~mask && !warp_meet(warp, ins, mask, UINT32_MAX)) return NULL;
    if (mask != UINT32_MAX) warp_tell(warp, ins, GPU_SYNC_WARP_INCOMPLETE, ~mask, UINT32_MAX);
    return ins->next;
}

/* ---- the instructions ---- */

const GpuInstruction *warp_shfl(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    return warp_operate(warp, ins, mask, FIRST_SOURCE + 3, trade_shfl);
}

const GpuInstruction *warp_vote(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    return warp_operate(warp, ins, mask, FIRST_SOURCE + 1, trade_vote);
}

const GpuInstruction *warp_match(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    return warp_operate(warp, ins, mask, FIRST_SOURCE + 1, trade_match);
}

const GpuInstruction *warp_redux(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    return warp_operate(warp, ins, mask, FIRST_SOURCE + 1, trade_redux);
}

const GpuInstruction *warp_elect(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    return warp_operate(warp, ins, mask, FIRST_SOURCE, trade_elect);
}

const GpuInstruction *warp_active_mask(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const GpuExtra *d = part(ins, D);
    if (warp->run->track && d->number != GPU_NO_REGISTER) undefined_clear(warp, d->number, mask);
    for (uint32_t left = d->sink ? 0 : mask; left; left &= left - 1)
        gpu_lane_set(warp, d->row, d->width, (unsigned)__builtin_ctz(left), mask);
    return ins->next;
}
