/* undefined.c - definedness: which lanes of a register, and which bytes of them, hold values that come from
 * nowhere.
 *
 * A register's GpuMeta says which lanes are undefined. When only some bytes of a lane are (a struct's padding
 * copied in a wider word), the frame's `partial` has the byte mask. Local memory has a lane mask for every
 * byte.
 *
 * While no register of a frame is undefined (GpuFrame.undefined), only words of local memory are looked at;
 * and those of a function that is known to write each before it reads it are left alone, too, until an
 * undefined value comes (undefined_rests, undefined_wake).
 */
#include "gpu/definedness/bytes.h"
#include "gpu/state/events.h"

#include <stdlib.h>

/* ---- registers ---- */

unsigned undefined_bytes(const GpuFrame *frame, uint16_t number, unsigned lane) {
    if (number == GPU_NO_REGISTER) return 0;
    const GpuMeta *meta = &frame->meta[number];
    if (!(meta->undefined >> lane & 1)) return 0;
    if (meta->partial >> lane & 1) return frame->partial[number][lane];
    return all_bytes(register_bytes(frame, number));
}

void undefined_set(GpuFrame *frame, uint16_t number, unsigned lane, unsigned bytes, unsigned width,
                   uint32_t origin) {
    GpuMeta *meta = &frame->meta[number];
    uint32_t bit = 1u << lane;
    bytes &= all_bytes(width);
    if (!bytes) {
        meta->undefined &= ~bit;
        return;
    }
    frame->function->kernel->met_undefined = true;
    undefined_wake(frame);
    meta->undefined |= bit;
    meta->origin = origin;
    meta->partial &= ~bit;
    if (bytes == all_bytes(register_bytes(frame, number))) return;
    if (!frame->partial)
        frame->partial = calloc(frame->function->ptx->register_count, sizeof *frame->partial);
    if (!frame->partial) return; /* without memory for the bytes: undefined as a whole */
    meta->partial |= bit;
    frame->partial[number][lane] = (uint8_t)bytes;
}

void undefined_clear(GpuWarp *warp, uint16_t number, uint32_t mask) {
    warp->meta[number].undefined &= ~mask;
}

void undefined_begin(GpuFrame *frame, bool looked_at) {
    const GpuFunction *function = frame->function;
    const bool unset = CHECK_BOTH || function->reads_unset;
    if (unset || frame->undefined)
        for (uint32_t i = 0; i < function->ptx->register_count; i++)
            frame->meta[i] = (GpuMeta){.undefined = unset ? UINT32_MAX : 0};
    for (uint32_t i = 0; unset && i < function->preset_count; i++) {
        const uint16_t number = function->code[function->presets[i]].defines;
        if (number != GPU_NO_REGISTER) frame->meta[number].undefined = 0;
    }
    frame->undefined = function->reads_unset || looked_at;
}

void undefined_wake(GpuFrame *frame) {
    if (undefined_rests(frame))
        for (uint32_t i = 0; i < frame->function->stack_bytes; i++)
            frame->words[i] &= ~frame->lanes;
    frame->undefined = true;
}

void undefined_report(GpuWarp *warp, const GpuInstruction *ins, uint16_t number, uint32_t lanes,
                      GpuUndefinedUse use) {
    undefined_expect(warp, ins);
    event_undefined(warp, lanes, ins->pc, use, undefined_origin(warp, number, ins));
    undefined_clear(warp, number, lanes);
}

/* ---- what memory instructions move ---- */

void undefined_clear_parts(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    for (unsigned k = 0; k < ins->count; k++)
        if (parts[k].number != GPU_NO_REGISTER) undefined_clear(warp, parts[k].number, mask);
}

/** Stored values: the registers' definedness goes to the event. */
void undefined_of_parts(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, GpuAccess *access) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    bool converted = ins->source->opcode == PTX_OP_sust_p; /* to the texel's own format */
    bool atomic = access->kind == GPU_ATOMIC;
    unsigned count = atomic ? ins->use_count : ins->count;
    for (unsigned k = 0; k < count; k++) {
        uint16_t number = atomic ? ins->uses[k] : parts[k].number;
        uint32_t undefined = undefined_in(warp, number, mask);
        if (!undefined) continue;
        warp->run->kernel->met_undefined = true;
        if (atomic) {
            undefined_report(warp, ins, number, undefined, GPU_UNDEFINED_ATOMIC);
            continue;
        }
        access->origin = undefined_origin(warp, number, ins);
        for (; undefined; undefined &= undefined - 1) {
            unsigned lane = (unsigned)__builtin_ctz(undefined);
            unsigned bytes = undefined_bytes(warp->frame, number, lane) & all_bytes(ins->bytes);
            if (!bytes) continue;
            if (!(access->undefined_lanes >> lane & 1)) access->undefined_bytes[lane] = 0;
            access->undefined_lanes |= 1u << lane;
            access->undefined_bytes[lane] |=
                (uint16_t)(converted ? all_bytes(access->bytes) : (uint32_t)bytes << ins->bytes * k);
        }
    }
}

/** Loaded values: what an observer says goes to the registers. */
void undefined_to_parts(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, const GpuAccess *access) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    uint32_t origin = undefined_from(access->origin, ins);
    for (uint32_t left = access->undefined_lanes & access->wanted & mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        for (unsigned k = 0; k < ins->count; k++) {
            if (parts[k].number == GPU_NO_REGISTER) continue;
            unsigned bytes = access->undefined_bytes[lane] >> ins->bytes * k & all_bytes(ins->bytes);
            if (ins->memory.sign && bytes >> (ins->bytes - 1) & 1) bytes |= ~all_bytes(ins->bytes);
            undefined_set(warp->frame, parts[k].number, lane, bytes,
                          register_bytes(warp->frame, parts[k].number), origin);
        }
    }
}

void undefined_to_register(GpuWarp *warp, const GpuInstruction *ins, uint16_t number, uint32_t mask,
                           const GpuAccess *access) {
    uint32_t origin = undefined_from(access->origin, ins);
    for (uint32_t left = access->undefined_lanes & mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        undefined_set(warp->frame, number, lane, access->undefined_bytes[lane], ins->bytes, origin);
    }
}

/** What a lane loads from anywhere in its local memory; the registers have been made defined before. */
void undefined_from_local(GpuWarp *warp, const GpuInstruction *ins, unsigned lane, uint32_t offset) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    for (unsigned k = 0; k < ins->count; k++) {
        unsigned bytes = 0;
        for (unsigned i = 0; i < ins->bytes; i++)
            bytes |= (warp->local_undefined[offset + k * ins->bytes + i] >> lane & 1) << i;
        if (!bytes || parts[k].number == GPU_NO_REGISTER) continue;
        uint32_t origin = warp->local_origin[(offset + k * ins->bytes + (unsigned)__builtin_ctz(bytes)) / 4];
        if (ins->memory.sign && bytes >> (ins->bytes - 1) & 1) bytes |= ~all_bytes(ins->bytes);
        undefined_set(warp->frame, parts[k].number, lane, bytes, register_bytes(warp->frame, parts[k].number),
                      undefined_from(origin, ins));
    }
}

void undefined_to_local(GpuWarp *warp, const GpuInstruction *ins, unsigned lane, uint32_t offset) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    uint32_t bit = 1u << lane;
    for (unsigned k = 0; k < ins->count; k++) {
        unsigned bytes = undefined_bytes(warp->frame, parts[k].number, lane);
        uint32_t at = offset + k * ins->bytes;
        for (unsigned i = 0; i < ins->bytes; i++)
            warp->local_undefined[at + i] = (warp->local_undefined[at + i] & ~bit) | (bytes >> i & 1) << lane;
        if (bytes) undefined_came_from(warp, at, ins->bytes, undefined_origin(warp, parts[k].number, ins));
    }
}
