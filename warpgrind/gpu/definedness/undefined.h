/* undefined.h - definedness: which lanes of a register, and which bytes of local memory, hold values that
 * come from nowhere. */
#pragma once

#include "gpu/state/machine.h"

GpuShadow *undefined_shadow_for(const GpuInstruction *ins);
/** Of the instruction's shadow: what is left of it where all registers are defined; NULL: nothing. */
GpuShadow *undefined_frame_shadow_for(const GpuInstruction *ins);
/** Registers of a frame that begins. Somebody may look at its variables before they have a value: then its
 * words are followed from the start. */
void undefined_begin(GpuFrame *frame, bool looked_at);
/** An undefined value is about to come into the frame: from here on its definedness is followed. */
void undefined_wake(GpuFrame *frame);
/** Nothing in the frame is undefined that anybody will read, and nobody follows the words of its local
 * memory. */
static inline bool undefined_rests(const GpuFrame *frame) {
    return frame->function->words_sure && !frame->undefined;
}
/** Reports lanes of the register that are undefined, and makes them defined. */
void undefined_report(GpuWarp *warp, const GpuInstruction *ins, uint16_t number, uint32_t lanes,
                      GpuUndefinedUse use);
/** Byte mask of what is undefined in a register's lane. */
unsigned undefined_bytes(const GpuFrame *frame, uint16_t number, unsigned lane);
void undefined_set(GpuFrame *frame, uint16_t number, unsigned lane, unsigned bytes, unsigned width,
                   uint32_t origin);

/* Definedness of what memory instructions move; parts are the registers of a vector */
void undefined_clear(GpuWarp *warp, uint16_t number, uint32_t mask);
void undefined_clear_parts(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask);
void undefined_of_parts(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, GpuAccess *access);
void undefined_to_parts(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, const GpuAccess *access);
void undefined_to_register(GpuWarp *warp, const GpuInstruction *ins, uint16_t number, uint32_t mask,
                           const GpuAccess *access);
void undefined_from_local(GpuWarp *warp, const GpuInstruction *ins, unsigned lane, uint32_t offset);
void undefined_to_local(GpuWarp *warp, const GpuInstruction *ins, unsigned lane, uint32_t offset);

/** The lanes of the mask in which the register is undefined; none of no register. */
static inline uint32_t undefined_in(const GpuWarp *warp, uint16_t number, uint32_t mask) {
    if (number == GPU_NO_REGISTER) return 0;
    return warp->meta[number].undefined & mask;
}

/** Where an undefined value came from: nowhere else than here, if that is not known. */
static inline uint32_t undefined_from(uint32_t origin, const GpuInstruction *ins) {
    if (origin) return origin;
    return ins->pc;
}
